//! The rows of the table: what each does, and what it tells.

use std::time::Duration;

use anyhow::Result;

use crate::figures::Finding;
use crate::loads::{fanout, memory, replay, streams};
use crate::options::Options;
use crate::peers::{Peer, Peers};
use crate::server::create_all;
use crate::step;

/// A load that is put on each peer in turn.
pub struct Row {
    pub name: &'static str,
    /// What happens, for the table.
    pub title: &'static str,
    /// Once is enough: the number hardly varies, and a run takes half a minute.
    pub once: bool,
    pub run: fn(&Peers, Peer, &Options) -> Result<Vec<Finding>>,
    pub measures: &'static [Measure],
}

/// A line of the table.
pub struct Measure {
    /// As in [`Finding`].
    pub name: &'static str,
    pub unit: &'static str,
    pub better: Better,
}

/// Who wins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Better {
    Less,
    More,
}

const fn less(name: &'static str, unit: &'static str) -> Measure {
    Measure { name, unit, better: Better::Less }
}

const fn more(name: &'static str, unit: &'static str) -> Measure {
    Measure { name, unit, better: Better::More }
}

/// Every row, in the order of the table.
pub static ROWS: [Row; 5] = [
    Row {
        name: "fanout",
        title: "1,000 readers of one stream, 100 events/s",
        once: false,
        run: run_fanout,
        measures: &[less("CPU per delivery", "µs"), less("latency p50", "ms"), less("latency p99", "ms")],
    },
    Row {
        name: "streams",
        title: "1,000 streams with one reader each, as fast as it goes",
        once: false,
        run: |peers, peer, options| streams::measure(peers.start(peer)?.as_ref(), options.scale()),
        measures: &[
            less("CPU per published event", "µs"),
            more("events per second", "1/s"),
            less("latency p50", "ms"),
            less("latency p99", "ms"),
        ],
    },
    Row {
        name: "replay",
        title: "1,000 readers replay 200 stored events at once",
        once: false,
        run: |peers, peer, options| replay::measure(peers.start(peer)?.as_ref(), options.scale()),
        measures: &[less("CPU per replayed event", "µs"), less("until all have all", "s")],
    },
    Row {
        name: "memory",
        title: "2,000 idle readers of one stream",
        once: true,
        run: |peers, peer, options| memory::measure(peers.start(peer)?.as_ref(), options.scale(), 1),
        measures: &[less("memory per connection", "KiB")],
    },
    Row {
        name: "step",
        title: "48 steps, 16 at a time: three agents of 100 tokens each at 100 a second; a reader leaves in the middle and comes again, another comes late, a third after the end",
        once: false,
        run: |peers, peer, options| step::run(peers, peer, options.extent()),
        measures: &[
            less("CPU per step", "ms"),
            less("until a reader has all, p50", "ms"),
            less("lost to who came again", "events"),
            less("doubled to who came again", "events"),
            less("lost to who came late", "events"),
            less("doubled to who came late", "events"),
            less("lost to who came after the end", "events"),
            less("on the wire per event", "bytes"),
            less("memory at the end", "MiB"),
        ],
    },
];

fn run_fanout(peers: &Peers, peer: Peer, options: &Options) -> Result<Vec<Finding>> {
    let (server, scale) = (peers.start(peer)?, options.scale());
    create_all(server.as_ref(), 1)?;
    fanout::fan_out(&server, scale.readers, Duration::from_millis(10), scale)
}
