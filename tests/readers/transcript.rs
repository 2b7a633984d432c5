//! What a reader got, over all its connections, and whether that is each event once, in order, without a hole.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use serde_json::Value;

use crate::DEADLINE;

/// What a reader said so far.
#[derive(Default)]
pub struct Transcript {
    /// `{event, id, data}` each.
    pub said: Vec<Value>,
}

impl Transcript {
    /// Listens until the reader has the event of this sequence.
    pub fn hear_sequence(&mut self, from: &Receiver<Value>, sequence: u64) {
        self.hear(from, |said| {
            said["event"] == "planner_stream" && said["data"]["to"].as_u64() >= Some(sequence)
        });
    }

    /// Listens until the reader has been told that there is no more.
    pub fn hear_closed(&mut self, from: &Receiver<Value>) {
        self.hear(from, |said| said["event"] == "closed");
    }

    fn hear(&mut self, from: &Receiver<Value>, until: impl Fn(&Value) -> bool) {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(said) = from.recv_timeout(left) else {
                panic!("the reader said no more than {:#}", Value::from(self.names()))
            };
            let done = until(&said);
            self.said.push(said);
            if done {
                break;
            }
        }
    }

    /// Its events, each once, in order, and nothing else than frames that cover every sequence.
    pub fn check(&self, stored: &[Value]) {
        let mut covered = 0;
        let mut events = Vec::new();
        for said in self.of("open") {
            assert_eq!(said["recovered"], true, "{said}");
        }
        for (event, data) in self.said.iter().map(|said| (&said["event"], &said["data"])) {
            if event == "open" {
                assert_eq!(data["from"], covered, "a connection begins where the one before ended");
            } else if event == "planner_stream" {
                assert_eq!(data["from"], covered + 1, "a frame begins where the one before ended");
                covered = data["to"].as_u64().unwrap();
                events.extend(data["events"].as_array().unwrap());
                assert_eq!(data.get("coalesced"), None, "{data}");
            } else {
                assert!(["heartbeat", "end", "closed"].iter().any(|name| event == name), "{event}: {data}");
            }
        }
        let sequences: Vec<u64> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
        let all: Vec<u64> = (1..=stored.len() as u64).collect();
        assert_eq!(sequences, all, "each event once, in order");
        assert!(events.iter().copied().eq(stored), "the events are the stored ones");
    }

    /// The data of all events of this name.
    pub fn of(&self, name: &str) -> Vec<&Value> {
        self.said.iter().filter(|said| said["event"] == name).map(|said| &said["data"]).collect()
    }

    /// The names of all events.
    pub fn names(&self) -> Vec<&str> {
        self.said.iter().map(|said| said["event"].as_str().unwrap()).collect()
    }
}
