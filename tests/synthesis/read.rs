//! What a reader makes of a draft that grows.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::harness::{Coverage, SseClient, events_of};

/// A draft, put together from its deltas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// By path.
    pub texts: BTreeMap<String, String>,
    /// How often a text was begun anew.
    pub restarts: usize,
}

impl Page {
    /// That of these events; deltas append, offset 0 begins a text anew.
    #[track_caller]
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Value>) -> Self {
        let mut page = Self::default();
        for event in events.into_iter().filter(|event| event["type"] == "synthesis_delta") {
            page.add(&event["content"]);
        }
        page
    }

    /// With one delta more.
    #[track_caller]
    pub fn add(&mut self, delta: &Value) {
        let path = delta["path"].as_str().unwrap();
        let offset = delta["offset"].as_u64().unwrap();
        let known = self.texts.entry(path.to_owned()).or_default();
        if offset == 0 {
            self.restarts += usize::from(!known.is_empty());
            known.clear();
        }
        assert_eq!(offset, known.len() as u64, "a delta continues its text: {delta} behind {known:?}");
        known.push_str(delta["text"].as_str().unwrap());
    }

    /// A text; empty where there is none yet.
    pub fn text(&self, path: &str) -> &str {
        self.texts.get(path).map_or("", String::as_str)
    }
}

/// A reader, and all that it was shown.
pub struct Reader {
    pub stream: SseClient,
    pub coverage: Coverage,
    pub events: Vec<Value>,
    /// Whether its stream came to its end.
    pub is_over: bool,
}

impl Reader {
    /// A reader of an event stream that begins with `open`.
    pub async fn of(mut stream: SseClient) -> Self {
        let (_, coverage) = stream.open().await;
        Self { stream, coverage, events: Vec::new(), is_over: false }
    }

    /// Reads until what was shown is as it should be, or to the end.
    pub async fn until(&mut self, reached: impl Fn(&[Value]) -> bool) {
        while !self.is_over && !reached(&self.events) {
            let frame = self.stream.next().await.expect("`end` comes before the end");
            match frame.name.as_str() {
                "planner_stream" => {
                    self.coverage.take(&frame);
                    self.events.extend(events_of(&frame));
                }
                "end" => self.is_over = true,
                // A place in the log may be taken anew, where the one that was read from is gone.
                "open" => self.coverage.resume(&frame.json()),
                "heartbeat" => {}
                other => panic!("`{other}` in the middle: {frame:?}"),
            }
        }
    }

    /// Reads to the end.
    pub async fn finish(&mut self) {
        self.until(|_| false).await;
        assert!(self.is_over);
    }

    /// The draft so far.
    pub fn page(&self) -> Page {
        Page::of(&self.events)
    }

    /// The types of the events, each run of the same once.
    pub fn types(&self) -> Vec<&str> {
        let mut types: Vec<&str> = self.events.iter().map(|event| event["type"].as_str().unwrap()).collect();
        types.dedup();
        types
    }
}

/// The events of a snapshot, which a stream begins with.
pub async fn snapshot(mut stream: SseClient) -> Vec<Value> {
    stream.expect("open").await;
    let mut events = Vec::new();
    loop {
        let frame = stream.expect("snapshot").await;
        events.extend(events_of(&frame));
        if frame.json()["complete"] == true {
            return events;
        }
    }
}
