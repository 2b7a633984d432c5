//! What the service is shipped with: the image's recipe, the compose file with what it mounts, the manifests for Kubernetes, and the
//! configuration for production.
//!
//! No engine builds or starts containers here. What can be started without one is: the program in the image's root, with the
//! image's health check, and Redis and Prometheus as the compose file starts them, joined by its variables.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/certificates.rs"]
mod certificates;
mod compose;
mod health;
mod image;
mod kubernetes;
mod package;
#[path = "../harness/redis_server.rs"]
mod redis_server;
mod service;
mod together;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// A folder of a test's own beside the built program, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What `yaml_to_json.py` makes of files, or of `input`; or what it complains of.
fn yaml(arguments: &[&str], input: &str) -> Result<Vec<Value>, String> {
    let python = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../containers/venv/bin/python");
    assert!(python.exists(), "run scripts/test, which installs a reader of YAML");
    let mut command = Command::new(python);
    command.arg("tests/containers/yaml_to_json.py").args(arguments).current_dir(root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8(output.stderr).unwrap());
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}
