//! What the storms found, as Markdown and as JSON.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::options::Options;
use crate::rows::Row;

const BEGIN: &str = "<!-- storms:begin -->\n";
const END: &str = "<!-- storms:end -->";

/// One number of a row.
pub struct Finding {
    pub measure: String,
    pub unit: &'static str,
    pub number: f64,
    /// What it had to be, where the row fails otherwise.
    pub bound: String,
}

/// A number that is only told.
pub fn told(measure: impl Into<String>, unit: &'static str, number: f64) -> Finding {
    Finding { measure: measure.into(), unit, number, bound: String::new() }
}

/// A number that was within its bound: a row returns an error where it isn't.
pub fn held(
    measure: impl Into<String>,
    unit: &'static str,
    number: f64,
    bound: impl Into<String>,
) -> Finding {
    Finding { measure: measure.into(), unit, number, bound: bound.into() }
}

/// What was found so far.
#[derive(Default)]
pub struct Report {
    rows: Vec<(&'static str, &'static str, Vec<Finding>)>,
    pub failures: Vec<String>,
}

impl Report {
    pub fn add(&mut self, row: &'static Row, found: Vec<Finding>) {
        self.rows.push((row.name, row.title, found));
    }

    pub fn fail(&mut self, row: &'static Row, error: &anyhow::Error) {
        self.failures.push(format!("{}: {error:#}", row.name));
    }

    pub fn markdown(&self, options: &Options) -> String {
        let mut text = String::from("| storm | measure | | must be |\n|---|---|--:|---|\n");
        for (name, title, found) in &self.rows {
            // Small sizes aren't those of the title.
            let title = if options.quick { format!("{name} (small)") } else { (*title).to_owned() };
            for (index, finding) in found.iter().enumerate() {
                let title = if index == 0 { title.as_str() } else { "" };
                let unit = if finding.unit.is_empty() { String::new() } else { format!(" {}", finding.unit) };
                let _ = writeln!(
                    text,
                    "| {title} | {} | {}{unit} | {} |",
                    finding.measure,
                    number(finding.number),
                    finding.bound
                );
            }
        }
        for failure in &self.failures {
            let _ = writeln!(text, "\nFAILED: {failure}");
        }
        text
    }

    pub fn json(&self, machine: &Value) -> Value {
        let line = |row: &str, finding: &Finding| {
            json!({
                "row": row, "measure": finding.measure, "unit": finding.unit,
                "number": finding.number, "bound": finding.bound,
            })
        };
        let lines: Vec<Value> = self
            .rows
            .iter()
            .flat_map(|(name, _, found)| found.iter().map(move |finding| line(name, finding)))
            .collect();
        json!({ "machine": machine, "lines": lines, "failures": self.failures })
    }
}

/// Replaces what stands between the marks in a document.
pub fn write_between_marks(path: &Path, text: &str) -> Result<()> {
    let old = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let (head, rest) = old.split_once(BEGIN).with_context(|| format!("no {} in it", BEGIN.trim()))?;
    let (_, tail) = rest.split_once(END).with_context(|| format!("no {END} in it"))?;
    let new = format!("{head}{BEGIN}\n{}\n\n{END}{tail}", text.trim());
    std::fs::write(path, new).with_context(|| format!("writing {}", path.display()))
}

/// Counts whole, others with three digits or so: more would claim more than was measured.
fn number(number: f64) -> String {
    match number.abs() {
        _ if number.fract() == 0.0 => format!("{number:.0}"),
        large if large >= 100.0 => format!("{number:.0}"),
        middle if middle >= 10.0 => format!("{number:.1}"),
        small if small >= 0.1 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// The value that a share of them doesn't exceed (nearest rank), in milliseconds.
pub fn percentile_ms(nanoseconds: &mut [u64], share: f64) -> f64 {
    let Some(last) = nanoseconds.len().checked_sub(1) else { return f64::NAN };
    let rank = ((nanoseconds.len() as f64 * share).ceil() as usize).saturating_sub(1).min(last);
    *nanoseconds.select_nth_unstable(rank).1 as f64 / 1e6
}
