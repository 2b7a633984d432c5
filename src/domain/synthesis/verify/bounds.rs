//! The same figure, meant otherwise: `340` as `more than 340`, `in 1998` as `before 1998`, `from 5 to 8` as `from 8 to 5`.

use super::scope::tokens;
use super::times::is_time;
use super::what::{What, before, ends_with_one};
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Bound, Figure, Unit, turned};
use crate::domain::text::phrases::begins_with_any;

/// Words before a date that take it as an end.
const BEFORE: &[&str] =
    &["before", "until", "pre", "vor", "avant", "antes de", "prima del", "voor", "prior to"];
const AFTER: &[&str] = &["after", "post", "nach", "après", "después de", "dopo il", "na", "later than"];
/// Words before a figure that take it as a round one; English ones are known to the figures themselves.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "about", "around", "roughly", "approximately", "rund", "etwa", "ungefähr", "circa", "zirka", "ca", "knapp", "environ", "près de", "autour de", "presque", "alrededor de", "aproximadamente", "unos", "unas", "cerca de",
    "casi", "~", "≈", "约", "大约", "近", "将近",
];
/// Those that take it as it stands.
const EXACTLY: &[&str] =
    &["exactly", "precisely", "genau", "exakt", "exactement", "précisément", "exactamente", "正好", "恰好"];
/// Those that take it as little.
const ONLY: &[&str] =
    &["only", "merely", "just", "nur", "lediglich", "seulement", "sólo", "solo", "solamente", "仅", "只有"];
/// Those that take it as more than there is.
const NEARLY: &[&str] =
    &["nearly", "almost", "just under", "knapp", "fast", "beinahe", "presque", "casi", "近", "将近"];
/// What stands before how much something changes, and before what it changes to.
const CHANGES: [&[&str]; 3] =
    [&["by", "by a", "um"], &["to", "to a", "auf"], &["from", "from a", "von", "vom", "desde"]];
/// What stands between two figures of which something changes from the one to the other, and before how much it changes, in languages in
/// which these are words of many uses.
const TO: &[&str] = &["a", "al", "à", "au", "ao", "para", "naar", "до", "ad", "all'"];
const BY: &[&str] = &["un", "en un", "en", "di un", "d'un", "de un", "em", "met", "на"];
/// Words behind a share that take it as a difference, and those that take it as what is left.
#[rustfmt::skip]
const DIFFERENCE: &[&str] = &["less", "fewer", "lower", "more", "higher", "weniger", "mehr", "moins", "plus", "menos", "más", "meno", "più", "minder", "meer"];
const LEFT: &[&str] = &["of", "der", "des", "von"];
/// The same behind it, in Chinese and Japanese.
const BEFORE_BEHIND: &[&str] = &["之前", "以前", "前"];
const AFTER_BEHIND: &[&str] = &["之后", "以后", "后", "以降"];

/// A figure of a claim that the sentence has too, but not so; both as they are written.
pub(super) fn meant_otherwise<'f>(
    claim: &'f Features<'_>,
    said: &'f Features<'_>,
) -> Option<(&'f Figure, &'f Figure)> {
    claim.figures.iter().find_map(|mine| {
        let mut equal = said.figures.iter().filter(|theirs| What::of(theirs) == What::of(mine));
        let first = equal.next()?;
        let meant = |figure: &Figure, of: &Features<'_>| {
            (bound(of.text, figure), side(of.text, figure), change(of.text, figure))
        };
        let wanted = meant(mine, claim);
        let agrees = |theirs: &Figure| {
            if is_sharper(claim, mine, said, theirs) {
                return false;
            }
            let meant = meant(theirs, said);
            let changes = meant.2.zip(wanted.2).is_none_or(|(theirs, mine)| theirs == mine);
            let shares = compares(said.text, theirs).zip(compares(claim.text, mine));
            if shares.is_some_and(|(theirs, mine)| theirs != mine)
                || (ends_change(said, theirs) && stands_before(claim.text, mine, BY))
            {
                return false;
            }
            (meant.0, meant.1) == (wanted.0, wanted.1) && changes
        };
        (!agrees(first) && !equal.any(agrees)).then_some((mine, first))
    })
}

/// Whether a figure is meant more exactly than the other, or from one side where that is meant from both.
fn is_sharper(claim: &Features<'_>, mine: &Figure, said: &Features<'_>, theirs: &Figure) -> bool {
    let about = |of: &Features<'_>, figure: &Figure| {
        figure.bound == Bound::About || stands_before(of.text, figure, ABOUT)
    };
    let only_mine =
        |words: &[&str]| stands_before(claim.text, mine, words) && !stands_before(said.text, theirs, words);
    (about(said, theirs) && !about(claim, mine)) || only_mine(EXACTLY) || only_mine(NEARLY)
        // Somebody who says `only` may say what of, too.
        || (only_mine(ONLY) && !tokens(said.text).any(|(_, word)| ONLY.contains(&word.as_str())))
}

/// Whether one of some words stands before a figure, perhaps with its currency between.
fn stands_before(text: &str, figure: &Figure, words: &[&str]) -> bool {
    let before = before(text, figure);
    let chinese = |word: &&str| !word.is_ascii() && before.ends_with(*word);
    ends_with_one(&before, words) || words.iter().any(chinese)
}

/// Whether a range of one is turned round in the other.
pub(super) fn is_turned(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let turns = |of: &Features<'_>, other: &Features<'_>| {
        let pairs = of.figures.windows(2);
        let mut falling = pairs.filter_map(|two| turned(of.text, &two[0], &two[1]));
        falling.any(|range| {
            let mut known = other.figures.iter();
            known.any(|known| (known.low, known.high) == (range.low, range.high) && known.comparable(&range))
        })
    };
    turns(claim, said) || turns(said, claim)
}

fn bound(text: &str, figure: &Figure) -> Bound {
    let lasts = || {
        let before = text[..figure.start].trim_end().to_lowercase();
        let number = text[figure.start..].find([' ', '-']).map_or(text.len(), |length| figure.start + length);
        let behind = || tokens(&text[number..]).next();
        ends_with_one(&before, &["over"]) && behind().is_some_and(|(_, word)| is_time(&word))
    };
    match figure.bound {
        Bound::About => Bound::Exact,
        // `over five years` is how long, not more than five.
        Bound::AtLeast if lasts() => Bound::Exact,
        Bound::Exact | Bound::AtLeast | Bound::AtMost => figure.bound,
    }
}

/// By how much something changes, or to what, where a word before the figure says so: `by 62 percent`, `to 62 percent`.
fn change(text: &str, figure: &Figure) -> Option<usize> {
    let before = before(text, figure);
    CHANGES.iter().position(|words| ends_with_one(&before, words))
}

/// Whether a share is told as a difference (`30 percent less fuel`) or as what is left (`30 percent of the fuel`), where the word behind it
/// says so.
fn compares(text: &str, figure: &Figure) -> Option<bool> {
    const PERCENT: &[&str] = &["percent", "per", "cent", "prozent", "pour", "por", "ciento", "procent"];
    let behind = tokens(&text[figure.end..]).find(|(_, word)| !PERCENT.contains(&word.as_str()));
    let (range, word) = behind.filter(|_| figure.unit == Unit::Percent)?;
    let is_near = !text[figure.end..figure.end + range.start].contains([',', ';', '(']);
    let listed = |words: &[&str]| is_near && words.contains(&word.as_str());
    match (listed(DIFFERENCE), listed(LEFT)) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

/// Whether something changes to a figure from the one right before it: `de 14 a 11 por ciento`.
fn ends_change(of: &Features<'_>, figure: &Figure) -> bool {
    let mut before = of.figures.iter().filter(|other| other.end <= figure.start);
    figure.unit != Unit::Date
        && before.next_back().is_some_and(|other| TO.contains(&of.text[other.end..figure.start].trim()))
}

/// Whether a date is the end of a time before it (−1) or after it (1).
fn side(text: &str, figure: &Figure) -> i8 {
    if figure.unit != Unit::Date {
        return 0;
    }
    let before = text[..figure.start].trim_end_matches([' ', '-']).to_lowercase();
    let behind = text[figure.end..].trim_start();
    let ends = |words: &[&str]| ends_with_one(&before, words);
    let begins = |words: &[&str]| begins_with_any(behind, words);
    match (ends(BEFORE) || begins(BEFORE_BEHIND), ends(AFTER) || begins(AFTER_BEHIND)) {
        (true, false) => -1,
        (false, true) => 1,
        (false, false) | (true, true) => 0,
    }
}
