//! Prose: passed over in long steps up to the next byte that may begin a marker or what is left as it is.

use super::{State, Step};
use crate::domain::synthesis::citations::Rewriter;
use crate::domain::synthesis::citations::output::lead_start;
use crate::domain::synthesis::citations::spans::{self, Opening, Span};
use crate::domain::synthesis::citations::window::{Cursor, Stop};

/// Bytes at which the scan of prose stops; of the two lead bytes of three-byte chars only the brackets matter.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\n[`$\\<]\xE3\xEF";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// The next place in `bytes`, from `at` on, that needs a decision.
fn next_special(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes[at..].iter().position(|byte| SPECIAL[usize::from(*byte)])?;
        let wide = match bytes[at] {
            0xE3 => !matches!(bytes.get(at + 1..at + 3), Some([0x80, 0x90 | 0x94])),
            0xEF => bytes.get(at + 1..at + 3) != Some(&[0xBC, 0xBB]),
            _ => false,
        };
        if !wide {
            return Some(at);
        }
        at += 3;
    }
}

impl Rewriter<'_> {
    /// Prose up to the next place that needs a decision, and that decision.
    pub(super) fn text(&mut self, buffer: &str, at: usize, eof: bool, out: &mut String) -> Step {
        let bytes = buffer.as_bytes();
        let Some(special) = next_special(bytes, at) else {
            let end = if eof { buffer.len() } else { at + lead_start(&buffer[at..], self.in_row) };
            self.emit(&buffer[at..end], out);
            return if eof { Ok(end) } else { Err(end) };
        };
        let window = Cursor::new(buffer, special, eof);
        let opening = match bytes[special] {
            b'\n' => {
                self.line_start = true;
                self.emit(&buffer[at..=special], out);
                return Ok(special + 1);
            }
            b'`' => spans::code(window),
            b'$' => spans::dollar(window),
            b'\\' => spans::backslash(window),
            b'<' => spans::less_than(window),
            b']' => match bytes.get(special + 1) {
                Some(b'(') => Ok(Opening { len: 2, span: Some(Span::Destination(0)) }),
                None if !eof => Err(Stop::More),
                _ => Ok(Opening { len: 1, span: None }),
            },
            _ => return self.bracket(buffer, at, window, special, out),
        };
        match opening {
            Ok(opening) => {
                let end = special + opening.len;
                self.emit(&buffer[at..end], out);
                self.state = opening.span.map_or(State::Text, State::Verbatim);
                Ok(end)
            }
            Err(_) => {
                self.emit(&buffer[at..special], out);
                Err(special)
            }
        }
    }
}
