//! Row `support`: is a claim supported by what it cites (WiCE)? Peers: ragground's matcher without a model, BM25,
//! ROUGE-L and Jaccard.

use serde_json::{Value, json};
use tributary::domain::synthesis::support::{Evidence, Support, support};
use tributary::domain::text::words::Lexicon;

use crate::clock::cpu_seconds;
use crate::figure::{Context, Figure, Target};
use crate::peers;

/// "Supported" against the rest: the reading of WiCE's own binary task. "Partially": at least partially against not.
const READINGS: [(&str, &str, Option<Target>); 2] = [
    ("AUROC, supported against the rest", "supported", Some(Target::AtLeast(0.78))),
    ("AUROC, at least partially against not", "", None),
];

pub fn run(context: &Context) -> Vec<Figure> {
    let items = peers::items(context, "wice-dev.jsonl");
    if items.is_empty() {
        println!("support: skipped, wice-dev.jsonl isn't there");
        return Vec::new();
    }
    let mut lexicon = Lexicon::default();
    let found: Vec<Support> = items.iter().map(|item| judge(&mut lexicon, item)).collect();
    let lines: Vec<Value> = items.iter().zip(&found).map(|(item, found)| line(item, found)).collect();
    let answers = peers::ask(context, "support", &lines).unwrap_or_else(|error| {
        println!("support: no peers: {error}");
        Vec::new()
    });
    let mut figures: Vec<Figure> =
        READINGS.into_iter().map(|reading| auroc(reading, &items, &found, &answers)).collect();
    figures.push(speed(&items));
    figures
}

fn judge(lexicon: &mut Lexicon, item: &Value) -> Support {
    let evidence = Evidence::new(lexicon, &peers::texts(item, "evidence"));
    support(lexicon, item["claim"].as_str().unwrap_or_default(), &[&evidence])
}

fn line(item: &Value, found: &Support) -> Value {
    json!({
        "claim": item["claim"], "evidence": item["evidence"],
        "features": found.features.as_array(), "supported": item["label"] == "supported",
    })
}

fn auroc(
    reading: (&'static str, &str, Option<Target>),
    items: &[Value],
    found: &[Support],
    answers: &[Value],
) -> Figure {
    let (measure, only, target) = reading;
    let is_positive =
        |item: &Value| if only.is_empty() { item["label"] != "not_supported" } else { item["label"] == only };
    let positives: Vec<bool> = items.iter().map(is_positive).collect();
    let ours: Vec<f64> = found.iter().map(|found| found.score).collect();
    let names =
        answers.first().and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone());
    let peers = names.map(|name| {
        let scores: Vec<f64> =
            answers.iter().map(|answer| answer[&name].as_f64().unwrap_or_default()).collect();
        let figure = area(&positives, &scores);
        (name, figure)
    });
    let peers = peers.collect();
    Figure { row: "support", measure, unit: "", ours: area(&positives, &ours), peers, target }
}

/// Area under the ROC curve: how often a positive has the higher score, equals counting half.
fn area(positives: &[bool], scores: &[f64]) -> f64 {
    let of = |wanted: bool| {
        positives.iter().zip(scores).filter(move |(is, _)| **is == wanted).map(|(_, score)| *score)
    };
    let won = |high: f64| {
        of(false).map(|low| if high > low { 1.0 } else { f64::from(high == low) / 2.0 }).sum::<f64>()
    };
    of(true).map(won).sum::<f64>() / (of(true).count() * of(false).count()) as f64
}

fn speed(items: &[Value]) -> Figure {
    let bytes: usize = items.iter().flat_map(|item| peers::texts(item, "evidence")).map(str::len).sum();
    let seconds = (0..5).map(|_| {
        let mut lexicon = Lexicon::default();
        let start = cpu_seconds();
        let scores: f64 = items.iter().map(|item| judge(&mut lexicon, item).score).sum();
        std::hint::black_box(scores);
        cpu_seconds() - start
    });
    let ours = bytes as f64 / seconds.fold(f64::MAX, f64::min) / 1e6;
    Figure {
        row: "support",
        measure: "evidence read, CPU time",
        unit: "MB/s",
        ours,
        peers: Vec::new(),
        target: Some(Target::AtLeast(20.0)),
    }
}
