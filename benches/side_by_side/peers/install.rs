//! Installing what a peer needs, below `target/`: nothing outside of it changes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::server::subdirectory;

/// Electric's server, as it is published.
pub const DURABLE_STREAMS: &str = "0.1.5";

/// Runs a command to its end, and fails with what it said.
pub fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("running {:?}", command.get_program()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("error")).take(3).collect();
    ensure!(output.status.success(), "{:?} failed: {}", command.get_program(), errors.join("; "));
    Ok(())
}

/// Compiles Electric's server (some minutes, once), optimised as its authors publish it.
pub fn durable_streams(directory: &Path) -> Result<PathBuf> {
    let root = subdirectory(directory, &format!("durable-streams-{DURABLE_STREAMS}"))?;
    let binary = root.join("bin/durable-streams-server");
    if !binary.exists() {
        eprintln!("compiling durable-streams {DURABLE_STREAMS}");
        let version = format!("={DURABLE_STREAMS}");
        // Away from this project, whose settings for cargo are not the peer's.
        run(Command::new("cargo")
            .args(["install", "durable-streams", "--version", &version, "--locked", "--root"])
            .arg(&root)
            .arg("--target-dir")
            .arg(root.join("build"))
            .current_dir(&root))?;
    }
    Ok(binary)
}
