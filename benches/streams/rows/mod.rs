//! The rows of the table: what each does, on which servers, what it tells and what is demanded of it.

mod archive;
mod fanout;
mod ingest;
mod instructions;
mod invoke;
mod memory;
mod redis;
mod replay;
mod streams;
mod telemetry;

use anyhow::Result;

use crate::figures::Finding;
use crate::scale::Scale;
use crate::servers::{Kind, Servers};

/// A load that is put on each of its servers in turn.
pub struct Row {
    pub name: &'static str,
    /// What happens, for the table.
    pub title: &'static str,
    pub kinds: &'static [Kind],
    /// Once is enough: the number hardly varies, and a run takes half a minute.
    pub once: bool,
    /// It is run only where it is named: it builds the service, which takes minutes.
    pub is_asked_for: bool,
    pub run: fn(&Servers, Kind, &Scale) -> Result<Vec<Finding>>,
    pub measures: &'static [Measure],
}

/// A line of the table.
pub struct Measure {
    /// As in [`Finding`].
    pub name: &'static str,
    pub unit: &'static str,
    pub target: Target,
}

/// What is demanded of a number.
#[derive(Clone, Copy)]
pub enum Target {
    /// Nothing: it is there to be seen.
    None,
    /// At most so many times the peer's, in the same run.
    TimesNchan(f64),
    /// At least so many times the peer's, in the same run.
    AtLeastTimesNchan(f64),
    AtMost(f64),
    AtLeast(f64),
}

const fn measure(name: &'static str, unit: &'static str, target: Target) -> Measure {
    Measure { name, unit, target }
}

const ALL: &[Kind] = &[Kind::Tributary, Kind::Nchan, Kind::Floor];
const SERVERS: &[Kind] = &[Kind::Tributary, Kind::Nchan];

/// Every row, in the order of the table.
pub static ROWS: [Row; 13] = [
    Row {
        name: "fanout",
        title: "1,000 readers of one stream, 100 events/s",
        kinds: ALL,
        once: false,
        is_asked_for: false,
        run: fanout::run,
        measures: &[
            measure("CPU per delivery", "µs", Target::TimesNchan(0.9)),
            measure("latency p50", "ms", Target::None),
            measure("latency p99", "ms", Target::None),
            measure("latency p999", "ms", Target::None),
        ],
    },
    Row {
        name: "fanout-wide",
        title: "5,000 readers of one stream, 20 events/s",
        kinds: ALL,
        once: false,
        is_asked_for: false,
        run: fanout::run_wide,
        measures: &[
            measure("CPU per delivery", "µs", Target::None),
            measure("latency p50", "ms", Target::None),
            measure("latency p99", "ms", Target::None),
            measure("latency p999", "ms", Target::None),
        ],
    },
    Row {
        name: "streams",
        title: "1,000 streams with one reader each, as fast as it goes",
        kinds: SERVERS,
        once: false,
        is_asked_for: false,
        run: streams::run,
        measures: &[
            measure("CPU per published event", "µs", Target::TimesNchan(1.0)),
            measure("events per second", "1/s", Target::None),
            measure("latency p50", "ms", Target::None),
            measure("latency p99", "ms", Target::None),
        ],
    },
    Row {
        name: "streams-redis",
        title: "the same through Redis, its CPU counted",
        kinds: SERVERS,
        once: false,
        is_asked_for: false,
        run: streams::run_redis,
        measures: &[
            measure("CPU per published event", "µs", Target::TimesNchan(0.5)),
            measure("events per second", "1/s", Target::AtLeastTimesNchan(2.5)),
            measure("latency p50", "ms", Target::None),
            measure("latency p99", "ms", Target::None),
        ],
    },
    Row {
        name: "redis-storm",
        title: "5,000 readers of 50 streams come back at once, through Redis",
        kinds: &[Kind::Tributary],
        once: false,
        is_asked_for: false,
        run: redis::run_storm,
        measures: &[
            measure("connections to Redis, 50 readers", "", Target::AtMost(6.0)),
            measure("connections to Redis, 5,000 readers", "", Target::AtMost(6.0)),
            measure("Redis reads per session", "", Target::AtMost(2.0)),
            measure("until all are back", "s", Target::None),
        ],
    },
    Row {
        name: "archive",
        title: "an archive in SQLite: 25,600 events in each of four bodies; then 1,000 streams as above",
        kinds: &[Kind::Tributary],
        once: false,
        is_asked_for: false,
        run: archive::run,
        measures: &[
            measure("events archived per second", "1/s", Target::AtLeast(30_000.0)),
            measure("publish p99 without an archive", "ms", Target::None),
            measure("publish p99 with it", "ms", Target::None),
            measure("publish p99, with : without", "", Target::AtMost(1.3)),
        ],
    },
    Row {
        name: "replay",
        title: "4,000 readers replay 200 stored events at once",
        kinds: SERVERS,
        once: false,
        is_asked_for: false,
        run: replay::run,
        measures: &[
            measure("CPU per replayed event", "µs", Target::TimesNchan(0.15)),
            measure("until all have all", "s", Target::None),
        ],
    },
    Row {
        name: "memory",
        title: "5,000 idle readers of one stream",
        kinds: SERVERS,
        once: true,
        is_asked_for: false,
        run: memory::run_one,
        measures: &[measure("memory per connection", "KiB", Target::AtMost(8.0))],
    },
    Row {
        name: "memory-streams",
        title: "5,000 idle streams with one reader each",
        kinds: SERVERS,
        once: true,
        is_asked_for: false,
        run: memory::run_each,
        measures: &[measure("memory per connection", "KiB", Target::AtMost(8.0))],
    },
    Row {
        name: "ingest",
        title: "NDJSON from a few long-lived bodies, as fast as it goes",
        kinds: &[Kind::Tributary],
        once: false,
        is_asked_for: false,
        run: ingest::run,
        measures: &[
            measure("events per second", "1/s", Target::AtLeast(200_000.0)),
            measure("CPU per event", "µs", Target::None),
        ],
    },
    Row {
        name: "invoke",
        title: "500 subagents called at once, answers over three seconds; then all in one moment",
        kinds: &[Kind::Tributary],
        once: false,
        is_asked_for: false,
        run: invoke::run,
        measures: &[
            measure("memory per call in flight", "KiB", Target::AtMost(40.0)),
            measure("CPU per call", "µs", Target::None),
            measure("added latency p50", "ms", Target::None),
            measure("added latency p99", "ms", Target::AtMost(10.0)),
            measure("the same, all ending at once, p50", "ms", Target::None),
            measure("the same, all ending at once, p99", "ms", Target::None),
        ],
    },
    Row {
        name: "telemetry",
        title: "1,000 streams as above, every span to a collector that hangs",
        kinds: &[Kind::Tributary],
        once: false,
        is_asked_for: false,
        run: telemetry::run,
        measures: &[
            measure("CPU per event, tracing off", "µs", Target::None),
            measure("CPU per event, the collector hangs", "µs", Target::None),
            measure("hangs : off", "", Target::AtMost(1.25)),
            measure("memory, the collector hangs", "MiB", Target::None),
            measure("memory more than off", "MiB", Target::AtMost(64.0)),
        ],
    },
    Row {
        name: "instructions",
        title: "user code alone, one event after the other, counted by callgrind",
        kinds: &[Kind::Tributary],
        once: true,
        is_asked_for: true,
        run: instructions::run,
        measures: &[
            measure("instructions per event, tracing off", "", Target::None),
            measure("instructions per event, built without spans", "", Target::None),
            measure("instructions per event, built without spans and metrics", "", Target::None),
            measure("off : built without spans", "", Target::AtMost(1.01)),
            measure("off : without spans and metrics", "", Target::None),
        ],
    },
];
