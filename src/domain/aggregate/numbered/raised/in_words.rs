//! Numbers behind what they are of, in parentheses: `(Source 3)`, `(see Sources 1 and 2)`, `(Ref. 3)`.

use super::between::is_code;
use super::{DIGITS_MAX, Raised};
use crate::domain::text::phrases::behind_any;

/// Bytes between the parentheses that are looked at.
const INSIDE_BYTES_MAX: usize = 48;
/// What sends to a source.
const LEADS: [&str; 4] = ["see ", "cf. ", "siehe ", "voir "];
/// What is numbered, longer words first.
const SOURCES: [&str; 14] = [
    "sources ",
    "source ",
    "references ",
    "reference ",
    "refs. ",
    "refs ",
    "ref. ",
    "ref ",
    "quellen ",
    "quelle ",
    "fuentes ",
    "fuente ",
    "fontes ",
    "fonte ",
];
/// Words between two numbers.
const JOINTS: [&str; 5] = ["and", "&", "und", "et", "y"];

/// All of a text. Linear.
pub(super) fn in_words(text: &str) -> Vec<Raised<'_>> {
    let open = memchr::memchr_iter(b'(', text.as_bytes());
    open.filter_map(|start| {
        let from = start + 1;
        let near = &text[from..text.floor_char_boundary(from + INSIDE_BYTES_MAX)];
        // Most parentheses say something else.
        near.starts_with(['S', 's', 'R', 'r', 'Q', 'q', 'F', 'f', 'C', 'c', 'V', 'v']).then_some(())?;
        let inside = &near[..near.find(')')?];
        let numbers = numbers(inside)?;
        (!is_code(&text[..start])).then_some(())?;
        Some(Raised { start, end: from + inside.len() + 1, marker: None, numbers })
    })
    .collect()
}

/// The numbers of `see Sources 1 and 2`.
fn numbers(inside: &str) -> Option<Vec<u32>> {
    let inside = inside.to_lowercase();
    let said = behind_any(&inside, &LEADS).unwrap_or(&inside);
    let listed = behind_any(said, &SOURCES)?;
    let words = listed.split([' ', ',', ';']).filter(|word| !word.is_empty() && !JOINTS.contains(word));
    let number = |word: &str| word.parse().ok().filter(|_| word.len() <= DIGITS_MAX);
    words.map(number).collect::<Option<Vec<u32>>>().filter(|numbers| !numbers.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sources_in_parentheses_are_found() {
        for (text, expected) in [
            ("It rose (Source 3).", Some(vec![3])),
            ("It rose (see Sources 1, 2 and 4).", Some(vec![1, 2, 4])),
            ("It rose (Ref. 12).", Some(vec![12])),
            ("Es stieg (Quelle 2).", Some(vec![2])),
            ("It rose (Source: the bank).", None),
            ("It rose (source 1990).", None),
            ("It rose (Sources).", None),
            ("It is `f(ref 1)`.", None),
            ("It rose (Source 3", None),
        ] {
            assert_eq!(in_words(text).first().map(|raised| raised.numbers.clone()), expected, "{text}");
        }
    }
}
