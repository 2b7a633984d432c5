//! Storms and restarts: `cargo bench --bench storms`.
//!
//! Thousands of readers come back at once, replicas are stopped and killed under load, readers stop reading, and a mixed load
//! goes on for half an hour. Every reader checks what it gets: the command fails where an event is missing or comes twice,
//! where a reader doesn't come back, or where memory or descriptors grow. `docs/benchmarks.md` says what the rows mean;
//! `-- --help` lists the options.
//!
//! ```text
//! rows/*  ──► crowd (one thread, epoll): readers ◄──SSE── replica (tributary) ──► redis
//!    │          └ truth: every event, by stream and sequence      ▲
//!    └──────► sender (threads): repeat until told ────POST────────┘
//! ```

#[path = "../streams/busy.rs"]
mod busy;
mod crowd;
#[allow(dead_code, reason = "the events' text is that of another benchmark")]
#[path = "../streams/event.rs"]
mod event;
mod frames;
#[path = "../streams/interrupt.rs"]
mod interrupt;
mod machine;
mod options;
mod reader;
mod redis;
mod replica;
mod report;
#[path = "../streams/response.rs"]
mod response;
mod rows;
mod sender;
mod sse;
mod truth;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::options::Options;
use crate::report::Report;
use crate::rows::Setting;

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

/// Whether every row ran and held what it asserts.
fn run() -> Result<bool> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else { return Ok(true) };
    interrupt::listen()?;
    machine::allow_files(options.scale().files())?;
    let setting = Setting::new(&options)?;
    let before = busy::busy();
    let mut report = Report::default();
    for row in &options.rows {
        if interrupt::asked_to_stop() {
            break;
        }
        eprintln!("{}", row.name);
        match (row.run)(&setting) {
            Ok(found) => report.add(row, found),
            Err(error) => {
                eprintln!("  FAILED: {error:#}");
                report.fail(row, &error);
            }
        }
    }
    let machine = machine::describe(&options.tributary, busy::busy().others_percent_since(&before));
    let text = format!("{}\n{}", machine::markdown(&machine), report.markdown(&options));
    println!("{text}");
    if let Some(path) = &options.json {
        let json = serde_json::to_string_pretty(&report.json(&machine)).context("writing JSON")?;
        std::fs::write(path, json + "\n").with_context(|| format!("writing {}", path.display()))?;
    }
    if let Some(path) = &options.write {
        report::write_between_marks(path, &text)?;
    }
    Ok(report.failures.is_empty() && !interrupt::asked_to_stop())
}
