//! Contradictions: precision and recall on pairs of sentences of two subagents.

use tributary::domain::aggregate::near_duplicates::Reader;
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

/// Runs the row.
pub fn run(context: &Context) -> Vec<Figure> {
    let pairs = pairs::all(context.data.as_deref());
    let mut figures = Vec::new();
    for (held, names) in
        [(false, ["precision, all", "recall, all"]), (true, ["precision, held out", "recall, held out"])]
    {
        let (mut hits, mut alarms, mut missed) = (0.0_f64, 0.0_f64, 0.0_f64);
        for pair in pairs.iter().filter(|pair| !held || pair.held_out) {
            let contrary = CONTRARY.contains(&pair.mutation);
            // A year alone is a date that differs; a year beside other figures says when they hold.
            let only_date = pair.mutation == "year" && Reader::default().read(&pair.one).figures.len() < 2;
            if only_date || (!contrary && !HARMLESS.contains(&pair.mutation)) {
                continue;
            }
            match (contrary, found(pair)) {
                (true, true) => hits += 1.0,
                (true, false) => missed += 1.0,
                (false, true) => {
                    alarms += 1.0;
                    if std::env::var_os("QUALITY_EXPLAIN").is_some() && !pair.held_out {
                        println!("false alarm, {}\n   {}\n   {}", pair.mutation, pair.one, pair.other);
                    }
                }
                (false, false) => {}
            }
        }
        let row =
            |measure, ours, target| Figure { row: ROW, measure, unit: "", ours, peers: Vec::new(), target };
        figures.push(row(names[0], hits / (hits + alarms).max(1.0), Some(Target::AtLeast(0.95))));
        figures.push(row(names[1], hits / (hits + missed).max(1.0), None));
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
