//! Objects of JSON that name the same thing with another price, whatever the key is: `{"name": "Zoo", "price_eur": 25}` and
//! `{"name": "Zoo", "cost": "€22"}`.
//!
//! Each must have one price, in a currency that its value, its key or another member tells, and say nothing else of whose price it is:
//! neither for whom, nor for how long, nor which of several. Each is compared with [`CHECKS_MAX`] others at most.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::between::independent;
use super::converted::agrees;
use super::differ::Difference;
use super::{CHECKS_MAX, Kind};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_tasks_of_others};
use crate::domain::text::figures::{Bound, Unit};
use crate::domain::text::words::Lexicon;

/// Bytes of an object that is read.
const BYTES_MAX: usize = 1_000;
/// Keys of what names a thing.
#[rustfmt::skip]
const NAMES: [&str; 12] = [
    "name", "title", "product", "item", "hotel", "attraction", "place", "museum", "restaurant", "produkt", "nom", "nombre",
];
/// Words of a key of a price; of another, such as `discount_price`, nothing is known.
#[rustfmt::skip]
const PRICES: [&str; 9] = ["price", "cost", "costs", "preis", "prix", "precio", "prezzo", "preço", "kosten"];
const CURRENCIES: [&str; 12] =
    ["eur", "usd", "gbp", "chf", "jpy", "cny", "inr", "cad", "aud", "sek", "nok", "dkk"];
/// What tells the currency beside a price.
const CURRENCY: &str = "currency";
/// Keys of what says nothing of whose price it is.
#[rustfmt::skip]
const BESIDE: [&str; 22] = [
    "url", "link", "source", "sources", "website", "description", "summary", "note", "notes", "rating", "score", "confidence", "opens", "closes", "opening_hours", "hours", "address", "phone", "image", "reviews",
    "citation", "citations",
];

/// What an object says that names a thing and its price.
struct Priced<'s> {
    at: usize,
    statement: &'s Statement<'s>,
    /// As it is written, and with its currency.
    written: String,
    price: String,
}

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences(
    order: &[usize],
    statements: &[Statement<'_>],
) -> (Vec<([usize; 2], Difference)>, usize) {
    let mut named: BTreeMap<String, Vec<Priced<'_>>> = BTreeMap::new();
    for &at in order {
        if let Some((name, priced)) = priced(at, &statements[at]) {
            named.entry(name).or_default().push(priced);
        }
    }
    let (mut found, mut checked) = (Vec::new(), 0);
    let mut lexicon = Lexicon::default();
    for all in named.values().filter(|all| all.len() > 1) {
        // Who says several prices of it means several things.
        let is_alone = |one: &&Priced<'_>| {
            let is_other = |other: &Priced<'_>| {
                other.statement.subagent == one.statement.subagent && other.written != one.written
            };
            !all.iter().any(is_other)
        };
        let alone: Vec<&Priced<'_>> = all.iter().take(CHECKS_MAX).filter(is_alone).collect();
        for (place, one) in alone.iter().enumerate() {
            for other in alone[place + 1..].iter().filter(|other| independent(one.statement, other.statement))
            {
                checked += 1;
                let [task, their_task] = [one, other].map(|priced| priced.statement.around.task);
                if differ(one, other, &mut lexicon) && !are_tasks_of_others(task, their_task, &mut lexicon) {
                    let (one_is, other_is) = (one.written.clone(), other.written.clone());
                    found.push(([one.at, other.at], Difference::new(Kind::Number, one_is, other_is)));
                }
            }
        }
    }
    (found, checked)
}

fn differ(one: &Priced<'_>, other: &Priced<'_>, lexicon: &mut Lexicon) -> bool {
    let (mine, theirs) = (Features::of(lexicon, &one.price), Features::of(lexicon, &other.price));
    let price = |of: &Features<'_>| {
        let [figure] = of.figures.as_slice() else { return None };
        let is_exact = figure.bound == Bound::Exact && figure.low == figure.high;
        // `from €22`, `€22 online`
        let is_alone = !of.text[..figure.start].contains(char::is_alphabetic)
            && !of.text[figure.end..].contains(char::is_alphabetic);
        (matches!(figure.unit, Unit::Money(_)) && is_exact && is_alone).then_some(*figure)
    };
    let (Some(a), Some(b)) = (price(&mine), price(&theirs)) else { return false };
    a.unit == b.unit && agrees((&mine, &a), (&theirs, &b)) == Some(false)
}

/// The name in small letters, and the price; nearly no statement has both.
fn priced<'s>(at: usize, statement: &'s Statement<'_>) -> Option<(String, Priced<'s>)> {
    let text = statement.text;
    if !text.starts_with('"') || text.len() > BYTES_MAX || !text.contains(':') {
        return None;
    }
    let members: Map<String, Value> = serde_json::from_str(&format!("{{{text}}}")).ok()?;
    let (mut name, mut found, mut currency) = (None, None, None);
    for (key, value) in &members {
        let key = key.to_lowercase();
        let is_new = match (&value, price_key(&key)) {
            (Value::String(text), None) if NAMES.contains(&key.as_str()) => name.replace(text).is_none(),
            (Value::String(text), None) if key == CURRENCY => currency.replace(text.clone()).is_none(),
            (Value::String(text), Some(of)) => found.replace((text.clone(), of)).is_none(),
            (Value::Number(number), Some(of)) => found.replace((number.to_string(), of)).is_none(),
            _ => BESIDE.contains(&key.as_str()),
        };
        if !is_new {
            return None;
        }
    }
    let (written, of_key) = found?;
    let name = name?.trim().to_lowercase();
    let is_bare = written.chars().all(|c| c.is_ascii_digit() || c == '.');
    let told = of_key.map(str::to_uppercase).or(currency).unwrap_or_default();
    let price = if is_bare { format!("{written} {told}") } else { written.clone() };
    Some((name, Priced { at, statement, written, price }))
}

/// Whether a key is that of a price, and the currency that it tells.
fn price_key(key: &str) -> Option<Option<&'static str>> {
    let (mut is_price, mut currency) = (false, None);
    for word in key.split(['_', '-', ' ']) {
        let known = CURRENCIES.iter().find(|known| **known == word);
        match known {
            Some(known) => currency = Some(*known),
            None if PRICES.contains(&word) => is_price = true,
            None => return None,
        }
    }
    is_price.then_some(currency)
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn another_price_of_the_same_thing_is_found_below_any_key() {
        for (one, other) in [
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":"€22""#),
            (r#""title": "Zoo", "price": 25, "currency": "EUR""#, r#""name":"zoo","price_eur":22.5"#),
            (r#""name":"Zoo","price":"$25","url":"https://a.example""#, r#""name":"Zoo","cost_usd":22"#),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
        for (one, other) in [
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":"€25.00""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Castle","cost":"€22""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":"$22""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":22"#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":"€22","for":"children""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":"from €22""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","cost":"€22-30""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","discount_price":"€22""#),
            (r#""name":"Zoo","price_eur":25"#, r#""name":"Zoo","price":"€22","cost":"€20""#),
        ] {
            assert_eq!((kind(one, other), kind(other, one)), (None, None), "{one} / {other}");
        }
    }
}
