//! The outputs of a step as parts of a message: a `data-subagent` for each, updated in place, and its text.
//!
//! Where a partial isn't the last one and more, its text part ends as `replaced` and another one begins with the whole. An
//! output that has ended doesn't begin again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

use super::part::{Part, ProviderMetadata, Subagent, Whose, write_source};
use crate::domain::bridges::Event;
use crate::domain::bridges::parts::{Grown, Growth, OutputSaid, Source, sources};
use crate::domain::record::SubagentStatus;

/// The outputs of a step.
#[derive(Debug, Default)]
pub struct Outputs {
    by_key: BTreeMap<String, Output>,
    /// Digests (XXH3-128) of the sources that were told: a message has each once.
    sources: BTreeSet<u128>,
}

#[derive(Debug)]
struct Output {
    stage: String,
    task: Option<String>,
    has_ended: bool,
    growth: Growth,
    /// Text parts so far.
    texts: u32,
    /// The one that is open.
    text: Option<String>,
}

impl Output {
    fn new(stage: &str, task: Option<&str>) -> Self {
        let (stage, task) = (stage.to_owned(), task.map(str::to_owned));
        Self { stage, task, has_ended: false, growth: Growth::default(), texts: 0, text: None }
    }
}

impl Outputs {
    /// Takes note of what each was asked, and tells that they are expected.
    pub fn expect(&mut self, expected: &[Value], event: &Event<'_>, out: &mut Vec<u8>) {
        for item in expected {
            let field = |name: &str| item.get(name).and_then(Value::as_str);
            let (Some(stage), Some(key)) = (field("stage"), field("result_key")) else { continue };
            if !self.by_key.contains_key(key) {
                let output = Output::new(stage, field("task"));
                let standing = json!({"stage": stage, "result_key": key, "status": "expected"});
                output.standing(key, &standing, event, out);
                self.by_key.insert(key.to_owned(), output);
            }
        }
    }

    /// One has said something, or something was said for it. After its end nothing is told of it.
    pub fn take(&mut self, said: &OutputSaid<'_>, event: &Event<'_>, out: &mut Vec<u8>) {
        let key = said.result_key;
        let output = self.by_key.entry(key.to_owned()).or_insert_with(|| Output::new(said.stage, None));
        if output.has_ended {
            return;
        }
        if let Some(text) = said.text() {
            output.grow(key, text, out);
        }
        if said.status.is_terminal() {
            let status = Some(said.status).filter(|status| *status != SubagentStatus::Success);
            output.end_text(key, false, status.map(SubagentStatus::as_str), out);
            output.has_ended = true;
        }
        output.standing(key, &said.standing(), event, out);
        if said.status == SubagentStatus::Success {
            self.tell_sources(said, out);
        }
    }

    /// Ends the texts that are open.
    pub fn close(&mut self, out: &mut Vec<u8>) {
        for (key, output) in &mut self.by_key {
            output.end_text(key, false, Some("interrupted"), out);
            output.has_ended = true;
        }
    }

    fn tell_sources(&mut self, said: &OutputSaid<'_>, out: &mut Vec<u8>) {
        let whose = Whose { stage: Some(said.stage), result_key: Some(said.result_key), ..Whose::default() };
        for source in said.payload.into_iter().flat_map(sources) {
            let name = match source {
                Source::Page { url, .. } => url,
                Source::Document { title } => title,
            };
            if !self.sources.insert(xxh3_128(name.as_bytes())) {
                continue;
            }
            write_source(&format!("source-{}", self.sources.len()), source, whose, out);
        }
    }
}

impl Output {
    fn standing(&self, key: &str, standing: &Value, event: &Event<'_>, out: &mut Vec<u8>) {
        let (task, telemetry) = (self.task.as_deref(), event.telemetry);
        let data = Subagent { standing, task, sequence: event.sequence, telemetry };
        Part::DataSubagent { id: key, data }.write(out);
    }

    fn grow(&mut self, key: &str, text: &str, out: &mut Vec<u8>) {
        let delta = match self.growth.take(text) {
            Grown::Not => return,
            Grown::By(tail) => tail,
            Grown::Anew(whole) => {
                self.end_text(key, true, None, out);
                whole
            }
        };
        if delta.is_empty() {
            return;
        }
        let provider_metadata = whose(&self.stage, key, false, None);
        let id = match &self.text {
            Some(id) => id,
            None => {
                self.texts += 1;
                let id = self.text.insert(format!("{key}:{}", self.texts));
                Part::TextStart { id, provider_metadata }.write(out);
                id
            }
        };
        Part::TextDelta { id, delta }.write(out);
    }

    fn end_text(&mut self, key: &str, replaced: bool, status: Option<&str>, out: &mut Vec<u8>) {
        if let Some(id) = self.text.take() {
            let provider_metadata = whose(&self.stage, key, replaced, status);
            Part::TextEnd { id: &id, provider_metadata }.write(out);
        }
    }
}

fn whose<'a>(stage: &'a str, key: &'a str, replaced: bool, status: Option<&'a str>) -> ProviderMetadata<'a> {
    let tributary = Whose { stage: Some(stage), result_key: Some(key), status, replaced, number: None };
    ProviderMetadata { tributary }
}
