//! What is known of the word that the output ends with: a bracket glued to code is an index, not a citation.
//!
//! The rewriter doesn't keep what it has written; a few facts about the last word are enough, and they are the same
//! however the text comes in pieces.

/// A call's arguments are no longer: more is prose with an open parenthesis.
const CALL_BYTES_MAX: u8 = 64;

/// What files end with: `config.json[1]` names a file, and the number is a citation's.
#[rustfmt::skip]
const ENDINGS: [&[u8]; 36] = [
    b"aspx", b"bin", b"cfg", b"conf", b"css", b"csv", b"dat", b"db", b"dll", b"doc", b"docx", b"exe", b"gif", b"gz", b"htm", b"html", b"ini", b"ipynb",
    b"java", b"jpg", b"js", b"json", b"jsx", b"log", b"pdf", b"php", b"png", b"svg", b"toml", b"ts", b"tsx", b"txt", b"xml", b"yaml", b"yml", b"xlsx",
];

/// What the name of a variable ends with that holds several things.
const LISTS: [&[u8]; 10] =
    [b"items", b"rows", b"list", b"array", b"columns", b"cols", b"entries", b"elements", b"values", b"args"];

/// A call, `f(x)`, or what is taken out of something by its name, `data["key"]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Call {
    #[default]
    None,
    /// Behind its first parenthesis: what comes next decides. Whether its name is a variable's, and what closes it.
    Opening(bool, u8),
    /// So many parentheses deep, with what closes it, and how many bytes it may still have.
    Inside(u8, u8, u8),
    /// It ends here.
    Closed,
}

/// The end of what was written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    /// Letters, digits and `_` at the end, up to 255.
    run: u8,
    /// Whether these begin with a small letter.
    begins_small: bool,
    /// Whether one of them is a `_` between others.
    joined: bool,
    /// Whether they stand behind a name and a full stop: `sys.argv`.
    dotted: bool,
    /// Whether the next ones would.
    dot: bool,
    /// Whether the word has a slash or an at sign, as addresses and paths have.
    address: bool,
    last: u8,
    call: Call,
}

impl Token {
    /// That of a text that is at hand, as far as it matters.
    pub(super) fn of(text: &str) -> Self {
        let mut token = Self::default();
        token.read(&text.as_bytes()[text.len().saturating_sub(2 * usize::from(CALL_BYTES_MAX))..]);
        token
    }

    /// More was written. Most of it is prose, of which only the last word counts; nothing goes on over the end of a line.
    pub(super) fn read(&mut self, mut bytes: &[u8]) {
        if let Some(end) = memchr::memrchr(b'\n', bytes) {
            *self = Self { last: b'\n', ..Self::default() };
            bytes = &bytes[end + 1..];
        }
        loop {
            if matches!(self.call, Call::None | Call::Closed) {
                let next = memchr::memchr2(b'(', b'[', bytes).unwrap_or(bytes.len());
                let (mut prose, rest) = bytes.split_at(next);
                if let Some(blank) = memchr::memrchr2(b' ', b'\n', prose) {
                    *self = Self { last: prose[blank], ..Self::default() };
                    prose = &prose[blank + 1..];
                }
                prose.iter().for_each(|byte| self.step(*byte));
                bytes = rest;
            }
            let Some((byte, rest)) = bytes.split_first() else { return };
            self.step(*byte);
            bytes = rest;
        }
    }

    fn step(&mut self, byte: u8) {
        let was_call = self.call == Call::Closed;
        self.call = self.call_behind(byte);
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            if self.run == 0 {
                (self.begins_small, self.joined, self.dotted) = (byte.is_ascii_lowercase(), false, self.dot);
            }
            self.joined |= self.run > 0 && self.last == b'_' && byte != b'_';
            self.run = self.run.saturating_add(1);
            self.dot = false;
        } else {
            let is_name = self.run > 1 && self.last.is_ascii_alphabetic()
                || self.run == 1 && self.last.is_ascii_lowercase() && !self.dotted
                || was_call;
            self.dot = byte == b'.' && is_name;
            self.run = 0;
            self.address = !byte.is_ascii_whitespace() && (self.address || matches!(byte, b'/' | b'@'));
        }
        self.last = byte;
    }

    fn call_behind(&self, byte: u8) -> Call {
        let is_quote = matches!(byte, b'"' | b'\'');
        match self.call {
            Call::Inside(..) if matches!(byte, b'\n' | b'[') => Call::None,
            Call::Inside(1, close, _) if byte == close => Call::Closed,
            Call::Inside(_, _, 0) => Call::None,
            Call::Inside(depth, close, left) => {
                let depth = depth + u8::from(byte == b'(') - u8::from(byte == b')' && depth > 1);
                Call::Inside(depth, close, left - 1)
            }
            Call::Opening(_, b')') if byte == b')' => Call::Closed,
            Call::Opening(variable, close) if is_quote || variable && byte.is_ascii_lowercase() => {
                Call::Inside(1, close, CALL_BYTES_MAX)
            }
            Call::None | Call::Closed | Call::Opening(..) => match byte {
                b'(' if self.run > 0 && !self.address => {
                    Call::Opening(self.joined || self.dotted || self.run == 1 && self.begins_small, b')')
                }
                b'[' if self.run > 0 && !self.address => Call::Opening(false, b']'),
                _ => Call::None,
            },
        }
    }

    /// Whether a word that ends so may be code at all.
    pub(super) fn may_end_code(last: u8) -> bool {
        last.is_ascii_alphanumeric() || matches!(last, b'_' | b')' | b']')
    }

    /// Whether the word is clearly code, so that a bracket directly behind it is an index. `tail` is the end of what was
    /// written.
    pub(super) fn is_code(&self, tail: &[u8]) -> bool {
        if self.address {
            return false;
        }
        let run = usize::from(self.run);
        let part = tail.get(tail.len().saturating_sub(run)..).unwrap_or_default();
        let is_member = self.dotted && self.begins_small && run > 1 && !is_ending(part);
        let is_list = self.begins_small && is_list_of(part);
        self.call == Call::Closed || run > 0 && self.joined && self.last != b'_' || is_member || is_list
    }
}

/// Whether a name that begins with a small letter ends like a list of something: `myItems`, not `iPhone`.
fn is_list_of(part: &[u8]) -> bool {
    let Some(last) = part.iter().rposition(u8::is_ascii_uppercase).filter(|last| *last > 0) else {
        return false;
    };
    part[last - 1].is_ascii_lowercase() && LISTS.iter().any(|list| part[last..].eq_ignore_ascii_case(list))
}

/// Whether a name with this behind its full stop is a host's or a file's.
fn is_ending(part: &[u8]) -> bool {
    ENDINGS.contains(&part) || psl::suffix(part).is_some_and(|suffix| suffix.is_known())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_code(text: &str) -> bool {
        let mut token = Token::default();
        text.bytes().for_each(|byte| token.read(&[byte]));
        let code = token.is_code(&text.as_bytes()[text.len().saturating_sub(12)..]);
        assert_eq!(Token::of(text).is_code(text.as_bytes()), code, "{text}");
        code
    }

    #[test]
    fn code_is_told_from_prose() {
        for text in [
            "Pass sys.argv",
            "process.env",
            "self.items",
            "x.shape",
            "my_long_configuration",
            "f(x)",
            "re.split(r\"a b\", s)",
            "get_all(x, y)",
            "items()",
            "os.environ.get(\"A\")",
            "data[\"key\"]",
            "np.array(f(x))",
            "load().rows",
            "myItems",
            "customerOrderItems",
            "(rowValues",
        ] {
            assert!(is_code(text), "{text}");
        }
        for text in [
            "costs fell",
            "example.com",
            "at docs.python.org",
            "Node.js",
            "config.json",
            "main.py",
            "e.g",
            "U.S",
            "Ph.D",
            "et.al",
            "v1.2.3",
            "3.5",
            "the author(s)",
            "O(n)",
            "CO(2)",
            "t(9;22)",
            "(see f)",
            "It rose (in 2020)",
            "https://a.example/x_y.html",
            "https://a.example/sys.argv",
            "_Nature_",
            "_a long title_",
            "me@a.local",
            "f(x rose, and it fell (a lot) until it was as low as it had been in all the years before (see there)",
            "rose.But",
            "word",
            "5 %",
            "”",
            "",
            "f(x\n)",
            "sys.argv ",
            "(see my_name)",
            "my_name ",
            "上涨",
            "iPhone",
            "macOS",
            "bigData",
            "OpenSourceItems",
            "items",
            "文.data",
        ] {
            assert!(!is_code(text), "{text}");
        }
    }
}
