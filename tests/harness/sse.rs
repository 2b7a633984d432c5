//! A reader of event streams (WHATWG HTML, section 9.2), one event at a time. It stops reading when it isn't asked.

use std::collections::VecDeque;
use std::io::Result;

use serde_json::Value;

use super::{Coverage, Incoming, within};

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// Its id, where it has one of its own.
    pub id: Option<String>,
    /// Its name.
    pub name: String,
    /// Its data.
    pub data: String,
    /// Its text as it came.
    pub text: String,
}

impl SseEvent {
    /// Its data as JSON.
    pub fn json(&self) -> Value {
        self.data.parse().unwrap_or_else(|error| panic!("{error}: {}", self.data))
    }

    fn parse(text: &str) -> (Self, Option<u64>) {
        let mut event = Self { id: None, name: "message".into(), data: String::new(), text: text.to_owned() };
        let mut retry = None;
        for line in text.lines().filter(|line| !line.starts_with(':')) {
            let (field, value) =
                line.split_once(": ").unwrap_or_else(|| panic!("a line without a field: {line}"));
            match field {
                "id" => event.id = Some(value.to_owned()),
                "event" => event.name = value.to_owned(),
                "data" => event.data.push_str(value),
                "retry" => retry = Some(value.parse().unwrap()),
                other => panic!("an unknown field `{other}`"),
            }
        }
        (event, retry)
    }
}

/// An open event stream.
pub struct SseClient {
    incoming: Incoming,
    held: Vec<u8>,
    ready: VecDeque<SseEvent>,
    /// What a browser would send as `Last-Event-ID`.
    pub last_id: Option<String>,
    /// What the stream said last about coming back, in milliseconds.
    pub retry: Option<u64>,
    /// Comments that came: signs of life.
    pub comments: usize,
}

impl SseClient {
    /// Reads the body of `incoming`.
    pub fn new(incoming: Incoming) -> Self {
        let (held, ready) = (Vec::new(), VecDeque::new());
        Self { incoming, held, ready, last_id: None, retry: None, comments: 0 }
    }

    /// The next event; `None` after a clean end.
    ///
    /// # Errors
    /// Where the connection breaks off.
    pub async fn try_next(&mut self) -> Result<Option<SseEvent>> {
        while self.ready.is_empty() {
            let Some(bytes) = self.incoming.next().await? else {
                assert!(self.held.is_empty(), "the stream ended inside an event: {:?}", self.held);
                return Ok(None);
            };
            self.held.extend_from_slice(&bytes);
            self.cut();
        }
        Ok(self.ready.pop_front().inspect(|event| {
            if event.id.is_some() {
                self.last_id.clone_from(&event.id);
            }
        }))
    }

    /// Takes in what comes next, an event or not.
    pub async fn heard(&mut self) {
        if let Some(bytes) = self.incoming.next().await.unwrap() {
            self.held.extend_from_slice(&bytes);
            self.cut();
        }
    }

    /// The next event, which must come; `None` after a clean end.
    pub async fn next(&mut self) -> Option<SseEvent> {
        within("an event", self.try_next()).await.unwrap()
    }

    /// The next event, which must have this name.
    pub async fn expect(&mut self, name: &str) -> SseEvent {
        let event = self.next().await.unwrap_or_else(|| panic!("the stream ended before `{name}`"));
        assert_eq!(event.name, name, "{event:?}");
        event
    }

    /// The `open` event, and the coverage that begins with it.
    pub async fn open(&mut self) -> (Value, Coverage) {
        let open = self.expect("open").await.json();
        let coverage = Coverage::after(&open);
        (open, coverage)
    }

    /// All events up to the first of this name, it included.
    pub async fn until(&mut self, name: &str) -> Vec<SseEvent> {
        let mut events = Vec::new();
        loop {
            let event =
                self.next().await.unwrap_or_else(|| panic!("the stream ended before `{name}`: {events:?}"));
            let found = event.name == name;
            events.push(event);
            if found {
                return events;
            }
        }
    }

    /// Frames until `coverage` reaches `sequence`; heartbeats are skipped. Returns the events in them.
    pub async fn cover(&mut self, coverage: &mut Coverage, sequence: u64) -> Vec<Value> {
        let mut events = Vec::new();
        while coverage.to < sequence {
            let event =
                self.next().await.unwrap_or_else(|| panic!("ended at {}, not {sequence}", coverage.to));
            if event.name != "heartbeat" {
                coverage.take(&event);
                events.extend(events_of(&event));
            }
        }
        events
    }

    /// All that is left, up to the clean end.
    pub async fn rest(&mut self) -> Vec<SseEvent> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// Takes the events that are whole. Looks for one byte at a time: the library's search for it is fast also in a
    /// test that isn't optimised.
    fn cut(&mut self) {
        let held = std::mem::take(&mut self.held);
        let text = std::str::from_utf8(&held)
            .or_else(|error| std::str::from_utf8(&held[..error.valid_up_to()]))
            .unwrap();
        let (mut from, mut at) = (0, 0);
        while let Some(end) = text[at..].find('\n').map(|end| at + end) {
            at = end + 1;
            if end > from && text.as_bytes()[end - 1] == b'\n' {
                let (event, retry) = SseEvent::parse(&text[from..end - 1]);
                self.comments += text[from..end].lines().filter(|line| line.starts_with(':')).count();
                self.retry = retry.or(self.retry);
                // Without data it is no event (9.2.6): a `retry:` may stand alone.
                self.ready.extend(Some(event).filter(|event| !event.data.is_empty()));
                from = at;
            }
        }
        self.held = held[from..].to_vec();
    }
}

/// The events in a frame.
pub fn events_of(frame: &SseEvent) -> Vec<Value> {
    frame.json()["events"].as_array().cloned().unwrap_or_default()
}
