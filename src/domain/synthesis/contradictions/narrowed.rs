//! Statements of which one is of a part, a kind or a condition that the other doesn't name: `The room costs €120 per night` and `The
//! room costs €150 per night with breakfast`, `The fee is €10` and `The reduced fee is €6`.

use std::sync::LazyLock;

use crate::domain::near_duplicates::Features;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Word;

/// What says which of several it is, before what it is of.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "reduced", "average", "upload", "download", "larger", "smaller", "largest", "smallest", "single", "multi", "discounted", "ermäßigt", "online", "offline", "peak", "idle", "student", "concession", "division", "subsidiary", "segment", "branch", "annex", "wing", "affiliate", "originally", "initially", "previously", "formerly", "roundtrip", "return",
];
/// What leads in a part or a condition.
#[rustfmt::skip]
const LEADING: &[&str] = &["with", "without", "if", "unless", "during", "mit", "ohne", "avec", "sans", "con", "sin"];
/// The same, behind an amount.
const BEHIND: &[&str] = &["for", "in", "on", "für", "im", "pour", "en", "para"];

static KIND: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(KINDS.iter().map(|word| (*word, ()))).into());
static LEADS: LazyLock<KnownTerms<bool>> = LazyLock::new(|| {
    let [leads, behind] = [LEADING, BEHIND].map(|words| words.iter().copied());
    terms::table(leads.map(|word| (word, false)).chain(behind.map(|word| (word, true)))).into()
});

/// Whether one names a kind, a part or a condition that the other doesn't.
pub(super) fn are_narrowed(one: &Features<'_>, other: &Features<'_>) -> bool {
    is_narrower(one, other) || is_narrower(other, one)
}

fn is_narrower(of: &Features<'_>, than: &Features<'_>) -> bool {
    let lacks = |word: &Word| than.words.iter().all(|their| their.term != word.term);
    let amount = of.figures.last().map_or(usize::MAX, |figure| figure.end);
    let mut is_inside = false;
    let mut end = 0;
    for word in &of.words {
        let gap = of.text.get(end..word.start).unwrap_or_default();
        end = word.end;
        if KIND.get(word.term).is_some() && lacks(word) {
            return true;
        }
        if let Some(is_behind) = LEADS.get(word.term).copied() {
            is_inside = (!is_behind || word.start >= amount) && lacks(word);
            continue;
        }
        is_inside &= !gap.contains([',', ';', '.', ':', '(', ')']);
        if is_inside && word.is_content() && lacks(word) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::tests::kinds_between as kinds;

    #[test]
    fn a_kind_a_part_or_a_condition_has_its_own_amount() {
        for (one, other) in [
            ("The fee is €10.", "The reduced fee is €6."),
            ("The VAT rate is 19%.", "The reduced VAT rate is 7%."),
            ("The speed is 50 Mbit/s.", "The upload speed is 10 Mbit/s."),
            (
                "The phone scores 1,200 in Geekbench single-core.",
                "The phone scores 4,100 in Geekbench multi-core.",
            ),
            ("The event takes place on 5 May.", "The event takes place on 6 May if it rains."),
            ("The price is €10.", "Online the price is €8."),
            ("The hotel costs €120 per night.", "The hotel costs €150 per night with breakfast."),
            ("The hotel costs €120 per night.", "The hotel costs €150 per night in summer."),
            ("The ticket costs $50 per person.", "The ticket costs $40 per person for groups."),
            ("Das Zimmer kostet 120 € pro Nacht.", "Das Zimmer kostet 150 € pro Nacht mit Frühstück."),
            ("The API limit is 100 requests per minute.", "The API limit is 5,000 requests per hour."),
            ("The machine makes 20 parts per minute.", "The machine makes 1,000 parts per hour."),
            ("The model has 7 billion parameters.", "The larger model has 13 billion parameters."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
            assert_eq!(kinds(other, one), [], "{other} / {one}");
        }
    }

    #[test]
    fn what_both_name_narrows_neither() {
        for (one, other) in [
            (
                "The hotel costs €120 per night with breakfast.",
                "The hotel costs €150 per night with breakfast.",
            ),
            ("The reduced fee of the museum is €10.", "The reduced fee of the museum is €6."),
            ("The event takes place on 5 May in Lyon.", "The event takes place on 6 May in Lyon."),
        ] {
            assert_eq!(kinds(one, other).len(), 1, "{one} / {other}");
            assert_eq!(kinds(other, one).len(), 1, "{other} / {one}");
        }
    }
}
