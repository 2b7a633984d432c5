//! Node programs of this benchmark, and the packages that they need.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::peers::install::run;
use crate::server::subdirectory;

/// The programs and their packages' lock file, and where they come from.
const FILES: [(&str, &str); 6] = [
    (".npmrc", include_str!("../node/.npmrc")),
    ("package.json", include_str!("../node/package.json")),
    ("package-lock.json", include_str!("../node/package-lock.json")),
    ("resumable_stream.mjs", include_str!("../node/resumable_stream.mjs")),
    ("langgraph.mjs", include_str!("../node/langgraph.mjs")),
    ("graph.mjs", include_str!("../node/graph.mjs")),
];

/// Programs and packages below `directory`, installed from the lock file where that has changed.
pub fn install(directory: &Path) -> Result<PathBuf> {
    let packages = subdirectory(directory, "node")?;
    let stamp = packages.join("node_modules/installed");
    let lock = include_str!("../node/package-lock.json");
    for (name, text) in FILES {
        fs::write(packages.join(name), text).with_context(|| format!("writing {name}"))?;
    }
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(packages);
    }
    eprintln!("installing npm packages");
    // Not `npm ci`: it refuses a lock file without the optional packages of other systems, which some registries lack.
    run(Command::new("npm")
        .args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(&packages))?;
    fs::write(&stamp, lock).context("noting what is installed")?;
    Ok(packages)
}

/// One of the programs, told where to listen.
pub fn command(packages: &Path, program: &str, address: SocketAddr) -> Command {
    let mut command = Command::new("node");
    command.arg(program).current_dir(packages);
    command.env("PORT", address.port().to_string()).env("NODE_ENV", "production");
    command
}

/// The version of an installed package.
pub fn version(packages: &Path, package: &str) -> String {
    let path = packages.join("node_modules").join(package).join("package.json");
    let text = fs::read_to_string(path).unwrap_or_default();
    let parsed: Option<Value> = serde_json::from_str(&text).ok();
    parsed.and_then(|parsed| Some(parsed["version"].as_str()?.to_owned())).unwrap_or_default()
}
