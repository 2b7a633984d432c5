//! Words that say that a source comes: `see`, `Quelle:`, `出典`.

/// Words that stand before a citation only.
#[rustfmt::skip]
const POINTING: &[&str] = &["see", "see also", "cf", "siehe", "siehe auch", "vgl", "voir", "ver", "véase", "vedi", "见", "参见", "参照"];

/// Words that may name a source for themselves, with a colon.
#[rustfmt::skip]
const SOURCE: &[&str] = &[
    "source", "sources", "via", "quelle", "quellen", "fuente", "fuentes", "fonte", "fonti", "来源", "资料来源", "出典",
    "출처", "المصدر", "источник", "źródło", "bron",
];

/// Bytes of the longest of them, with what stands around it.
pub const BYTES_MAX: usize = 24;

/// Whether a text is nothing but such a word, with its colon or stop; or nothing at all.
pub fn is_lead(text: &str) -> bool {
    let word = text.trim_matches([' ', ':', '：', '.']);
    word.is_empty() || is_one_of(word, POINTING) || is_one_of(word, SOURCE)
}

/// Whether a word says that what follows it is a source.
pub fn is_source(word: &str) -> bool {
    is_one_of(word, SOURCE)
}

/// What stands before such a word that a text ends with, behind a comma or a dash: `It rose` of `It rose, source: `.
pub fn before_lead(text: &str) -> Option<&str> {
    let near = text.floor_char_boundary(text.len().saturating_sub(BYTES_MAX));
    let (at, mark) = text[near..].char_indices().rfind(|(_, c)| matches!(c, ',' | ';' | '，' | '–' | '—'))?;
    let word = &text[near + at + mark.len_utf8()..];
    (word.contains(char::is_alphabetic) && is_lead(word)).then(|| text[..near + at].trim_end())
}

/// Whether such a word is one of a single source.
pub fn is_one_source(word: &str) -> bool {
    is_one_of(word, &["source", "via", "quelle", "fuente", "fonte"])
}

/// Whether a text is the beginning of a word that [`is_source`].
pub fn begins_source(text: &str) -> bool {
    text.len() <= BYTES_MAX && {
        let lower = text.to_lowercase();
        SOURCE.iter().any(|word| word.starts_with(&lower))
    }
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    word.len() <= BYTES_MAX && words.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_are_words_alone() {
        assert!(
            is_lead("See ")
                && is_lead("Quelle: ")
                && is_lead("资料来源：")
                && is_lead("vgl. ")
                && is_lead("")
        );
        assert!(!is_lead("see page 5") && !is_lead("sourced"));
        assert!(begins_source("Quel") && begins_source("") && !begins_source("quelle x"));
        for said in ["It rose, source: ", "It rose – Source ", "It rose; it fell, siehe "] {
            assert!(before_lead(said).is_some_and(|before| said.starts_with(before)), "{said}");
        }
        assert_eq!(
            [before_lead("It rose, "), before_lead("It rose, sourced: "), before_lead("source: ")],
            [None; 3]
        );
        assert!(is_source("Sources") && !is_source("see") && !is_source(""));
    }
}
