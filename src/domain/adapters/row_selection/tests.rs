//! What tables become.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::kinds::Kind;
use super::*;

fn card(sent: &Value) -> Value {
    let raw: RawJson = Arc::from(RawValue::from_string(sent.to_string()).unwrap());
    serde_json::from_str(normalise(&raw).get()).unwrap()
}

#[test]
fn a_long_table_is_cut_and_says_so() {
    let rows: Vec<Value> = (0..51).map(|n| json!({ "id": n })).collect();
    let card = card(&json!({ "rows": rows }));
    assert_eq!(card["rows"].as_array().unwrap().len(), PREVIEW_ROWS);
    assert_eq!((&card["row_count"], &card["truncated"]), (&json!(51), &json!(true)));
    assert_eq!(card["truncation"], json!({ "rows": 1 }));
    assert_eq!(self::card(&json!({ "rows": &rows[..50] }))["truncated"], json!(false));
}

#[test]
fn the_reported_count_goes_before_the_counted_one_unless_more_came() {
    for (sent, count, truncated, unread) in [
        (json!({ "rows": [[1]], "total": "120" }), 120, true, json!(null)),
        (json!({ "rows": [[1]], "row_count": 1 }), 1, false, json!(null)),
        (json!({ "rows": [[1], [2]], "row_count": 1 }), 2, false, json!({ "row_count": 1 })),
        (json!({ "rows": [[1]], "row_count": -1 }), 1, false, json!({ "row_count": -1 })),
        (json!({ "rows": [[1]], "row_count": 1.5 }), 1, false, json!({ "row_count": 1.5 })),
        (json!({ "rows": [[1]], "row_count": 9, "truncated": false }), 9, true, json!(null)),
        (json!({ "rows": [[1]], "has_more": true }), 1, true, json!(null)),
    ] {
        let card = card(&sent);
        assert_eq!(
            (&card["row_count"], &card["truncated"], &card["unread"]),
            (&json!(count), &json!(truncated), &unread),
            "{sent}"
        );
    }
}

#[test]
fn a_wide_table_is_cut_and_says_so() {
    let row: serde_json::Map<String, Value> = (0..60).map(|n| (format!("c{n:02}"), json!(n))).collect();
    let names: Vec<String> = row.keys().cloned().collect();
    let values: Vec<Value> = row.values().cloned().collect();
    for sent in [
        json!([row]),
        json!({ "columns": names, "data": [values] }),
        json!({ "columns": names, "rows": [row] }),
    ] {
        let card = card(&sent);
        assert_eq!(card["columns"].as_array().unwrap().len(), PREVIEW_COLUMNS);
        assert_eq!(card["rows"][0].as_object().unwrap().len(), PREVIEW_COLUMNS);
        assert_eq!((&card["truncation"], &card["truncated"]), (&json!({ "columns": 10 }), &json!(true)));
        assert_eq!(card["rows"][0]["c49"], json!(49));
    }
}

#[test]
fn members_beside_given_columns_stay_as_far_as_there_is_room() {
    let row: serde_json::Map<String, Value> = (0..60).map(|n| (format!("c{n:02}"), json!(n))).collect();
    let card = card(&json!({ "columns": ["c59", "c00"], "rows": [{ "c59": 1, "id": 7 }, row] }));
    assert_eq!(card["rows"][0], json!({ "c59": 1, "id": 7 }));
    assert_eq!(card["rows"][1].as_object().unwrap().len(), PREVIEW_COLUMNS);
    assert_eq!((&card["truncation"], &card["truncated"]), (&json!({ "columns": 10 }), &json!(true)));
}

#[test]
fn a_long_cell_is_cut_at_a_character_and_becomes_a_text() {
    let card = card(&json!([{ "a": "ä".repeat(501), "b": "ä".repeat(500), "c": vec![1; 400] }]));
    assert_eq!(card["rows"][0]["a"], json!("ä".repeat(499) + "…"));
    assert_eq!(card["rows"][0]["b"], json!("ä".repeat(500)));
    assert!(card["rows"][0]["c"].as_str().unwrap().ends_with('…'));
    assert_eq!(card["truncation"], json!({ "cells": 2 }));
    assert_eq!(card["columns"][2]["type"], json!("string"));
}

#[test]
fn a_card_beyond_the_bounds_is_no_regular_one() {
    let regular = json!({ "title": "", "columns": [{ "key": "a", "label": "a", "type": "string" }],
        "rows": [{ "a": "x", "id": 1 }], "row_count": 1, "truncated": false, "selected": [1] });
    assert_eq!(card(&regular), regular);
    for (pointer, value) in [
        ("/rows/0/a", json!("x".repeat(501))),
        ("/columns/0/key", json!("x".repeat(201))),
        ("/columns/0/type", json!("odd")),
        ("/row_count", json!(2)),
        ("/row_count", json!(1.0)),
        ("/selected/0", json!(null)),
        ("/rows/0", json!([1])),
        ("/columns/0", json!("a")),
    ] {
        let mut sent = regular.clone();
        *sent.pointer_mut(pointer).unwrap() = value;
        assert_ne!(card(&sent), sent, "{pointer}");
    }
    let mut twice = regular.clone();
    twice["columns"] = json!([regular["columns"][0], regular["columns"][0]]);
    assert_eq!(card(&twice)["columns"][1]["key"], json!("a_2"));
}

#[test]
fn keys_are_distinct_and_short() {
    let long = "k".repeat(300);
    let card = card(&json!({ "columns": ["a", "a", long, long, 7, null], "rows": [[1, 2, 3, 4, 5, 6, 7]] }));
    let keys: Vec<&str> =
        card["columns"].as_array().unwrap().iter().map(|c| c["key"].as_str().unwrap()).collect();
    assert_eq!((keys[0], keys[1], keys[4], keys[5]), ("a", "a_2", "7", "column_6"));
    assert!(keys[2] != keys[3] && keys.iter().all(|key| key.chars().count() <= KEY_CHARS_MAX));
    let row = card["rows"][0].as_object().unwrap();
    assert_eq!(keys.iter().map(|key| row[*key].as_i64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(row["column_7"], json!(7));
}

#[test]
fn types_are_those_of_the_shown_cells() {
    for (cells, kind) in [
        (json!([1, null, 2]), "integer"),
        (json!([1, 2.5]), "number"),
        (json!([1, "a"]), "string"),
        (json!([true, false]), "boolean"),
        (json!(["2024-03-04", "2024-03-05"]), "date"),
        (json!(["2024-03-04T02:15:30Z", "2024-03-04 02:15"]), "datetime"),
        (json!(["2024-03-04", "2024-03-04T02:15:30Z"]), "string"),
        (json!(["2024-3-4"]), "string"),
        (json!([null]), "null"),
        (json!([{}, null]), "object"),
        (json!([[1]]), "array"),
        (json!([[1], {}]), "string"),
    ] {
        let rows: Vec<Value> = cells.as_array().unwrap().iter().map(|cell| json!({ "a": cell })).collect();
        assert_eq!(card(&json!({ "rows": rows }))["columns"][0]["type"], json!(kind), "{cells}");
    }
}

#[test]
fn types_of_databases_are_known() {
    for (reported, kind) in [
        ("INT64", Some(Kind::Integer)),
        ("bigint", Some(Kind::Integer)),
        ("NUMERIC(10,2)", Some(Kind::Number)),
        ("float8", Some(Kind::Number)),
        ("bool", Some(Kind::Boolean)),
        ("TIMESTAMP_NTZ", Some(Kind::Datetime)),
        ("datetime64[ns]", Some(Kind::Datetime)),
        ("DATE", Some(Kind::Date)),
        ("character varying", Some(Kind::String)),
        ("jsonb", Some(Kind::Object)),
        ("interval", Some(Kind::String)),
        ("integer[]", Some(Kind::Array)),
        ("geography", None),
    ] {
        assert_eq!(Kind::reported(reported), kind, "{reported}");
    }
}

#[test]
fn selections_are_ids() {
    for (sent, selected, unread) in [
        (json!({ "rows": [], "selected": [1, "b"] }), json!([1, "b"]), json!(null)),
        (json!({ "rows": [], "selected_id": 4 }), json!([4]), json!(null)),
        (
            json!({ "rows": [], "selected_rows": [{ "id": 4 }, true] }),
            json!([4]),
            json!({ "selected": [{ "id": 4 }, true] }),
        ),
        (json!({ "rows": [], "selected": { "a": 1 } }), json!([]), json!({ "selected": { "a": 1 } })),
    ] {
        let card = card(&sent);
        assert_eq!((&card["selected"], &card["unread"]), (&selected, &unread), "{sent}");
    }
}

#[test]
fn what_is_no_table_is_kept() {
    assert_eq!(card(&json!("Nothing found."))["data"], json!("Nothing found."));
    assert_eq!(card(&json!(7))["data"], json!(7));
    let card = card(&json!({ "rows": 7, "title": ["t"], "x": 1 }));
    assert_eq!((&card["x"], &card["unread"]), (&json!(1), &json!({ "title": ["t"], "rows": 7 })));
}

#[test]
fn rows_are_found_wherever_they_stand() {
    let rows = json!([{ "id": 7, "name": "Ada" }]);
    for sent in [
        json!({ "customers": [{ "id": 7, "name": "Ada" }], "total": 1 }),
        json!({ "data": { "customers": [{ "id": 7, "name": "Ada" }] } }),
        json!({ "hits": { "hits": [{ "id": 7, "name": "Ada" }] }, "took": 3 }),
        json!({ "result": "[{\"id\": 7, \"name\": \"Ada\"}]", "rows": null }),
        json!({ "output": "```json\n{\"rows\": [{\"id\": 7, \"name\": \"Ada\"}]}\n```" }),
        json!({ "status": "ok", "record": { "id": 7, "name": "Ada" } }),
        json!({ "status": "ok", "result": { "id": 7, "name": "Ada" } }),
        json!({ "id": 7, "name": "Ada" }),
        json!("{\"id\": 7, \"name\": \"Ada\"}"),
        json!({ "meta": [{ "name": "id", "type": "UInt8" }, { "name": "name", "type": "String" }], "data": [[7, "Ada"]], "rows": 1 }),
    ] {
        let card = card(&sent);
        assert_eq!((&card["rows"], &card["row_count"]), (&rows, &json!(1)), "{sent}");
        assert_eq!(card["recognised"], json!(null), "{sent}");
    }
    let card = card(
        &json!({ "content": "Open ones:\n| id |  name |\n|-|-|\n| 7 | Ada |", "model": "m", "rows": 3 }),
    );
    assert_eq!(card["rows"], json!([{ "id": "7", "name": "Ada" }]));
    assert_eq!((&card["content"], &card["model"]), (&json!("Open ones:"), &json!("m")));
}

#[test]
fn what_is_no_table_does_not_count_as_none_found() {
    for sent in [
        json!("Nothing found."),
        json!(7),
        json!({ "message": "Nothing matched." }),
        json!({ "error": "boom", "code": 5 }),
        json!({ "status": "ok", "answer": "There are two." }),
        json!({ "rows": 7, "x": 1, "y": 2 }),
        json!({ "messages": [{ "role": "assistant" }] }),
    ] {
        let card = card(&sent);
        assert_eq!((&card["recognised"], &card["row_count"]), (&json!(false), &json!(0)), "{sent}");
        let texts = |value: &Value| value.to_string().matches('"').count();
        assert!(texts(&card) > texts(&sent), "{card}");
    }
    for sent in [
        json!({ "rows": [] }),
        json!([]),
        json!({ "columns": ["a"] }),
        json!({ "row_count": 0, "message": "Nothing matched." }),
        json!({}),
        json!("| id | name |\n|-|-|"),
        json!({ "progress": "Looking." }),
    ] {
        let card = card(&sent);
        assert_eq!((&card["recognised"], &card["row_count"]), (&json!(null), &json!(0)), "{sent}");
    }
}
