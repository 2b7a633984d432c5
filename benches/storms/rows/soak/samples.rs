//! Memory and descriptors over time, and whether they grow.

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::replica::Replica;
use crate::report::{Finding, held, told};

const MIB: f64 = 1_048_576.0;

/// One look each second.
#[derive(Default)]
pub struct Samples {
    /// Seconds, bytes, descriptors.
    taken: Vec<(f64, f64, f64)>,
}

impl Samples {
    pub fn take(&mut self, at: Duration, replica: &Replica) -> Result<()> {
        let (memory, descriptors) = (replica.memory_bytes()?, replica.descriptors()?);
        self.taken.push((at.as_secs_f64(), memory as f64, descriptors as f64));
        Ok(())
    }

    /// Fits a line to what came after the first third, and fails where it rises by more than the bound.
    pub fn judge(&self, growth_max: f64, share_max: f64) -> Result<Vec<Finding>> {
        let measured = &self.taken[self.taken.len() / 3..];
        ensure!(measured.len() >= 3, "too few samples");
        let memory: Vec<(f64, f64)> = measured.iter().map(|(at, bytes, _)| (*at, *bytes)).collect();
        let open: Vec<(f64, f64)> = measured.iter().map(|(at, _, open)| (*at, *open)).collect();
        let seconds = memory.last().context("no sample")?.0 - memory[0].0;
        let (mean, growth) = (mean(&memory), slope(&memory) * seconds);
        let bound = growth_max + share_max * mean;
        ensure!(growth <= bound, "memory grew by {:.1} MiB in {seconds:.0} s", growth / MIB);
        let (mean_open, growth_open) = (self::mean(&open), slope(&open) * seconds);
        // Connections come and go: a leak of one a minute would be seen in the full soak.
        let bound_open = 10.0 + 0.1 * mean_open;
        ensure!(growth_open <= bound_open, "descriptors grew by {growth_open:.0} in {seconds:.0} s");
        Ok(vec![
            told("memory, mean", "MiB", mean / MIB),
            held(
                format!("growth of memory over {seconds:.0} s (fitted)"),
                "MiB",
                growth / MIB,
                format!("≤ {:.1} MiB (4 MiB and 5 %)", bound / MIB),
            ),
            told("descriptors, mean", "", mean_open.round()),
            held(
                "growth of descriptors (fitted)",
                "",
                growth_open,
                format!("≤ {bound_open:.0} (10 and 10 %)"),
            ),
        ])
    }
}

fn mean(points: &[(f64, f64)]) -> f64 {
    points.iter().map(|(_, y)| y).sum::<f64>() / points.len() as f64
}

/// Least squares: what `y` gains for each unit of `x`.
fn slope(points: &[(f64, f64)]) -> f64 {
    let x_mean = points.iter().map(|(x, _)| x).sum::<f64>() / points.len() as f64;
    let y_mean = mean(points);
    let above: f64 = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let below: f64 = points.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    above / below
}
