//! What stood around a marker that was dropped: the blank before it, and a sign behind it that set it apart.

use crate::domain::synthesis::citations::Rewriter;
use crate::domain::synthesis::citations::marker::{is_dash, is_separator};
use crate::domain::synthesis::citations::window::{Cursor, Scan, is_blank};
use crate::domain::text::scripts::is_wide_or_mark;

/// Blanks and signs behind a marker that are looked at.
const BLANKS_MAX: usize = 2;
const SIGNS_MAX: usize = 2;

/// What goes with a dropped marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Around {
    /// Whether the blank before it does.
    pub lead: bool,
    /// How many bytes behind it do.
    pub behind: usize,
}

impl Rewriter<'_> {
    /// What goes with a marker that was dropped before the text at `ahead`.
    pub(super) fn around(&self, mut ahead: Cursor<'_>) -> Scan<Around> {
        let blanks = skip(&mut ahead, is_blank, BLANKS_MAX)?;
        let at_sign = ahead.at;
        let Some(sign) = ahead.peek_or_end()? else { return Ok(Around::default()) };
        let is_wide = is_wide_or_mark(sign) || is_separator(sign) && !sign.is_ascii();
        if blanks > 0 && is_wide && self.is_behind_wide() {
            return Ok(Around { lead: true, behind: at_sign });
        }
        let is_sign = |c: char| is_dash(c) || is_separator(c) || matches!(c, '.' | ':' | '：');
        if !is_sign(sign) {
            return Ok(Around::default());
        }
        let signs = skip(&mut ahead, |c| c == sign, SIGNS_MAX)?;
        let next = ahead.peek_or_end()?;
        let is_apart = next.is_none_or(|next| is_blank(next) || next == '\n');
        // A line doesn't begin with what set its marker apart: `- [9] — it rose`.
        if is_apart && sign != '.' && self.begins_line() {
            skip(&mut ahead, is_blank, BLANKS_MAX)?;
            ahead.peek_or_end()?;
            return Ok(Around { lead: false, behind: ahead.at });
        }
        let is_glued = |next: char| next.is_alphabetic() || signs > 1 && next.is_alphanumeric();
        Ok(match sign {
            // `rose [9]—and fell`, `rose [9] ——而且`.
            _ if is_dash(sign) && blanks == 0 && next.is_some_and(is_glued) => {
                Around { lead: true, behind: 0 }
            }
            _ if is_dash(sign) && signs > 1 && self.is_behind_wide() => {
                Around { lead: true, behind: at_sign }
            }
            // Others have a blank before them in French.
            '.' | ',' if blanks > 0 && signs == 1 && is_apart => Around { lead: true, behind: at_sign },
            _ => Around::default(),
        })
    }

    /// Whether nothing was said yet in the line that is being written.
    pub(super) fn begins_line(&self) -> bool {
        let line = match memchr::memrchr(b'\n', &self.tail) {
            Some(end) => &self.tail[end + 1..],
            None if self.written < self.tail.len() => &self.tail[self.tail.len() - self.written..],
            None => return false,
        };
        match line.trim_ascii() {
            b"" | b"-" | b"*" | b"+" | b">" => true,
            [number @ .., b'.' | b')'] => number.iter().all(u8::is_ascii_digit),
            mark => mark == "•".as_bytes(),
        }
    }

    /// Whether what was written ends with a character that has no blank beside it.
    fn is_behind_wide(&self) -> bool {
        let last = self.tail.last_chunk::<3>().and_then(|last| std::str::from_utf8(last).ok());
        last.and_then(|last| last.chars().next_back()).is_some_and(is_wide_or_mark)
    }
}

/// Reads so many characters at most as `test` likes them; how many.
fn skip(c: &mut Cursor<'_>, test: impl Fn(char) -> bool, most: usize) -> Scan<usize> {
    let mut count = 0;
    while count < most && c.peek_or_end()?.is_some_and(&test) {
        c.bump()?;
        count += 1;
    }
    Ok(count)
}
