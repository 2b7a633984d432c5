//! Every draft in every style and in every surrounding: all of it is found.

use serde_json::Value;

use super::style::{JSON, Style};
use super::{drafts, read_checked};

/// What may stand around a draft, which is `@`.
const AROUND: &[&str] = &[
    "@",
    "\u{feff}@",
    "\n\n  @  \n",
    "```json\n@\n```",
    "```\n@\n```",
    "```json\n@",
    "~~~\n@\n~~~",
    "Here is the draft:\n\n@",
    "Here is the draft [1], as {asked}:\n\n@\n\nI hope this helps!",
    "Sure! It's done. ```json\n@\n``` Let me know, if {you} need [more].",
    "<think>Let me see.</think>@",
    "<think>\nMaybe {\"findings\": [{\"content\": \"no\"}]}?\n</think>\n\n@",
    "<thinking>{\"summary\": \"no\"}</thinking>```json\n@\n```",
    "<THINK>{</THINK>@",
    "The user wants {\"findings\": [{\"content\": \"no\"}]}.\n</think>\n@",
    "<think>a</think><think>b</think>@",
    "Well. <think>{\"findings\": [{\"content\": \"no\"}]} @</think> So: @",
    "{\"result\": @}",
    "{\"type\": \"draft\", \"output\": {\"data\": @}}",
    "[@]",
    "json @",
    "@ {\"note\": \"that was it\"}",
    "{\"example\": 1}\n@",
    "{\"summary\": \"only an example\"}\n@",
    "{} [] {x} @ {} []",
    "<answer>@</answer>",
    "{\"findings\": \n\nSorry, again: @",
    "@\n@",
    "$ echo { > a\n@",
];

/// Ways of writing it.
fn styles() -> Vec<(&'static str, Style)> {
    let upper = |key: &str| key.to_uppercase();
    let camel = |key: &str| key.replace("_i", "I");
    vec![
        ("json", JSON),
        ("ascii", Style { ascii: true, ..JSON }),
        ("python", Style { open: "'", close: "'", null: "None", ..JSON }),
        ("single quotes, no escapes", Style { open: "'", close: "'", raw_quotes: true, ..JSON }),
        ("no escapes", Style { raw_quotes: true, raw_newlines: true, ..JSON }),
        ("typographic quotes", Style { open: "“", close: "”", ..JSON }),
        ("typographic quotes in front", Style { open: "“", ..JSON }),
        ("backticks", Style { open: "`", close: "`", null: "undefined", ..JSON }),
        ("triple quotes", Style { open: "\"\"\"", close: "\"\"\"", raw_newlines: true, ..JSON }),
        ("bare keys", Style { bare_keys: true, ..JSON }),
        ("javascript", Style { bare_keys: true, open: "'", close: "'", last: ",", ..JSON }),
        ("trailing commas", Style { last: " , ", ..JSON }),
        ("no commas", Style { comma: "\n", ..JSON }),
        ("two commas", Style { comma: ",, ", ..JSON }),
        ("raw lines", Style { raw_newlines: true, comma: ",\n  ", ..JSON }),
        ("comments", Style { comma: ", // {\"more\n", last: " // done]\n", ..JSON }),
        ("block comments", Style { comma: " /* \" } */, ", last: "/**/", ..JSON }),
        ("hash comments", Style { comma: ", # it's\n", last: "\n# end\n", ..JSON }),
        ("upper case", Style { key: upper, ..JSON }),
        ("camel case", Style { key: camel, ..JSON }),
        ("numbers as strings", Style { number: |number| format!("\"{number}\""), ..JSON }),
        ("markers", Style { number: |number| format!("\"[{number}]\""), ..JSON }),
        ("marks", Style { number: |number| format!("'S{number}'"), ..JSON }),
        ("sources", Style { number: |number| format!("\"Source {number}\""), ..JSON }),
        ("floats", Style { number: |number| format!("{number}.0"), ..JSON }),
    ]
}

#[test]
fn every_style_in_every_surrounding_is_read() {
    let mut answers = 0;
    for draft in drafts() {
        let value: Value = serde_json::to_value(&draft).unwrap();
        for (name, style) in styles() {
            let json = style.write(&value);
            for around in AROUND {
                let answer = around.replace('@', &json);
                let reading = read_checked(&answer);
                let reading = reading.unwrap_or_else(|no| panic!("{name}, {around}: {no}\n{answer}"));
                assert_eq!(reading.draft, draft, "{name}, {around}\n{answer}\n{:?}", reading.notes);
                assert!(reading.complete, "{name}, {around}: {:?}\n{answer}", reading.notes);
                answers += 1;
            }
        }
    }
    assert!(answers >= 150, "{answers}");
}
