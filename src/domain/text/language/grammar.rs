//! What a question is about: the question without the words that hold it together, in its language.

use std::borrow::Cow;

use super::words::LATIN;
use super::{LANGUAGES_OF, told};

/// What asks and joins in Chinese and Japanese, the longest first: there are no spaces that would part it from the rest.
#[rustfmt::skip]
const WIDE: &[&str] = &[
    "分别是多少", "是多少", "为什么", "有哪些", "是什么", "分别", "多少", "如何", "怎么", "怎样", "什么", "哪些", "哪个", "哪里", "几个", "还是", "或者", "以及",
    "是否", "请问", "之间", "ですか", "です", "ます", "どの", "どう", "なに", "いくら", "について",
    "的", "和", "与", "及", "或", "是", "在", "了", "吗", "呢", "の", "は", "が", "を", "に", "で", "と", "も", "か",
];

/// More such words, that may be names of things in another language and so tell none: an English question may be about a
/// war. Each list sorted by bytes.
#[rustfmt::skip]
const MORE: [(&str, &[&str]); 5] = [
    ("German", &["als", "am", "an", "dabei", "dagegen", "darf", "dürfen", "einer", "eines", "es", "gab", "haben", "hatte", "hatten", "in", "nach", "sein", "sich", "tun", "um", "vom", "war", "waren"]),
    ("French", &["a", "d", "furent", "fut", "l", "ont", "t", "y", "étaient", "était"]),
    ("Spanish", &["a", "cuánta", "cuántas", "cuántos", "era", "eran", "fue", "fueron", "ha", "han", "hay", "o"]),
    ("Italian", &["a", "era", "erano", "fu", "ha", "hanno", "quanta", "quante", "quanti"]),
    ("Dutch", &["had", "heeft", "veel", "waren", "was", "werd"]),
];

/// The words of a question's language that say nothing about its subject. Those of English are stopwords everywhere.
pub struct Grammar {
    words: &'static [&'static str],
    more: &'static [&'static str],
    /// Whether it is written without spaces: in Chinese, or in Japanese.
    pub is_wide: bool,
    is_japanese: bool,
    /// Whether its words are joined to longer ones, or inflected by more than English endings.
    pub is_foreign: bool,
}

impl Grammar {
    /// That of a question.
    pub fn of(question: &str) -> Self {
        let language = told(question);
        let is_wide = matches!(language, "Chinese" | "Japanese");
        let known = LATIN[1..].iter().find(|(name, _)| *name == language);
        let words = known.map_or(&[][..], |(_, words)| *words);
        let more = MORE.iter().find(|(name, _)| *name == language).map_or(&[][..], |(_, words)| *words);
        let is_japanese = language == "Japanese";
        Self { words, more, is_wide, is_japanese, is_foreign: !words.is_empty() }
    }

    /// Whether a word in lower case says nothing about the subject.
    pub fn holds_together(&self, word: &str) -> bool {
        self.words.binary_search(&word).is_ok() || self.more.binary_search(&word).is_ok()
    }

    /// A part of the question with spaces in the place of those words: what is left stands where it stood.
    pub fn plain<'t>(&self, part: &'t str) -> Cow<'t, str> {
        if self.is_wide {
            // Few parts have any of them.
            let words = WIDE.iter().filter(|word| part.contains(**word));
            let blanked = |text: String, word: &&str| text.replace(*word, &" ".repeat(word.len()));
            let plain = words.fold(part.to_owned(), blanked);
            return Cow::Owned(if self.is_japanese { without_hiragana(&plain) } else { plain });
        }
        if self.words.is_empty() {
            return Cow::Borrowed(part);
        }
        let mut plain = String::with_capacity(part.len());
        for piece in part.split_inclusive(|c: char| !c.is_alphabetic()) {
            let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
            let lower = word.to_lowercase();
            if self.holds_together(&lower) {
                plain.extend(std::iter::repeat_n(' ', word.len()));
            } else {
                plain.push_str(word);
            }
            plain.push_str(&piece[word.len()..]);
        }
        Cow::Owned(plain)
    }
}

/// In Japanese, what a question is about is written in other characters, nearly always: these are endings, and what joins
/// and asks, as two of the others do.
fn without_hiragana(text: &str) -> String {
    let holds = |c: char| matches!(c, '\u{3041}'..='\u{309F}' | '何' | '誰');
    text.chars().fold(String::with_capacity(text.len()), |mut plain, c| {
        if holds(c) {
            plain.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            plain.push(c);
        }
        plain
    })
}

/// Whether a word in lower case holds sentences together in a language other than English: nearly all words do in none, and
/// nothing else need be known of them.
pub fn may_hold_together(word: &str) -> bool {
    LANGUAGES_OF.get(word).is_some_and(|languages| languages >> 1 != 0)
        || MORE.iter().any(|(_, words)| words.binary_search(&word).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(MORE.iter().all(|(_, words)| words.is_sorted()));
    }

    #[test]
    fn what_a_question_is_about_stays_where_it_was() {
        for (question, expected) in [
            ("Wie hoch sind die Kosten für Strom?", "hoch Kosten Strom?"),
            ("Wann war der Fall der Mauer?", "Fall Mauer?"),
            ("Who won the war of 1812?", "Who won the war of 1812?"),
            ("Quels sont les coûts du logement ?", "coûts logement ?"),
            ("北京和上海的房价分别是多少？", "北京 上海 房价 ？"),
            ("橋はいつ開通しましたか?", "橋 開通 ?"),
            ("この薬は何人に効きましたか?", "薬 人 効 ?"),
            ("What are the costs?", "What are the costs?"),
        ] {
            let plain = Grammar::of(question).plain(question).into_owned();
            assert_eq!(plain.len(), question.len());
            assert_eq!(plain.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        }
    }
}
