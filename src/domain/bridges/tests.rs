//! Recorded logs (`tests/bridges/logs`), played to bridges in any frames, from any place.

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Bridge, Event, Frame, Next, Open, Place, Signal};

/// A recorded log of one view.
pub(super) struct Log {
    /// The case.
    pub name: String,
    events: Vec<Box<RawValue>>,
    cursors: Vec<(u64, String)>,
    epoch: Option<String>,
    end: Option<String>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Line<'a> {
    event: &'a str,
    id: Option<&'a str>,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// All recorded logs but the snapshots, by name.
pub(super) fn logs() -> &'static [Log] {
    static LOGS: OnceLock<Vec<Log>> = OnceLock::new();
    LOGS.get_or_init(read_all)
}

fn read_all() -> Vec<Log> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bridges/logs");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.is_file() && !path.ends_with("snapshot.ndjson"));
    let mut logs: Vec<Log> = files.map(|path| read(&path)).collect();
    logs.sort_by(|a, b| a.name.cmp(&b.name));
    logs
}

/// The recorded log `name`.
pub(super) fn log(name: &str) -> &'static Log {
    logs().iter().find(|log| log.name == name).unwrap()
}

fn read(path: &std::path::Path) -> Log {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut log = Log { name, events: vec![], cursors: vec![], epoch: None, end: None, error: None };
    for line in text.lines() {
        let line: Line<'_> = serde_json::from_str(line).unwrap();
        match line.event {
            "open" => {
                let open: Open<'_> = serde_json::from_str(line.data.get()).unwrap();
                log.epoch = open.epoch.map(str::to_owned);
            }
            "planner_stream" => {
                let frame: Frame<'_> = serde_json::from_str(line.data.get()).unwrap();
                log.events.extend(frame.events.iter().map(|&raw| raw.to_owned()));
                log.cursors.push((frame.to, line.id.unwrap().to_owned()));
            }
            "end" => {
                let end: serde_json::Value = serde_json::from_str(line.data.get()).unwrap();
                log.end = end["reason"].as_str().map(str::to_owned);
            }
            "error" => log.error = Some(line.data.to_owned()),
            other => panic!("{other}"),
        }
    }
    log
}

impl Log {
    /// Its events.
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        self.events.iter().map(|raw| Event::read(raw).unwrap())
    }

    /// The cursor after `sequence`: the recorded one, else one of the same form.
    fn cursor(&self, sequence: u64) -> String {
        let epoch = self.epoch.as_deref().unwrap_or("000000");
        let recorded = self.cursors.iter().find(|(at, _)| *at == sequence);
        recorded.map_or_else(|| format!("{epoch}_{sequence}_0123456789abcdef"), |(_, cursor)| cursor.clone())
    }

    /// The sequence that a place's anchor stands for.
    pub fn anchor(&self, place: &Place) -> u64 {
        let cursor = place.cursor().map(|cursor| cursor.split('_').nth(1).unwrap().parse().unwrap());
        cursor.unwrap_or(0)
    }

    /// Plays what follows `place` to `bridge`, in frames of `batch` events, to the end. What came before is to be given
    /// to it by the caller, as a handler does.
    pub fn play(&self, bridge: &mut dyn Bridge, place: Option<&Place>, batch: usize) -> (Vec<u8>, Next) {
        let (mut out, mut next) = (Vec::new(), Next::More);
        let after = place.map_or(0, |place| self.anchor(place));
        let reason = if place.is_some_and(|place| place.cursor().is_some()) { "ok" } else { "new" };
        let epoch = self.epoch.as_deref();
        let recovered = epoch.is_some();
        let open = Open { epoch, from: after, tail: 0, oldest: 1, recovered, reason };
        next = next.and(bridge.take(&Signal::Open(open), &mut out));
        let rest: Vec<&RawValue> = self
            .events
            .iter()
            .filter(|raw| Event::read(raw).unwrap().sequence > after)
            .map(|raw| &**raw)
            .collect();
        for events in rest.chunks(batch) {
            next = next.and(bridge.take(&Signal::Heartbeat, &mut out));
            let sequence = |raw: &RawValue| Event::read(raw).unwrap().sequence;
            let (from, to) = (sequence(events[0]), sequence(events[events.len() - 1]));
            let cursor = self.cursor(to);
            let frame = Frame { cursor: Some(&cursor), from, to, events: events.to_vec(), complete: false };
            next = next.and(bridge.take(&Signal::Frame(frame), &mut out));
        }
        let last = match (&self.end, &self.error) {
            (_, Some(problem)) => Signal::Error(problem),
            (Some(reason), None) => Signal::End { cursor: None, reason },
            (None, None) => Signal::Drain { cursor: None },
        };
        next = next.and(bridge.take(&last, &mut out));
        (out, next)
    }
}

impl Log {
    /// Plays its first `count` events, then that the stream can't go on.
    pub fn play_and_fail(&self, bridge: &mut dyn Bridge, count: usize) -> (Vec<u8>, Next) {
        let problem = r#"{"code":"token_expired","detail":"the token has expired"}"#;
        let part = Self {
            name: self.name.clone(),
            events: self.events[..count].to_vec(),
            cursors: self.cursors.clone(),
            epoch: self.epoch.clone(),
            end: None,
            error: RawValue::from_string(problem.to_owned()).ok(),
        };
        part.play(bridge, None, 2)
    }
}

impl Next {
    fn and(self, later: Self) -> Self {
        assert_eq!(self, Self::More, "nothing is taken after the end");
        later
    }
}

/// An event of an event stream, as a client gets it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    /// The last `id`.
    pub id: Option<String>,
    /// Its `event`.
    pub name: String,
    /// Its `data`.
    pub data: serde_json::Value,
}

/// What a client reads of bytes that may be cut off anywhere: whole events. Ids stick.
pub(super) fn told(bytes: &[u8]) -> Vec<Told> {
    let (mut told, mut id, mut name, mut data) = (vec![], None, String::new(), None);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let Some(line) = line.strip_suffix(b"\n") else { break };
        let line = std::str::from_utf8(line).unwrap();
        match line.split_once(": ") {
            None if line.is_empty() => {
                if let Some(data) = data.take() {
                    let name = std::mem::take(&mut name);
                    told.push(Told { id: id.clone(), name, data });
                }
            }
            Some(("id", value)) => id = Some(value.to_owned()),
            Some(("event", value)) => name = value.to_owned(),
            Some(("data", value)) => {
                assert!(data.is_none(), "one line of data");
                data = Some(serde_json::from_str(value).unwrap());
            }
            Some(("", _)) => {}
            other => panic!("{line}: {other:?}"),
        }
    }
    told
}
