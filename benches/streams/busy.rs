//! How busy others keep the machine.

use std::fs;

/// CPU time of everybody and of this benchmark with its ended servers, in ticks.
pub struct Busy {
    everybody: u64,
    ours: u64,
    passed: u64,
}

/// Reads both clocks.
pub fn busy() -> Busy {
    let numbers = |text: String, skip: usize, take: usize| -> Vec<u64> {
        let fields = text.split_whitespace().skip(skip).take(take);
        fields.map(|field| field.parse().unwrap_or(0)).collect()
    };
    // user nice system idle iowait irq softirq steal
    let all = numbers(fs::read_to_string("/proc/stat").unwrap_or_default(), 1, 8);
    let own = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let own = own.rfind(')').map(|end| own[end..].to_owned()).unwrap_or_default();
    let passed = all.iter().sum();
    let idle: u64 = all.iter().skip(3).take(2).sum();
    Busy { everybody: passed - idle, ours: numbers(own, 12, 4).iter().sum(), passed }
}

impl Busy {
    /// The share of the machine that others used since `earlier`, in percent. Far above zero, times are not to be
    /// trusted; CPU time is, mostly.
    pub fn others_percent_since(&self, earlier: &Self) -> f64 {
        let others = (self.everybody - earlier.everybody).saturating_sub(self.ours - earlier.ours);
        100.0 * others as f64 / (self.passed - earlier.passed).max(1) as f64
    }
}
