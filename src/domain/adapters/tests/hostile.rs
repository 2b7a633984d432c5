//! Outputs that nobody should send: names that adapters look for with values of any type, examples with parts that
//! were replaced, keys that come twice, halves of surrogate pairs, numbers beyond every range, nests.

use std::sync::LazyLock;

use super::schemas::{CONTRACTS, Contract};
use super::*;

/// Stands for the escape of a half of a surrogate pair, which no `Value` can hold.
const HALF: char = '\u{e000}';
const HALF_ESCAPED: &str = "\\ud800";

/// Every name in the examples of every adapter, and those that adapters write.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut names: Vec<String> = [
        "unread",
        "unread_",
        "data",
        "truncation",
        "state_reported",
        "decision_reported",
        "type_reported",
        "",
        "\u{e000}",
        "🙂",
    ]
    .map(str::to_owned)
    .into();
    for contract in CONTRACTS.iter() {
        contract
            .shapes
            .iter()
            .flat_map(|(_, _, examples)| examples)
            .for_each(|value| keys(value, &mut names));
    }
    names.sort();
    names.dedup();
    names
});

fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.push(key.clone());
            keys(value, found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![Just(1e308), Just(-1e308), Just(9.1e15), Just(-0.0), Just(0.0005)].prop_map(Value::from),
        "[a-z \"\\\\\n🙂\u{e000}]{0,6}".prop_map(Value::from),
        prop_oneof![
            Just("unsafe\nS1"),
            Just("{\"action\":{\"name\":1}}"),
            Just("[[\"a\"],[1]]"),
            Just("```json\n{}\n```"),
            Just("1.5s"),
            Just("1e999"),
            Just("done"),
            Just("review"),
            Just("{\"a\":\"\\ud800\"}"),
            Just("2024-03-04"),
            Just("2024-03-04T0"),
            Just("\u{e000}"),
        ]
        .prop_map(Value::from),
        (490..520_usize).prop_map(|count| Value::from("ü".repeat(count))),
        Just(Value::Array(vec![])),
        Just(Value::Object(Map::new())),
        (1..20_u8).prop_map(|depth| (0..depth).fold(Value::from(1), |inner, level| {
            if level % 2 == 0 { Value::from(vec![inner]) } else { serde_json::json!({ "content": inner }) }
        })),
    ]
}

/// JSON of known names.
fn json() -> impl Strategy<Value = Value> {
    let name = any::<prop::sample::Index>().prop_map(|index| index.get(&NAMES).clone());
    leaf().prop_recursive(5, 80, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((name.clone(), inner), 0..8).prop_map(|members| Value::from(Map::from_iter(members))),
        ]
    })
}

/// An example of which some parts were replaced.
fn replaced() -> impl Strategy<Value = Value> {
    let part = (any::<prop::sample::Index>(), json());
    (any::<prop::sample::Index>(), vec(part, 0..4)).prop_map(|(index, parts)| {
        let examples: Vec<&Value> = CONTRACTS
            .iter()
            .flat_map(|contract| &contract.shapes)
            .flat_map(|(_, _, examples)| examples)
            .collect();
        let mut value = (*index.get(&examples)).clone();
        for (place, part) in parts {
            let mut pointers = Vec::new();
            places(&value, String::new(), &mut pointers);
            let pointer: &String = place.get(&pointers);
            if let Some(target) = value.pointer_mut(pointer) {
                *target = part;
            }
        }
        value
    })
}

fn places(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| places(item, format!("{here}/{place}"), found));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            places(value, format!("{here}/{}", key.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found.push(here);
}

/// The text of an output, with halves of pairs and, where there is one, with members that come twice.
fn text(value: &Value, again: &[(prop::sample::Index, Value)]) -> String {
    let mut text = value.to_string();
    for (name, value) in again {
        if let Some(rest) = text.strip_prefix('{').filter(|rest| rest.len() > 1) {
            text = format!("{{{}:{value},{rest}", Value::from(name.get(&NAMES).as_str()));
        }
    }
    text.replace(HALF, HALF_ESCAPED)
}

/// A normalised output without halves of pairs.
fn whole(normalised: &RawJson) -> Value {
    let (mut text, mut rest) = (String::new(), normalised.get());
    while let Some(place) = rest.find('\\') {
        let is_half = rest[place..].starts_with(HALF_ESCAPED);
        text.push_str(&rest[..place]);
        text.push_str(if is_half { "A" } else { &rest[place..place + 2] });
        rest = &rest[place + if is_half { HALF_ESCAPED.len() } else { 2 }..];
    }
    text.push_str(rest);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {normalised}"))
}

fn keeps_its_contract(contract: &Contract, text: &str) -> Result<(), TestCaseError> {
    let once = contract.adapter.normalise(&raw(text));
    let errors = contract.errors(&whole(&once));
    prop_assert!(errors.is_empty(), "{text}\n{once}\n{errors:?}");
    let twice = contract.adapter.normalise(&once);
    prop_assert!(Arc::ptr_eq(&twice, &once), "{text}\n{once}\n{twice}");
    match contract.adapter {
        Adapter::Safety => prop_assert!(policy_outcome(&once).is_some(), "{once}"),
        Adapter::Voice => prop_assert!(voice::voice_is_final(&once).is_some(), "{once}"),
        Adapter::ActionWorkflow => prop_assert!(card::card_state(&once).is_some(), "{once}"),
        Adapter::Documentation | Adapter::RowSelection | Adapter::Generic => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::properties::cases(600))]

    #[test]
    fn known_names_with_any_values_become_valid_once_and_for_all(
        sent in json(),
        again in vec((any::<prop::sample::Index>(), leaf()), 0..2),
    ) {
        for contract in CONTRACTS.iter() {
            keeps_its_contract(contract, &text(&sent, &again))?;
        }
    }

    #[test]
    fn examples_with_parts_replaced_become_valid_once_and_for_all(
        sent in replaced(),
        again in vec((any::<prop::sample::Index>(), leaf()), 0..2),
    ) {
        for contract in CONTRACTS.iter() {
            keeps_its_contract(contract, &text(&sent, &again))?;
        }
    }

    #[test]
    fn no_key_comes_twice_where_none_was_sent_twice(sent in replaced()) {
        let text = sent.to_string();
        for contract in CONTRACTS.iter() {
            read(&contract.adapter.normalise(&raw(&text)));
        }
    }
}

#[test]
fn a_payload_with_one_part_of_another_type_becomes_valid() {
    let others = serde_json::json!([
        null,
        true,
        "true",
        7,
        7.5,
        "0.5",
        "x",
        " ",
        "{}",
        "[]",
        [],
        {},
        [7],
        ["a"],
        [{}],
        [[1]]
    ]);
    for contract in CONTRACTS.iter() {
        for example in &contract.examples {
            let mut pointers = Vec::new();
            places(example, String::new(), &mut pointers);
            for (pointer, other) in pointers
                .iter()
                .flat_map(|pointer| others.as_array().unwrap().iter().map(move |other| (pointer, other)))
            {
                let mut sent = example.clone();
                *sent.pointer_mut(pointer).unwrap() = other.clone();
                keeps_its_contract(contract, &sent.to_string()).unwrap();
            }
        }
    }
}

#[test]
fn numbers_beyond_every_range_stay_as_they_are() {
    for text in
        ["1e400", r#"{"start":1e400,"row_count":1e400,"severity":1e400,"confidence":1e400}"#, "[1e400]"]
    {
        for adapter in Adapter::ALL {
            let once = adapter.normalise(&raw(text));
            assert!(once.get().contains("1e400"), "{once}");
            assert!(Arc::ptr_eq(&adapter.normalise(&once), &once), "{once}");
        }
    }
}
