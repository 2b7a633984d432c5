//! Tributary beside the others in one run and one table: `cargo bench --bench side_by_side`.
//!
//! The others are nchan, Electric's Durable Streams server, Centrifugo, Mercure, LangGraph's server, and a Node server around
//! `resumable-stream`; Tributary, nchan and Centrifugo also with their events in Redis. Each is installed below `target/` at a
//! fixed version, but for the two that come from a release page, and started anew for each run, in the best configuration
//! that is known here. Loads, load generator and clocks are those of `benches/streams`. `docs/benchmarks.md` says what the
//! rows mean; `-- --help` lists the options.
//!
//! ```text
//! rows ──► loads, step ── publish, follow ──► load (one thread, epoll) ◄──TCP──► peers/* (and Redis)
//!   │                                                                              └ process: CPU, memory from /proc
//!   └──► table: medians, who is ahead, reasons ──► docs/benchmarks.md
//! ```

#![allow(dead_code, reason = "the parts shared with benches/streams have more uses there")]

#[path = "../streams/busy.rs"]
mod busy;
#[path = "../streams/event.rs"]
mod event;
#[path = "../streams/figures.rs"]
mod figures;
mod host;
#[path = "../streams/interrupt.rs"]
mod interrupt;
#[path = "../streams/load.rs"]
mod load;
#[path = "../streams/loads/mod.rs"]
mod loads;
#[path = "../streams/machine.rs"]
mod machine;
#[path = "../streams/nchan.rs"]
mod nchan;
mod options;
mod peers;
#[path = "../streams/process.rs"]
mod process;
#[path = "../streams/publisher.rs"]
mod publisher;
#[path = "../streams/reader.rs"]
mod reader;
mod reasons;
#[path = "../streams/redis.rs"]
mod redis;
#[path = "../streams/response.rs"]
mod response;
mod rows;
#[path = "../streams/scale.rs"]
mod scale;
#[path = "../streams/server.rs"]
mod server;
mod step;
mod table;
#[path = "../streams/tributary.rs"]
mod tributary;

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use crate::options::Options;
use crate::peers::{Peer, Peers};
use crate::rows::Row;
use crate::server::subdirectory;
use crate::table::Table;

/// Readers, publishers, and some.
const SOCKETS: u64 = 12_000;

/// Above this, latencies and rates mean little.
const OTHERS_PERCENT_MAX: f64 = 10.0;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether Tributary ran every row. A peer that can't is told of in the table.
fn run() -> Result<bool> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else { return Ok(true) };
    interrupt::listen()?;
    machine::allow_sockets(SOCKETS)?;
    let directory = subdirectory(Path::new(env!("CARGO_TARGET_TMPDIR")), "side-by-side")?;
    let peers = Peers::install(options.tributary.clone(), directory)?;
    let before = busy::busy();

    let mut table = Table::default();
    for row in &options.rows {
        measure(row, &peers, &options, &mut table);
    }

    let mut machine = machine::describe();
    machine["others_percent"] = json!(busy::busy().others_percent_since(&before));
    let text = table.markdown(&options, &peers, &facts(&options, &peers, &machine));
    println!("{text}");
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&table.json(&options, &machine)).context("writing JSON")?;
        std::fs::write(path, text + "\n").with_context(|| format!("writing {}", path.display()))?;
    }
    if let Some(document) = &options.write {
        table::write(document, &text)?;
    }
    Ok(table.is_whole() && !interrupt::asked_to_stop())
}

/// Machine, date, rounds and versions.
fn facts(options: &Options, peers: &Peers, machine: &serde_json::Value) -> String {
    let others = machine["others_percent"].as_f64().unwrap_or(f64::NAN);
    let disturbed = if others > OTHERS_PERCENT_MAX { ": **measure again on a quiet machine**" } else { "" };
    let size = if options.quick { ", small loads: **not to be judged**" } else { "" };
    let build = if cfg!(debug_assertions) { ", **an unoptimised build**" } else { "" };
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d");
    let mut text = machine::markdown(machine);
    let _ = writeln!(text, "- {date}, {} round(s), medians{size}{build}", options.rounds);
    let _ = writeln!(text, "- others used {others:.0} % of the machine meanwhile{disturbed}");
    for peer in Peer::ALL {
        let _ = writeln!(text, "- {}: {}", peer.name(), peers.describe(peer));
    }
    text
}

/// All rounds of one row. The peers take turns, in the other order every other round, so that a machine that gets
/// slower or faster meanwhile does so for all.
fn measure(row: &'static Row, peers: &Peers, options: &Options, table: &mut Table) {
    let rounds = if row.once { 1 } else { options.rounds };
    let able = |peer: &Peer| peers.missing(*peer).is_none() && reasons::cannot(row.name, *peer).is_none();
    for round in 0..rounds {
        let mut order: Vec<Peer> = Peer::ALL.into_iter().filter(able).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for peer in order {
            if interrupt::asked_to_stop() {
                return;
            }
            eprintln!("{}: round {} of {rounds}: {}", row.name, round + 1, peer.name());
            attempt(row, peers, peer, options, table);
        }
    }
}

/// Runs a row on a peer. What a peer loses once it may keep the next time: it gets a second chance, and both are told.
fn attempt(row: &'static Row, peers: &Peers, peer: Peer, options: &Options, table: &mut Table) {
    let chances = if peer.is_ours() { 1 } else { 2 };
    for _ in 0..chances {
        match (row.run)(peers, peer, options) {
            Ok(findings) => return table.add(row, peer, findings),
            Err(error) => {
                eprintln!("  FAILED: {error:#}");
                table.fail(row, peer, &error);
            }
        }
    }
}
