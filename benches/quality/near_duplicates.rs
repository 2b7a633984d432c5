//! Near duplicates: precision and recall on pairs of sentences, next to MinHash LSH of `datasketch`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tributary::domain::near_duplicates::{Reader, clusters};

use crate::figure::{Context, Figure, Target};
use crate::pairs::{self, Pair};

const ROW: &str = "near-duplicates";

/// Runs the row.
pub fn run(context: &Context) -> Vec<Figure> {
    if context.data.is_none() {
        println!("{ROW}: no data folder, pairs from templates only");
    }
    let pairs = pairs::all(context.data.as_deref());
    let (ours, compared) = ours(&pairs);
    explain(&pairs, &ours);
    let peers = datasketch(&context.folder, &pairs);
    let mut figures = Vec::new();
    for (measure_p, measure_r, held) in
        [("precision, all", "recall, all", false), ("precision, held out", "recall, held out", true)]
    {
        let chosen: Vec<usize> = (0..pairs.len()).filter(|&at| !held || pairs[at].held_out).collect();
        let (precision, recall) = score(&pairs, &ours, &chosen);
        let best = peers
            .iter()
            .map(|(name, said)| (name.clone(), score(&pairs, said, &chosen)))
            .max_by(|a, b| f1(a.1).total_cmp(&f1(b.1)));
        let peer = |value: fn((f64, f64)) -> f64| {
            best.iter().map(|(name, scores)| (name.clone(), value(*scores))).collect()
        };
        figures.push(Figure {
            row: ROW,
            measure: measure_p,
            unit: "",
            ours: precision,
            peers: peer(|score| score.0),
            target: Some(Target::AtLeast(0.99)),
        });
        figures.push(Figure {
            row: ROW,
            measure: measure_r,
            unit: "",
            ours: recall,
            peers: peer(|score| score.1),
            target: Some(Target::AtLeast(0.95)),
        });
    }
    figures.push(Figure {
        row: ROW,
        measure: "pairs",
        unit: "pairs",
        ours: pairs.len() as f64,
        peers: Vec::new(),
        target: Some(Target::AtLeast(2000.0)),
    });
    figures.push(Figure {
        row: ROW,
        measure: "comparisons of a text",
        unit: "",
        ours: compared,
        peers: Vec::new(),
        target: Some(Target::AtMost(4.0)),
    });
    figures
}

/// Which pairs fall into one cluster, when all sentences of the set are clustered together.
fn ours(pairs: &[Pair]) -> (Vec<bool>, f64) {
    let mut reader = Reader::default();
    let items: Vec<_> =
        pairs.iter().flat_map(|pair| [&pair.one, &pair.other]).map(|text| reader.read(text)).collect();
    let found = clusters(&items);
    println!(
        "{ROW}: {} texts, {} pairs compared, {} candidates skipped",
        items.len(),
        found.pairs_checked,
        found.pairs_skipped
    );
    let mut of = vec![0; items.len()];
    for (at, cluster) in found.clusters.iter().enumerate() {
        for &member in &cluster.members {
            of[member] = at;
        }
    }
    let compared = found.pairs_checked as f64 / items.len().max(1) as f64;
    (of.chunks(2).map(|pair| pair[0] == pair[1]).collect(), compared)
}

fn score(pairs: &[Pair], said: &[bool], chosen: &[usize]) -> (f64, f64) {
    let count = |same: bool, yes: bool| {
        chosen.iter().filter(|&&at| pairs[at].same == same && said[at] == yes).count() as f64
    };
    let hits = count(true, true);
    (hits / (hits + count(false, true)).max(1.0), hits / (hits + count(true, false)).max(1.0))
}

fn f1((precision, recall): (f64, f64)) -> f64 {
    2.0 * precision * recall / (precision + recall).max(1e-9)
}

/// With `QUALITY_EXPLAIN`, the errors by mutation; the texts only of what isn't held out.
fn explain(pairs: &[Pair], said: &[bool]) {
    if std::env::var_os("QUALITY_EXPLAIN").is_none() {
        return;
    }
    let mut table: BTreeMap<(&str, bool), (usize, usize)> = BTreeMap::new();
    for (pair, said) in pairs.iter().zip(said) {
        let entry = table.entry((pair.mutation, pair.held_out)).or_default();
        entry.0 += 1;
        if *said != pair.same {
            entry.1 += 1;
            if !pair.held_out && entry.1 <= 12 {
                println!("{}\n   {}\n   {}", pair.mutation, pair.one, pair.other);
            }
        }
    }
    for ((mutation, held), (count, errors)) in table {
        println!("{mutation:20} held out {held:5} {errors:4} of {count}");
    }
}

/// What `datasketch` says for each way of cutting texts and each threshold; none where it isn't installed.
fn datasketch(folder: &Path, pairs: &[Pair]) -> Vec<(String, Vec<bool>)> {
    let python = folder.join("venv/bin/python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/quality/peers/near_duplicates.py");
    let child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("{ROW}: no Python environment, datasketch left out");
        return Vec::new();
    };
    if let Some(mut input) = child.stdin.take() {
        for pair in pairs {
            let line = serde_json::json!({ "one": pair.one, "other": pair.other });
            if writeln!(input, "{line}").is_err() {
                break;
            }
        }
    }
    let Ok(output) = child.wait_with_output() else { return Vec::new() };
    let mut found = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let said = line["same"]
            .as_array()
            .map(|said| said.iter().map(|said| said.as_bool() == Some(true)).collect());
        if let (Some(name), Some(said)) = (line["name"].as_str(), said) {
            found.push((name.to_owned(), said));
        }
    }
    found
}
