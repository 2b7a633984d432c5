//! What the tests' model writes.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::model_server::Asked;

/// A draft in the making.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// `{topic, content, source_ids, confidence}`.
    pub findings: Vec<Value>,
    pub contradictions: Vec<Value>,
    pub gaps: Vec<String>,
    pub summary: String,
}

/// A finding.
pub fn finding(topic: &str, content: &str, source_ids: &Value) -> Value {
    json!({"topic": topic, "content": content, "source_ids": source_ids, "confidence": "medium"})
}

/// The claims of the material.
pub fn claims(asked: &Asked) -> Vec<Value> {
    asked.material().into_iter().filter(|line| line["claim"].is_u64()).collect()
}

impl Draft {
    /// Every claim of the material as it stands there; nothing where it is asked to repair.
    pub fn faithful(asked: &Asked) -> Self {
        if asked.items().is_some() {
            return Self::default();
        }
        let mut claims = claims(asked);
        if claims.is_empty() {
            // A document is made of its parts.
            claims = asked.material().into_iter().filter(|line| line["result"].is_u64()).collect();
        }
        assert!(!claims.is_empty(), "nothing to write about: {}", asked.user());
        let content = |claim: &Value| claim["text"].as_str().unwrap().to_owned();
        let topic = |claim: &Value| content(claim).split(' ').take(4).collect::<Vec<_>>().join(" ");
        let finding = |claim: &Value| finding(&topic(claim), &content(claim), &claim["sources"]);
        let warranty = claims.iter().map(content).find(|said| said.contains("24 months"));
        Self {
            findings: claims.iter().map(finding).collect(),
            summary: warranty.unwrap_or_else(|| content(&claims[0])),
            ..Self::default()
        }
    }

    /// The answer to whatever is asked: as [`Self::faithful`], with something changed in a draft.
    pub fn changed(asked: &Asked, change: impl FnOnce(&mut Self)) -> String {
        let mut draft = Self::faithful(asked);
        if asked.items().is_none() {
            change(&mut draft);
        }
        draft.text()
    }

    /// With something replaced in every text.
    pub fn replacing(mut self, from: &str, to: &str) -> Self {
        let replaced = |text: &Value| json!(text.as_str().unwrap().replace(from, to));
        for finding in &mut self.findings {
            finding["topic"] = replaced(&finding["topic"]);
            finding["content"] = replaced(&finding["content"]);
        }
        self.summary = self.summary.replace(from, to);
        self
    }

    /// As JSON, in the order of the schema.
    pub fn text(&self) -> String {
        let mut out = String::from("{\"findings\":[");
        for (place, finding) in self.findings.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            let Value::Object(members) = finding else { panic!("no object: {finding}") };
            let order = ["topic", "content", "source_ids", "confidence"];
            let member = |name: &&str| members.get(*name).map(|value| format!("\"{name}\":{value}"));
            let inside: Vec<String> = order.iter().filter_map(member).collect();
            let _ = write!(out, "{comma}{{{}}}", inside.join(","));
        }
        let Self { contradictions, gaps, summary, .. } = self;
        let _ = write!(
            out,
            "],\"contradictions\":{},\"gaps\":{},\"summary\":{}}}",
            json!(contradictions),
            json!(gaps),
            json!(summary)
        );
        out
    }
}

/// The text of [`Draft::faithful`].
pub fn faithful(asked: &Asked) -> String {
    Draft::faithful(asked).text()
}
