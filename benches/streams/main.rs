//! Tributary beside its peer and the floor: `cargo bench --bench streams`.
//!
//! Every row puts the same load on Tributary, on nchan (nginx, C) and, where it makes sense, on a thread that only
//! writes, in turn and in one run, and reads what it cost them from the kernel. A server is started anew for each
//! run, with all its defaults on. `docs/benchmarks.md` says what the rows mean; `-- --help` lists the options.
//!
//! ```text
//! rows/*  ── publish, subscribe ──►  load (one thread, epoll)  ◄──TCP──►  server (tributary | nchan | floor)
//!    │                                └ readers check every event           └ process: CPU, memory from /proc
//!    └────── findings ──► report: medians, ratios, verdicts
//! ```

mod busy;
mod callgrind;
mod event;
mod figures;
mod floor;
mod interrupt;
mod load;
mod loads;
mod machine;
mod nchan;
mod options;
mod process;
mod publisher;
mod reader;
mod redis;
mod report;
mod response;
mod rows;
mod scale;
mod server;
mod servers;
mod simulator;
mod tributary;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::options::Options;
use crate::report::Report;
use crate::rows::Row;
use crate::server::subdirectory;
use crate::servers::{Kind, Servers};

/// Sockets for 5,000 readers and the floor's other ends of them, and some.
const SOCKETS: u64 = 12_000;

/// Above this the servers lag for lack of a core, and who writes several events at once when it lags looks too good.
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

/// Whether every row ran. A missed target is told, not failed: it depends on the machine.
fn run() -> Result<bool> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else { return Ok(true) };
    interrupt::listen()?;
    machine::allow_sockets(SOCKETS)?;
    let directory = subdirectory(Path::new(env!("CARGO_TARGET_TMPDIR")), "streams")?;
    let servers = Servers {
        nchan: nchan::install(&directory),
        tributary: options.tributary.clone(),
        nchan_workers: options.nchan_workers,
        directory,
    };
    servers.forget_earlier_runs()?;
    let mut machine = machine::describe();
    machine["tributary"] = serde_json::json!(machine::version(&servers.tributary));
    machine["nchan"] = serde_json::json!(match &servers.nchan {
        Ok(installed) => format!("{}, {} worker(s)", installed.version, servers.nchan_workers),
        Err(error) => format!("missing: {error:#}"),
    });
    let before = busy::busy();

    let mut report = Report::default();
    for row in &options.rows {
        measure(row, &servers, &options, &mut report);
    }

    let others = busy::busy().others_percent_since(&before);
    machine["others_percent"] = serde_json::json!(others);
    let disturbed = if others > OTHERS_PERCENT_MAX { ": **measure again on a quiet machine**" } else { "" };
    println!(
        "{}- Tributary: {}, default configuration\n- nchan: {}\n- others used {others:.0} % of the machine meanwhile{disturbed}\n",
        machine::markdown(&machine),
        machine["tributary"].as_str().unwrap_or_default(),
        machine["nchan"].as_str().unwrap_or_default(),
    );
    println!("{}", report.markdown(&options));
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&report.json(&options, &machine)).context("writing JSON")?;
        std::fs::write(path, text + "\n").with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(report.failures.is_empty() && !interrupt::asked_to_stop())
}

/// All rounds of one row. The servers take turns, in the other order every other round, so that a machine that gets
/// slower or faster meanwhile does so for all.
fn measure(row: &Row, servers: &Servers, options: &Options, report: &mut Report) {
    let rounds = if row.once { 1 } else { options.rounds };
    for round in 0..rounds {
        let mut kinds = row.kinds.to_vec();
        if round % 2 == 1 {
            kinds.reverse();
        }
        kinds.retain(|kind| *kind != Kind::Nchan || servers.nchan.is_ok());
        for kind in kinds {
            if interrupt::asked_to_stop() {
                return;
            }
            eprintln!("{}: round {} of {rounds}: {}", row.name, round + 1, kind.name());
            match (row.run)(servers, kind, options.scale()) {
                Ok(findings) => report.add(row, kind, findings),
                Err(error) => {
                    eprintln!("  FAILED: {error:#}");
                    report.fail(row, kind, &error);
                }
            }
        }
    }
}
