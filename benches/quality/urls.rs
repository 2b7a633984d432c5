//! Row `urls`: do two URLs name one source? False and missed merges on the labelled pairs, ours and the peers',
//! and the time for one URL.
//!
//! Peers run with the options that suit the task best (`peers/urls.py`, `peers/urls.mjs`); a URL that a peer refuses is
//! merged with nothing. A peer that isn't installed is left out with a word.

use crate::figure::{Context, Figure, Target};
use crate::url_pairs::{Pair, pairs};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tributary::domain::aggregate::url_identity::{UrlIdentity, identify};

const ROW: &str = "urls";

/// How often all URLs are read for the time of one.
const ROUNDS: u32 = 200;

/// A peer's answer to each pair, and its time for one URL in nanoseconds.
#[derive(Default)]
struct Peer {
    merged: Vec<bool>,
    nanoseconds: f64,
}

/// The figures of the row.
pub fn run(context: &Context) -> Vec<Figure> {
    let pairs = pairs();
    let ours: Vec<bool> = pairs.iter().map(merged).collect();
    for (pair, _) in pairs.iter().zip(&ours).filter(|(pair, merged)| pair.same != **merged) {
        eprintln!("urls: wrong on {} ({} | {})", pair.rule, pair.left, pair.right);
    }
    let peers = peers(context, &pairs);
    let count = |label: bool| {
        let wrong = |merged: &[bool]| {
            pairs.iter().zip(merged).filter(|(pair, m)| pair.same == label && **m != label).count() as f64
        };
        (
            wrong(&ours),
            peers.iter().map(|(name, peer)| (name.clone(), wrong(&peer.merged))).collect::<Vec<_>>(),
        )
    };
    let (false_merges, peers_false) = count(false);
    let (missed, peers_missed) = count(true);
    let time = peers.iter().map(|(name, peer)| (name.clone(), peer.nanoseconds)).collect();
    let figure = |measure, unit, ours, peers, target| Figure { row: ROW, measure, unit, ours, peers, target };
    vec![
        figure("false merges", "pairs", false_merges, peers_false, Some(Target::AtMost(0.0))),
        figure("missed merges", "pairs", missed, peers_missed, Some(Target::AtMost(0.0))),
        figure("labelled", "pairs", pairs.len() as f64, Vec::new(), Some(Target::AtLeast(240.0))),
        figure("time of one URL", "ns", nanoseconds(&pairs), time, None),
    ]
}

fn merged(pair: &Pair) -> bool {
    let key = |text| identify(text).map(|UrlIdentity { key, .. }| key);
    matches!((key(pair.left), key(pair.right)), (Some(left), Some(right)) if left == right)
}

/// The fastest round's: what else the machine does only adds.
fn nanoseconds(pairs: &[Pair]) -> f64 {
    let round = |_| {
        let start = Instant::now();
        for pair in pairs {
            black_box(identify(black_box(pair.left)));
            black_box(identify(black_box(pair.right)));
        }
        start.elapsed().as_nanos() as f64
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min) / (2.0 * pairs.len() as f64)
}

fn peers(context: &Context, pairs: &[Pair]) -> BTreeMap<String, Peer> {
    let lines: String =
        pairs.iter().map(|pair| format!("{}\n", serde_json::json!([pair.left, pair.right]))).collect();
    let mut peers = BTreeMap::new();
    for (mut command, file) in commands(context) {
        match ask(&mut command, &lines) {
            Ok(answer) => read(&answer, &mut peers),
            Err(error) => eprintln!("urls: peers of {} skipped: {error}", file.display()),
        }
    }
    peers.retain(|name, peer: &mut Peer| {
        let whole = peer.merged.len() == pairs.len();
        if !whole {
            eprintln!("urls: {name} answered {} of {} pairs, left out", peer.merged.len(), pairs.len());
        }
        whole
    });
    peers
}

/// The peers' programs. Node finds `normalize-url` in `folder/node_modules` (`npm install --prefix folder normalize-url`).
fn commands(context: &Context) -> Vec<(Command, PathBuf)> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/quality/peers");
    let mut python = Command::new(context.folder.join("venv/bin/python"));
    python.arg(sources.join("urls.py"));
    // Node looks for packages beside the program.
    let copy = context.folder.join("urls.mjs");
    if let Err(error) = std::fs::copy(sources.join("urls.mjs"), &copy) {
        eprintln!("urls: {}: {error}", copy.display());
    }
    let mut node = Command::new("node");
    node.arg(&copy);
    vec![(python, sources.join("urls.py")), (node, sources.join("urls.mjs"))]
}

fn ask(command: &mut Command, lines: &str) -> Result<String, String> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    // The peers read all before they write.
    let written = match child.stdin.take() {
        Some(mut input) => input.write_all(lines.as_bytes()),
        None => Ok(()),
    };
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(output.status.to_string());
    }
    written.map_err(|error| error.to_string())?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Lines `{"peer": name, "merged": bool}` in the order of the pairs, and `{"peer": name, "ns": time of one URL}`.
fn read(answer: &str, peers: &mut BTreeMap<String, Peer>) {
    for line in answer.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
        let Some(name) = line["peer"].as_str() else { continue };
        let peer = peers.entry(name.to_owned()).or_default();
        peer.merged.extend(line["merged"].as_bool());
        peer.nanoseconds = line["ns"].as_f64().unwrap_or(peer.nanoseconds);
    }
}
