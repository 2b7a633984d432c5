//! Signs that say something of their own: `✅` and `❌`, `a + b` and `a - b`, `10^-3` and `10^3`, `ls -l` and `ls -L`.
//!
//! Words are compared without what stands between them, so texts that differ in nothing but such a sign are equal word by word.

/// What a text has of them, in its order; of a flag its letter with its case. Two bars in a row of a table are an empty cell.
fn symbols(text: &str, is_row: bool) -> Vec<char> {
    let bytes = text.as_bytes();
    let has_equation = memchr::memchr(b'=', bytes).is_some();
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() || c == ' ' {
            continue;
        }
        let (before, after) = (at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + c.len_utf8()).copied());
        let counts = match c {
            '+' | '*' | '/' | '^' => stands_alone(text, at, before, after) || ends_charge(c, before, after),
            '-' if before == Some(b'^') => true,
            '-' => has_equation && stands_alone(text, at, before, after) || ends_charge(c, before, after),
            '&' => before == Some(b'&'),
            '|' => before == Some(b'|') && !is_row && !is_in_table(text, at),
            _ => is_telling(c),
        };
        if counts {
            found.push(c);
        }
        found.extend(flag(&bytes[at..], before).map(char::from));
    }
    found
}

/// Whether the line begins with a bar, as those of a table do.
fn is_in_table(text: &str, at: usize) -> bool {
    text[..at].rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('|'))
}

/// Between blanks, bars or quotation marks, and no mark of a list.
fn stands_alone(text: &str, at: usize, before: Option<u8>, after: Option<u8>) -> bool {
    let is_edge = |byte: Option<u8>| matches!(byte, Some(b' ' | b'|' | b'"' | b'\'' | b'`'));
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    is_edge(before) && is_edge(after) && !line.trim().is_empty()
}

/// The charge of an ion: `Ca2+`, `Ca2-`.
fn ends_charge(c: char, before: Option<u8>, after: Option<u8>) -> bool {
    matches!(c, '+' | '-')
        && before.is_some_and(|byte| byte.is_ascii_digit())
        && after.is_none_or(|byte| byte == b' ' || byte == b'.' || byte == b',')
}

/// The letter of a flag of one letter: of `-l` the `l`.
fn flag(rest: &[u8], before: Option<u8>) -> Option<u8> {
    let [b'-', letter, behind @ ..] = rest else { return None };
    let begins = before.is_none_or(|byte| matches!(byte, b' ' | b'`' | b'\n'));
    let ends = behind.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
    (begins && ends && letter.is_ascii_alphabetic()).then_some(*letter)
}

/// Arrows, operators, and the pictures that answer yes or no or say how much; all others adorn.
fn is_telling(c: char) -> bool {
    matches!(c, '×' | '÷' | '±' | '−' | '\u{2190}'..='\u{22FF}' | '★' | '☆' | '☐' | '☑' | '☒' | '✅' | '✓'..='✘' | '❌' | '❎'
        | '⬅'..='⬇' | '⭐' | '👍' | '👎' | '🔴' | '🟢' | '🟡' | '🔼' | '🔽' | '📈' | '📉')
}

/// Whether two texts, or `are_rows` of tables, have the same signs. What only adorns one of them (`Done ✅`) is no difference.
pub(super) fn agree(one: &str, other: &str, are_rows: bool) -> bool {
    let (mine, theirs) = (symbols(one, are_rows), symbols(other, are_rows));
    let adorns = |symbols: &[char]| !symbols.iter().any(char::is_ascii);
    mine == theirs || mine.is_empty() && adorns(&theirs) || theirs.is_empty() && adorns(&mine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_say_something_are_compared() {
        for (one, other) in [
            ("Feature SSO: ✅ in plan B", "Feature SSO: ❌ in plan B"),
            ("Rated ★★★★☆ by guests", "Rated ★★☆☆☆ by guests"),
            ("set a = b + c", "set a = b - c"),
            ("the rate is 10^-3 per run", "the rate is 10^3 per run"),
            ("run a && b", "run a || b"),
            ("the value of a / b", "the value of a * b"),
            ("x ∈ A", "x ∉ A"),
            ("traffic a → b", "traffic a ← b"),
            ("Ca2+ in cells", "Ca2- in cells"),
            ("use ls -l there", "use ls -L there"),
            ("|a|/|b|", "|a|*|b|"),
        ] {
            assert!(!agree(one, other, false), "{one} / {other}");
        }
        for (one, other) in [
            ("Done ✅", "Done"),
            ("* first - and last", "- first – and last"),
            ("🎉 The release is out", "The release is out 🚀"),
            ("long-term costs of 5 %", "long term costs of 5%"),
            ("| a | / |  | b |", "|a|/||b|"),
        ] {
            assert!(agree(one, other, false), "{one} / {other}");
        }
        assert!(agree("a |  | b", "a||b", true) && !agree("a |  | b", "a||b", false));
    }
}
