//! The table, what stands beside it, and its place in a document.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use crate::figures::{Finding, median, number};
use crate::options::Options;
use crate::peers::{Peer, Peers};
use crate::reasons;
use crate::rows::{Better, Measure, Row};

const BEGIN: &str = "<!-- side-by-side:begin -->";
const END: &str = "<!-- side-by-side:end -->";

/// By how much another must be ahead before it counts: less is noise.
const MARGIN: f64 = 1.05;

/// How much of an error is shown.
const FAILURE_CHARS: usize = 160;

/// What was found.
#[derive(Default)]
pub struct Table {
    numbers: BTreeMap<(&'static str, &'static str, Peer), Vec<f64>>,
    /// What went wrong, each time, by row and peer.
    failures: BTreeMap<(&'static str, Peer), Vec<String>>,
}

impl Table {
    pub fn add(&mut self, row: &Row, peer: Peer, findings: Vec<Finding>) {
        for (measure, number) in findings {
            self.numbers.entry((row.name, measure, peer)).or_default().push(number);
        }
    }

    pub fn fail(&mut self, row: &Row, peer: Peer, error: &anyhow::Error) {
        // An error may quote a whole answer.
        let text = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
        let short = text.chars().take(FAILURE_CHARS).collect();
        self.failures.entry((row.name, peer)).or_default().push(short);
    }

    /// Whether Tributary did all it was asked to.
    pub fn is_whole(&self) -> bool {
        self.failures.keys().all(|(_, peer)| !peer.is_ours())
    }

    fn median(&self, row: &Row, measure: &Measure, peer: Peer) -> Option<f64> {
        median(self.numbers.get(&(row.name, measure.name, peer))?)
    }

    /// Whether a peer is ahead of the Tributary that it is held against.
    fn is_ahead(&self, row: &Row, measure: &Measure, peer: Peer) -> bool {
        let figures = self.median(row, measure, peer).zip(self.median(row, measure, peer.ours()));
        figures.is_some_and(|(theirs, ours)| match measure.better {
            Better::Less => ours > theirs * MARGIN,
            Better::More => ours * MARGIN < theirs,
        })
    }

    /// The table; bold is who is ahead of Tributary.
    fn figures(&self, options: &Options) -> String {
        let names: Vec<&str> = Peer::ALL.iter().map(|peer| peer.name()).collect();
        let mut text =
            format!("| work | measure | {} |\n|---|---|{}\n", names.join(" | "), "--:|".repeat(names.len()));
        for row in &options.rows {
            let title = if options.quick { format!("{} (small)", row.name) } else { row.title.to_owned() };
            for (index, measure) in row.measures.iter().enumerate() {
                let cell = |peer: &Peer| {
                    let figure = self.median(row, measure, *peer).map_or("–".to_owned(), number);
                    if self.is_ahead(row, measure, *peer) { format!("**{figure}**") } else { figure }
                };
                let cells: Vec<String> = Peer::ALL.iter().map(cell).collect();
                let title = if index == 0 { title.as_str() } else { "" };
                let _ = writeln!(
                    text,
                    "| {title} | {}, {} | {} |",
                    measure.name,
                    measure.unit,
                    cells.join(" | ")
                );
            }
        }
        text
    }

    /// The reasons why a row's figures are worse than a peer's, each with the measures and peers that it explains.
    fn behind(&self, row: &Row) -> Vec<(&'static str, Vec<String>)> {
        let mut reasons: Vec<(&'static str, Vec<String>)> = Vec::new();
        for measure in row.measures {
            for peer in Peer::ALL.into_iter().filter(|peer| self.is_ahead(row, measure, *peer)) {
                let why = reasons::lost(row.name, measure.name, peer).unwrap_or("**no reason known**");
                let of = format!("{} ({})", measure.name, peer.name());
                match reasons.iter_mut().find(|(known, _)| *known == why) {
                    Some((_, all)) => all.push(of),
                    None => reasons.push((why, vec![of])),
                }
            }
        }
        reasons
    }

    /// Where Tributary is behind, and why.
    fn losses(&self, options: &Options) -> String {
        let mut text = String::new();
        for row in &options.rows {
            for (why, of) in self.behind(row) {
                let _ = writeln!(text, "- {}: {}: {why}", row.name, of.join("; "));
            }
        }
        or_nothing(text)
    }

    /// Which peers have no figure, and what failed.
    fn absences(&self, options: &Options, peers: &Peers) -> String {
        let mut text = String::new();
        for peer in Peer::ALL {
            if peers.missing(peer).is_some() {
                let _ = writeln!(text, "- {}: {}", peer.name(), peers.describe(peer));
            }
            let unable = |row: &&&Row| reasons::cannot(row.name, peer).is_some();
            let rows: Vec<&str> = options.rows.iter().filter(unable).map(|row| row.name).collect();
            if let Some(why) = rows.first().and_then(|row| reasons::cannot(row, peer)) {
                let _ = writeln!(text, "- {}: {}: {why}", rows.join(", "), peer.name());
            }
        }
        for ((row, peer), failures) in &self.failures {
            let (times, last) = (failures.len(), failures.last().map_or("", String::as_str));
            let _ = writeln!(text, "- {row}: {}: failed {times} time(s), the last: {last}", peer.name());
        }
        or_nothing(text)
    }

    /// Everything, for a document. `facts` are lines on machine, versions and circumstances.
    pub fn markdown(&self, options: &Options, peers: &Peers, facts: &str) -> String {
        format!(
            "{facts}\n{}\nWhere Tributary is behind by more than 5 %, and why:\n\n{}\nWhat has no figure, or failed:\n\n{}",
            self.figures(options),
            self.losses(options),
            self.absences(options, peers)
        )
    }

    /// Every number of every round.
    pub fn json(&self, options: &Options, machine: &Value) -> Value {
        let lines = self.numbers.iter().map(|((row, measure, peer), rounds)| {
            json!({ "row": row, "measure": measure, "peer": peer.name(), "median": median(rounds), "rounds": rounds })
        });
        let lines: Vec<Value> = lines.collect();
        let failures = self
            .failures
            .iter()
            .map(|((row, peer), failures)| json!({ "row": row, "peer": peer.name(), "failures": failures }));
        let failures: Vec<Value> = failures.collect();
        json!({ "machine": machine, "quick": options.quick, "lines": lines, "failures": failures })
    }
}

fn or_nothing(lines: String) -> String {
    if lines.is_empty() { "- nothing\n".to_owned() } else { lines }
}

/// Replaces what stands between the two marks of a document.
pub fn write(document: &Path, text: &str) -> Result<()> {
    let old = std::fs::read_to_string(document).with_context(|| format!("reading {}", document.display()))?;
    let parts = old.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| anyhow!("{} has no {BEGIN} … {END}", document.display()))?;
    std::fs::write(document, format!("{before}{BEGIN}\n\n{text}\n{END}{after}"))
        .with_context(|| format!("writing {}", document.display()))
}
