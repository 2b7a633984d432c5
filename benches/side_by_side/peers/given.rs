//! Servers that come as a finished program from their project's release page: nothing here downloads one. Whoever wants a
//! column for it puts it on the `PATH`, or names it in a variable.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A program of others.
pub struct Program {
    /// As it is called on the `PATH`.
    pub name: &'static str,
    /// The environment variable that names another file. Tributary refuses to start with one of its own prefix that it doesn't know.
    pub variable: &'static str,
    /// Where it is published.
    pub releases: &'static str,
}

impl Program {
    /// The file that the variable names, else the first of that name on the `PATH`.
    pub fn find(&self) -> Result<PathBuf> {
        let Self { name, variable, releases } = self;
        if let Some(named) = std::env::var_os(variable) {
            let path = PathBuf::from(named);
            ensure!(path.is_file(), "{variable} names {}, which isn't a file", path.display());
            return Ok(path);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let candidates = std::env::split_paths(&path).map(|folder| folder.join(name));
        candidates.into_iter().find(|candidate| candidate.is_file()).with_context(|| {
            format!("there is no `{name}` on the PATH: put the program from {releases} there, or name it in {variable}")
        })
    }
}

/// The first line of what `version` says, without what it was compiled with: `NAME 1.2.3`.
pub fn version(binary: &Path) -> String {
    let output = Command::new(binary).arg("version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.map_or_else(
        |error| format!("doesn't run: {error}"),
        |text| text.lines().next().and_then(|line| line.split(" (").next()).unwrap_or_default().to_owned(),
    )
}
