//! Contradictions: precision and recall on pairs of sentences of two subagents, generated ones and realistic ones.

mod realistic;
mod sentences;

use tributary::domain::near_duplicates::Reader;
use tributary::domain::synthesis::claims::Statement;
use tributary::domain::synthesis::contradictions::contradictions;

use crate::figure::{Context, Figure, Target};
use crate::pairs::{self, Pair};

const ROW: &str = "contradictions";
/// Mutations after which both sentences can't be true.
const CONTRARY: &[&str] = &["number", "negation", "polarity", "scale", "decimal point"];
/// Mutations after which both can, or that say the same. Another unit is in neither list: tonnes and kilograms contradict each
/// other, kilometres and miles can't be compared.
const HARMLESS: &[&str] = &[
    "year",
    "name",
    "names swapped",
    "attribution",
    "clause moved",
    "number rewritten",
    "joint inserted",
    "stopword dropped",
    "typing error",
    "adverb inserted",
];

/// What is counted of some pairs.
#[derive(Default)]
struct Counts {
    hits: f64,
    alarms: f64,
    missed: f64,
}

impl Counts {
    fn add(&mut self, contradicts: bool, is_found: bool) {
        match (contradicts, is_found) {
            (true, true) => self.hits += 1.0,
            (true, false) => self.missed += 1.0,
            (false, true) => self.alarms += 1.0,
            (false, false) => {}
        }
    }

    fn figures(&self, [precision, recall]: [&'static str; 2], least: f64) -> [Figure; 2] {
        let row =
            |measure, ours, target| Figure { row: ROW, measure, unit: "", ours, peers: Vec::new(), target };
        let Self { hits, alarms, missed } = self;
        [
            row(precision, hits / (hits + alarms).max(1.0), Some(Target::AtLeast(least))),
            row(recall, hits / (hits + missed).max(1.0), None),
        ]
    }
}

/// Runs the row.
pub fn run(context: &Context) -> Vec<Figure> {
    let mut figures = generated(context);
    figures.extend(realistic());
    figures.extend(of_sentences());
    figures
}

fn of_sentences() -> Vec<Figure> {
    let sets = [
        (sentences::TUNED, ["precision, whole sentences", "recall, whole sentences"]),
        (sentences::HELD_OUT, ["precision, whole sentences, held out", "recall, whole sentences, held out"]),
    ];
    let mut figures = Vec::new();
    for (pairs, names) in sets {
        let mut counts = Counts::default();
        for (contradicts, is_found, _) in sentences::judged(pairs) {
            counts.add(contradicts, is_found);
        }
        figures.extend(counts.figures(names, 0.95));
    }
    let mut alarms = 0.0;
    for (_, is_found, pair) in sentences::judged(sentences::ALIKE) {
        if is_found {
            alarms += 1.0;
            explain("false alarm", pair);
        }
    }
    let measure = "false alarms, 334 pairs that only look so";
    figures.push(Figure { row: ROW, measure, unit: "", ours: alarms, peers: Vec::new(), target: None });
    figures
}

fn explain(of: &str, told: &str) {
    if std::env::var_os("QUALITY_EXPLAIN").is_some() {
        println!("{of}, {told}");
    }
}

fn realistic() -> Vec<Figure> {
    let judged = realistic::judged();
    let mut figures = Vec::new();
    for (held, names) in [
        (false, ["precision, realistic, all", "recall, realistic, all"]),
        (true, ["precision, realistic, held out", "recall, realistic, held out"]),
    ] {
        let mut counts = Counts::default();
        for pair in judged.iter().filter(|pair| !held || pair.held_out) {
            counts.add(pair.contradicts, pair.is_found);
            if !held && !pair.held_out && pair.contradicts != pair.is_found {
                explain(if pair.is_found { "false alarm" } else { "missed" }, &pair.told);
            }
        }
        figures.extend(counts.figures(names, 0.95));
    }
    figures
}

fn generated(context: &Context) -> Vec<Figure> {
    let pairs = pairs::all(context.data.as_deref());
    let mut figures = Vec::new();
    for (held, names) in
        [(false, ["precision, all", "recall, all"]), (true, ["precision, held out", "recall, held out"])]
    {
        let mut counts = Counts::default();
        for pair in pairs.iter().filter(|pair| !held || pair.held_out) {
            let contrary = CONTRARY.contains(&pair.mutation);
            // A year alone is a date that differs; a year beside other figures says when they hold.
            let only_date = pair.mutation == "year" && Reader::default().read(&pair.one).figures.len() < 2;
            if only_date || (!contrary && !HARMLESS.contains(&pair.mutation)) {
                continue;
            }
            let is_found = found(pair);
            counts.add(contrary, is_found);
            if is_found && !contrary && !held && !pair.held_out {
                explain("false alarm", &format!("{}\n   {}\n   {}", pair.mutation, pair.one, pair.other));
            }
        }
        figures.extend(counts.figures(names, 0.95));
    }
    figures
}

fn found(pair: &Pair) -> bool {
    let statement = |text, subagent| Statement { text, subagent, ..Statement::default() };
    let both = [statement(pair.one.as_str(), "one"), statement(pair.other.as_str(), "other")];
    let mut reader = Reader::default();
    let features: Vec<_> = both.iter().map(|statement| reader.read(statement.text)).collect();
    !contradictions(&both, &features).found.is_empty()
}
