//! A Chinese clause behind a figure that has none itself: `增速预计5.2%，金融业保持稳定扩张` is held against `增速预计4.5%`.
//!
//! Unlike those of other languages ([`super::main_clause`]) such a clause begins with any word, so that all that stands before
//! it must be the same in the other statement. So it is with what other languages have there, of which little is known to take
//! nothing back ([`tails`]).

use super::differ::{self, Difference, agree};
use super::light;
use super::main_clause::main_clause;
use super::reading::Reading;
use super::tails;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::has_any;

/// What takes back or bounds what stands before the clause, or says of what, when, or by which measure it holds.
#[rustfmt::skip]
const BOUNDS: &[&str] = &[
    "但", "不过", "然而", "却", "前提", "如果", "若", "假如", "假设", "除非", "除", "按", "口径", "不含", "不包", "不计", "未计", "未含", "扣", "剔除", "仅", "只", "含", "包括",
    "较", "比", "条件", "情景", "取决", "视", "限", "截至", "自", "为止", "其中", "分别", "适用", "针对", "面向", "对于", "在", "当", "时", "期", "以", "年", "月", "季", "指",
    "低配", "高配", "起", "版", "型", "款", "税",
];
/// Bytes of a clause at least: what is shorter may be the name of what the figure is of.
const BYTES_MIN: usize = 15;

/// How the clauses with the figures differ, where at least one of two statements goes on behind its own.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (a.of, b.of);
    // Most begin with other characters.
    if light::said(one, usize::MAX).next() != light::said(other, usize::MAX).next() {
        return None;
    }
    let (mine, theirs) = match (a.figures_end(), b.figures_end()) {
        (None, None) => return None,
        (mine, theirs) => (mine.unwrap_or(one.text.len()), theirs.unwrap_or(other.text.len())),
    };
    if !light::said(one, mine).eq(light::said(other, theirs)) {
        return None;
    }
    // What one says further on is what the other says.
    let goes_on = |of: &Features<'_>, end: usize, other: &Features<'_>| {
        let is_said =
            |figure: &Figure| other.figures.iter().any(|said| said.comparable(figure) && agree(said, figure));
        of.figures.iter().any(|figure| figure.start >= end && is_said(figure))
    };
    if goes_on(one, mine, other) || goes_on(other, theirs, one) {
        return None;
    }
    let (one, other) = (main_clause(one, mine), main_clause(other, theirs));
    let contents = [differ::content(&one), differ::content(&other)];
    differ::difference((a.said, &one), (b.said, &other), [&contents[0], &contents[1]], true)
}

/// Whether a clause may stand behind the last figure.
pub(super) fn may_go_on(of: &Features<'_>) -> bool {
    comma(of).is_some() || tails::end_of(of).is_some()
}

/// The first comma behind the last figure.
fn comma(of: &Features<'_>) -> Option<usize> {
    let last = of.figures.last().filter(|_| !of.text.is_ascii())?;
    Some(last.end + of.text[last.end..].find('，')?)
}

/// Where the last clause with a figure ends, where a clause of its own stands behind it.
pub(super) fn end_of(of: &Features<'_>) -> Option<usize> {
    clause_of(of).or_else(|| tails::end_of(of))
}

fn clause_of(of: &Features<'_>) -> Option<usize> {
    let at = comma(of)?;
    let counts = of
        .figures
        .iter()
        .any(|figure| !matches!(figure.unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal));
    let rest = &of.text[at + '，'.len_utf8()..];
    (counts && rest.len() >= BYTES_MIN && !has_any(rest, BOUNDS)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn a_clause_without_a_figure_hides_no_contradiction() {
        for (one, other) in [
            ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速预计5.2%，金融业保持稳定扩张。"),
            (
                "2025年中国GDP增速预计4.5%，出口承压明显。",
                "2025年中国GDP增速预计维持5.2%，金融业保持稳定扩张。",
            ),
            ("2024年全球市场规模达到44.4亿美元", "2024年全球市场规模为52.7亿美元，行业前景十分广阔。"),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
    }

    #[test]
    fn what_bounds_the_figure_belongs_to_it() {
        for (one, other) in [
            ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速预计5.2%，但前提是出口保持稳定。"),
            ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速预计5.2%，按不变价格口径计算得出。"),
            ("2025年中国GDP增速预计4.5%。", "2025年美国GDP增速预计5.2%，金融业保持稳定扩张。"),
            ("2025年中国GDP增速预计4.5%。", "2024年中国GDP增速预计5.2%，金融业保持稳定扩张。"),
            ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速预计4.5%，金融业保持稳定扩张。"),
            ("该车售价为20万元。", "该车售价为25万元，不含购置税和保险费用。"),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
