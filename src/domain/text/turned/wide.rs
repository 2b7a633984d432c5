//! Words that are written without spaces, looked for in a line by their first character.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Some such words by their first character: a line is looked through once for all of them.
pub(super) struct Wide(HashMap<char, Vec<&'static str>, RandomState>);

impl Wide {
    /// Those of a list; an empty word is none.
    pub(super) fn of(words: impl IntoIterator<Item = &'static str>) -> Self {
        let mut by_first: HashMap<char, Vec<&'static str>, RandomState> = HashMap::default();
        for word in words {
            if let Some(first) = word.chars().next() {
                by_first.entry(first).or_default().push(word);
            }
        }
        Self(by_first)
    }

    /// Whether one of them stands in a line.
    pub(super) fn is_in(&self, line: &str) -> bool {
        let begins = |at: usize, words: &Vec<&str>| words.iter().any(|word| line[at..].starts_with(word));
        line.char_indices().any(|(at, c)| self.0.get(&c).is_some_and(|words| begins(at, words)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_wherever_it_stands() {
        let words = Wide::of(["除外", "除非", "のみ", ""]);
        for line in ["除外", "以下は除外です", "会員のみ", "A除非", "除除外"] {
            assert!(words.is_in(line), "{line}");
        }
        for line in ["", "除", "外除", "のむ", "Only members"] {
            assert!(!words.is_in(line), "{line}");
        }
    }
}
