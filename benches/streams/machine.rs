//! The machine under the benchmark: what it is, and how many sockets it allows.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

/// What it is: cores, processor, kernel.
pub fn describe() -> Value {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    json!({
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "cpu": model.map_or("unknown", |(_, model)| model),
        "kernel": kernel.trim(),
    })
}

/// The same in a line of Markdown.
pub fn markdown(machine: &Value) -> String {
    let text = |name: &str| machine[name].as_str().unwrap_or("").to_owned();
    format!("- machine: {} cores, {}, Linux {}\n", machine["cores"], text("cpu"), text("kernel"))
}

/// What a program says of itself.
pub fn version(binary: &Path) -> String {
    let output = Command::new(binary).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|error| format!("doesn't run: {error}"))
}

/// Allows this process, and the servers it starts, the sockets that the rows need: two for each of the floor's
/// readers, which live in one process.
pub fn allow_sockets(needed: u64) -> Result<()> {
    let now = getrlimit(Resource::Nofile);
    if now.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let maximum = now.maximum.map(|maximum| maximum.max(needed));
    setrlimit(Resource::Nofile, Rlimit { current: Some(needed), maximum })
        .with_context(|| format!("{needed} open files are needed (ulimit -n, now {:?})", now.current))
}
