//! Prose: passed over in long steps up to the next byte that may begin a marker or what is left as it is.

use super::{State, Step};
use crate::domain::synthesis::citations::Rewriter;
use crate::domain::synthesis::citations::lead::held_start;
use crate::domain::synthesis::citations::spans::{self, Opening, Span};
use crate::domain::synthesis::citations::window::{Cursor, Stop};

/// Bytes that are looked at before it is asked whether one of them is special.
const STEP: usize = 8;

/// Whether prose may end at a byte, as 1 or 0; of the lead bytes of three-byte chars only those of brackets matter.
static IS_SPECIAL: [u8; 256] = {
    let mut table = [0; 256];
    let mut special: &[u8] = b"\n[\\]`$<\xE3\xEF";
    while let [first, rest @ ..] = special {
        table[*first as usize] = 1;
        special = rest;
    }
    table
};

/// The first such byte.
fn first_special(bytes: &[u8]) -> Option<usize> {
    let is_special = |byte: &u8| IS_SPECIAL[usize::from(*byte)];
    let has_none = |step: &&[u8]| step.iter().fold(0, |any, byte| any | is_special(byte)) == 0;
    let passed = bytes.chunks_exact(STEP).take_while(has_none).count() * STEP;
    let place = bytes[passed..].iter().position(|byte| is_special(byte) > 0)?;
    Some(passed + place)
}

/// The next place in `bytes`, from `at` on, that needs a decision.
fn next_special(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += first_special(&bytes[at..])?;
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
            let end = if eof { buffer.len() } else { at + held_start(&buffer[at..], self.in_row) };
            self.emit(&buffer[at..end], out);
            return if eof { Ok(end) } else { Err(end) };
        };
        let window = || Cursor::new(buffer, special, eof);
        let opening = match bytes[special] {
            b'\n' => {
                self.line_start = true;
                self.emit(&buffer[at..=special], out);
                return Ok(special + 1);
            }
            b'`' => spans::code(window()),
            b'$' => spans::dollar(window()),
            b'\\' => spans::backslash(window()),
            b'<' => spans::less_than(window()),
            b']' => match bytes.get(special + 1) {
                Some(b'(') => Ok(Opening { len: 2, span: Some(Span::Destination(0)) }),
                None if !eof => Err(Stop::More),
                _ => Ok(Opening { len: 1, span: None }),
            },
            _ => return self.bracket(buffer, at, window(), special, out),
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

#[cfg(test)]
mod tests {
    use super::next_special;

    #[test]
    fn prose_ends_at_the_first_byte_that_needs_a_decision_wherever_it_stands() {
        for length in 0..50 {
            let prose = "a文é9|)".repeat(9);
            let prose = &prose[..prose.floor_char_boundary(length)];
            assert_eq!(next_special(prose.as_bytes(), 0), None);
            for mark in ["\n", "[", "\\", "]", "`", "$", "<", "【", "〔", "［"] {
                let text = format!("{prose}。（{mark}{mark}");
                let at = text.len() - 2 * mark.len();
                assert_eq!(next_special(text.as_bytes(), 0), Some(at), "{text}");
                assert_eq!(next_special(text.as_bytes(), at + mark.len()), Some(at + mark.len()), "{text}");
            }
        }
    }
}
