//! Few words in an array under a key: of `{"not_included": ["Breakfast", "Parking"]}` both.
//!
//! Most such arrays are quoted as they stand, with what stands beside them. Each item is a statement where its key says what is so of it
//! or isn't, where others of the array are sentences, and where the array is too long to be quoted. Those of one of several plans would
//! say nothing without its name: they are quoted with that.

use std::collections::BTreeMap;
use std::ops::Range;

use super::alone::{is_few, stated};
use super::over;
use super::owned::KEYS_MAX;
use super::told::VALUE_BYTES_MAX;
use super::{OBJECTS_MAX, Said, Statement, Told, Value};
use crate::domain::synthesis::claims::statements::Around;
use crate::domain::text::turned::Side;
use crate::domain::text::words::Lexicon;

/// The items among `all` strings, but for those with a statement of `found`, which are ascending.
pub(in crate::domain::synthesis::claims::statements) fn items<'t>(
    said: Said<'t, '_>,
    all: &[Value],
    found: &[Statement<'t>],
) -> Vec<Statement<'t>> {
    let text = said.text;
    let (mut items, mut lexicon, mut sides) = (Vec::new(), Lexicon::default(), BTreeMap::new());
    for same in all.chunk_by(|one, other| one.list == other.list) {
        let Range { start, end } = same[0].list.clone();
        let key = &text[start..end];
        let is_left = Told::is_about(key) || same[0].in_sources || same[0].is_apart;
        if key.is_empty() || is_left || items.len() >= OBJECTS_MAX {
            continue;
        }
        let is_told = |value: &Value| tells(found, &value.range);
        let place = |at: usize| same.get(at).map_or(0..0, |value| value.range.clone());
        let is_long = place(same.len() - 1).end - place(0).start > VALUE_BYTES_MAX;
        let mut is_side = || {
            let is_known = sides.len() < KEYS_MAX || sides.contains_key(key);
            let tells = |side: Side| side.is_denied || side.is_plain();
            let mut ask = || Side::of(key, &mut lexicon).is_some_and(tells);
            is_known && *sides.entry(key).or_insert_with(&mut ask)
        };
        if is_long || !same[0].lead.is_empty() || same.iter().any(is_told) || is_side() {
            let left = same.iter().filter(|value| !value.is_address && !is_told(value));
            let few = left.filter(|value| is_few(&text[value.range.clone()]));
            let room = OBJECTS_MAX.saturating_sub(items.len());
            items.extend(few.take(room).map(|value| {
                let lead = &text[value.lead.clone()];
                let over = over(text, value, &BTreeMap::new(), key);
                let around = Around { lead, line: key, over, is_listed: true, ..Around::default() };
                Statement { heading: key, around, ..stated(said, value.range.clone(), None) }
            }));
        }
    }
    items
}

/// Whether a statement stands there.
fn tells(found: &[Statement<'_>], range: &Range<usize>) -> bool {
    let first = found.partition_point(|statement| statement.start < range.start);
    found.get(first).is_some_and(|statement| statement.start < range.end)
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    /// What is stated, with the key that denies or restricts it and the one that it is listed under.
    fn stated(text: &str) -> Vec<(&'static str, &'static str, &'static str)> {
        read(text, "a").into_iter().map(|said| (said.text, said.around.lead, said.around.line)).collect()
    }

    #[test]
    fn keys_lead_in_the_items_of_their_arrays() {
        let text = r#"{"hotel": "Gracery", "included": ["Wifi"], "not_included": ["Breakfast", "Parking in the garage of it"]}"#;
        let expected = [
            (r#""hotel": "Gracery""#, "", ""),
            ("Wifi", "", "included"),
            ("Breakfast", "not_included", "not_included"),
            ("Parking in the garage of it", "not_included", "not_included"),
        ];
        assert_eq!(stated(text), expected);
        let objects = r#"{"notCovered": [{"what": "Damage that war or terror has caused."}], "covered": [{"what": "Lost cash of any sum."}]}"#;
        let leads: Vec<_> = stated(objects).into_iter().map(|said| said.1).collect();
        assert_eq!(leads, ["notCovered", ""]);
        let alone = r#"{"not_recommended": "Take aspirin in the third trimester."}"#;
        assert_eq!(stated(alone)[0].1, "not_recommended");
        let only = r#"{"only_if_under_26": ["A discount of 50 % on all trains is given."]}"#;
        assert_eq!(stated(only)[0].1, "only_if_under_26");
    }

    #[test]
    fn what_one_of_several_things_has_is_quoted_with_its_name() {
        let text = r#"{"plans": [{"name": "Basic", "included": ["SSO"]}, {"name": "Pro", "included": ["SSO", "Audit logs"]}]}"#;
        let said: Vec<_> = stated(text).into_iter().map(|said| said.0).collect();
        assert_eq!(
            said,
            [
                r#""name": "Basic", "included": ["SSO"]"#,
                r#""name": "Pro", "included": ["SSO", "Audit logs"]"#
            ]
        );
        let text = r#"{"basic": {"not_included": ["SSO"]}, "pro": {"included": ["SSO"]}}"#;
        assert!(stated(text).iter().all(|said| said.0.contains(':')));
        assert_eq!(stated(r#"{"data": {"not_included": ["SSO"]}}"#)[0].0, "SSO");
    }

    #[test]
    fn few_words_beside_sentences_of_their_array_are_kept() {
        let text = r#"{"amenities": ["Pool", "The restaurant has a view of the bay.", "Sauna"]}"#;
        let said: Vec<_> = stated(text).into_iter().map(|said| said.0).collect();
        assert_eq!(said, ["Pool", "The restaurant has a view of the bay.", "Sauna"]);
        let long: Vec<String> = (0..30).map(|at| format!("\"Room number {at}\"")).collect();
        assert_eq!(stated(&format!("{{\"rooms\": [{}]}}", long.join(", "))).len(), 30);
        // What is quoted whole, or is about the answer.
        let text = r#"{"summary": "The hotel has a pool and a bar.", "rooms": ["single", "double"], "messages": ["ok then", "It is done, as was said before."]}"#;
        let said: Vec<_> = stated(text).into_iter().map(|said| said.0).collect();
        assert!(said.contains(&r#""rooms": ["single", "double"]"#) && !said.contains(&"ok then"), "{said:?}");
    }
}
