//! What a language model's answer costs beside the model: `cargo bench --bench synthesis -- [--rows A,B] [--quick] [--real]
//! [--data DIR]`.
//!
//! The model is a script in this process, so that nothing is measured but the service: the built program over HTTP, and its
//! verification as a function. `--real` has SmolLM2 write instead, where `scripts/test --full` has installed it, and tells
//! what of its drafts was delivered. docs/synthesis.md says what the rows mean.

#![allow(clippy::unwrap_used, reason = "the scripted model is that of the tests, which fail by panicking")]

#[path = "../streams/busy.rs"]
mod busy;
#[allow(dead_code, reason = "the reports are those of another benchmark")]
#[path = "../quality/cases.rs"]
mod cases;
#[path = "../quality/clock.rs"]
mod clock;
#[path = "../../tests/real_model/delivered.rs"]
mod delivered;
#[allow(dead_code, reason = "the drafts are those of the tests")]
#[path = "../../tests/synthesis/drafts.rs"]
mod drafts;
#[path = "../quality/figure.rs"]
mod figure;
mod first_delta;
#[path = "../streams/interrupt.rs"]
mod interrupt;
mod many;
#[path = "../../tests/real_model/model.rs"]
mod model;
#[path = "../../tests/harness/model_server.rs"]
mod model_server;
#[allow(dead_code, reason = "the processes are those of another benchmark")]
#[path = "../streams/process.rs"]
mod process;
#[path = "../../tests/real_model/questions.rs"]
mod questions;
mod real;
mod service;
mod verification;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use figure::{Context, Figure, HEAD};

/// As the service has it.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Measures a row, small or not.
type Measure = fn(&Context, bool) -> Result<Vec<Figure>>;

const ROWS: &[(&str, Measure)] =
    &[("first-delta", first_delta::run), ("verification", verification::run), ("many", many::run)];
/// Only where it is asked for.
const REAL: (&str, Measure) = ("real", real::run);

/// Where published reports are, if nobody says.
const DATA: &[&str] = &["data", "../shared/data"];

const HELP: &str = "cargo bench --bench synthesis -- [options]
  --quick            small and short: does it work?
  --rows A,B         only these rows
  --real             a real model writes, over the questions of the tests and those of the data
  --data DIR         where reports.jsonl is";

/// Above this the machine isn't quiet enough for milliseconds.
const OTHERS_PERCENT_MAX: f64 = 10.0;

struct Options {
    quick: bool,
    real: bool,
    rows: Vec<String>,
    data: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let Some(options) = options(std::env::args().skip(1))? else { return Ok(()) };
    interrupt::listen()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("synthesis");
    std::fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let context = Context { data: options.data, folder };
    let rows: Vec<_> = match options.real {
        true => vec![REAL],
        false => ROWS.to_vec(),
    };
    let wanted = |name: &str| options.rows.is_empty() || options.rows.iter().any(|row| row == name);
    let (before, mut missed) = (busy::busy(), 0);
    println!("{HEAD}");
    for (name, measure) in rows.into_iter().filter(|(name, _)| wanted(name)) {
        eprintln!("{name}");
        for figure in measure(&context, options.quick)? {
            missed += usize::from(figure.is_missed());
            println!("{}", figure.line());
        }
    }
    let others = busy::busy().others_percent_since(&before);
    let disturbed = if others > OTHERS_PERCENT_MAX { ": measure again on a quiet machine" } else { "" };
    println!("\n{missed} targets missed; others used {others:.0} % of the machine meanwhile{disturbed}");
    Ok(())
}

/// `None`: nothing to do, because `cargo test --all-targets` runs benchmarks too, without `--bench`, or because help was
/// asked for.
fn options(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>> {
    let there = DATA.iter().map(PathBuf::from).find(|folder| folder.join("reports.jsonl").is_file());
    let mut options = Options { quick: false, real: false, rows: Vec::new(), data: there };
    let mut is_bench = false;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value\n{HELP}"));
        match argument.as_str() {
            "--bench" => is_bench = true,
            "--quick" => options.quick = true,
            "--real" => options.real = true,
            "--data" => options.data = Some(value()?.into()),
            "--rows" => options.rows = value()?.split(',').map(str::to_owned).collect(),
            "--help" | "-h" => {
                println!("{HELP}");
                return Ok(None);
            }
            other => bail!("unknown argument {other}\n{HELP}"),
        }
    }
    let unknown = options.rows.iter().find(|row| ROWS.iter().all(|(name, _)| name != row));
    ensure!(unknown.is_none(), "there is no row {unknown:?}");
    Ok(is_bench.then_some(options))
}

/// A share of the values isn't above this (nearest rank).
pub fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = ((values.len() as f64 * share).ceil() as usize).saturating_sub(1);
    values.get(rank).copied().unwrap_or(f64::NAN)
}
