//! How long someone has for something: `Tenants have 30 days to object`, `A tenant may object within 60 days`.

use super::super::amounts::Value;
use super::{Class, Mention, Scoped, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::{ends_with_any, has_any};
use crate::domain::text::words::Term;

/// What stands before and behind how long it is.
const HAVE: [&str; 5] = ["have ", "has ", "have up to ", "has up to ", "gets "];
const WITHIN: [&str; 2] = ["within ", "no later than "];
const MODALS: [&str; 5] = [" may ", " must ", " can ", " has to ", " have to "];

/// The only period of a sentence.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    let [figure] = of.figures.as_slice() else { return None };
    let (before, behind) = (&of.text[..figure.start], &of.text[figure.end..]);
    let has = ends_with_any(before, &HAVE) && behind.starts_with(" to ");
    let is_within = ends_with_any(before, &WITHIN) && has_any(before, &MODALS);
    // Only when something else is done, as behind `within 30 days of`, is it another.
    let told = Told::Amount(Value::written_out(&of.text[figure.range()]));
    (is_period(figure) && (has || is_within)).then(|| Mention {
        at,
        class: Class::Scoped(Scoped::Period),
        key: Term(0),
        core: Vec::new(),
        told,
    })
}

fn is_period(figure: &Figure) -> bool {
    matches!(figure.unit, Unit::Measure { base: "s" | "month", per: 0 }) && figure.low == figure.high
}
