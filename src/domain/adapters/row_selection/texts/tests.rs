//! Tables in texts, and texts that have none.

use serde_json::{Value, json};

use super::*;

fn table(text: &str) -> Option<Value> {
    table_in(text).map(|held| serde_json::from_str(&held).unwrap())
}

#[test]
fn tables_of_every_kind_are_read() {
    let rows = json!({"columns": ["id", "name"], "rows": [["007", "Ada, L."], ["8", ""]]});
    for text in [
        "id,name\n007,\"Ada, L.\"\n8,",
        "id;name\r\n007;Ada, L.\r\n8;\r\n",
        "id\tname\n007\tAda, L.\n8\t\n",
        "```csv\nid,name\n007,\"Ada, L.\"\n8,\n```",
        "| id | name |\n|----|:----:|\n| 007 | Ada, L. |\n| 8 | |",
        "id | name\n--- | ---\n007 | Ada, L.\n8 |",
    ] {
        assert_eq!(table(text), Some(rows.clone()), "{text}");
    }
    let cells = "a,b\n\"two\nlines\",\"a \"\"quote\"\"\"\n";
    assert_eq!(table(cells).unwrap()["rows"], json!([["two\nlines", "a \"quote\""]]));
    assert_eq!(table("a|b\n-|-\nx\\|y|z").unwrap()["rows"], json!([["x|y", "z"]]));
    assert_eq!(table("a|b\n-|-").unwrap()["rows"], json!([]), "a table without rows is one");
    assert_eq!(table("| | b |\n|-|-|\n|1|2|").unwrap()["columns"], json!(["column_1", "b"]));
    let lines = "{\"id\":1}\n{\"id\":2}";
    assert_eq!(table(lines), Some(json!({"rows": [{"id": 1}, {"id": 2}]})));
}

#[test]
fn what_stands_around_a_table_is_kept() {
    let text = "Two are open:\n\n| id | due |\n|---|---|\n| 1 | May |\n\nBoth wait for Ada.";
    assert_eq!(table(text).unwrap()["content"], "Two are open:\n\nBoth wait for Ada.");
    let text = "Here:\n```csv\nid,due\n1,May\n```\nAll of them.";
    assert_eq!(table(text).unwrap()["content"], "Here:\n\nAll of them.");
    let text = "Here:\n```json\n[{\"id\": 1}]\n```";
    assert_eq!(table(text), Some(json!({"rows": [{"id": 1}], "content": text})));
}

#[test]
fn prose_is_no_table() {
    for text in [
        "",
        "Nothing found.",
        "Sorry, nothing matched\nTry again, please",
        "No rows.\nThe filter was status = open, region = EU.",
        "Dear Ada, hello,\nthe list is empty, sadly,\nyours, Bob,",
        "a,b",
        "1,2\n3,4",
        "id,id\n1,2",
        "id,name\n1",
        "\"open,b\n1,2",
        "Use `a | b` to choose.",
        "{\"answer\": \"none\"} is what it said",
        "- first\n- second",
    ] {
        assert_eq!(table(text), None, "{text}");
    }
}
