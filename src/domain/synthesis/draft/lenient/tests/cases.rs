//! Single answers, each with what must be found in it.

use serde_json::{Value, json};

use super::super::NoDraft::{self, NoObject, Nothing, Refusal};
use super::read_checked;

/// What was read, short: only what isn't empty.
fn short(answer: &str) -> Value {
    let draft = read_checked(answer).unwrap_or_else(|no| panic!("{answer}: {no}")).draft;
    let mut value = serde_json::to_value(draft).unwrap();
    prune(&mut value);
    value
}

fn prune(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(prune);
            fields.retain(|_, value| *value != json!("") && *value != json!([]) && !value.is_null());
        }
        Value::Array(items) => items.iter_mut().for_each(prune),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[track_caller]
fn check(cases: &[(&str, Value)]) {
    for (answer, expected) in cases {
        assert_eq!(short(answer), *expected, "{answer}");
    }
}

/// The findings that `source_ids` of one finding gives.
#[test]
fn source_ids_are_read_as_they_are_written() {
    for (ids, expected) in [
        ("[1, 2]", &[1, 2][..]),
        ("[]", &[]),
        ("1", &[1]),
        ("\"1\"", &[1]),
        ("\"1, 2\"", &[1, 2]),
        ("\"[1][2]\"", &[1, 2]),
        (
            "[\"1\", \"[2]\", \"S3\", \"s4\", \"Source 5\", \"#6\", \"source_id: 7\", \"[S8]\", \"【9】\"]",
            &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        ),
        ("[1, 1, \"1\", 2]", &[1, 2]),
        ("[1.0, 2.5, -3, 1e3, \"4-6\", \"x7\", \"8.1.2024\", \"a.org/9\", true, null]", &[1]),
        ("[[1], [2]]", &[1, 2]),
        ("[[1, 2]]", &[]),
        ("[{\"id\": 1}, {\"source_id\": \"2\"}, {\"n\": 3}]", &[1, 2]),
        ("[4294967295, 4294967296, 99999999999999999999]", &[4294967295]),
        ("null", &[]),
        ("None", &[]),
        ("\"\"", &[]),
        ("\"none\"", &[]),
        ("{\"1\": true}", &[]),
        ("[01, 2", &[1, 2]),
    ] {
        let answer = format!("{{\"findings\": [{{\"content\": \"a\", \"source_ids\": {ids}}}]}}");
        let reading = read_checked(&answer).unwrap();
        assert_eq!(reading.draft.findings[0].source_ids, expected, "{ids}");
    }
}

#[test]
fn a_confidence_is_one_of_three_words_or_none() {
    for (confidence, expected) in [
        ("\"low\"", json!("low")),
        ("\"HIGH\"", json!("high")),
        ("\" Medium \"", json!("medium")),
        ("high", json!("high")),
        ("0.9", json!(null)),
        ("\"very high\"", json!(null)),
        ("\"\"", json!(null)),
        ("null", json!(null)),
        ("[\"high\"]", json!(null)),
        ("{\"level\": \"high\"}", json!(null)),
    ] {
        let answer = format!("{{\"findings\": [{{\"content\": \"a\", \"confidence\": {confidence}}}]}}");
        assert_eq!(short(&answer)["findings"][0]["confidence"], expected, "{confidence}");
    }
}

#[test]
fn other_shapes_are_understood() {
    let a = json!({"findings": [{"content": "a"}]});
    let ab = json!({"findings": [{"content": "a"}, {"content": "b"}]});
    check(&[
        ("[{\"content\": \"a\"}, {\"content\": \"b\"}]", ab.clone()),
        ("{\"content\": \"a\"}\n{\"content\": \"b\"}", ab.clone()),
        ("{\"content\": \"a\"}, {\"content\": \"b\"}, {\"content\": \"c", ab.clone()),
        ("{\"findings\": {\"content\": \"a\"}}", a.clone()),
        ("{\"findings\": {\"1\": {\"content\": \"a\"}, \"2\": {\"content\": \"b\"}}}", ab.clone()),
        ("{\"findings\": [\"a\", \"b\"]}", ab.clone()),
        ("{\"findings\": \"a\"}", a.clone()),
        ("{\"findings\": [[{\"content\": \"x\"}], {\"content\": \"a\"}]}", a.clone()),
        (
            "{\"findings\": [{\"content\": \"a\"}, null, 3, \"\", {}, {\"topic\": \"t\"}, {\"content\": \" \"}]}",
            a.clone(),
        ),
        ("{\"findings\": [{\"content\": [\"x\"]}, {\"content\": 4}, {\"content\": \"a\"}]}", a.clone()),
        ("{\"data\": {\"items\": [{\"content\": \"a\"}]}}", a.clone()),
        ("[{\"findings\": [{\"content\": \"a\"}]}]", a.clone()),
        ("[[{\"content\": \"a\"}]] {\"content\": \"b\"}", a.clone()),
        (
            "{\"findings\": [{\"content\": \"a\", \"extra\": {\"content\": \"x\"}, \"n\": [1]}], \"more\": 1}",
            a.clone(),
        ),
        (
            "{\"gaps\": \"a\", \"contradictions\": \"b\"}",
            json!({"gaps": ["a"], "contradictions": [{"description": "b"}]}),
        ),
        (
            "{\"gaps\": [\"a\", 1, null, {\"description\": \"b\"}, \" \", [\"c\"]]}",
            json!({"gaps": ["a", "b"]}),
        ),
        (
            "{\"contradictions\": {\"description\": \"d\", \"statements\": [\"q\", {\"quote\": \"r\", \"source_id\": \"[2]\"}, {\"source_id\": 3}, {\"quote\": \"s\", \"source_id\": [1, 2]}]}}",
            json!({"contradictions": [{"description": "d", "statements": [{"quote": "q"}, {"quote": "r", "source_id": 2}, {"quote": "s"}]}]}),
        ),
        (
            "{\"contradictions\": [{}, {\"statements\": {\"quote\": \"q\", \"source_id\": 1}}]}",
            json!({"contradictions": [{"statements": [{"quote": "q", "source_id": 1}]}]}),
        ),
        ("{\"summary\": [\"a\", \"b\"], \"gaps\": []}", json!({})),
        ("{\"findings\": [], \"contradictions\": [], \"gaps\": [], \"summary\": \"\"}", json!({})),
    ]);
}

#[test]
fn the_last_complete_value_of_a_field_counts() {
    check(&[
        ("{\"summary\": \"a\", \"summary\": \"b\"}", json!({"summary": "b"})),
        ("{\"summary\": \"a\", \"summary\": \"b", json!({"summary": "a"})),
        ("{\"gaps\": [\"a\"], \"gaps\": [\"b\", \"c", json!({"gaps": ["a"]})),
        ("{\"gaps\": [\"b\", \"c", json!({"gaps": ["b"]})),
        ("{\"gaps\": [\"a\"], \"gaps\": nul", json!({"gaps": ["a"]})),
        (
            "{\"findings\": [{\"content\": \"a\", \"content\": \"b\"}]}",
            json!({"findings": [{"content": "b"}]}),
        ),
        ("{\"summary\": \"a\", \"SUMMARY\": \"b\"}", json!({"summary": "b"})),
    ]);
}

#[test]
fn the_object_that_looks_most_like_a_draft_is_taken() {
    let b = json!({"findings": [{"content": "b"}], "summary": "s"});
    check(&[
        (
            "{\"findings\": [{\"content\": \"a\"}]} {\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"}",
            b.clone(),
        ),
        (
            "{\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"} {\"findings\": [{\"content\": \"a\"}]}",
            b.clone(),
        ),
        (
            "{\"findings\": [{\"content\": \"a\"}], \"summary\": \"x\"} {\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"}",
            b.clone(),
        ),
        (
            "{\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"} {\"findings\": [{\"content\": \"a\"}], \"summary\": \"x\"",
            b.clone(),
        ),
        (
            "{\"a\": {\"summary\": \"x\"}, \"b\": {\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"}}",
            b.clone(),
        ),
        (
            "{\"summary\": \"x\", \"gaps\": [], \"contradictions\": []} {\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"}",
            b.clone(),
        ),
        (
            "{\"type\": \"object\", \"properties\": {\"findings\": {\"type\": \"array\", \"items\": {}}, \"summary\": {\"type\": \"string\"}}} {\"findings\": [{\"content\": \"b\"}], \"summary\": \"s\"}",
            b,
        ),
    ]);
}

#[test]
fn a_better_draft_in_a_thought_does_not_count() {
    let thought = r#"{"findings": [{"content": "a"}], "summary": "x"}"#;
    for answer in [
        format!("{thought}</think>{{\"summary\": \"b\"}}"),
        format!("<think>{thought}</think>{{\"summary\": \"b\"}}"),
        format!("Well: <think>{thought}</think>{{\"summary\": \"b\"}}"),
        format!("```\n{thought}\n```\n</thinking>{{\"summary\": \"b\"}}"),
    ] {
        assert_eq!(short(&answer), json!({"summary": "b"}), "{answer}");
    }
}

#[test]
fn what_is_not_closed_is_left_out() {
    check(&[
        (
            "{\"findings\": [{\"content\": \"a\"}, {\"content\": \"b\"",
            json!({"findings": [{"content": "a"}]}),
        ),
        ("{\"findings\": [{\"content\": \"a\"}, {\"content\": \"b", json!({"findings": [{"content": "a"}]})),
        ("{\"findings\": [{\"content\": \"a\", \"source_ids\": [1", json!({})),
        ("{\"findings\": [\"a\", \"b", json!({"findings": [{"content": "a"}]})),
        ("{\"summary\": \"a", json!({})),
        ("{\"summary\": \"a\"", json!({"summary": "a"})),
        ("{\"summary\": \"a\", \"gaps\": [\"b\"", json!({"summary": "a", "gaps": ["b"]})),
        ("{\"contradictions\": [{\"description\": \"d\", \"statements\": [{\"quote\": \"q\"}", json!({})),
        ("[{\"content\": \"a\"}, {\"con", json!({"findings": [{"content": "a"}]})),
    ]);
}

#[test]
fn brackets_and_colons_out_of_place_cost_no_more_than_they_must() {
    check(&[
        (
            "{\"findings\": [{\"content\": \"a\", \"source_ids\": [1, 2}], \"summary\": \"s\"}",
            json!({"findings": [{"content": "a", "source_ids": [1, 2]}], "summary": "s"}),
        ),
        (
            "{\"findings\": [{\"content\": \"a\", \"source_ids\": [1, 2, \"confidence\": \"high\"}], \"summary\": \"s\"}",
            json!({"findings": [{"content": "a", "source_ids": [1, 2], "confidence": "high"}], "summary": "s"}),
        ),
        (
            "{\"findings\": [{\"content\": \"a\"], \"summary\": \"s\"}",
            json!({"findings": [{"content": "a"}], "summary": "s"}),
        ),
        (
            "{\"findings\": [{\"content\": \"a\"}}, \"summary\": \"s\"}",
            json!({"findings": [{"content": "a"}]}),
        ),
        ("{\"summary\": \"a\", \"gaps\" [\"b\"]}", json!({"summary": "a"})),
        ("{\"summary\": \"a\", \"gaps\": , \"x\"}", json!({"summary": "a"})),
        ("{\"summary\": \"a\", \"gaps\": two words}", json!({"summary": "a"})),
        (
            "{\"findings\": [{\"content\": \"a\"}, {\"content\" \"b\"}], \"summary\": \"s\"}",
            json!({"findings": [{"content": "a"}]}),
        ),
    ]);
}

#[test]
fn escapes_are_resolved_and_what_is_none_stays() {
    for (text, expected) in [
        ("a\\nb\\t\\\"c\\\\ \\/", "a\nb\t\"c\\ /"),
        ("\\u00e9\\ud83d\\ude00", "é😀"),
        ("\\ud83d!", "\u{fffd}!"),
        ("\\ude00\\ud83d\\ud83d\\ude00", "\u{fffd}\u{fffd}😀"),
        ("\\d \\' \\u12 \\uZ \\u12G4", "\\d ' \\u12 \\uZ \\u12G4"),
        ("\\ud83d\\n", "\u{fffd}\n"),
        ("\\ud83d", "\u{fffd}"),
        ("a\\u00", "a\\u00"),
        ("tab\there\u{0}", "tab\there\u{0}"),
    ] {
        let answer = format!("{{\"summary\": \"{text}\"}}");
        assert_eq!(read_checked(&answer).unwrap().draft.summary, expected, "{text}");
    }
}

#[test]
fn three_quotes_end_a_string_unless_they_are_escaped() {
    check(&[
        (r#"{"summary": """a "b" c"""}"#, json!({"summary": "a \"b\" c"})),
        (r#"{"summary": """a\""""}"#, json!({"summary": "a\""})),
        (r#"{"gaps": ["""a""", '''b'''], "summary": """c"#, json!({"gaps": ["a", "b"]})),
    ]);
}

#[test]
fn a_quote_that_nobody_escaped_ends_nothing() {
    for text in [
        "He said \"no\" to it",
        "He said \"no\"",
        "\"No\" is what he said",
        "a \"b\", and so on",
        "\"a\" and \"b\" (\"c\")",
        "5\" disk",
    ] {
        let answer = format!("{{\"summary\": \"{text}\", \"gaps\": [\"{text}\", \"x\"]}}");
        assert_eq!(short(&answer), json!({"summary": text, "gaps": [text, "x"]}), "{answer}");
    }
}

#[test]
fn there_is_no_draft_where_nothing_says_one() {
    let none: &[(&str, NoDraft)] = &[
        ("", Nothing),
        (" \n\t\u{feff}", Nothing),
        ("<think>", Nothing),
        ("<think>Well, {\"summary\": \"a\"}", Nothing),
        ("<think>Well.</think>  ", Nothing),
        ("Well.</think>", Nothing),
        ("I'm sorry, but I can't help with that.", Refusal),
        ("I cannot write this.", Refusal),
        ("<think>a</think>I’m unable to do so {really}.", Refusal),
        ("```\nAs an AI language model, I won't.\n```", Refusal),
        ("{\"refusal\": \"I can't.\"}", Refusal),
        ("Es tut mir leid.", Refusal),
        ("抱歉，我不能。", Refusal),
        ("The sources say that sales grew.", NoObject),
        ("{}", NoObject),
        ("[]", NoObject),
        ("null", NoObject),
        ("{{{{", NoObject),
        ("{\"findings\"", NoObject),
        ("{\"a\": 1}", NoObject),
        ("[1, 2, 3]", NoObject),
        ("[\"a\", \"b\"]", NoObject),
        ("{\"findings\": 3}", NoObject),
        (
            "{\"$schema\": \"x\", \"properties\": {\"findings\": {\"type\": \"array\"}, \"gaps\": {\"type\": \"array\"}}}",
            NoObject,
        ),
        ("findings: a\nsummary: b", NoObject),
    ];
    for (answer, expected) in none {
        assert_eq!(read_checked(answer), Err(*expected), "{answer}");
    }
}

#[test]
fn notes_say_what_was_odd_and_quote_nothing() {
    let notes = |answer: &str| read_checked(answer).unwrap().notes;
    assert!(notes("{\"summary\": \"a\"}").is_empty());
    assert_eq!(
        notes("{\"summary\": \"a\""),
        ["the answer was cut off, and what wasn't complete is left out"]
    );
    assert_eq!(notes("{\"r\": {\"summary\": \"a\"}}"), ["the draft was inside something else"]);
    assert_eq!(notes("{\"findings\": [\"secret\"]}"), ["an item was a bare text"]);
    assert_eq!(
        notes("{\"summary\": \"a\", \"summary\": \"b\"}"),
        ["a field came more than once, and the last complete one counts"]
    );
}
