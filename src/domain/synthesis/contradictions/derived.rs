//! Two figures of which one follows from the other: `was $3.2 million, up 12%` and `was $3.5 million, up 18%` differ in the amount,
//! and therefore in the growth, too. That is one difference, and not two that tell of another thing.
//!
//! Everything else must be the same word by word, with a date among it: what has no date may tell of another time.

use std::ops::Range;

use super::differ::agree;
use super::light;
use super::turned::is_extent;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::text::figures::{Figure, Unit};

/// Figures that are looked at.
const FIGURES_MAX: usize = 12;
/// What stands between how far something moved and where it moved to.
const TO: [&str; 10] = ["to", ", to", "auf", "至", "到", "达", "，至", "，达", "，达到", "达到"];
/// What a move is compared with, where that stands before it: `同比增长12%`.
const COMPARED: [char; 6] = ['同', '环', '比', '较', '上', '年'];

/// The figures of the subject, where they and what follows from them are all that differs.
pub(super) fn differing<'f>(
    one: &'f Features<'_>,
    other: &'f Features<'_>,
) -> Option<(&'f Figure, &'f Figure)> {
    let (mine, theirs) = (&one.figures, &other.figures);
    if mine.len() != theirs.len() || !(2..=FIGURES_MAX).contains(&mine.len()) {
        return None;
    }
    let pairs = || mine.iter().zip(theirs);
    let is_dated = pairs().any(|(a, b)| a.unit == Unit::Date && a.same(b));
    if !is_dated || pairs().any(|(a, b)| !a.comparable(b)) {
        return None;
    }
    let unlike: Vec<usize> = (0..mine.len()).filter(|&at| !mine[at].same(&theirs[at])).collect();
    let &[first, second] = unlike.as_slice() else { return None };
    let is_of = |subject: usize, derived: usize| {
        is_amount(&mine[subject])
            && !agree(&mine[subject], &theirs[subject])
            && [one, other].iter().all(|of| follows(of, &of.figures[subject], &of.figures[derived]))
    };
    let subject = if is_of(first, second) {
        first
    } else if is_of(second, first) {
        second
    } else {
        return None;
    };
    light::said(one, usize::MAX)
        .eq(light::said(other, usize::MAX))
        .then(|| (&mine[subject], &theirs[subject]))
}

fn is_amount(figure: &Figure) -> bool {
    matches!(figure.unit, Unit::Plain | Unit::Percent | Unit::Money(_) | Unit::Measure { .. })
}

/// Whether a share says how far the subject's figure moved: behind it, `$3.2 million, up 12%`, or before it, `grew 12% to $3.2
/// million`.
fn follows(of: &Features<'_>, subject: &Figure, derived: &Figure) -> bool {
    if !matches!(derived.unit, Unit::Percent | Unit::Points) {
        return false;
    }
    if derived.end <= subject.start {
        let between = of.text[derived.end..subject.start].trim();
        let is_move = || of.marks.iter().any(|marked| marked.mark.moves() && is_extent(of, marked, derived));
        return TO.contains(&between) && is_move();
    }
    let between = subject.end..derived.start;
    let comma = of.text[between.clone()].find([',', '，']);
    comma.is_some_and(|comma| {
        let comma = subject.end + comma;
        says_when(of, subject.end..comma) && says_move(of, comma..between.end)
    })
}

/// Whether nothing stands there but a time: `in the third quarter of 2024`.
fn says_when(of: &Features<'_>, within: Range<usize>) -> bool {
    let inside =
        of.elements.iter().filter(|element| element.start >= within.start && element.end <= within.end);
    let is_date = |start: usize| of.figures.iter().any(|date| date.start == start && date.unit == Unit::Date);
    inside.into_iter().all(|element| element.role == Role::Figure && is_date(element.start))
}

/// Whether nothing stands there but that something moved: `up`, `an increase of`, `同比增长`.
fn says_move(of: &Features<'_>, within: Range<usize>) -> bool {
    let is_within = |start: usize, end: usize| start >= within.start && end <= within.end;
    let is_way = |word: &str| ["up", "down"].iter().any(|way| way.eq_ignore_ascii_case(word));
    let mut words = of.words.iter().filter(|word| is_within(word.start, word.end));
    let moves = || of.marks.iter().any(|marked| marked.mark.moves() && is_within(marked.start, marked.end));
    let mut inside = of.elements.iter().filter(|element| is_within(element.start, element.end));
    let is_no_more = inside.all(|element| {
        element.marked
            || element.role == Role::Adverb
            || is_way(&of.text[element.range()])
            || of.text[element.start..].starts_with(COMPARED)
    });
    is_no_more && (moves() || words.any(|word| is_way(&of.text[word.range()])))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_follows_from_a_figure_is_no_second_difference() {
        for (one, other) in [
            ("Revenue in Q3 2024 was $3.2 million, up 12%.", "Revenue in Q3 2024 was $3.5 million, up 18%."),
            ("Revenue was $3.2 million in 2024, up 12%.", "Revenue was $3.5 million in 2024, up 18%."),
            (
                "Acme's revenue in 2024 was $3.2 million, an increase of 12%.",
                "Acme's revenue in 2024 was $3.5 million, an increase of 18%.",
            ),
            ("In 2024 revenue grew 12% to $3.2 million.", "In 2024 revenue grew 18% to $3.5 million."),
            ("2024年第三季度销售额为3.2亿元，同比增长12%。", "2024年第三季度销售额为3.5亿元，同比增长18%。"),
            ("2024年第三季度销售额为3.2亿元，同比增长12%。", "2024年第三季度销售额达3.5亿元，同比增长18%。"),
            ("2024年销售额同比增长12%至3.2亿元。", "2024年销售额同比增长18%至3.5亿元。"),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
    }

    #[test]
    fn two_differences_may_tell_of_others() {
        for (one, other) in [
            // Another time, or none.
            ("Revenue in Q3 2024 was $3.2 million, up 12%.", "Revenue in Q2 2024 was $3.5 million, up 18%."),
            ("Revenue was $3.2 million, up 12%.", "Revenue was $3.5 million, up 18%."),
            // Another subject.
            ("Revenue in 2024 was $3.2 million, up 12%.", "Profit in 2024 was $3.5 million, up 18%."),
            (
                "Acme's revenue in 2024 was $3 million, up 12%.",
                "Zeta's revenue in 2024 was $4 million, up 18%.",
            ),
            ("2024年第三季度销售额为3.2亿元，同比增长12%。", "2024年第三季度净利润为3.5亿元，同比增长18%。"),
            // What moved is something else, or nothing moved.
            ("Of 300 patients in 2023, mortality rose 5%.", "Of 450 patients in 2023, mortality rose 8%."),
            (
                "In 2023 the trial had 300 patients, and 5% died.",
                "In 2023 the trial had 450 patients, and 8% died.",
            ),
            (
                "Exports in 2023 were $5 million, imports 12%.",
                "Exports in 2023 were $6 million, imports 18%.",
            ),
            // The same amount, rounded.
            ("Revenue in 2024 was $3.2 million, up 12%.", "Revenue in 2024 was $3.21 million, up 12.4%."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
