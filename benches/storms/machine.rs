//! The machine under the storms: what it is, and how many files it lets a process open.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

/// Machine and version, and how much of the machine others used.
pub fn describe(tributary: &Path, others_percent: f64) -> Value {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let version = match Command::new(tributary).arg("--version").output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(error) => format!("doesn't run: {error}"),
    };
    json!({
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "cpu": model.map_or("unknown", |(_, model)| model),
        "kernel": kernel.trim(),
        "tributary": version,
        "others_percent": others_percent,
    })
}

/// The same as one line of Markdown.
pub fn markdown(machine: &Value) -> String {
    let text = |name: &str| machine[name].as_str().unwrap_or("").to_owned();
    format!(
        "{} cores ({}), Linux {}, {}. The load generator shares the machine; others used {:.0} % of it meanwhile.\n",
        machine["cores"],
        text("cpu"),
        text("kernel"),
        text("tributary"),
        machine["others_percent"].as_f64().unwrap_or(f64::NAN),
    )
}

/// Allows this process, and the servers it starts, so many open files, and more where that needs nobody's leave: those that
/// were cut may not be closed yet when they come back.
pub fn allow_files(needed: u64) -> Result<()> {
    let now = getrlimit(Resource::Nofile);
    let maximum = now.maximum.map(|maximum| maximum.max(needed));
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
        .with_context(|| format!("{needed} open files are needed (ulimit -Hn, now {:?})", now.maximum))
}
