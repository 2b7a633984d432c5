//! Numbers that belong to what a statement is about: `Windows 10 has …` and `Windows 11 has …` are of two things, not of two
//! sizes of one.
//!
//! What tells is where the number stands: behind a capitalised word with which the sentence begins, and before the predicate. What
//! is counted stands behind its number (`All 5 patients recovered`).

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::phrases::{begins_with_any, ends_with_any};

use self::words::{ADVERBS, ARTICLES, AUXILIARIES, COUNTED, MEASURED, NO_NAMES, PREPOSITIONS, VERBS};

mod words;

/// Bytes and words of a name.
const NAME: (usize, usize) = (48, 4);
/// What stands around a name to show it.
const SHOWS: [char; 8] = ['*', '_', '`', '"', '“', '”', '„', '\''];
/// Chinese and Japanese characters behind a number with which a predicate, or more of the name, begins.
#[rustfmt::skip]
const JOINED: [&str; 14] = ["有", "是", "支持", "提供", "采用", "具有", "具备", "已", "将", "的", "は", "が", "には", "では"];
/// What is numbered with `号` in front: lines, buildings, machines. A day of a month isn't.
#[rustfmt::skip]
const WITH_SIGN: [&str; 14] = ["线", "線", "楼", "機", "机", "馆", "館", "站", "车", "車", "门", "院", "井", "厅"];

/// Whether each begins with something numbered, and with another number.
pub(super) fn are_others(one: &Features<'_>, other: &Features<'_>) -> bool {
    let Some((mine, theirs)) = one.figures.first().zip(other.figures.first()) else { return false };
    !mine.same(theirs) && is_in_name(one, mine) && is_in_name(other, theirs)
}

/// Whether a figure is part of the name of what its statement is about.
fn is_in_name(of: &Features<'_>, figure: &Figure) -> bool {
    let (before, written) = (&of.text[..figure.start], &of.text[figure.range()]);
    let after = of.text[figure.end..].trim_start_matches(SHOWS);
    let may_number = figure.unit == Unit::Plain || figure.unit == Unit::Date && written.len() == 4;
    if !may_number || !is_bare(written) || figure.bound != Bound::Exact {
        return false;
    }
    if let Some(rest) = after.strip_prefix(['号', '號']) {
        return begins_with_any(rest, &WITH_SIGN);
    }
    is_name(of, before) && (begins_with_any(after, &JOINED) || is_predicate(after))
}

/// Digits, with one point at most: no groups, no sign, no unit.
fn is_bare(written: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    written.len() <= 6 && written.splitn(2, '.').all(is_digits)
}

/// Whether what stands before a number is a name, and all that does.
fn is_name(of: &Features<'_>, before: &str) -> bool {
    let Some(name) = before.strip_suffix([' ', '\u{a0}']).filter(|name| name.len() <= NAME.0) else {
        return false;
    };
    let end = name.len();
    let name = name.trim_start_matches(SHOWS);
    let begins = |article: &&&str| name.starts_with(**article);
    let name = ARTICLES.iter().find(begins).map_or(name, |article| &name[article.len()..]);
    let is_written =
        |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '\'' | '’' | '&'));
    let is_part = |word: &str| {
        // `iOS` is one, too.
        word.contains(char::is_uppercase) && is_written(word) && !lists(NO_NAMES, word)
    };
    let last = name.rsplit([' ', '\u{a0}']).next().unwrap_or_default();
    // No function word.
    let says = |element: &Element| {
        matches!(element.role, Role::Content | Role::Name) && element.start < end && end <= element.end
    };
    name.split([' ', '\u{a0}']).all(is_part)
        && name.split([' ', '\u{a0}']).count() <= NAME.1
        && !lists(MEASURED, last)
        && !last.ends_with("ly")
        && of.elements.iter().any(says)
}

/// Whether a text goes on with a predicate, or with more of a name, not with what a number before it counts.
fn is_predicate(after: &str) -> bool {
    let Some(after) = after.strip_prefix([' ', '\u{a0}']) else { return false };
    let plain = |word| str::trim_end_matches(word, ['.', ',', ';', ':', '!', '?']);
    let words = || after.split([' ', '\u{a0}']).map(plain).filter(|word| !word.is_empty());
    let is_adverb = |word: &&str| ADVERBS.contains(word) || word.ends_with("ly");
    let mut rest = words().skip_while(is_adverb);
    let Some(verb) = rest.next().filter(|verb| verb.starts_with(char::is_lowercase)) else { return false };
    let next = rest.find(|word| !is_adverb(word));
    // `Station 3 of the line`: more of the name.
    if AUXILIARIES.contains(&verb) || verb == "of" {
        return true;
    }
    // A noun that is counted has its own predicate behind it: `5 ships were sunk`, `5 patients recovered`.
    let is_said =
        next.is_some_and(|next| AUXILIARIES.contains(&next) || VERBS.contains(&next) || is_past(next));
    let goes_on = || next.is_some_and(|next| !PREPOSITIONS.contains(&next));
    !is_said && (VERBS.contains(&verb) || is_past(verb) || is_third_person(verb) && goes_on())
}

/// `landed`, `adopted`.
fn is_past(word: &str) -> bool {
    const OTHERS: [&str; 8] = ["hundred", "need", "seed", "speed", "breed", "feed", "limited", "used"];
    word.len() > 4 && word.ends_with("ed") && word.is_ascii() && !OTHERS.contains(&word)
}

/// `supports`: a plural looks the same.
fn is_third_person(word: &str) -> bool {
    let ends = word.ends_with('s') && !ends_with_any(word, &["ss", "us", "is"]);
    word.len() > 3 && ends && word.is_ascii() && !COUNTED.contains(&word)
}

fn lists(words: &[&str], word: &str) -> bool {
    let lower = word.to_lowercase();
    words.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn numbered_things_are_two() {
        for (one, other) in [
            ("Windows 10 has a start menu.", "Windows 11 has a start menu."),
            ("Apollo 11 landed on the moon.", "Apollo 12 landed on the moon."),
            ("Port 80 is open.", "Port 443 is open."),
            ("Java 8 supports lambdas.", "Java 11 supports lambdas."),
            ("PostgreSQL 15 supports MERGE.", "PostgreSQL 16 supports MERGE."),
            ("Python 3.11 has faster startup.", "Python 3.12 has faster startup."),
            ("iOS 17 supports the feature.", "iOS 18 supports the feature."),
            ("The Boeing 737 has two engines.", "The Boeing 777 has two engines."),
            ("Resolution 242 was adopted by the council.", "Resolution 338 was adopted by the council."),
            ("Resolution 1325 was adopted by the council.", "Resolution 1540 was adopted by the council."),
            ("Patient 12 recovered fully.", "Patient 13 recovered fully."),
            ("Season 2 was a success.", "Season 3 was a success."),
            ("Line 3 is closed today.", "Line 4 is closed today."),
            ("RTX 3080 uses much power.", "RTX 4080 uses much power."),
            ("Windows 10 no longer receives updates.", "Windows 11 no longer receives updates."),
            ("**Windows 10** has a start menu.", "**Windows 11** has a start menu."),
            ("Windows\u{a0}10 has a start menu.", "Windows\u{a0}11 has a start menu."),
            ("Station 3 of the line has five platforms.", "Station 9 of the line has five platforms."),
            ("Windows 10 hat ein Startmenü.", "Windows 11 hat ein Startmenü."),
            ("5号线今天关闭。", "6号线今天关闭。"),
            ("Windows 10有开始菜单。", "Windows 11有开始菜单。"),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }

    #[test]
    fn what_is_counted_or_measured_is_one() {
        for (one, other) in [
            ("All 5 patients recovered.", "All 7 patients recovered."),
            ("Only 5 were injured in the crash.", "Only 9 were injured in the crash."),
            ("Exactly 5 were found in the cave.", "Exactly 9 were found in the cave."),
            ("Population 5,000,000 is the total.", "Population 6,000,000 is the total."),
            ("In 2020 the plant produced 50 cars.", "In 2020 the plant produced 70 cars."),
            ("Only 5 of the patients recovered.", "Only 7 of the patients recovered."),
            ("Age 65 is the pension age.", "Age 67 is the pension age."),
            ("Germany 500 cars were sold.", "Germany 700 cars were sold."),
            ("Windows 10 has 5 editions.", "Windows 10 has 7 editions."),
            ("The price is 10 euros.", "The price is 12 euros."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
    }
}
