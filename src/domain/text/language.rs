//! The language of a text, and the one that an answer is written in: what was asked for, else that of the question.
//!
//! A question is short: the script tells most languages, and of those in Latin letters the words that hold a sentence
//! together. In doubt it is English. What was asked for is a code (BCP 47; its first part counts) or a name.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

mod grammar;
mod words;
pub use grammar::{Grammar, may_hold_together};
use words::{CODES, LATIN, MARKS};

/// Of a question, what is looked at. In characters.
const LOOKED_AT_MAX: usize = 4_096;
/// A name of a language has no more words, and no more characters.
const NAME_WORDS_MAX: usize = 3;
const NAME_CHARS_MAX: usize = 32;
/// What a letter of one language only counts for, in words.
const MARK_WEIGHT: usize = 1;
const ENGLISH: &str = "English";
/// Words that tell English: one alone is a word of another language too (`on`, `are`).
const ENGLISH_WORDS_MIN: usize = 2;

/// The name of a language, in English: that of `option` where that is a language, else that of the question.
pub fn language(option: Option<&str>, question: &str) -> String {
    option.and_then(asked_for).unwrap_or_else(|| told(question).to_owned())
}

/// The name of a code, or a name or a code of an unknown language as it came where it can't be more than that.
pub fn asked_for(option: &str) -> Option<String> {
    let option = option.trim();
    let code = option.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    if let Some((_, name)) = CODES.iter().find(|(known, _)| *known == code) {
        return Some(variant(&code, option).unwrap_or(name).to_owned());
    }
    let words = option.split_whitespace().count();
    let plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '(' | ')' | '-');
    let is_name = (1..=NAME_WORDS_MAX).contains(&words)
        && (4..=NAME_CHARS_MAX).contains(&option.chars().count())
        && option.chars().all(plain);
    (is_name || is_tag(option)).then(|| option.to_owned())
}

/// Whether it is made as a tag (RFC 5646, 2.1): `sw`, `ku-Arab`, `yue_HK`.
fn is_tag(option: &str) -> bool {
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let mut parts = option.split(['-', '_']);
    let is_code = |part: &str| matches!(part.len(), 2 | 3) && part.bytes().all(|b| b.is_ascii_alphabetic());
    option.len() <= NAME_CHARS_MAX && parts.next().is_some_and(is_code) && parts.all(is_part)
}

/// Where the written form depends on more than the language.
fn variant(code: &str, option: &str) -> Option<&'static str> {
    let lower = option.to_lowercase().replace('_', "-");
    let has = |part: &str| lower.split('-').any(|other| other == part);
    match code {
        "zh" if has("hant") || has("tw") || has("hk") => Some("Traditional Chinese"),
        "pt" if has("br") => Some("Brazilian Portuguese"),
        _ => None,
    }
}

/// The name of the language of a text, in English; `English` where nothing tells it.
pub fn told(text: &str) -> &'static str {
    let text = lowered(text);
    script(&text).unwrap_or_else(|| of_hits(&hits(&text)))
}

/// The language that the script of a text in lower case tells; none where most of its letters are Latin.
fn script(text: &str) -> Option<&'static str> {
    if text.is_ascii() {
        return None;
    }
    let (mut latin, mut han, mut kana, mut hangul) = (0, 0, 0, 0);
    let (mut cyrillic, mut greek, mut arabic, mut hebrew, mut hindi, mut thai) = (0, 0, 0, 0, 0, 0);
    for c in text.chars() {
        match c {
            '\0'..'\u{250}' => latin += usize::from(c.is_alphabetic()),
            // A character of these scripts is a syllable or a word.
            '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => han += 3,
            '\u{3041}'..='\u{30FF}' => kana += 3,
            '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' => hangul += 3,
            '\u{400}'..='\u{52F}' => cyrillic += 1,
            '\u{370}'..='\u{3FF}' => greek += 1,
            '\u{600}'..='\u{6FF}' => arabic += 1,
            '\u{590}'..='\u{5FF}' => hebrew += 1,
            '\u{900}'..='\u{97F}' => hindi += 1,
            '\u{E00}'..='\u{E7F}' => thai += 1,
            _ => {}
        }
    }
    let scripts = [
        (han + kana, if kana > 0 { "Japanese" } else { "Chinese" }),
        (hangul, "Korean"),
        (cyrillic, "Russian"),
        (greek, "Greek"),
        (arabic, "Arabic"),
        (hebrew, "Hebrew"),
        (hindi, "Hindi"),
        (thai, "Thai"),
    ];
    let (letters, name) = scripts.into_iter().max_by_key(|(letters, _)| *letters)?;
    let has = |letters: &str| text.contains(|c| letters.contains(c));
    (letters > latin).then(|| match name {
        "Russian" if has("іїєґ") => "Ukrainian",
        "Arabic" if has("پچژگ") => "Persian",
        name => name,
    })
}

/// Whether a text is in a language in Latin letters that writes `1.500` for one and a half thousand: all of them but English.
/// Several may share the words that say so.
pub fn groups_by_point(text: &str) -> bool {
    let text = lowered(text);
    let hits = hits(&text);
    let others = hits[1..].iter().copied().max().unwrap_or_default();
    others + usize::from(text.contains(|c: char| ('ß'..='ÿ').contains(&c))) > hits[0]
}

/// The language of a text, in English, where its script or more than one word tells it.
pub fn surely(text: &str) -> Option<&'static str> {
    let text = lowered(text);
    let of_script = script(&text);
    if of_script.is_some() {
        return of_script;
    }
    let hits = hits(&text);
    let name = of_hits(&hits);
    let at = LATIN.iter().position(|(known, _)| *known == name)?;
    (hits[at] >= ENGLISH_WORDS_MIN).then_some(name)
}

/// Whether words of a text say that it is English, rather than that nothing tells its language.
pub fn is_english(text: &str) -> bool {
    let hits = hits(&lowered(text));
    hits[0] >= ENGLISH_WORDS_MIN && hits.iter().all(|others| *others <= hits[0])
}

/// What is looked at of a text, in lower case.
fn lowered(text: &str) -> String {
    let end = || text.char_indices().nth(LOOKED_AT_MAX).map(|(end, _)| end);
    let looked_at = match text.len() > LOOKED_AT_MAX {
        true => end().map_or(text, |end| &text[..end]),
        false => text,
    };
    match looked_at.is_ascii() {
        true => looked_at.to_ascii_lowercase(),
        false => looked_at.chars().flat_map(char::to_lowercase).collect(),
    }
}

/// The language of a text in Latin letters, by how much tells each: it must beat English and all others.
fn of_hits(hits: &[usize; LATIN.len()]) -> &'static str {
    let most = hits.iter().copied().max().unwrap_or_default();
    let mut best = LATIN.iter().zip(hits).filter(|(_, hits)| **hits == most && most > 0);
    match (best.next(), best.next()) {
        (Some(((name, _), _)), None) => name,
        _ => ENGLISH,
    }
}

/// The languages that a word tells, a bit for each of [`LATIN`], the first lowest.
static LANGUAGES_OF: LazyLock<HashMap<&str, u16, RandomState>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u16, RandomState> = HashMap::default();
    for (at, (_, words)) in LATIN.iter().enumerate() {
        for word in *words {
            *languages.entry(word).or_default() |= 1 << at;
        }
    }
    languages
});

/// How much in a text in lower case tells each of [`LATIN`], in its order: English comes first.
fn hits(text: &str) -> [usize; LATIN.len()] {
    let mut hits = [0_usize; LATIN.len()];
    for word in text.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|word| !word.is_empty()) {
        let mut languages = LANGUAGES_OF.get(word).copied().unwrap_or_default();
        while languages != 0 {
            hits[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
    // None of these letters is one of ASCII.
    for c in text.chars().filter(|c| !c.is_ascii()) {
        for (name, _) in MARKS.iter().filter(|(_, letters)| letters.contains(c)) {
            let marked = LATIN.iter().position(|(other, _)| other == name);
            marked.into_iter().for_each(|at| hits[at] += MARK_WEIGHT);
        }
    }
    hits
}

#[cfg(test)]
mod tests;
