//! What to run, how much of it, and where its table goes.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::rows::{ROWS, Row};
use crate::scale::Scale;
use crate::step::Extent;

const HELP: &str = "cargo bench --bench side_by_side -- [options]
  --quick            small and short: does it work? Its numbers are not judged
  --rows A,B         only these rows; without it, all
  --rounds N         how often each row runs on each peer (3); the median counts
  --json FILE        writes the results as JSON too
  --write FILE       puts the table into a document, between the two marks of it
  --tributary FILE   measures another build
`centrifugo` and `mercure` are taken from the PATH, or from BENCH_CENTRIFUGO and BENCH_MERCURE";

/// The command line.
pub struct Options {
    pub quick: bool,
    pub rows: Vec<&'static Row>,
    pub rounds: usize,
    pub json: Option<PathBuf>,
    pub write: Option<PathBuf>,
    pub tributary: PathBuf,
}

/// As in the other table, but shorter, since there are more to run.
const FULL: Scale = Scale {
    period: Duration::from_secs(3),
    replay_readers: 1_000,
    idle: 2_000,
    idle_period: Duration::from_secs(16),
    ..Scale::FULL
};

impl Options {
    /// Reads the arguments. `None`: nothing to do, because `cargo test --all-targets` runs benchmarks too,
    /// without `--bench`, or because help was asked for.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self {
            quick: false,
            rows: ROWS.iter().collect(),
            rounds: 0,
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
                "--rounds" => options.rounds = value()?.parse().context("--rounds takes a number")?,
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
        if options.rounds == 0 {
            options.rounds = if options.quick { 1 } else { 3 };
        }
        Ok(is_bench.then_some(options))
    }

    pub fn scale(&self) -> &'static Scale {
        if self.quick { &Scale::QUICK } else { &FULL }
    }

    pub fn extent(&self) -> &'static Extent {
        if self.quick { &Extent::QUICK } else { &Extent::FULL }
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
