//! What to run, and how much of it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::rows::{ROWS, Row};

const HELP: &str = "cargo bench --bench storms -- [options]
  --quick            small and short: does it work?
  --rows A,B         only these rows; without it, all
  --soak-minutes N   how long the soak lasts (30)
  --json FILE        writes the results as JSON too
  --write FILE       puts the table between the marks in FILE
  --tributary FILE   measures another build";

/// The command line.
pub struct Options {
    pub quick: bool,
    pub rows: Vec<&'static Row>,
    pub soak: Duration,
    pub json: Option<PathBuf>,
    pub write: Option<PathBuf>,
    pub tributary: PathBuf,
}

/// Sizes of the loads.
pub struct Scale {
    /// Readers that come back, and on how many streams.
    pub readers: usize,
    pub streams: usize,
    /// Over how long they come back.
    pub spread: Duration,
    /// Events a second and stream meanwhile.
    pub per_second: f64,
    /// Readers, streams and events a second in all while replicas are restarted, and how often each is.
    pub wanderers: usize,
    pub wandered: usize,
    pub wandered_per_second: f64,
    pub restarts: usize,
    /// Readers that stop reading, and those beside them that don't.
    pub stalled: usize,
    pub healthy: usize,
    /// How long the healthy ones are measured, without and with the others.
    pub beside: Duration,
    /// Sessions a second of the soak, and how long their data lives.
    pub sessions_per_second: f64,
    pub ttl_seconds: u64,
}

impl Scale {
    pub const FULL: Self = Self {
        readers: 10_000,
        streams: 100,
        spread: Duration::from_secs(3),
        per_second: 1.0,
        wanderers: 500,
        wandered: 20,
        wandered_per_second: 200.0,
        restarts: 2,
        stalled: 1_000,
        healthy: 100,
        beside: Duration::from_secs(8),
        sessions_per_second: 20.0,
        ttl_seconds: 20,
    };
    pub const QUICK: Self = Self {
        readers: 500,
        streams: 10,
        spread: Duration::from_secs(1),
        per_second: 4.0,
        wanderers: 40,
        wandered: 4,
        wandered_per_second: 40.0,
        restarts: 1,
        stalled: 100,
        healthy: 20,
        beside: Duration::from_secs(2),
        sessions_per_second: 5.0,
        ttl_seconds: 2,
    };

    /// Open files that one process needs at least: a socket a reader, and some.
    pub fn files(&self) -> u64 {
        self.readers as u64 + 2_000
    }
}

impl Options {
    /// Reads the arguments. `None`: nothing to do, because `cargo test --all-targets` runs benchmarks too,
    /// without `--bench`, or because help was asked for.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self {
            quick: false,
            rows: ROWS.iter().collect(),
            soak: Duration::ZERO,
            json: None,
            write: None,
            tributary: PathBuf::from(env!("CARGO_BIN_EXE_tributary")),
        };
        let mut is_bench = false;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("{argument} needs a value\n{HELP}"));
            match argument.as_str() {
                "--bench" => is_bench = true,
                "--quick" => options.quick = true,
                "--rows" => options.rows = rows(&value()?)?,
                "--soak-minutes" => {
                    let minutes: f64 = value()?.parse().context("--soak-minutes takes a number")?;
                    ensure!((0.1..10_000.0).contains(&minutes), "--soak-minutes takes 0.1 and more");
                    options.soak = Duration::from_secs_f64(minutes * 60.0);
                }
                "--json" => options.json = Some(PathBuf::from(value()?)),
                "--write" => options.write = Some(PathBuf::from(value()?)),
                "--tributary" => options.tributary = PathBuf::from(value()?),
                "--help" | "-h" => {
                    println!("{HELP}");
                    return Ok(None);
                }
                other => bail!("unknown argument {other}\n{HELP}"),
            }
        }
        if options.soak.is_zero() {
            options.soak = Duration::from_secs(if options.quick { 30 } else { 1_800 });
        }
        Ok(is_bench.then_some(options))
    }

    pub fn scale(&self) -> &'static Scale {
        if self.quick { &Scale::QUICK } else { &Scale::FULL }
    }
}

fn rows(names: &str) -> Result<Vec<&'static Row>> {
    let known = || ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let find = |name: &str| ROWS.iter().find(|row| row.name == name.trim());
    names
        .split(',')
        .map(|name| find(name).with_context(|| format!("no row {name:?}; there are {}", known())))
        .collect()
}
