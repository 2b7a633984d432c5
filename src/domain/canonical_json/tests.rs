//! What the canonical form must keep apart, and what it mustn't.

use std::cmp::Ordering;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::Value;

use super::write::utf16_order;
use super::*;

fn canonical(text: &str) -> String {
    let mut out = Vec::new();
    canonicalize(text, &mut out).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    String::from_utf8(out).unwrap()
}

fn fault(text: &str) -> JsonFault {
    canonicalize(text, &mut Vec::new()).unwrap_err()
}

#[test]
fn the_example_of_rfc_8785_section_3_2_is_written_as_there() {
    let text = r#"{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    }"#;
    let expected = concat!(
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
        r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
    assert_eq!(canonical(text), expected);
}

#[test]
fn keys_are_sorted_by_utf16_code_units_as_in_rfc_8785_section_3_2_3() {
    let text = r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
        "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#;
    let expected = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
        \"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\
        \"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}";
    assert_eq!(canonical(text), expected);
}

#[test]
fn numbers_are_written_as_in_rfc_8785_appendix_b() {
    for (bits, expected) in [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ] {
        let number = f64::from_bits(bits);
        assert_eq!(canonical(&format!("{number:e}")), expected);
    }
}

#[test]
fn one_number_has_one_form_and_64_bit_integers_stay_exact() {
    for (text, expected) in [
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        ("1e2", "100"),
        ("100.000", "100"),
        ("9007199254740993", "9007199254740993"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "18446744073709552000"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn a_key_given_twice_is_a_fault_that_names_its_place() {
    for (text, key, pointer) in [
        (r#"{"a":1,"a":1}"#, "a", "/a"),
        (r#"{"b":1,"a":1,"b":2}"#, "b", "/b"),
        (r#"{"a":1,"\u0061":1}"#, "a", "/a"),
        (r#"{"x/y":[0,{"z":{"q":0,"":1,"q":2}}]}"#, "q", "/x~1y/1/z/q"),
        (r#"[[],{"~":{"k":1,"k":1}}]"#, "k", "/1/~0/k"),
    ] {
        let expected = JsonFault::DuplicateKey { key: key.to_owned(), pointer: pointer.to_owned() };
        assert_eq!(fault(text), expected, "{text}");
    }
    assert_eq!(canonical(r#"[{"a":{"a":1}},{"a":2}]"#), r#"[{"a":{"a":1}},{"a":2}]"#);
}

#[test]
fn nesting_has_an_end() {
    let nested = |depth: usize| format!("{}{}", r#"{"a":["#.repeat(depth / 2), "]}".repeat(depth / 2));
    assert_eq!(canonical(&nested(DEPTH_MAX)).len(), nested(DEPTH_MAX).len());
    assert_eq!(fault(&nested(DEPTH_MAX + 2)), JsonFault::TooDeep);
    assert_eq!(fault(&"[".repeat(1_000_000)), JsonFault::TooDeep);
    let broad = format!("[{}[]]", "[[]],".repeat(1_000));
    assert_eq!(canonical(&broad), broad, "siblings don't add up");
}

#[test]
fn what_is_not_json_is_a_fault_and_leaves_the_output_alone() {
    for text in
        ["", " ", "{", "[1,]", "{\"a\":}", "1 2", "nul", "'a'", "01", "\"\\ud800\"", "1e400", "\"\n\"", "NaN"]
    {
        let mut out = b"before".to_vec();
        let fault = canonicalize(text, &mut out).unwrap_err();
        assert!(matches!(fault, JsonFault::Syntax { .. }), "{text}: {fault}");
        assert_eq!(out, b"before", "{text}");
    }
}

#[test]
fn line_breaks_vanish_outside_of_strings_only() {
    assert!(matches!(one_line(r#"{"a": "x\ny"}"#), Cow::Borrowed(_)));
    assert_eq!(
        one_line("{\r\n\t\"a \\\" b\" : [ 1,\n \"\\\\\" , \" é \" ]\r}"),
        r#"{"a \" b":[1,"\\"," é "]}"#
    );
}

fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-c]{0,3}", any::<String>(), "[\u{e000}-\u{ffff}\u{1f600}\u{d7ff}]{1,2}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(text.clone(), inner, 0..6).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// The same value with members rotated, whitespace between tokens, and letters escaped.
fn respelt(value: &Value, turn: usize) -> String {
    let spelt = |text: &str| {
        let plain = serde_json::to_string(text).unwrap();
        if turn.is_multiple_of(2) { plain.replace('a', "\\u0061") } else { plain }
    };
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map
                .iter()
                .map(|(key, value)| format!(" {} :\n{}", spelt(key), respelt(value, turn + 1)))
                .collect();
            let middle = turn % members.len().max(1);
            members.rotate_left(middle);
            if turn.is_multiple_of(3) {
                members.reverse();
            }
            format!("{{{} }}", members.join("\t,"))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| respelt(item, turn + 1)).collect();
            format!("[\r\n{} ]", items.join(" , "))
        }
        Value::String(text) => spelt(text),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other.to_string(),
    }
}

proptest! {
    #[test]
    fn the_form_is_the_same_for_other_orders_whitespace_and_escapes(value in json(), turn in 0..6_usize) {
        let form = canonical(&value.to_string());
        prop_assert_eq!(&canonical(&respelt(&value, turn)), &form);
        prop_assert_eq!(&canonical(&form), &form);
    }

    #[test]
    fn the_form_means_what_the_text_means(value in json()) {
        let read: Value = serde_json::from_str(&canonical(&value.to_string())).unwrap();
        prop_assert!(means_the_same(&read, &value), "{read} {value}");
    }

    #[test]
    fn other_values_have_other_forms(one in json(), other in json()) {
        let same = canonical(&one.to_string()) == canonical(&other.to_string());
        prop_assert_eq!(same, means_the_same(&one, &other));
    }

    #[test]
    fn a_changed_leaf_changes_the_form(value in json(), pick in any::<prop::sample::Index>()) {
        let mut leaves = 0;
        change(&mut value.clone(), &mut leaves, usize::MAX);
        prop_assume!(leaves > 0);
        let (mut changed, mut seen) = (value.clone(), 0);
        change(&mut changed, &mut seen, pick.index(leaves));
        prop_assert_ne!(canonical(&changed.to_string()), canonical(&value.to_string()));
    }

    #[test]
    fn keys_compare_as_their_utf16_does(
        a in "[a\u{7f}\u{80}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{1f600}\u{10ffff}]{0,3}",
        b in "[a\u{7f}\u{80}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{1f600}\u{10ffff}]{0,3}",
    ) {
        let expected: Ordering = a.encode_utf16().cmp(b.encode_utf16());
        prop_assert_eq!(utf16_order(&a, &b), expected);
    }

    #[test]
    fn one_line_keeps_the_meaning(value in json(), turn in 0..6_usize) {
        let text = respelt(&value, turn);
        let line = one_line(&text);
        prop_assert!(!line.contains(['\n', '\r']));
        let read: Value = serde_json::from_str(&line).unwrap();
        prop_assert_eq!(read, value);
    }

    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{}\",:0-9a\\\\ue.\n -]{0,40}") {
        let mut out = Vec::new();
        if canonicalize(&text, &mut out).is_ok() {
            prop_assert!(serde_json::from_slice::<Value>(&out).is_ok());
        }
        let _ = one_line(&text);
    }
}

/// Changes the leaf number `target` a little; counts leaves in `seen`.
fn change(value: &mut Value, seen: &mut usize, target: usize) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, seen, target)),
        Value::Object(map) => map.values_mut().for_each(|value| change(value, seen, target)),
        leaf @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            if *seen == target {
                *leaf = match &*leaf {
                    Value::Bool(value) => Value::from(!value),
                    Value::String(text) => Value::from(format!("{text}\u{e000}")),
                    Value::Number(number) if number.is_i64() => Value::from(number.as_i64().unwrap() ^ 1),
                    Value::Number(number) if number.is_u64() => Value::from(number.as_u64().unwrap() ^ 1),
                    Value::Number(number) => {
                        Value::from(f64::from_bits(number.as_f64().unwrap().to_bits() ^ 1))
                    }
                    Value::Null | Value::Array(_) | Value::Object(_) => Value::from("null"),
                };
            }
            *seen += 1;
        }
    }
}

/// Equal, where a whole double equals the integer.
fn means_the_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || whole(a).is_some() && whole(a) == whole(b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| means_the_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| means_the_same(a, b)))
        }
        _ => a == b,
    }
}

/// The integer that a number's canonical form shows, if it is one.
fn whole(number: &serde_json::Number) -> Option<i128> {
    number.as_i128().or_else(|| canonical(&number.to_string()).parse().ok())
}
