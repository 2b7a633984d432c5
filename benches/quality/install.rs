//! The peers, installed once: Python's into a venv, Node's into a folder beside it.

use std::path::Path;
use std::process::Command;

const PYTHON: &[&str] = &[
    "datasketch",
    "w3lib",
    "url-normalize",
    "sumy",
    "numpy",
    "nltk",
    "rouge-score",
    "rank-bm25",
    "ragground",
];

/// Installs what isn't there yet. What can't be installed is said, and its rows have no peer.
pub fn install(folder: &Path) {
    let venv = folder.join("venv");
    if !venv.join("bin/python").is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    }
    for package in PYTHON {
        let done = folder.join(format!("{package}.installed"));
        if done.is_file() {
            continue;
        }
        let pip = venv.join("bin/pip");
        if run(Command::new(pip).args(["install", "--quiet", "--disable-pip-version-check", package]))
            && let Err(error) = std::fs::write(&done, "")
        {
            eprintln!("{}: {error}", done.display());
        }
    }
    if !folder.join("node_modules/normalize-url").is_dir() {
        run(Command::new("npm").current_dir(folder).args(["install", "--silent", "normalize-url"]));
    }
}

fn run(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) if status.success() => true,
        Ok(status) => {
            eprintln!("{command:?}: {status}");
            false
        }
        Err(error) => {
            eprintln!("{command:?}: {error}");
            false
        }
    }
}
