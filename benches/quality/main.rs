//! The quality benchmark: how good the aggregation is, next to what is used for the same elsewhere.
//!
//! `cargo bench --bench quality -- [--rows A,B] [--data DIR] [--no-peers]` prints a table. Sets are generated with fixed
//! seeds; rows that measure on published sets are left out, and said to be, where the folder isn't there. Peers are
//! installed from their registries into a folder of their own.

mod cases;
mod chain;
mod citations;
mod clock;
mod contradictions;
mod figure;
mod install;
mod near_duplicates;
mod pairs;
mod peers;
mod relevance;
mod summaries;
mod support;
mod token_limit;
mod url_pairs;
mod urls;
mod verification;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use figure::{Context, Figure, HEAD};

/// As the service has it.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Measures a row.
type Measure = fn(&Context) -> Vec<Figure>;

const ROWS: &[(&str, Measure)] = &[
    ("token-limit", token_limit::run),
    ("near-duplicates", near_duplicates::run),
    ("contradictions", contradictions::run),
    ("urls", urls::run),
    ("citations", citations::run),
    ("support", support::run),
    ("verification", verification::run),
    ("summaries", summaries::run),
    ("relevance", relevance::run),
    ("chain", chain::run),
];

/// Where the published sets are, if nobody says.
const DATA: &[&str] = &["data", "../shared/data"];

struct Options {
    rows: Vec<String>,
    data: Option<PathBuf>,
    peers: bool,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("quality");
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    if options.peers {
        install::install(&folder);
    }
    let context = Context { data: options.data, folder };
    if context.data.is_none() {
        println!("The published sets aren't there (--data DIR): rows that need them are left out.\n");
    }
    let wanted = |name: &str| options.rows.is_empty() || options.rows.iter().any(|row| row == name);
    let mut missed = 0;
    println!("{HEAD}");
    for (_, measure) in ROWS.iter().filter(|(name, _)| wanted(name)) {
        for figure in measure(&context) {
            missed += usize::from(figure.is_missed());
            println!("{}", figure.line());
        }
    }
    println!("\n{missed} targets missed");
    ExitCode::SUCCESS
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let there = DATA.iter().map(PathBuf::from).find(|folder| folder.join("reports.jsonl").is_file());
    let mut options = Options { rows: Vec::new(), data: there, peers: true };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            // What cargo passes.
            "--bench" => {}
            "--no-peers" => options.peers = false,
            "--data" => options.data = Some(value()?.into()),
            "--rows" => options.rows = value()?.split(',').map(str::to_owned).collect(),
            _ => return Err(format!("unknown: {argument}; see benches/quality/main.rs")),
        }
    }
    let unknown = options.rows.iter().find(|row| ROWS.iter().all(|(name, _)| name != row));
    match unknown {
        Some(row) => Err(format!("there is no row `{row}`")),
        None => Ok(options),
    }
}
