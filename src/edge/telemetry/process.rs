//! What the process takes of its machine, as Linux tells it in `/proc`; nothing where there is none.
//!
//! The names are those that Prometheus' own client libraries give, so that dashboards of any service find them.

use std::fs;

use opentelemetry::metrics::Meter;

use crate::domain::telemetry_names::metric;

/// Ticks a second in `/proc/self/stat`: Linux tells user space 100, whatever its own clock (`USER_HZ`).
const TICKS_A_SECOND: f64 = 100.0;

/// Looks at the process whenever somebody asks.
pub fn watch(meter: &Meter) {
    meter
        .f64_observable_counter(metric::PROCESS_CPU)
        .with_unit("s")
        .with_description("Time of processors that the process took, its own and the system's for it")
        .with_callback(|seen| {
            let told = fs::read_to_string("/proc/self/stat").ok().and_then(|stat| cpu_seconds(&stat));
            if let Some(seconds) = told {
                seen.observe(seconds, &[]);
            }
        })
        .build();
    meter
        .u64_observable_gauge(metric::PROCESS_MEMORY)
        .with_unit("By")
        .with_description("Memory of the process that is in use and not swapped out")
        .with_callback(|seen| {
            let told = fs::read_to_string("/proc/self/status").ok();
            if let Some(bytes) = told.and_then(|status| resident_bytes(&status)) {
                seen.observe(bytes, &[]);
            }
        })
        .build();
    meter
        .u64_observable_gauge(metric::PROCESS_FILES)
        .with_description("Files and sockets that the process has open")
        .with_callback(|seen| {
            if let Ok(open) = fs::read_dir("/proc/self/fd") {
                seen.observe(open.count() as u64, &[]);
            }
        })
        .build();
}

/// Fields 14 and 15, `utime` and `stime` (proc_pid_stat(5)); the second one, a name in brackets, may hold anything.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut ticks = rest.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some((user + system) as f64 / TICKS_A_SECOND)
}

/// `VmRSS`, in KiB (proc_pid_status(5)).
fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_tells_is_read_whatever_the_process_is_called() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 5 0 0 0 150 50 3 4 20 0 9 0 77 1000 20 184";
        assert_eq!(cpu_seconds(stat), Some(2.0));
        assert_eq!(resident_bytes("Name:\ta\nVmRSS:\t   12 kB\nThreads:\t3\n"), Some(12 * 1024));
        assert_eq!((cpu_seconds("7 (a"), resident_bytes("Name:\ta\n")), (None, None));
    }
}
