//! Denials in Korean, which stand in the ending of a sentence: `지원된다` and `지원되지 않는다`, `있다` and `없다`, `오류이다` and `오류가 아니다`.
//!
//! Endings tell how formal a sentence is and when it was so. Without them the same words with the same verb, denied in one, contradict
//! each other.

use super::Kind;
use super::differ::Difference;
use super::reading::Reading;
use crate::domain::synthesis::claims::are_headed_alike;

/// Bytes of a sentence: a longer one may say more than one thing.
const BYTES_MAX: usize = 240;
/// The first of the syllables, in which each beginning has so many, and how many differ in nothing but what they end with.
const FIRST: u32 = 0xAC00;
const LAST: u32 = 0xD7A3;
const ENDS: u32 = 28;
const VOWELS: u32 = 21;
/// What a syllable ends with: nothing, `ㄴ`, `ㅂ`, `ㅆ`.
const N: u32 = 4;
const B: u32 = 17;
const SS: u32 = 20;
/// Vowels: `ㅏ`, `ㅐ`, `ㅓ`, `ㅕ`, `ㅙ`, `ㅚ`, `ㅣ`.
const AE: u32 = 1;
const YEO: u32 = 6;
const WAE: u32 = 10;
/// What may stand behind a noun, and is another in a denial.
const PARTICLES: [char; 7] = ['은', '는', '이', '가', '을', '를', '도'];

/// What a sentence says, but for whether it is denied.
struct Told {
    words: Vec<String>,
    verb: String,
    was: bool,
    denied_by: Option<String>,
}

/// Whether a text may be such a sentence: nearly none is.
pub(super) fn may_tell(text: &str) -> bool {
    text.len() <= BYTES_MAX && !text.is_ascii() && bare(text).ends_with(['다', '요'])
}

/// How two such sentences differ where one denies what the other says.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (mine, theirs) = (told(one.of.text)?, told(other.of.text)?);
    let is_other = mine.denied_by.is_some() != theirs.denied_by.is_some();
    let is_same = mine.words == theirs.words && mine.verb == theirs.verb && mine.was == theirs.was;
    let differ = is_other && is_same && are_headed_alike((one.said, one.of), (other.said, other.of));
    let written = |told: Told| told.denied_by.unwrap_or_default();
    differ.then(|| Difference::new(Kind::Negation, written(mine), written(theirs)))
}

fn bare(text: &str) -> &str {
    text.trim_end_matches(|c: char| !c.is_alphanumeric())
}

fn told(text: &str) -> Option<Told> {
    let mut words: Vec<&str> = bare(text).split_whitespace().collect();
    let last = words.pop()?;
    let (stem, was) = stem(last)?;
    let mut denied_by = None;
    let mut verb = stem.clone();
    if matches!(stem.as_str(), "않" | "못하") {
        // `지원되지 않는다`, `지원되지는 않는다`
        let before = words.pop()?.trim_end_matches(['는', '도']);
        verb = before.strip_suffix('지')?.to_owned();
        denied_by = Some(last.to_owned());
    } else if stem == "없" {
        (verb, denied_by) = ("있".to_owned(), Some(last.to_owned()));
    } else if stem == "아니" {
        // `오류가 아니다` denies `오류이다`.
        let noun = words.pop()?.strip_suffix(['이', '가'])?;
        (verb, denied_by) = (format!("{noun}이"), Some(last.to_owned()));
    } else if words.last().is_some_and(|word| matches!(*word, "안" | "못")) {
        denied_by = words.pop().map(str::to_owned);
    }
    let words = words.into_iter().map(|word| match word.strip_suffix(PARTICLES) {
        Some(noun) if !noun.is_empty() => noun.to_owned(),
        _ => word.to_owned(),
    });
    Some(Told { words: words.collect(), verb, was, denied_by })
}

/// A verb without its ending, and whether it tells of what was: `지원되` of `지원된다`, `지원됩니다`, `지원되었다`.
fn stem(word: &str) -> Option<(String, bool)> {
    let ends = ["습니다", "니다", "는다", "어요", "아요", "다"];
    // `니다` stands behind a syllable that ends with `ㅂ`: in `아니다` it is none.
    let is_one = |kept: &str, end: &str| {
        let before = kept.chars().next_back().and_then(ends_with);
        before.is_some() && (end != "니다" || before == Some(B))
    };
    let kept = ends
        .iter()
        .find_map(|end| Some((word.strip_suffix(end)?, *end)).filter(|(kept, end)| is_one(kept, end)));
    let (kept, end) = kept?;
    let mut kept: Vec<char> = kept.chars().collect();
    let last = kept.pop()?;
    let closed = match (ends_with(last)?, end) {
        (B, "니다") | (N, "다") => None,
        (SS, _) if !matches!(last, '있' | '겠') => Some(open(last)?),
        _ => {
            kept.push(last);
            return Some((kept.into_iter().collect(), false));
        }
    };
    let (syllable, was) = closed.map_or((open(last)?, false), |syllable| (syllable, true));
    match (was, syllable) {
        // `되었다`, `먹었다`: the syllable is all ending.
        (true, '어' | '아') => {}
        (true, syllable) => kept.push(present(syllable)?),
        (false, syllable) => kept.push(syllable),
    }
    Some((kept.into_iter().collect(), was))
}

/// What a syllable ends with.
fn ends_with(c: char) -> Option<u32> {
    let code = u32::from(c);
    (FIRST..=LAST).contains(&code).then(|| (code - FIRST) % ENDS)
}

/// A syllable without what it ends with.
fn open(c: char) -> Option<char> {
    char::from_u32(u32::from(c) - ends_with(c)?)
}

/// `하` of `해`, `되` of `돼`, `이` of `여`; others as they are.
fn present(c: char) -> Option<char> {
    let code = u32::from(c) - FIRST;
    let vowel = code / ENDS % VOWELS;
    let to = match vowel {
        AE => vowel - 1,
        WAE => vowel + 1,
        YEO => 20,
        _ => vowel,
    };
    char::from_u32(FIRST + code + to * ENDS - vowel * ENDS)
}

#[cfg(test)]
mod tests {
    use super::super::tests::kind;
    use super::*;

    #[test]
    fn endings_of_verbs_are_left_out() {
        for (word, expected) in [
            ("지원된다", ("지원되", false)),
            ("지원됩니다", ("지원되", false)),
            ("지원되었다", ("지원되", true)),
            ("지원됐습니다", ("지원되", true)),
            ("안전하다", ("안전하", false)),
            ("안전합니다", ("안전하", false)),
            ("참석했다", ("참석하", true)),
            ("않는다", ("않", false)),
            ("않습니다", ("않", false)),
            ("않았다", ("않", true)),
            ("있다", ("있", false)),
            ("없습니다", ("없", false)),
            ("있었다", ("있", true)),
            ("오류이다", ("오류이", false)),
            ("오류입니다", ("오류이", false)),
            ("아니다", ("아니", false)),
            ("아닙니다", ("아니", false)),
        ] {
            assert_eq!(stem(word), Some((expected.0.to_owned(), expected.1)), "{word}");
        }
        assert_eq!(stem("서버"), None);
    }

    #[test]
    fn a_denial_contradicts_what_it_denies() {
        for (one, other) in [
            ("이 기능은 지원된다.", "이 기능은 지원되지 않는다."),
            ("이 기능은 지원됩니다.", "이 기능은 지원되지 않습니다."),
            ("서버는 안전하다.", "서버는 안전하지 않다."),
            ("이 약은 임산부에게 안전합니다.", "이 약은 임산부에게 안전하지 않습니다."),
            ("데이터 손실이 있다.", "데이터 손실은 없다."),
            ("이 문제는 오류이다.", "이 문제는 오류가 아니다."),
            ("그는 회의에 참석했다.", "그는 회의에 참석하지 않았다."),
            ("이 카드는 해외에서 사용할 수 있습니다.", "이 카드는 해외에서 사용할 수 없습니다."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Negation), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Negation), "{other} / {one}");
        }
        for (one, other) in [
            ("이 기능은 지원된다.", "이 기능은 지원된다."),
            ("이 기능은 지원된다.", "그 기능은 지원되지 않는다."),
            ("이 기능은 지원된다.", "이 기능은 삭제되지 않는다."),
            ("이 기능은 지원되지 않는다.", "이 기능은 지원되지 않습니다."),
            ("그는 회의에 참석한다.", "그는 회의에 참석하지 않았다."),
            ("어린이에게 안전하다.", "임산부에게 안전하지 않다."),
        ] {
            assert_eq!((kind(one, other), kind(other, one)), (None, None), "{one} / {other}");
        }
    }
}
