//! The time that this thread has had the processor: others on the machine don't count.

/// Seconds since the thread began (Linux: `/proc/thread-self/schedstat`, nanoseconds first); 0 elsewhere.
pub fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}
