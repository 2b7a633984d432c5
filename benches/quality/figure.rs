//! One measured figure of the quality benchmark, with its peers' and its target.

use std::path::PathBuf;

/// The head of the table.
pub const HEAD: &str = "| row | measure | Tributary | target | | peers |\n|---|---|--:|--:|---|---|";

/// Where a row finds its data and its peers.
pub struct Context {
    /// Folder with `reports.jsonl` and the other sets, where there is one.
    pub data: Option<PathBuf>,
    /// Scratch folder; has a Python venv at `folder/venv`.
    pub folder: PathBuf,
}

/// One measure of one row.
pub struct Figure {
    /// The row: what is measured.
    pub row: &'static str,
    /// The measure.
    pub measure: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Our value.
    pub ours: f64,
    /// Each peer's name and value.
    pub peers: Vec<(String, f64)>,
    /// What our value has to reach.
    pub target: Option<Target>,
}

/// A bound on our value.
pub enum Target {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
}

impl Figure {
    /// Its line of the table.
    pub fn line(&self) -> String {
        let target = match &self.target {
            Some(Target::AtLeast(bound)) => format!("≥ {}", short(*bound)),
            Some(Target::AtMost(bound)) => format!("≤ {}", short(*bound)),
            None => String::new(),
        };
        let peers: Vec<String> =
            self.peers.iter().map(|(name, value)| format!("{name} {}", short(*value))).collect();
        let Self { row, measure, unit, ours, .. } = self;
        let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
        format!(
            "| {row} | {measure}{unit} | {} | {target} | {} | {} |",
            short(*ours),
            self.verdict(),
            peers.join("; ")
        )
    }

    /// Whether it has a target and doesn't reach it.
    pub fn is_missed(&self) -> bool {
        self.verdict() == "missed"
    }

    fn verdict(&self) -> &'static str {
        match self.target {
            Some(Target::AtLeast(bound)) if self.ours >= bound => "met",
            Some(Target::AtMost(bound)) if self.ours <= bound => "met",
            Some(_) => "missed",
            None => "",
        }
    }
}

/// Four digits that count.
fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = 3 - value.abs().log10().floor() as i32;
    let text = format!("{value:.*}", usize::try_from(digits).unwrap_or(0).min(6));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
