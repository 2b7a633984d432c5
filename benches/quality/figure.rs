//! One measured figure of the quality benchmark, with its peers' and its target.

use std::path::PathBuf;

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
