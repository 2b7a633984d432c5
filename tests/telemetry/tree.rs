//! The spans that a collector has, as the tree that they should be.

use std::collections::{BTreeMap, BTreeSet};

use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};

use crate::names;
use crate::otlp_receiver::Received;

/// A span, its ids as text.
#[derive(Debug, Clone)]
pub struct Told {
    pub trace: String,
    pub id: String,
    pub parent: String,
    pub name: String,
    /// As OTLP numbers them: 1 internal, 2 server, 3 client.
    pub kind: i32,
    /// In microseconds since 1970.
    pub start_us: i64,
    pub end_us: i64,
    pub attributes: BTreeMap<String, Value>,
    /// Traces and spans.
    pub links: Vec<(String, String)>,
    /// Why it is an error, where it is one.
    pub error: Option<String>,
    /// The process that told it.
    pub instance: String,
}

/// All of them, in the order in which they came.
#[derive(Debug, Clone)]
pub struct Tree(pub Vec<Told>);

impl Told {
    fn of(span: &Span, instance: &str) -> Self {
        let status = span.status.clone().unwrap_or_default();
        let links = span.links.iter().map(|link| (hex(&link.trace_id), hex(&link.span_id)));
        Self {
            trace: hex(&span.trace_id),
            id: hex(&span.span_id),
            parent: hex(&span.parent_span_id),
            name: span.name.clone(),
            kind: span.kind,
            start_us: (span.start_time_unix_nano / 1_000) as i64,
            end_us: (span.end_time_unix_nano / 1_000) as i64,
            attributes: attributes(&span.attributes),
            links: links.collect(),
            error: (status.code == 2).then_some(status.message),
            instance: instance.to_owned(),
        }
    }

    /// An attribute, null where there is none.
    pub fn get(&self, name: &str) -> &Value {
        self.attributes.get(name).unwrap_or(&Value::Null)
    }

    /// Several attributes are these.
    #[track_caller]
    pub fn has(&self, wanted: Value) {
        for (name, value) in wanted.as_object().unwrap() {
            assert_eq!(self.get(name), value, "{name} of {self:#?}");
        }
    }
}

impl Tree {
    pub fn of(received: &Received) -> Self {
        let mut all = Vec::new();
        for of in &received.spans {
            let resource = attributes(&of.resource.clone().unwrap_or_default().attributes);
            let instance = resource["service.instance.id"].as_str().unwrap().to_owned();
            let spans = of.scope_spans.iter().flat_map(|scope| &scope.spans);
            all.extend(spans.map(|span| Told::of(span, &instance)));
        }
        Self(all)
    }

    /// Those of that name, or whose name begins with it and a space.
    pub fn named(&self, name: &str) -> Vec<&Told> {
        let is_it = |of: &str| of == name || of.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
        self.0.iter().filter(|span| is_it(&span.name)).collect()
    }

    /// The only one of that name.
    #[track_caller]
    pub fn one(&self, name: &str) -> &Told {
        let found = self.named(name);
        assert_eq!(found.len(), 1, "{name}: {found:#?}");
        found[0]
    }

    /// The span of a step.
    pub fn step(&self, step: &str) -> Option<&Told> {
        self.named("plan_step").into_iter().find(|span| *span.get("tributary.plan_step_id") == *step)
    }

    /// Those of that name about an output.
    pub fn about(&self, name: &str, result_key: &str) -> Vec<&Told> {
        let mut found = self.named(name);
        found.retain(|span| *span.get("tributary.result_key") == *result_key);
        found
    }

    /// Those below a span.
    pub fn below(&self, span: &Told) -> Vec<&Told> {
        self.0.iter().filter(|other| other.parent == span.id && other.trace == span.trace).collect()
    }

    /// The names of those below a span, sorted.
    pub fn names_below(&self, span: &Told) -> Vec<&str> {
        let mut names: Vec<_> = self.below(span).into_iter().map(|below| &*below.name).collect();
        names.sort_unstable();
        names
    }

    /// One trace that is whole: ids are there once, parents exist, or are `caller`, times run forward, and nobody uses a
    /// name that isn't in the list.
    #[track_caller]
    pub fn assert_whole(&self, trace: &str, caller: &str) {
        let (spans, known) = (names::all("span"), names::all("attribute"));
        let ids: BTreeSet<_> = self.0.iter().map(|span| &*span.id).collect();
        assert_eq!(ids.len(), self.0.len(), "an id is there twice: {self:#?}");
        for span in &self.0 {
            assert_eq!(span.trace, trace, "{span:#?}");
            assert!(span.parent == caller || ids.contains(&*span.parent), "no such parent: {span:#?}");
            assert!(span.start_us > 0 && span.start_us <= span.end_us, "{span:#?}");
            let word = span.name.split(' ').next().unwrap();
            assert!(spans.contains(word) || matches!(word, "POST" | "DELETE"), "an unlisted name: {span:#?}");
            for name in span.attributes.keys() {
                assert!(known.contains(&**name), "an unlisted attribute {name}: {span:#?}");
            }
        }
    }
}

fn attributes(all: &[KeyValue]) -> BTreeMap<String, Value> {
    let map: BTreeMap<_, _> = all.iter().map(|pair| (pair.key.clone(), value(pair.value.as_ref()))).collect();
    assert_eq!(map.len(), all.len(), "an attribute is there twice: {all:?}");
    map
}

fn value(value: Option<&AnyValue>) -> Value {
    match value.and_then(|value| value.value.as_ref()) {
        Some(any_value::Value::StringValue(text)) => json!(text),
        Some(any_value::Value::BoolValue(is)) => json!(is),
        Some(any_value::Value::IntValue(number)) => json!(number),
        Some(any_value::Value::DoubleValue(number)) => json!(number),
        other => panic!("nobody says such a thing: {other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything that a collector got, as bytes.
pub fn bytes(received: &Received) -> Vec<u8> {
    let spans = received.spans.iter().flat_map(Message::encode_to_vec);
    let metrics = received.metrics.iter().flat_map(Message::encode_to_vec);
    spans.chain(metrics).collect()
}
