//! Identifiers whose case tells them apart: with digits behind letters of both cases, such as `dQw4w9WgXcQ` or `Abc123`. `COVID-19` is none, nor is `10kW`.

use std::collections::HashSet;

/// Those of a text, in its order.
pub fn cased(text: &str) -> impl Iterator<Item = &str> {
    // Of most texts no more need be known.
    let may_have = text.bytes().any(|byte| byte.is_ascii_digit());
    runs(if may_have { text } else { "" }).filter(|run| is_cased(run))
}

/// Whether none of the one's is in the other in another case, nor the other way round. Linear.
pub fn agree(one: &str, other: &str) -> bool {
    !has_otherwise(one, other) && !has_otherwise(other, one)
}

fn has_otherwise(one: &str, other: &str) -> bool {
    let mut mine = cased(one).peekable();
    if mine.peek().is_none() {
        return false;
    }
    let theirs: HashSet<&str> = runs(other).collect();
    let mut mine = mine.filter(|run| !theirs.contains(run)).peekable();
    if mine.peek().is_none() {
        return false;
    }
    let lowered: HashSet<String> = theirs.iter().map(|run| run.to_ascii_lowercase()).collect();
    mine.any(|run| lowered.contains(&run.to_ascii_lowercase()))
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// Whether it has letters of both cases, and a digit behind a letter.
fn is_cased(run: &str) -> bool {
    let bytes = run.as_bytes();
    let behind_letter = || {
        let first = bytes.iter().position(u8::is_ascii_alphabetic);
        first.is_some_and(|first| bytes[first..].iter().any(u8::is_ascii_digit))
    };
    bytes.iter().any(u8::is_ascii_uppercase) && bytes.iter().any(u8::is_ascii_lowercase) && behind_letter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_tells_identifiers_with_digits_apart() {
        for (one, other) in [
            ("The token is Abc123.", "The token is abc123."),
            ("see v=dQw4w9WgXcQ", "see v=dqw4w9wgxcq"),
            ("key ABC123def", "key ABC123DEF"),
        ] {
            assert!(!agree(one, other) && !agree(other, one), "{one} / {other}");
        }
        for (one, other) in [
            ("COVID-19 spread", "Covid-19 spread"),
            ("H2O is water", "h2o is water"),
            ("A load of 10kW", "A load of 10KW"),
            ("Abc123 and abc123", "abc123 and Abc123"),
            ("The API holds", "the api holds"),
            ("it is Abc123", "it is another"),
        ] {
            assert!(agree(one, other) && agree(other, one), "{one} / {other}");
        }
    }
}
