//! A draft fits its schema, what isn't one doesn't, and the schema is one that providers take.

use serde_json::{Value, json};

use super::{ENUM_VALUES_MAX, schema_text};
use crate::domain::directive::SynthesisFormat::{self, Narrative, Structured};

/// The schema as a value, whose keys are sorted.
fn schema(ids: &[u32], format: SynthesisFormat) -> Value {
    serde_json::from_str(&schema_text(ids, format)).unwrap()
}

fn draft() -> Value {
    json!({
        "findings": [{"topic": "t", "content": "c [1]", "source_ids": [1, 7], "confidence": "low"}],
        "contradictions": [{"description": "d", "statements": [{"quote": "q", "source_id": 7}]}],
        "gaps": ["g"],
        "summary": "s",
    })
}

/// Every node of a schema.
fn nodes<'a>(node: &'a Value, found: &mut Vec<&'a Value>) {
    found.push(node);
    for inner in node["properties"].as_object().into_iter().flat_map(|fields| fields.values()) {
        nodes(inner, found);
    }
    if !node["items"].is_null() {
        nodes(&node["items"], found);
    }
    node["anyOf"].as_array().into_iter().flatten().for_each(|inner| nodes(inner, found));
}

#[test]
fn a_draft_fits_and_an_invented_id_does_not() {
    let schema = schema(&[7, 1, 2, 7], Structured);
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&draft()));
    let mut unsourced = draft();
    unsourced["contradictions"][0]["statements"][0]["source_id"] = json!(null);
    assert!(validator.is_valid(&unsourced), "the prompt says that it may be");
    for (pointer, wrong) in [
        ("/findings/0/source_ids/0", json!(3)),
        ("/findings/0/source_ids/0", json!("1")),
        ("/contradictions/0/statements/0/source_id", json!(8)),
        ("/findings/0/confidence", json!("certain")),
        ("/findings/0", json!({"topic": "t", "content": "c"})),
        ("/summary", json!(null)),
        ("/gaps", json!("g")),
        ("", json!([])),
    ] {
        let mut draft = draft();
        *draft.pointer_mut(pointer).unwrap() = wrong;
        assert!(!validator.is_valid(&draft), "{pointer}");
    }
}

#[test]
fn transitions_belong_to_the_narrative_format_only() {
    let narrative = jsonschema::draft202012::new(&schema(&[1, 7], Narrative)).unwrap();
    let structured = jsonschema::draft202012::new(&schema(&[1, 7], Structured)).unwrap();
    let mut draft = draft();
    assert!(!narrative.is_valid(&draft));
    draft["findings"][0]["transition"] = json!("And then");
    assert!(narrative.is_valid(&draft));
    assert!(!structured.is_valid(&draft));
}

#[test]
fn with_too_many_ids_they_are_any_integers() {
    let many: Vec<u32> = (1..=248).collect();
    let too_many: Vec<u32> = (1..=249).collect();
    for (ids, listed) in [(&many, Some(248)), (&too_many, None)] {
        let schema = schema(ids, Structured);
        let id = &schema["properties"]["findings"]["items"]["properties"]["source_ids"]["items"];
        assert_eq!(id["type"], "integer");
        assert_eq!(id["enum"].as_array().map(Vec::len), listed);
        jsonschema::draft202012::new(&schema).unwrap();
    }
}

#[test]
fn without_ids_none_can_be_cited() {
    let schema = schema(&[], Structured);
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let mut draft = draft();
    assert!(!validator.is_valid(&draft));
    draft["findings"][0]["source_ids"] = json!([]);
    draft["contradictions"][0]["statements"][0]["source_id"] = json!(null);
    assert!(validator.is_valid(&draft));
}

#[test]
fn only_what_both_providers_take_is_used() {
    let ids: Vec<u32> = (0..248).collect();
    for format in [Structured, Narrative] {
        let schema = schema(&ids, format);
        assert!(jsonschema::draft202012::meta::is_valid(&schema));
        let mut found = Vec::new();
        nodes(&schema, &mut found);
        let mut values = 0;
        for node in found {
            let fields = node.as_object().unwrap();
            for key in fields.keys() {
                let taken =
                    ["type", "enum", "items", "properties", "required", "additionalProperties", "anyOf"];
                assert!(taken.contains(&key.as_str()), "{key}");
            }
            if node["type"] == "object" {
                let names: Vec<&String> = node["properties"].as_object().unwrap().keys().collect();
                assert_eq!(node["required"].as_array().unwrap().len(), names.len());
                assert_eq!(node["additionalProperties"], false);
            }
            values += node["enum"].as_array().map_or(0, Vec::len);
        }
        assert!(values <= ENUM_VALUES_MAX, "{values}");
    }
}

#[test]
fn properties_are_in_the_order_of_reading() {
    let text = schema_text(&[1], Narrative);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), schema(&[1], Narrative));
    let names = [
        "findings",
        "topic",
        "transition",
        "content",
        "source_ids",
        "confidence",
        "contradictions",
        "description",
        "statements",
        "quote",
        "source_id",
        "gaps",
        "summary",
    ];
    let places: Vec<usize> = names.iter().map(|name| text.find(&format!("\"{name}\":{{")).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}\n{text}");
}
