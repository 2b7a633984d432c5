//! The label of a sentence that is written without spaces: what its first clause is about.

use crate::domain::text::scripts::is_wide;

/// Characters of a label at most.
const CHARS_MAX: usize = 15;
/// Characters of a clause that says something, unlike `据报道` and `此外`.
const CHARS_MIN: usize = 4;
/// How a clause ends that only says who says it: `报告指出：`.
const SAYING: [char; 10] = ['说', '称', '出', '示', '为', '道', '到', '明', '调', '知'];
/// What a sentence goes on with behind what it is about, and behind what that is a part of another word.
const GOING_ON: [(&str, &str); 5] = [
    ("是", "但还于可凡总若只而"),
    ("在", "现存所正内潜实"),
    ("为", "成认因作行称视变改转以"),
    ("将", "即必"),
    ("成为", ""),
];
/// What stands before that and names nothing.
const ADVERBS: [char; 6] = ['都', '也', '均', '就', '仍', '已'];

/// What a sentence is about, by its first clause that says something; the sentence itself where none does.
pub(super) fn first(text: &str) -> &str {
    if !text.contains(is_wide) {
        return text;
    }
    let whole = text.trim_end_matches(['。', '！', '？', '.', '!', '?']);
    let is_japanese = text.contains(is_hiragana);
    let divides = |c: char| matches!(c, '，' | '；' | '：' | '。' | '！' | '？') || is_japanese && c == '、';
    let says = |clause: &&str| {
        let is_saying = clause.ends_with('：') && clause.trim_end_matches('：').ends_with(SAYING);
        clause.chars().filter(|c| is_wide(*c)).count() >= CHARS_MIN && !is_saying
    };
    let clause = whole.split_inclusive(divides).find(says).unwrap_or(whole).trim_end_matches(divides);
    if is_japanese { named(clause) } else { subject(clause) }
}

/// What stands before the particle of a topic: `東京` of `東京は`.
fn named(clause: &str) -> &str {
    let is_said = |before: &&str| before.ends_with(|c| is_wide(c) && !is_hiragana(c));
    let before = clause.match_indices('は').map(|(at, _)| &clause[..at]).find(is_said);
    within(before.unwrap_or(clause))
}

/// A clause that is short, or what stands before the word that it goes on with.
fn subject(clause: &str) -> &str {
    if within(clause).len() == clause.len() {
        return clause;
    }
    let goes_on = |(at, _): (usize, char)| {
        let (before, rest) = clause.split_at(at);
        let (_, others) = GOING_ON.iter().find(|(word, _)| rest.starts_with(word))?;
        let is_long = before.chars().nth(CHARS_MIN - 1).is_some();
        (is_long && !before.ends_with(|c| others.contains(c))).then(|| before.trim_end_matches(ADVERBS))
    };
    within(clause.char_indices().find_map(goes_on).unwrap_or(clause))
}

fn within(text: &str) -> &str {
    super::within::within(text, CHARS_MAX)
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}
