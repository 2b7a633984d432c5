//! What has to stand beside a figure: why a peer has none, and why Tributary's is the worse one.

use crate::peers::Peer;

/// Why a peer has no part in a row.
pub fn cannot(row: &str, peer: Peer) -> Option<&'static str> {
    (peer == Peer::LangGraph && row != "step")
        .then_some("events come from its own graphs only: nothing can be posted to it")
}

/// Why Tributary's figure is the worse one.
struct Reason {
    row: &'static str,
    /// Where its name begins so.
    measure: &'static str,
    peers: &'static [Peer],
    why: &'static str,
}

const fn reason(
    row: &'static str,
    measure: &'static str,
    peers: &'static [Peer],
    why: &'static str,
) -> Reason {
    Reason { row, measure, peers, why }
}

/// They take a body for bytes.
const COPY: &[Peer] = &[Peer::Nchan, Peer::DurableStreams, Peer::NchanRedis];
const ELECTRIC: &[Peer] = &[Peer::DurableStreams];
/// Hubs on the HTTP library of Go.
const GO: &[Peer] = &[Peer::Centrifugo, Peer::Mercure, Peer::CentrifugoRedis];
const RESUMABLE: &[Peer] = &[Peer::ResumableStream];

const FAN_OUT: &str = "almost three times the bytes for each event (sequence, cursor, time, telemetry, the positions that a frame covers), \
                       and a connection of an HTTP library instead of a reactor that only writes";
const BYTES: &str = "more than twice the bytes for each event (sequence, cursor, time, telemetry, the positions that a frame covers)";
const COPIES: &str = "they copy a body; here it is parsed, checked, digested, ordered, folded into the step's state and encoded";
const CORES: &str = "of two cores the generator has one and the server the rest, and each event costs more CPU, as above says why";
const NOT_STORED: &str = "its first reader gets the stream out of the process, and Redis sees nothing before somebody comes again: an \
                          acknowledged event is gone with the process. Here it is in Redis before it is acknowledged";
const STEP: &str = "they copy bytes; here a step is a directive, three subagents with a state each, deduplication, the end of the \
                    step and the aggregation of the three results";
const START: &str = "what a process in Rust with its threads, caches and telemetry has from the start; a step's events, state and result on top";
const WIRE: &str = "sequence, cursor, time, status and telemetry go with every event, and the step's own events are between them";

/// The first that fits counts.
const LOST: &[Reason] = &[
    reason("fanout", "CPU", COPY, FAN_OUT),
    reason("fanout", "latency", COPY, FAN_OUT),
    reason("fanout", "", GO, BYTES),
    reason("streams", "CPU", COPY, COPIES),
    reason("streams", "events per second", COPY, CORES),
    reason("streams", "latency", COPY, CORES),
    reason("streams", "", GO, COPIES),
    reason("streams", "", RESUMABLE, NOT_STORED),
    reason(
        "replay",
        "",
        ELECTRIC,
        "its file holds the bytes that it sends; here a reply is put together from stored events and proves that nothing is missing",
    ),
    reason(
        "memory",
        "memory",
        ELECTRIC,
        "its streams leave the HTTP engine for a reactor that keeps a socket and an offset; here each stays a connection of the \
         HTTP library, with its buffer and its cursor",
    ),
    reason("step", "CPU", COPY, STEP),
    reason("step", "CPU", GO, STEP),
    reason("step", "CPU", RESUMABLE, NOT_STORED),
    reason("step", "on the wire", GO, WIRE),
    reason(
        "step",
        "on the wire",
        &[Peer::Nchan, Peer::DurableStreams, Peer::LangGraph, Peer::NchanRedis, Peer::ResumableStream],
        WIRE,
    ),
    reason("step", "memory", ELECTRIC, "it keeps events in files, and the kernel's page cache isn't counted"),
    reason("step", "memory", &[Peer::Nchan, Peer::NchanRedis], START),
    reason("step", "memory", GO, START),
    reason(
        "step",
        "memory",
        RESUMABLE,
        "it forgets a stream at its end; here a step can be read for 30 minutes more",
    ),
];

/// The reason that is known, if one is.
pub fn lost(row: &str, measure: &str, peer: Peer) -> Option<&'static str> {
    let fits = |reason: &&Reason| {
        reason.row == row && measure.starts_with(reason.measure) && reason.peers.contains(&peer)
    };
    LOST.iter().find(fits).map(|reason| reason.why)
}
