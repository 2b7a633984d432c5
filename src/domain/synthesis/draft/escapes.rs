//! The escapes of a JSON string (RFC 8259, section 7), char by char.
//!
//! What is no escape of JSON's stays as it was written (`\d` is a backslash and a `d`), except `\'`, which is a quote in
//! the strings of other languages. Half of a surrogate pair has no text: it becomes U+FFFD.

/// Where in an escape a string is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    Backslash,
    /// Behind `\u` and so many of its digits.
    Unicode(u16, usize, [char; 3]),
}

/// Resolves the escapes of one string that comes in any pieces.
#[derive(Debug)]
pub(super) struct Escapes {
    state: State,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

impl Escapes {
    pub(super) fn new() -> Self {
        Escapes { state: State::Plain, high: None }
    }

    /// Whether `c` belongs to an escape that has begun. A quote that doesn't may end the string.
    pub(super) fn takes(&self, c: char) -> bool {
        match self.state {
            State::Plain => false,
            State::Backslash => true,
            State::Unicode(..) => c.is_ascii_hexdigit(),
        }
    }

    /// Reads the next char, and appends to `out` what is text now.
    pub(super) fn take(&mut self, c: char, out: &mut String) {
        match self.state {
            State::Plain => self.plain(c, out),
            State::Backslash => self.behind_backslash(c, out),
            State::Unicode(value, count, written) => match c.to_digit(16) {
                Some(digit) => self.digit(value << 4 | digit as u16, count, written, c, out),
                None => {
                    self.unfinished(out);
                    self.plain(c, out);
                }
            },
        }
    }

    /// The string has ended: writes what can't become an escape any more.
    pub(super) fn end(&mut self, out: &mut String) {
        self.unfinished(out);
        self.lone(out);
    }

    fn plain(&mut self, c: char, out: &mut String) {
        if c == '\\' {
            self.state = State::Backslash;
        } else {
            self.lone(out);
            out.push(c);
        }
    }

    fn behind_backslash(&mut self, c: char, out: &mut String) {
        self.state = State::Plain;
        if c == 'u' {
            self.state = State::Unicode(0, 0, ['\0'; 3]);
            return;
        }
        self.lone(out);
        match c {
            '"' | '\\' | '/' | '\'' => out.push(c),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            _ => out.extend(['\\', c]),
        }
    }

    fn digit(&mut self, value: u16, count: usize, mut written: [char; 3], c: char, out: &mut String) {
        if let Some(place) = written.get_mut(count) {
            *place = c;
            self.state = State::Unicode(value, count + 1, written);
            return;
        }
        self.state = State::Plain;
        match (self.high.take(), value) {
            (Some(high), 0xdc00..=0xdfff) => {
                let pair = 0x10000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(value) - 0xdc00);
                out.push(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (before, _) => {
                out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
                match value {
                    0xd800..=0xdbff => self.high = Some(value),
                    _ => out.push(char::from_u32(u32::from(value)).unwrap_or(char::REPLACEMENT_CHARACTER)),
                }
            }
        }
    }

    /// Writes the first half of a pair whose second half didn't come.
    fn lone(&mut self, out: &mut String) {
        out.extend(self.high.take().map(|_| char::REPLACEMENT_CHARACTER));
    }

    /// Writes an escape that wasn't finished as it stands.
    fn unfinished(&mut self, out: &mut String) {
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Plain => {}
            State::Backslash => {
                self.lone(out);
                out.push('\\');
            }
            State::Unicode(_, count, written) => {
                self.lone(out);
                out.push_str("\\u");
                out.extend(&written[..count.min(written.len())]);
            }
        }
    }
}
