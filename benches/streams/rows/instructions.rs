//! What tracing and metrics cost where nobody asked for them: the service with its defaults against builds of itself that
//! have no spans, and no metrics either.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::callgrind::instructions;
use crate::figures::{Finding, median};
use crate::scale::Scale;
use crate::servers::{Kind, Servers};

/// What is counted is the difference of two lives, so that their beginning and end are left out.
const FEW: u64 = 1_000;
const MANY: u64 = 9_000;

/// Features of the builds, and what the figures are called. The one with everything is made last: it is the one that stays
/// in its place.
const BUILDS: [(&str, &str); 3] = [
    ("without-spans,without-metrics", "instructions per event, built without spans and metrics"),
    ("without-spans", "instructions per event, built without spans"),
    ("", "instructions per event, tracing off"),
];

pub fn run(servers: &Servers, _: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let builds = BUILDS.iter().map(|(features, _)| build(features, &servers.directory));
    let builds: Vec<PathBuf> = builds.collect::<Result<_>>()?;
    let mut counts = [const { Vec::new() }; BUILDS.len()];
    for _ in 0..scale.counts {
        for (build, counts) in builds.iter().zip(&mut counts) {
            let few = instructions(build, FEW, &servers.directory)?;
            let many = instructions(build, MANY, &servers.directory)?;
            counts.push((many as f64 - few as f64) / (MANY - FEW) as f64);
        }
    }
    let counts = counts.map(|counts| median(&counts).unwrap_or(f64::NAN));
    let [bare, no_spans, off] = counts;
    let mut findings: Vec<Finding> = BUILDS.iter().map(|(_, name)| *name).zip(counts).collect();
    findings.push(("off : built without spans", off / no_spans));
    findings.push(("off : without spans and metrics", off / bare));
    Ok(findings)
}

/// Builds the service with these features, and puts it aside.
fn build(features: &str, directory: &Path) -> Result<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().context("a target directory")?;
    eprintln!("  building with features {features:?}");
    let status = Command::new("cargo")
        .args(["build", "--release", "--locked", "--quiet", "--features", features, "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .context("starting cargo")?;
    ensure!(status.success(), "building with features {features:?} failed");
    let aside = directory.join(format!("tributary-{features}"));
    fs::copy(env!("CARGO_BIN_EXE_tributary"), &aside).context("putting a build aside")?;
    Ok(aside)
}
