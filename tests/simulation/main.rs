//! The coordinator, the mux and the whole of the shared store's protocol, two or three replicas of them, in one thread under a
//! clock that stands still but for what is waited for: over a model of Redis that runs the very scripts, loses, doubles, delays,
//! forgets and rolls back. A seed is a run, the same each time. docs/simulation.md says more.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test fails by panicking")]

#[path = "../fixtures/mod.rs"]
mod fixtures;
mod history;
mod keys;
mod ledger;
mod reader;
mod redis;
mod run;
mod sender;
mod shrink;
mod snapshot;
mod world;

use std::collections::BTreeMap;
use std::fmt::Write;

use history::History;
use run::run;

/// Runs of the ordinary test.
const SEEDS: u64 = 150;
/// After so many a long run says how far it is.
const TOLD_EVERY: u64 = 1_000;

/// What has to happen in those, or they show nothing.
const HAPPENS: &[&str] = &[
    "a connection refused",
    "a key answered again",
    "a key for something else",
    "a message delayed",
    "a message doubled",
    "a message lost",
    "a partial coalesced",
    "a reader cut",
    "a reader stalled",
    "a reader: ahead",
    "a reader: closed",
    "a reader: diverged",
    "a reader: epoch_changed",
    "a reader: expired",
    "a reader: new",
    "a reader: ok",
    "a reader: trimmed",
    "a reader: unknown",
    "a replica killed",
    "a restart without data",
    "a roll-back",
    "a script not known",
    "a second open",
    "a sender repeats",
    "a snapshot",
    "a snapshot known to the byte",
    "a subscription broken",
    "a time-out with effect",
    "a time-out without effect",
    "an eviction",
    "the clock set back",
    "the clock set forward",
    "told: a step created",
    "told: a step known",
    "told: accepted",
    "told: conflict",
    "told: done",
    "told: duplicate",
    "told: late",
    "told: nothing for sure",
    "told: refused",
    "told: stale",
];

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} isn't a number: {text}")))
}

/// Runs a seed; where it fails, says how, as short as that can be said.
fn judge(seed: u64) -> Result<BTreeMap<&'static str, u64>, String> {
    let history = History::of(seed);
    let outcome = run(&history);
    if outcome.violations.is_empty() {
        return Ok(outcome.happened);
    }
    let (shortest, again) = match number("TRIBUTARY_SIM_WHOLE") {
        Some(_) => (history, run(&History::of(seed))),
        None => {
            let shortest = shrink::shortest(&history);
            let again = run(&shortest);
            (shortest, again)
        }
    };
    let mut said = String::new();
    let _ = writeln!(said, "{shortest}");
    let _ = writeln!(said, "{}", again.violations.join("\n"));
    let _ = writeln!(said, "at first: {}", outcome.violations.join("\n"));
    if number("TRIBUTARY_SIM_TRACE").is_some() {
        let _ = writeln!(said, "{}", again.trace.join("\n"));
    }
    let _ = writeln!(
        said,
        "again: TRIBUTARY_SIM_FROM={seed} TRIBUTARY_SIM_SEEDS=1 cargo test --test simulation seeds"
    );
    Err(said)
}

#[test]
fn seeds_keep_every_promise() {
    let (from, seeds) =
        (number("TRIBUTARY_SIM_FROM").unwrap_or(0), number("TRIBUTARY_SIM_SEEDS").unwrap_or(SEEDS));
    let mut happened: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut failed = Vec::new();
    for seed in from..from + seeds {
        if number("TRIBUTARY_SIM_TRACE").is_some() {
            println!("seed {seed}");
        }
        match judge(seed) {
            Ok(counts) => {
                counts.into_iter().for_each(|(what, count)| *happened.entry(what).or_default() += count)
            }
            Err(said) => failed.push(said),
        }
        if failed.len() >= 3 {
            break;
        }
        let done = seed + 1 - from;
        if done.is_multiple_of(TOLD_EVERY) {
            println!("{done} of {seeds} seeds from {from}, {} failed", failed.len());
        }
    }
    let counts: Vec<String> = happened.iter().map(|(what, count)| format!("{count:>9} {what}")).collect();
    println!("{seeds} seeds from {from}:\n{}", counts.join("\n"));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    if seeds >= SEEDS {
        let missing: Vec<_> = HAPPENS.iter().filter(|what| !happened.contains_key(*what)).collect();
        assert!(missing.is_empty(), "never happened: {missing:?}");
    }
}

/// What failed before, each with what was wrong: `corpus.txt`.
#[test]
fn past_failures_stay_mended() {
    let lines = include_str!("corpus.txt").lines().filter(|line| !line.starts_with('#'));
    let seeds: Vec<u64> = lines.map(|line| line.split_once(' ').unwrap().0.parse().unwrap()).collect();
    assert!(!seeds.is_empty());
    let failed: Vec<String> = seeds.into_iter().filter_map(|seed| judge(seed).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_seed_is_one_run() {
    for seed in [1, 7, 42, 103, 104, 105, 108] {
        let history = History::of(seed);
        let [once, again] = [run(&history), run(&history)];
        let differs = once.trace.iter().zip(&again.trace).position(|(a, b)| a != b);
        if let Some(at) = differs {
            panic!("seed {seed} differs at {at}:\n{}\n{}", once.trace[at], again.trace[at]);
        }
        assert_eq!(once.trace.len(), again.trace.len(), "seed {seed}");
    }
}
