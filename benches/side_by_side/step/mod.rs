//! A step with three agents, on any peer that can tell of one: each agent says so many tokens, one reader follows, loses its
//! connection in the middle and goes on, another comes late and wants everything, a third wants it when the step is over.
//!
//! An agent says its tokens at a model's pace, the next one not before the last is answered. What a reader doesn't get is
//! counted: a peer that can't bring a reader back loses events, and that is the finding. For Tributary it is a failure.

mod body;
pub mod channels;
pub mod dialect;
pub mod dialects;
mod follower;
mod slots;
mod sse;

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::figures::{Finding, percentile_ms};
use crate::peers::{Peer, Peers};
use crate::step::slots::Slots;

/// Steps under way at a time.
pub const SLOTS: usize = 16;
/// Agents of a step.
const AGENTS: usize = 3;
/// From one token of an agent to its next: `node/graph.mjs` has the same.
const PACE: Duration = Duration::from_millis(10);
/// How long the first reader stays away.
const AWAY: Duration = Duration::from_millis(30);

/// How much of it.
pub struct Extent {
    /// Tokens of each agent.
    pub tokens: usize,
    /// Steps in each slot, one after the other.
    pub steps: usize,
    pub slots: usize,
}

impl Extent {
    pub const FULL: Self = Self { tokens: 100, steps: 3, slots: SLOTS };
    pub const QUICK: Self = Self { tokens: 20, steps: 2, slots: 2 };
}

/// Starts a peer and runs all the steps.
pub fn run(peers: &Peers, peer: Peer, extent: &Extent) -> Result<Vec<Finding>> {
    let (host, dialect) = peers.start_steps(peer, extent.tokens)?;
    let mut slots = Slots::new(host.address(), dialect.as_ref(), extent)?;
    // One step in each slot, so that what is compiled or made once isn't in the figures.
    slots.run(1)?;

    let before = host.cpu()?;
    let mut tally = slots.run(extent.steps)?;
    let cpu_ns = host.cpu()?.since(&before);
    ensure!(tally.is_exact() || !peer.is_ours(), "events were lost or doubled: {tally:?}");

    let steps = (extent.slots * extent.steps) as f64;
    let mut findings = vec![
        ("CPU per step", cpu_ns as f64 / 1e6 / steps),
        ("lost to who came again", tally.again.lost as f64),
        ("doubled to who came again", tally.again.doubled as f64),
        ("lost to who came late", tally.late.lost as f64),
        ("doubled to who came late", tally.late.doubled as f64),
        ("lost to who came after the end", tally.after.lost as f64),
        ("memory at the end", host.memory_bytes()? as f64 / 1_048_576.0),
    ];
    if !tally.whole_ns.is_empty() {
        findings.push(("until a reader has all, p50", percentile_ms(&mut tally.whole_ns, 0.5)));
    }
    if tally.late.events > 0 {
        findings.push(("on the wire per event", tally.late.bytes as f64 / tally.late.events as f64));
    }
    Ok(findings)
}
