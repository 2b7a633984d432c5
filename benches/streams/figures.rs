//! Numbers as a run finds them and as a table shows them.

/// One number by name, as a run found it.
pub type Finding = (&'static str, f64);

/// The middle one, or between the middle two.
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(middle).copied();
    }
    Some((sorted.get(middle.checked_sub(1)?)? + sorted.get(middle)?) / 2.0)
}

/// Three digits or so: more would claim more than was measured.
pub fn number(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        large if large >= 100.0 => format!("{large:.0}"),
        middle if middle >= 10.0 => format!("{middle:.1}"),
        small => format!("{small:.2}"),
    }
}

/// The latency in milliseconds that a share of the deliveries didn't exceed (nearest rank).
pub fn percentile_ms(latencies_ns: &mut [u64], share: f64) -> f64 {
    let Some(last) = latencies_ns.len().checked_sub(1) else { return f64::NAN };
    let rank = ((latencies_ns.len() as f64 * share).ceil() as usize).saturating_sub(1).min(last);
    *latencies_ns.select_nth_unstable(rank).1 as f64 / 1e6
}
