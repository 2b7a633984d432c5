//! A release as one file: what is in it, and that it is the same each time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Folder, root};

/// What `program` writes to standard output; it ends well.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Packs a program that says this; gives the file.
fn pack(folder: &Path, version: &str) -> Result<PathBuf, String> {
    let program = folder.join("program");
    fs::write(&program, format!("#!/bin/sh\necho tributary {version}\n")).unwrap();
    output("chmod", &["755", program.to_str().unwrap()]);
    let mut command = Command::new("bash");
    command.arg("scripts/package").arg(&program).arg(folder.join("made")).current_dir(root());
    let packed = command.output().unwrap();
    // What it says besides, such as that cargo waits for another one, isn't the file.
    let file = String::from_utf8(packed.stdout).unwrap();
    if packed.status.success() {
        Ok(file.trim_end().into())
    } else {
        Err(file + &String::from_utf8_lossy(&packed.stderr))
    }
}

#[test]
fn a_release_holds_the_program_its_documents_and_the_licences_of_all_that_is_in_it() {
    let folder = Folder::new("package");
    let version = env!("CARGO_PKG_VERSION");
    let file = pack(&folder.0, version).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let inside = name.strip_suffix(".tar.gz").unwrap();
    assert!(inside.starts_with(&format!("tributary-{version}-")), "{name}");
    let made = folder.0.join("made");
    let sums =
        Command::new("sha256sum").args(["--check", &format!("{name}.sha256")]).current_dir(&made).output();
    assert!(sums.unwrap().status.success());

    let listed = output("tar", &["--list", "--verbose", "--file", file.to_str().unwrap()]);
    for path in [
        "tributary",
        "README.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "THIRD-PARTY",
        "config/default.toml",
        "config/production.toml",
        "config/kubernetes/deployment.yaml",
        "docs/configuration.md",
        "examples/reader.py",
    ] {
        assert!(listed.lines().any(|line| line.ends_with(&format!(" {inside}/{path}"))), "{path}: {listed}");
    }
    assert!(listed.lines().all(|line| line.contains(" 0/0 ")), "owners of this machine: {listed}");
    output("tar", &["--extract", "--directory", made.to_str().unwrap(), "--file", file.to_str().unwrap()]);
    let licences = fs::read_to_string(made.join(inside).join("THIRD-PARTY")).unwrap();
    // The allocator, the cryptography and the stores, and what their C code asks for.
    for named in
        ["\ntikv-jemalloc-sys ", "\naws-lc-sys ", "\nsqlx ", "\nredis ", "Jason Evans", "Apache License"]
    {
        assert!(licences.contains(named), "{named}");
    }
    assert!(!licences.contains("\nproptest "), "what only tests use isn't in it");

    let first = fs::read(&file).unwrap();
    assert_eq!(pack(&folder.0, version).unwrap(), file);
    assert!(fs::read(&file).unwrap() == first, "the same sources give other bytes");
    assert!(pack(&folder.0, "0.0.1").unwrap_err().contains("isn't version"), "a program of another version");
}
