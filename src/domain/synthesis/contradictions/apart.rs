//! Statements that can both be true, though a number or a negation differs: of some of a kind, under opposite conditions, or told
//! as what another says.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::domain::near_duplicates::{Features, genders_differ};
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::first_letters::Beginnings;
use crate::domain::text::polarity::Mark;
use crate::domain::text::words::Word;

/// What begins a statement about a part: others of the kind may do otherwise.
#[rustfmt::skip]
static OF_A_PART: Beginnings = Beginnings::new(&[
    "some", "many", "certain", "several", "few", "a few", "half of", "other", "others", "one study", "one trial", "one review", "one survey", "one report",
    "one analysis", "another study", "another review", "einige", "manche", "mehrere", "viele", "certains", "certaines", "quelques", "plusieurs",
    "algunos", "algunas", "muchos", "muchas", "varios", "varias", "有些", "一些", "部分", "有的",
]);

/// What denies also the part.
static OF_NONE: Beginnings =
    Beginnings::new(&["no", "none", "not a single", "keine", "kein", "aucun", "aucune", "ningún", "ninguna"]);

/// What leaves open, or denies, what follows it.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "whether ", "claim that ", "claims that ", "claimed that ", "denied that ", "denies that ", "deny that ", "myth that ", "idea that ", "belief that ",
    "assumption that ", "misconception that ", "disputed that ", "doubt that ", "ob ", "bestritt, dass ", "behauptung, dass ",
];

static AND_OTHERS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" et al"));

/// Whether both may be true for such a reason.
pub(super) fn are_apart(one: &Features<'_>, other: &Features<'_>) -> bool {
    let of_a_part = |one: &str, other: &str| begins_with(one, &OF_A_PART) && !begins_with(other, &OF_NONE);
    of_a_part(one.text, other.text)
        || of_a_part(other.text, one.text)
        || under_others(one, other)
        || adjoin(one, other)
        || begins_then(one, other)
        || begins_then(other, one)
        || genders_differ(one, other)
        || condition(one.text) != condition(other.text)
        || scenario(one.text) != scenario(other.text)
        || is_told(one) != is_told(other)
        || is_of_whole(one.text) != is_of_whole(other.text)
        || are_of_other_authors(one.text, other.text)
}

/// Whether a Chinese statement isn't of a part of what stands before it.
fn is_of_whole(text: &str) -> bool {
    !text.starts_with("其中")
}

/// `Smith et al. randomised 57 adults`, `Jones et al. randomised 75 adults`: two papers.
fn are_of_other_authors(one: &str, other: &str) -> bool {
    let first = |text: &str| {
        let before = &text[..AND_OTHERS.find(text.as_bytes())?];
        before.rsplit(' ').next().map(str::to_owned)
    };
    first(one).is_some_and(|mine| first(other).is_some_and(|theirs| mine != theirs))
}

fn begins_with(text: &str, listed: &Beginnings) -> bool {
    listed.like(text).any(|known| {
        let Some((begin, rest)) = text.split_at_checked(known.len()) else { return false };
        let is_said = begin.eq_ignore_ascii_case(known) || !begin.is_ascii() && begin.to_lowercase() == known;
        // Chinese has no blanks.
        is_said && (!rest.starts_with(char::is_alphabetic) || known.chars().all(|c| c.len_utf8() > 2))
    })
}

/// The clause with which a statement begins that says when it holds.
fn condition(text: &str) -> Option<&str> {
    const BEGIN: [&str; 9] = ["if ", "when ", "unless ", "wenn ", "falls ", "si ", "lorsque ", "如果", "若"];
    let first = text.bytes().next().map(|first| first.to_ascii_lowercase());
    let begins = |begin: &&str| {
        // Most are out by their first byte.
        begin.bytes().next() == first
            && text.get(..begin.len()).is_some_and(|text| text.eq_ignore_ascii_case(begin))
    };
    if !BEGIN.iter().any(begins) {
        return None;
    }
    text.find([',', '，']).map(|end| text[..end].trim())
}

/// The case that a statement supposes with its first words: `Worst case: the migration takes 14 weeks.`
fn scenario(text: &str) -> Option<&'static str> {
    #[rustfmt::skip]
    static CASES: Beginnings = Beginnings::new(&[
        "worst case", "best case", "in the worst case", "in the best case", "worst-case", "best-case", "at worst", "at best", "in theory", "im schlimmsten fall", "im besten fall", "schlimmstenfalls", "bestenfalls", "au pire", "au mieux", "dans le pire des cas",
        "en el peor de los casos", "en el mejor de los casos", "nel peggiore dei casi", "no pior dos casos", "in het ergste geval", "最坏情况",
    ]);
    let begins = |case: &&str| {
        text.split_at_checked(case.len()).is_some_and(|(begin, rest)| {
            begin.eq_ignore_ascii_case(case) && !rest.starts_with(char::is_alphanumeric)
        })
    };
    CASES.like(text).find(begins)
}

/// Whether one is said of before, or of inside, and the other of after, or of outside.
fn under_others(one: &Features<'_>, other: &Features<'_>) -> bool {
    let has = |of: &Features<'_>, mark: Mark| of.marks.iter().any(|known| known.mark == mark);
    let weak = one.marks.iter().map(|marked| marked.mark).filter(|mark| !mark.strong());
    weak.filter(|mark| !has(other, *mark)).any(|mine| {
        let theirs = other.marks.iter().map(|marked| marked.mark);
        theirs.filter(|theirs| mine.replaces(*theirs)).any(|theirs| !has(one, theirs))
    })
}

/// Whether one is said of what is above a bound, and the other of what is below it: `adults over 70`, `adults aged 19 to 70`.
/// What differs is another figure, and no date: that it fell below $5 in 2022 and above $5 in 2022 is said of the same.
fn adjoin(one: &Features<'_>, other: &Features<'_>) -> bool {
    let is_above = |figure: &Figure| figure.bound == Bound::AtLeast;
    let is_below = |figure: &Figure| {
        figure.bound == Bound::AtMost || figure.bound == Bound::Exact && figure.low != figure.high
    };
    let meet = |above: &Features<'_>, below: &Features<'_>| {
        above.figures.iter().filter(|figure| is_above(figure)).any(|bound| {
            let ends =
                |figure: &Figure| is_below(figure) && figure.high == bound.low && bound.unit == figure.unit;
            below.figures.iter().any(ends)
        })
    };
    let counts = |figure: &&Figure| !matches!(figure.unit, Unit::Date | Unit::Weekday);
    let has_more = |of: &Features<'_>| of.figures.iter().filter(counts).nth(1).is_some();
    (meet(one, other) || meet(other, one)) && has_more(one) && has_more(other)
}

/// Whether the one denies what is before a time, and the other says what is from then on: `not before 1 May`, `from 1 May`.
fn begins_then(one: &Features<'_>, other: &Features<'_>) -> bool {
    const BEFORE: &[&str] = &[
        "before",
        "until",
        "prior to",
        "vor dem",
        "vor",
        "avant le",
        "avant",
        "antes de",
        "antes del",
        "prima del",
    ];
    #[rustfmt::skip]
    const FROM: &[&str] = &[
        "from", "after", "since", "as of", "starting", "starting on", "ab dem", "ab", "dès le", "dès", "à partir du", "à partir de", "desde el", "desde", "a partir del", "a partir de", "dal", "a partire dal",
    ];
    let negations =
        |of: &Features<'_>| of.marks.iter().filter(|marked| marked.mark.is_negation()).count() % 2;
    if negations(one) != 1 || negations(other) != 0 {
        return false;
    }
    let behind = |of: &Features<'_>, words: &[&str], figure: &Figure| {
        let before = of.text[..figure.start].trim_end();
        words.iter().any(|word| {
            let ahead = before.len().checked_sub(word.len()).and_then(|at| before.split_at_checked(at));
            ahead.is_some_and(|(ahead, last)| {
                last.eq_ignore_ascii_case(word) && !ahead.ends_with(char::is_alphanumeric)
            })
        })
    };
    let denied = one.figures.iter().filter(|figure| behind(one, BEFORE, figure));
    denied
        .into_iter()
        .any(|figure| other.figures.iter().any(|theirs| figure.same(theirs) && behind(other, FROM, theirs)))
}

fn is_told(of: &Features<'_>) -> bool {
    /// What each ends with.
    const LAST: [&str; 4] = ["that", "whether", "ob", "dass"];
    let text = of.text;
    let may_end = |word: &Word| {
        let blank = word.end;
        let ends = |last: &&str| {
            let word = blank.checked_sub(last.len()).map(|at| &text.as_bytes()[at..blank]);
            word.is_some_and(|word| word.eq_ignore_ascii_case(last.as_bytes()))
        };
        // Most words are out by their last letter.
        matches!(text.as_bytes()[blank - 1] | 0x20, b't' | b'r' | b'b' | b's')
            && text.as_bytes().get(blank) == Some(&b' ')
            && LAST.iter().any(ends)
    };
    // Nearly nothing is, and has none of these.
    if !of.words.iter().any(may_end) {
        return false;
    }
    let text = text.to_lowercase();
    TOLD.iter().any(|told| text.match_indices(told).any(|(at, _)| at == 0 || text.as_bytes()[at - 1] == b' '))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn papers_of_others_and_parts_are_apart() {
        for [one, other] in [
            ["Smith et al. randomised 57 adults.", "Jones et al. randomised 75 adults."],
            ["市场规模达到120亿元。", "其中华东市场规模达到45亿元。"],
            ["You can cancel from 1 May.", "You cannot cancel before 1 May."],
            ["The lease can be terminated from 2026.", "The lease cannot be terminated before 2026."],
            [
                "Der Vertrag kann ab 2026 gekündigt werden.",
                "Der Vertrag kann nicht vor 2026 gekündigt werden.",
            ],
            ["The room is free for members.", "The room is not free for non-members."],
            ["El museo abre a las 9 en verano.", "El museo abre a las 10 en invierno."],
            ["Le musée ouvre à 9 h en été.", "Le musée ouvre à 10 h en hiver."],
            ["O bilhete custa 12 euros para adultos.", "O bilhete custa 6 euros para crianças."],
            ["Worst case: the migration takes 14 weeks.", "The migration takes 10 weeks."],
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
        for ([one, other], found) in [
            (["Smith et al. randomised 57 adults.", "Smith et al. randomised 75 adults."], Kind::Number),
            (["You can cancel before 1 May.", "You cannot cancel before 1 May."], Kind::Negation),
            (["The room is free for members.", "The room is not free for members."], Kind::Negation),
            (["Le musée ouvre à 9 h en été.", "Le musée ouvre à 10 h en été."], Kind::Number),
        ] {
            assert_eq!(kind(one, other), Some(found), "{one} / {other}");
        }
    }
}
