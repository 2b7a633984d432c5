//! Medians, ratios and verdicts, as Markdown and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::figures::{Finding, median, number};
use crate::options::Options;
use crate::rows::{Measure, Row, Target};
use crate::servers::Kind;

/// What was found so far.
#[derive(Default)]
pub struct Report {
    /// By row, measure and server: a number from each round.
    numbers: BTreeMap<(&'static str, &'static str, Kind), Vec<f64>>,
    /// What went wrong, and where.
    pub failures: Vec<String>,
}

/// Whether a number is what was demanded.
enum Verdict {
    Met,
    Missed,
    /// Nothing is demanded, or there is nothing to compare with.
    None,
}

impl Report {
    pub fn add(&mut self, row: &Row, kind: Kind, findings: Vec<Finding>) {
        for (measure, number) in findings {
            self.numbers.entry((row.name, measure, kind)).or_default().push(number);
        }
    }

    pub fn fail(&mut self, row: &Row, kind: Kind, error: &anyhow::Error) {
        self.failures.push(format!("{} on {}: {error:#}", row.name, kind.name()));
    }

    fn median(&self, row: &Row, measure: &Measure, kind: Kind) -> Option<f64> {
        median(self.numbers.get(&(row.name, measure.name, kind))?)
    }

    /// Our median against the peer's.
    fn ratio(&self, row: &Row, measure: &Measure) -> Option<f64> {
        let peer = self.median(row, measure, Kind::Nchan)?;
        Some(self.median(row, measure, Kind::Tributary)? / peer)
    }

    fn verdict(&self, row: &Row, measure: &Measure) -> Verdict {
        let ours = self.median(row, measure, Kind::Tributary);
        let is_met = match measure.target {
            Target::None => None,
            Target::TimesNchan(most) => self.ratio(row, measure).map(|ratio| ratio <= most),
            Target::AtLeastTimesNchan(least) => self.ratio(row, measure).map(|ratio| ratio >= least),
            Target::AtMost(most) => ours.map(|ours| ours <= most),
            Target::AtLeast(least) => ours.map(|ours| ours >= least),
        };
        match is_met {
            Some(true) => Verdict::Met,
            Some(false) => Verdict::Missed,
            None => Verdict::None,
        }
    }

    /// The table, and under it what failed.
    pub fn markdown(&self, options: &Options) -> String {
        let mut text = String::from(
            "| work | measure | floor | nchan | Tributary | ratio to nchan | target | verdict |\n\
             |---|---|--:|--:|--:|--:|---|---|\n",
        );
        for row in &options.rows {
            let title = if options.quick { format!("{} (small)", row.name) } else { row.title.to_owned() };
            for (index, measure) in row.measures.iter().enumerate() {
                let cell = |kind| self.median(row, measure, kind).map_or("–".into(), number);
                let verdict = match self.verdict(row, measure) {
                    Verdict::Met if !options.quick => "met",
                    Verdict::Missed if !options.quick => "**missed**",
                    Verdict::Met | Verdict::Missed => "not judged",
                    Verdict::None => "",
                };
                let _ = writeln!(
                    text,
                    "| {} | {}, {} | {} | {} | {} | {} | {} | {verdict} |",
                    if index == 0 { title.as_str() } else { "" },
                    measure.name,
                    measure.unit,
                    cell(Kind::Floor),
                    cell(Kind::Nchan),
                    cell(Kind::Tributary),
                    self.ratio(row, measure).map_or("–".into(), |ratio| format!("{ratio:.2}")),
                    target(measure),
                );
            }
        }
        for failure in &self.failures {
            let _ = writeln!(text, "\nFAILED: {failure}");
        }
        text
    }

    /// Every number of every round.
    pub fn json(&self, options: &Options, machine: &Value) -> Value {
        let line = |row: &Row, measure: &Measure| {
            let server = |kind| {
                let rounds = self.numbers.get(&(row.name, measure.name, kind))?;
                Some(json!({ "median": self.median(row, measure, kind), "rounds": rounds }))
            };
            json!({
                "row": row.name, "work": row.title, "measure": measure.name, "unit": measure.unit,
                "floor": server(Kind::Floor), "nchan": server(Kind::Nchan), "tributary": server(Kind::Tributary),
                "ratio_to_nchan": self.ratio(row, measure), "target": target(measure),
                "met": match self.verdict(row, measure) {
                    Verdict::Met => Some(true),
                    Verdict::Missed => Some(false),
                    Verdict::None => None,
                },
            })
        };
        let lines: Vec<Value> = options
            .rows
            .iter()
            .flat_map(|row| row.measures.iter().map(|measure| line(row, measure)))
            .collect();
        json!({ "machine": machine, "quick": options.quick, "lines": lines, "failures": self.failures })
    }
}

fn target(measure: &Measure) -> String {
    match measure.target {
        Target::None => String::new(),
        Target::TimesNchan(most) => format!("≤ {most} × nchan"),
        Target::AtLeastTimesNchan(least) => format!("≥ {least} × nchan"),
        Target::AtMost(most) => format!("≤ {most} {}", measure.unit),
        Target::AtLeast(least) => format!("≥ {least} {}", measure.unit),
    }
}
