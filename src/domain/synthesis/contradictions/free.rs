//! What is free for one costs money for another: `The plan is free.` and `The plan costs $5.` No figure stands against the
//! price, so the rule for figures doesn't see it.

use super::Kind;
use super::alternatives::are_others;
use super::differ::{Difference, negations};
use super::reading::Reading;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::synthesis::claims::{are_headed_alike, names_differ};
use crate::domain::text::figures::{Bound, Unit};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::words::Term;

/// How a statement says that something costs nothing; `free` alone may be another thing's attribute: `the free plan`.
#[rustfmt::skip]
const FREE: &[&str] = &[
    "is free", "are free", "for free", "free of charge", "costs nothing", "cost nothing", "ist kostenlos", "sind kostenlos", "ist gratis", "est gratuit", "sont gratuits", "es gratis",
    "es gratuito", "es gratuita", "è gratis", "è gratuito", "是免费", "免费", "無料",
];
/// What may follow `is free`: of bugs, from taxes or to leave it isn't a price.
const BEHIND: &[&str] = &[".", ",", ";", "!", " of charge", " to use", " for all", " for every"];

/// What says that there is a price, and for how long: everything else must be the same.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "free", "charge", "per", "cost", "costs", "nothing", "price", "priced", "pay", "use", "month", "monthly", "year", "yearly", "annually", "fee", "all", "every", "everyone",
    "ist", "sind", "est", "sont", "es", "è", "kostenlos", "gratis", "kostet", "kosten", "preis", "monat", "jahr", "gratuit", "gratuite", "coûte", "mois", "gratuito", "gratuita", "cuesta", "mes", "costa", "mese",
    "免", "费", "收", "每", "月", "年", "需", "要", "价", "格", "用", "是", "为", "的", "無", "料", "金", "円",
];

/// The one says that it is free, the other what it costs, and nothing else differs.
pub(super) fn difference(mine: &Reading<'_, '_>, theirs: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (mine.of, theirs.of);
    let (is, costs) = match (price(one), price(other)) {
        (Some(is), None) => (is, theirs.free()?),
        (None, Some(costs)) => (mine.free()?, costs),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    if !are_headed_alike((mine.said, one), (theirs.said, other))
        || negations(one) != 0
        || negations(other) != 0
    {
        return None;
    }
    let about = subject(one);
    let is_same = !about.is_empty() && about == subject(other);
    if !is_same || names_differ(one, other) || are_others(one, other) {
        return None;
    }
    Some(Difference::new(Kind::Number, is, costs))
}

/// What a statement is about.
fn subject(of: &Features<'_>) -> Vec<Term> {
    let says = of.elements.iter().filter(|element| {
        matches!(element.role, Role::Content | Role::Name | Role::Character)
            && !BESIDE.contains(&of.text[element.range()].to_lowercase().as_str())
    });
    distinct(says.map(|element| element.term))
}

/// The price of a statement whose only figure it is.
pub(super) fn price<'t>(of: &Features<'t>) -> Option<&'t str> {
    let [figure] = of.figures.as_slice() else { return None };
    let is_price = matches!(figure.unit, Unit::Money(_))
        && matches!(figure.bound, Bound::Exact | Bound::About | Bound::AtLeast)
        && figure.low.approximate() > 0.0;
    is_price.then(|| &of.text[figure.range()])
}

/// The words that say that something is free, in a statement without figures.
pub(super) fn free<'t>(of: &Features<'t>) -> Option<&'t str> {
    if !of.figures.is_empty() {
        return None;
    }
    let lower = of.text.to_ascii_lowercase();
    FREE.iter().find_map(|words| {
        let at = lower.find(words)?;
        let (before, behind) = (&lower[..at], &lower[at + words.len()..]);
        let begins = !words.is_ascii() || before.ends_with(' ');
        let ends = behind.is_empty() || !words.is_ascii() || begins_with_any(behind, BEHIND);
        (begins && ends).then(|| &of.text[at..at + words.len()])
    })
}
