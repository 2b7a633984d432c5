//! None of what another counts: `There are no open issues in the repo` and `There are 3 open issues in the repo`.
//!
//! All else that both say must be the same, word for word.

use super::Kind;
use super::differ::Difference;
use super::reading::Reading;
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::{Bound, Figure, Unit};

/// What says that there is none.
const NONE: &str = "no ";

/// A number on one side where the other has none.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (a.of.text, b.of.text);
    let start = first_other_word(one, other);
    let (none, count) = match (begins_none(&one[start..]), begins_none(&other[start..])) {
        (true, false) => (one, b.of),
        (false, true) => (other, a.of),
        (true, true) | (false, false) => return None,
    };
    let counts = |figure: &&Figure| {
        figure.start == start
            && figure.unit == Unit::Plain
            && figure.low == figure.high
            && figure.bound == Bound::Exact
            && figure.low.approximate() > 0.0
    };
    let figure = count.figures.iter().find(counts)?;
    let plain = |text: &str| text.trim_matches(['.', '!', ' ']).to_owned();
    let is_same = plain(&none[start + NONE.len()..]) == plain(&count.text[figure.end..]);
    if !is_same || !are_headed_alike((a.said, a.of), (b.said, b.of)) {
        return None;
    }
    let (said, denied) = (&count.text[figure.range()], &none[start..start + NONE.len() - 1]);
    let (one_is, other_is) = if none == one { (denied, said) } else { (said, denied) };
    Some(Difference::new(Kind::Number, one_is, other_is))
}

/// Where the first word begins in which two texts differ.
fn first_other_word(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let same = one.floor_char_boundary(same);
    one[..same].rfind(' ').map_or(0, |blank| blank + 1)
}

fn begins_none(text: &str) -> bool {
    text.get(..NONE.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(NONE))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn none_is_another_number() {
        for (one, other) in [
            (
                "There are 3 critical vulnerabilities in the repo.",
                "There are no critical vulnerabilities in the repo.",
            ),
            (
                "The audit of 2023 found three critical errors in the code.",
                "The audit of 2023 found no critical errors in the code",
            ),
            ("No open issues are left in the repo.", "12 open issues are left in the repo."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
        for (one, other) in [
            (
                "There are 3 critical vulnerabilities in the repo.",
                "There are no critical vulnerabilities in the docs.",
            ),
            (
                "There are 3 critical vulnerabilities in the repo.",
                "There are no other critical vulnerabilities in the repo.",
            ),
            (
                "There are 3 critical vulnerabilities in the repo.",
                "There are no more than 3 critical vulnerabilities in the repo.",
            ),
            ("There are 0 open issues in the repo.", "There are no open issues in the repo."),
            ("The audit of 2023 found 3 errors.", "The audit of 2024 found no errors."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
