//! What to run, and how much of it.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use crate::rows::{ROWS, Row};
use crate::scale::Scale;

const HELP: &str = "cargo bench --bench streams -- [options]
  --quick            small and short: does it work? Its numbers are not judged
  --rows A,B         only these rows; without it, all but `instructions`
  --rounds N         how often each row runs on each server (3); the median counts
  --json FILE        writes the results as JSON too
  --tributary FILE   measures another build
  --nchan-workers N  worker processes of nginx (1)";

/// The command line.
pub struct Options {
    pub quick: bool,
    pub rows: Vec<&'static Row>,
    pub rounds: usize,
    pub json: Option<PathBuf>,
    pub tributary: PathBuf,
    pub nchan_workers: usize,
}

impl Options {
    /// Reads the arguments. `None`: nothing to do, because `cargo test --all-targets` runs benchmarks too,
    /// without `--bench`, or because help was asked for.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self {
            quick: false,
            rows: ROWS.iter().filter(|row| !row.is_asked_for).collect(),
            rounds: 0,
            json: None,
            tributary: PathBuf::from(env!("CARGO_BIN_EXE_tributary")),
            nchan_workers: 1,
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
                "--tributary" => options.tributary = PathBuf::from(value()?),
                "--nchan-workers" => {
                    options.nchan_workers = value()?.parse().context("--nchan-workers takes a number")?;
                }
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
        if self.quick { &Scale::QUICK } else { &Scale::FULL }
    }
}

fn rows(names: &str) -> Result<Vec<&'static Row>> {
    let known = || ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let find = |name: &str| ROWS.iter().find(|row| row.name == name.trim());
    let rows: Vec<_> = names
        .split(',')
        .map(|name| find(name).with_context(|| format!("no row {name:?}; there are {}", known())))
        .collect::<Result<_>>()?;
    ensure!(!rows.is_empty(), "--rows names none; there are {}", known());
    Ok(rows)
}
