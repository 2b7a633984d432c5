//! What is asked in Chinese or Japanese, character by character where it is one word: `橋` of `橋はいつ開通しましたか`.

use memchr::memmem::Finder;

use super::COVERED;
use crate::domain::near_duplicates::Features;

/// Pairs of what no one says most of: in a long part each is said by another. And the share of them that all must have.
const PIECES_MANY: usize = 4;
const COVERED_TOGETHER: f64 = 0.4;
/// What says in a part how it stands, or what to do with it, and is said by nobody who does.
#[rustfmt::skip]
const LIGHT: [&str; 20] = [
    "能不能", "是否可行", "或者能否", "情况", "状况", "名称", "帮我", "详细", "具体", "分析", "相关", "制定", "角度", "给出", "深入", "包含", "提供", "这个", "更", "学习一下",
];

/// Whether a statement has enough of what a part asks for, or all together have it of a long one, where `plain` is the part without what holds it together: of a
/// run of characters each pair of neighbours, of one that stands alone itself.
pub(super) fn has_most_characters(plain: &str, features: &[Features<'_>]) -> bool {
    let bare = LIGHT.iter().fold(plain.to_owned(), |plain, word| plain.replace(word, " "));
    let plain = if bare.contains(char::is_alphanumeric) { bare.as_str() } else { plain };
    let runs = plain.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    // Each is looked for in every statement.
    let asked: Vec<Finder<'_>> = runs.flat_map(pieces).map(Finder::new).collect();
    let needed = (COVERED * asked.len() as f64).ceil() as usize;
    // Most statements lack too many soon.
    let has_most = |text: &str| {
        let mut lacking = asked.iter().filter(|piece| piece.find(text.as_bytes()).is_none());
        lacking.nth(asked.len() - needed).is_none()
    };
    let is_found = |piece: &Finder<'_>| features.iter().any(|of| piece.find(of.text.as_bytes()).is_some());
    let have_most = || {
        let mut lacking = asked.iter().filter(|piece| !is_found(piece));
        lacking.nth(asked.len() - (COVERED_TOGETHER * asked.len() as f64) as usize).is_none()
    };
    !asked.is_empty()
        && (features.iter().any(|of| has_most(of.text)) || asked.len() >= PIECES_MANY && have_most())
}

/// The pairs of neighbours of a run; of what is written in Latin letters or digits, and of a single character, all of it.
fn pieces(run: &str) -> Vec<&str> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    match starts.len() {
        0..=2 => vec![run],
        _ if run.is_ascii() => vec![run],
        _ => starts.windows(3).map(|ends| &run[ends[0]..ends[2]]).collect(),
    }
}
