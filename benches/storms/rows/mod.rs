//! The storms: what each does, and what it must hold.

mod reconnect;
mod restart;
mod soak;
mod stalled;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::options::{Options, Scale};
use crate::replica::Replica;
use crate::report::{Finding, held};
use crate::truth::Faults;

/// A storm. It returns an error where what it asserts doesn't hold.
pub struct Row {
    pub name: &'static str,
    /// What happens, for the table.
    pub title: &'static str,
    pub run: fn(&Setting) -> Result<Vec<Finding>>,
}

/// Every row, in the order of the table.
pub static ROWS: [Row; 5] = [
    Row {
        name: "reconnect",
        title: "10,000 readers of 100 streams are cut in one moment and come back within 3 s, with mixed cursors",
        run: reconnect::run,
    },
    Row {
        name: "rolling-restart",
        title: "two replicas on one Redis are restarted in turn (SIGTERM), twice, under 500 readers and 200 events/s",
        run: restart::run_rolling,
    },
    Row { name: "kill", title: "the same with SIGKILL", run: restart::run_kill },
    Row {
        name: "stalled",
        title: "1,000 readers stop reading beside 100 that don't; half of them go on 3 s later",
        run: stalled::run,
    },
    Row { name: "soak", title: "a mixed load, sessions expiring all the time", run: soak::run },
];

/// What rows are given.
pub struct Setting {
    pub scale: &'static Scale,
    pub soak: Duration,
    /// For logs and Redis.
    pub directory: PathBuf,
    tributary: PathBuf,
}

impl Setting {
    pub fn new(options: &Options) -> Result<Self> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("storms");
        if directory.exists() {
            std::fs::remove_dir_all(&directory).context("clearing the last run's logs")?;
        }
        std::fs::create_dir_all(&directory).with_context(|| format!("creating {}", directory.display()))?;
        Ok(Self {
            scale: options.scale(),
            soak: options.soak,
            directory,
            tributary: options.tributary.clone(),
        })
    }

    /// A fresh replica with other settings than its defaults.
    pub fn start(&self, variables: &[(&str, String)]) -> Result<Replica> {
        Replica::start(&self.tributary, variables, &self.directory)
    }
}

/// Fails where anything is missing, came twice, differs, or was told wrongly.
fn hold(faults: Faults) -> Result<Vec<Finding>> {
    ensure!(faults == Faults::default(), "{faults:?}");
    Ok(vec![
        held("events missing, of any reader", "", faults.gaps as f64, "0"),
        held("events twice", "", faults.doubles as f64, "0"),
        held("events whose bytes differ between readers", "", faults.differing as f64, "0"),
        held("acknowledged events lost", "", faults.lost as f64, "0"),
    ])
}
