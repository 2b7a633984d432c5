//! What outputs of every shape become.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::*;

mod hostile;
mod schemas;
mod work;
mod worked_example;

fn raw(text: &str) -> RawJson {
    Arc::from(RawValue::from_string(text.to_owned()).unwrap())
}

/// The text that `adapter` makes of `text`; it is the same object where nothing had to change.
fn normal(adapter: Adapter, text: &str) -> String {
    let sent = raw(text);
    let normal = adapter.normalise(&sent);
    assert_eq!(Arc::ptr_eq(&sent, &normal), normal.get() == text, "{text}");
    normal.get().to_owned()
}

#[test]
fn the_directive_goes_before_the_key() {
    let key = |text: &str| text.parse::<SubagentKey>().unwrap();
    assert_eq!(Adapter::choose(&key("documentation"), None), Adapter::Documentation);
    assert_eq!(Adapter::choose(&key("anything"), None), Adapter::Generic);
    for adapter in Adapter::ALL {
        assert_eq!(Adapter::choose(&key(adapter.name()), None), *adapter);
        assert_eq!(serde_json::to_string(adapter).unwrap(), format!("\"{}\"", adapter.name()));
    }
    assert_eq!(Adapter::choose(&key("documentation"), Some(Adapter::Generic)), Adapter::Generic);
    assert_eq!(Adapter::choose(&key("anything"), Some(Adapter::Documentation)), Adapter::Documentation);
}

#[test]
fn generic_keeps_everything_and_fills_what_is_missing() {
    for (sent, expected) in [
        (r#"{"content": "c","sources":[1],"x":{"y":[]}}"#, r#"{"content": "c","sources":[1],"x":{"y":[]}}"#),
        (r#"{"sources":[],"\u0063ontent":""}"#, r#"{"sources":[],"\u0063ontent":""}"#),
        (r#""a \"text\"""#, r#"{"content":"a \"text\"","sources":[]}"#),
        ("7", r#"{"content":"","sources":[],"data":7}"#),
        ("null", r#"{"content":"","sources":[],"data":null}"#),
        ("[1, 2]", r#"{"content":"","sources":[],"data":[1, 2]}"#),
        ("{}", r#"{"content":"","sources":[]}"#),
        (
            r#"{"z":1,"text":"t","answer":"a","citations":["u"]}"#,
            r#"{"z":1,"text":"t","answer":"a","citations":["u"],"content":"a","sources":["u"]}"#,
        ),
        (
            r#"{"answer":5,"transcript":"t","urls":"u","links":[2],"relevance":7}"#,
            r#"{"answer":5,"transcript":"t","urls":"u","links":[2],"relevance":7,"content":"t","sources":[2]}"#,
        ),
        (r#"{"content":"c"}"#, r#"{"content":"c","sources":[]}"#),
        (
            r#"{"message":"done","report":"A long one [1].","citations":["u"]}"#,
            r#"{"message":"done","report":"A long one [1].","citations":["u"],"content":"A long one [1].","sources":["u"]}"#,
        ),
        (
            r#"{"report":"daily","summary":"It rose."}"#,
            r#"{"report":"daily","summary":"It rose.","content":"It rose.","sources":[]}"#,
        ),
        (
            r#"{"question":"q","generation":"It rose.","documents":[]}"#,
            r#"{"question":"q","generation":"It rose.","documents":[],"content":"It rose.","sources":[]}"#,
        ),
        (r#"{"sources":[3],"data":0}"#, r#"{"sources":[3],"data":0,"content":""}"#),
        (
            r#"{"content":[{"x":"x"}],"sources":null,"unread":1}"#,
            r#"{"unread":1,"content":"","sources":[],"unread_":{"content":[{"x":"x"}]}}"#,
        ),
    ] {
        assert_eq!(normal(Adapter::Generic, sent), expected, "{sent}");
    }
}

#[test]
fn documentation_reads_an_answer_from_several_shapes() {
    let regular =
        r#"{"x":1, "answer":"a","citations":[{"url":"","title":"t","id":"9","n":0}],"confidence":"high"}"#;
    for (sent, expected) in [
        (regular, regular),
        (r#"{"citations":[],"answer":""}"#, r#"{"citations":[],"answer":""}"#),
        (r#""text""#, r#"{"answer":"text","citations":[]}"#),
        (
            r#"{"answer":"a","sources":[{"page_content":"x","metadata":{"source":"https://e.x/a","title":"T"}}]}"#,
            r#"{"answer":"a","citations":[{"id":"1","title":"T","url":"https://e.x/a","snippet":"x"}]}"#,
        ),
        (
            r#"{"answer":"a","sourceDocuments":[{"pageContent":"x","metadata":{"source":"a.pdf"}}]}"#,
            r#"{"answer":"a","citations":[{"id":"1","title":"","url":"","snippet":"x","metadata":{"source":"a.pdf"}}]}"#,
        ),
        (
            r#"{"query":"q","result":"a","source_documents":[{"page_content":"x","metadata":{"source":"https://e.x/a","title":"T"}}]}"#,
            r#"{"answer":"a","citations":[{"id":"1","title":"T","url":"https://e.x/a","snippet":"x"}],"query":"q"}"#,
        ),
        (
            r#"{"input":"q","context":[{"page_content":"x","metadata":{"source":"https://e.x/a","title":"T"}}],"answer":"a"}"#,
            r#"{"answer":"a","citations":[{"id":"1","title":"T","url":"https://e.x/a","snippet":"x"}],"input":"q"}"#,
        ),
        (
            r#"{"answer":"a","context":[{"id":"1","title":"T","url":"https://e.x/a"}]}"#,
            r#"{"answer":"a","citations":[{"id":"1","title":"T","url":"https://e.x/a"}]}"#,
        ),
        (r#"{"answer":"a","context":["x"]}"#, r#"{"answer":"a","citations":[],"context":["x"]}"#),
        (
            r#"{"response":"a","source_nodes":[{"node":{"text":"x","metadata":{"url":"https://e.x/a","title":"T"}},"score":0.5}],"metadata":{}}"#,
            r#"{"answer":"a","citations":[{"id":"1","title":"T","url":"https://e.x/a","snippet":"x","quality":0.5}],"metadata":{}}"#,
        ),
        (
            r#"{"final_report":"a [1].","citations":["https://e.x/a"]}"#,
            r#"{"answer":"a [1].","citations":[{"id":"1","title":"https://e.x/a","url":"https://e.x/a"}]}"#,
        ),
        ("[]", r#"{"answer":"","citations":[],"data":[]}"#),
        ("{}", r#"{"answer":"","citations":[]}"#),
        (r#"{"answer":"a","sources":[]}"#, r#"{"answer":"a","citations":[]}"#),
        (
            r#"{"answer":"a","citations":[],"answer":5}"#,
            r#"{"answer":"a","citations":[],"unread":{"answer":5}}"#,
        ),
        (
            r#"{"retrieval_count":4,"content":"c","text":"t","references":[],"documents":[1]}"#,
            r#"{"answer":"c","citations":[],"retrieval_count":4,"text":"t","documents":[1]}"#,
        ),
        (
            r#"{"answer":null,"output":"o","citations":{"a":1},"documents":[]}"#,
            r#"{"answer":"o","citations":[],"unread":{"citations":{"a":1}}}"#,
        ),
    ] {
        assert_eq!(normal(Adapter::Documentation, sent), expected, "{sent}");
    }
}

#[test]
fn documentation_reads_citations_from_several_shapes() {
    for (sent, expected) in [
        (r#""https://a.test/x""#, r#"{"id":"1","title":"https://a.test/x","url":"https://a.test/x"}"#),
        (r#""http:\/\/a.test""#, r#"{"id":"1","title":"http:\/\/a.test","url":"http:\/\/a.test"}"#),
        (r#""The Manual""#, r#"{"id":"1","title":"The Manual","url":""}"#),
        ("7", r#"{"id":"1","title":"","url":"","data":7}"#),
        ("{}", r#"{"id":"1","title":"","url":""}"#),
        (
            r#"{"page":3,"id":7,"name":"n","href":"h","uri":"u","quote":"q","score":0.5}"#,
            r#"{"id":"7","title":"n","url":"h","snippet":"q","quality":0.5,"page":3,"uri":"u"}"#,
        ),
        (r#"{"id":null,"url":"u"}"#, r#"{"id":"1","title":"u","url":"u"}"#),
        (
            r#"{"id":"a","title":["t"],"url":"u","quality":"very","snippet":null}"#,
            r#"{"id":"a","title":"u","url":"u","unread":{"title":["t"],"quality":"very"}}"#,
        ),
        (r#"{"id":7,"title":"t","url":"u"}"#, r#"{"id":"7","title":"t","url":"u"}"#),
        (r#"{"id":"a","title":"t","url":"u","snippet":null}"#, r#"{"id":"a","title":"t","url":"u"}"#),
        (
            r#"{"id":"a","title":"t","url":"u","quality":"high"}"#,
            r#"{"id":"a","title":"t","url":"u","quality":"high"}"#,
        ),
        (
            r#"{"id":"a","title":"t","url":"u","excerpt":"e"}"#,
            r#"{"id":"a","title":"t","url":"u","snippet":"e"}"#,
        ),
    ] {
        let answer = |citation: &str| format!(r#"{{"answer":"a","citations":[{citation}]}}"#);
        assert_eq!(normal(Adapter::Documentation, &answer(sent)), answer(expected), "{sent}");
    }
}

#[test]
fn citations_without_an_id_are_numbered_by_place_around_the_ids_there_are() {
    for (citations, expected) in [
        (r#"["a",{"id":"3"},"c","d",{"id":1}]"#, ["2", "3", "4", "5", "1"].as_slice()),
        (r#"[{"id":"x"},"b",{"id":"y"},"d"]"#, &["x", "2", "y", "4"]),
    ] {
        let sent = format!(r#"{{"answer":"","citations":{citations}}}"#);
        let normal: Value = serde_json::from_str(&normal(Adapter::Documentation, &sent)).unwrap();
        let list = normal["citations"].as_array().unwrap();
        assert_eq!(list.iter().map(|citation| &citation["id"]).collect::<Vec<_>>(), expected, "{citations}");
    }
}

#[test]
fn json_that_is_no_unicode_still_gets_its_required_fields() {
    for text in
        [r#"{"\ud800":1}"#, r#""\ud800""#, r#"{"answer":"\ud800","citations":["\udfff",{"id":"\ud800"}]}"#]
    {
        for adapter in Adapter::ALL {
            let once = adapter.normalise(&raw(text));
            assert!(once.get().starts_with('{'), "{text}");
            assert_eq!(adapter.normalise(&once).get(), once.get(), "{text}");
        }
    }
}

/// JSON made of the names that adapters look for.
fn json() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        "content|sources|answer|text|output|result|message|citations|references|urls|documents|response",
        "id|title|name|url|link|href|uri|snippet|excerpt|quote|quality|score|unread|unread_|data|relevance",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        (1..4_u8).prop_map(|id| Value::from(id.to_string())),
        "https://[a-z]{1,3}|[a-z \"\\\\\n]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 60, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((name.clone(), inner), 0..7).prop_map(|members| Value::from(Map::from_iter(members))),
        ]
    })
}

fn read(raw: &RawJson) -> Value {
    let mut canonical = Vec::new();
    crate::domain::canonical_json::canonicalize(raw.get(), &mut canonical).expect("no key is written twice");
    serde_json::from_slice(&canonical).unwrap()
}

/// All strings in `value`, keys left out.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(map) => map.values().for_each(|value| texts(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

proptest! {
    #[test]
    fn any_json_gets_the_required_fields_loses_nothing_and_stays_so(sent in json()) {
        let text = sent.to_string();
        for adapter in [Adapter::Generic, Adapter::Documentation] {
            let once = adapter.normalise(&raw(&text));
            let normal = read(&once);
            match adapter {
                Adapter::RowSelection | Adapter::ActionWorkflow | Adapter::Voice | Adapter::Safety => {}
                Adapter::Generic => prop_assert!(normal["content"].is_string() && normal["sources"].is_array()),
                Adapter::Documentation => {
                    prop_assert!(normal["answer"].is_string());
                    for citation in normal["citations"].as_array().unwrap() {
                        prop_assert!(["id", "title", "url"].iter().all(|&name| citation[name].is_string()));
                        prop_assert!(citation.get("snippet").is_none_or(Value::is_string));
                        let is_quality = |value: &Value| value.is_number() || value.is_string();
                        prop_assert!(citation.get("quality").is_none_or(is_quality));
                    }
                }
            }
            let (mut before, mut after) = (Vec::new(), Vec::new());
            texts(&sent, &mut before);
            texts(&normal, &mut after);
            prop_assert!(before.iter().all(|text| after.contains(text)), "{text} {normal}");
            prop_assert!(Arc::ptr_eq(&adapter.normalise(&once), &once));
        }
    }
}
