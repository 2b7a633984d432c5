//! The pieces that `o200k_base` cuts a text into, by hand where they are ASCII.
//!
//! The vocabulary's regular expression (`tiktoken`, `openai_public.py`) is in order of preference, with `L` letters, `U`
//! upper, `W` lower case and `N` digits:
//!
//! ```text
//! [^\r\nLN]?U*W+('s|'t|'re|'ve|'m|'ll|'d)? | [^\r\nLN]?U+W*('s|…)? | N{1,3} |  ?[^\sLN]+[\r\n/]* | \s*[\r\n]+ | \s+$ | \s+(?!\S) | \s+
//! ```
//!
//! Matching it is most of the time of counting. A piece of ASCII that ends before ASCII, or with the text, is told by a
//! few comparisons, and so is one of Chinese characters and the punctuation between them; wherever another character could
//! belong to it, the answer is left to the expression. A test holds both against each other.

/// What an ASCII byte is to the expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    /// White space that ends no line.
    Blank,
    /// `\r` and `\n`.
    Newline,
    Mark,
    /// Part of a character beyond ASCII.
    Beyond,
    /// Nothing more comes.
    End,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Beyond; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        table[byte as usize] = match byte {
            b'A'..=b'Z' => Class::Upper,
            b'a'..=b'z' => Class::Lower,
            b'0'..=b'9' => Class::Digit,
            b'\r' | b'\n' => Class::Newline,
            b' ' | b'\t' | 0x0B | 0x0C => Class::Blank,
            _ => Class::Mark,
        };
        byte += 1;
    }
    table
}

fn class(bytes: &[u8], at: usize) -> Class {
    bytes.get(at).map_or(Class::End, |byte| CLASSES[usize::from(*byte)])
}

/// A character of three bytes that is known here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wide {
    /// A letter without case.
    Letter,
    Mark,
}

/// The bytes of each of those.
const WIDE: usize = 3;

/// The Chinese character, or punctuation of Chinese text, at a place.
fn wide(bytes: &[u8], at: usize) -> Option<Wide> {
    match bytes.get(at..at + WIDE)? {
        [0xE4, 0xB8..=0xBF, _] | [0xE5..=0xE8, _, _] | [0xE9, 0x80..=0xBD, _] => Some(Wide::Letter),
        // “ ” 、 。 〈〉《》「」『』【】 ！ （ ） ， ： ； ？
        [0xE2, 0x80, 0x9C | 0x9D] | [0xE3, 0x80, 0x81 | 0x82 | 0x88..=0x91] => Some(Wide::Mark),
        [0xEF, 0xBC, 0x81 | 0x88 | 0x89 | 0x8C | 0x9A | 0x9B | 0x9F] => Some(Wide::Mark),
        _ => None,
    }
}

/// How long a run of some classes is, from `at` on.
fn run(bytes: &[u8], at: usize, is_in: impl Fn(Class) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_in(CLASSES[usize::from(**byte)])).count()
}

/// The length of the first piece of a text, in bytes; `None` where ASCII alone doesn't tell. Of an empty text there is none.
#[inline]
pub(super) fn first(bytes: &[u8]) -> Option<usize> {
    let next = class(bytes, 1);
    let is_letter = |class| matches!(class, Class::Upper | Class::Lower);
    match class(bytes, 0) {
        Class::Upper | Class::Lower => word(bytes, 0),
        Class::Blank | Class::Mark if is_letter(next) => word(bytes, 1),
        Class::Blank | Class::Mark if next == Class::Beyond => match (bytes.first()?, wide(bytes, 1)?) {
            (_, Wide::Letter) => wide_word(bytes, 1),
            (b' ', Wide::Mark) => marks(bytes, 1),
            (blank, Wide::Mark) => (class(&[*blank], 0) == Class::Mark).then(|| marks(bytes, 0))?,
        },
        Class::Digit => digits(bytes),
        Class::Mark => marks(bytes, 0),
        Class::Blank if bytes.first() == Some(&b' ') && next == Class::Mark => marks(bytes, 1),
        Class::Blank | Class::Newline => space(bytes),
        Class::Beyond => match (wide(bytes, 0)?, wide(bytes, WIDE)) {
            (Wide::Letter, _) => wide_word(bytes, 0),
            (Wide::Mark, Some(Wide::Letter)) => wide_word(bytes, WIDE),
            (Wide::Mark, _) if is_letter(class(bytes, WIDE)) => word(bytes, WIDE),
            (Wide::Mark, _) => marks(bytes, 0),
        },
        Class::End => None,
    }
}

/// Chinese characters from `at` on.
fn wide_word(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    while wide(bytes, end) == Some(Wide::Letter) {
        end += WIDE;
    }
    let ends = match class(bytes, end) {
        Class::Upper | Class::Lower => false,
        Class::Mark => bytes[end] != b'\'',
        Class::Beyond => wide(bytes, end) == Some(Wide::Mark),
        Class::Digit | Class::Blank | Class::Newline | Class::End => true,
    };
    ends.then_some(end)
}

/// Letters from `at` on, a change from lower to upper case being an end, and the contraction after them.
#[inline]
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let upper = run(bytes, at, |class| class == Class::Upper);
    let end = run(bytes, upper, |class| class == Class::Lower);
    match bytes.get(end) {
        Some(b'\'') => {}
        Some(byte) => return byte.is_ascii().then_some(end),
        None => return Some(end),
    }
    let after = |count: usize| bytes.get(end + count).map_or(0, u8::to_ascii_lowercase);
    match (after(1), after(2)) {
        // A long s is an s.
        (0x80.., _) => None,
        (b's' | b't' | b'm' | b'd', _) => Some(end + 2),
        (b'r' | b'v', b'e') | (b'l', b'l') => Some(end + 3),
        _ => Some(end),
    }
}

fn digits(bytes: &[u8]) -> Option<usize> {
    let end = run(&bytes[..bytes.len().min(3)], 0, |class| class == Class::Digit);
    (end == 3 || class(bytes, end) != Class::Beyond).then_some(end)
}

fn marks(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    loop {
        match class(bytes, end) {
            Class::Mark => end += 1,
            Class::Beyond => match wide(bytes, end)? {
                Wide::Mark => end += WIDE,
                Wide::Letter => return Some(end),
            },
            Class::Upper | Class::Lower | Class::Digit | Class::Blank | Class::Newline | Class::End => break,
        }
    }
    while matches!(bytes.get(end), Some(b'\r' | b'\n' | b'/')) {
        end += 1;
    }
    Some(end)
}

/// White space to the end of its last line; without one, to the end of the text, or up to the blank that the next piece
/// begins with.
fn space(bytes: &[u8]) -> Option<usize> {
    let end = run(bytes, 0, |class| matches!(class, Class::Blank | Class::Newline));
    let newline = bytes[..end].iter().rposition(|byte| matches!(byte, b'\r' | b'\n'));
    match (class(bytes, end), newline) {
        (Class::Beyond, _) => None,
        (_, Some(newline)) => Some(newline + 1),
        (Class::End, None) => Some(end),
        (_, None) => Some((end - 1).max(1)),
    }
}
