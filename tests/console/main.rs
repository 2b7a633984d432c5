//! The console in a browser: the real program, Debian's Chromium, and scripts that say what they see. `scripts/test` installs what
//! they need.
//!
//! `console.mjs` drives the page while a plan is played and checks what the console promises; `units.mjs` has the tiny client and the
//! fold of events by themselves.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

/// A running service; killed at the end of the test.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    /// The program on a free port. It keeps more than the 10,000 events that are shown, and holds one subagent back.
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command
            .env("TRIBUTARY_CACHE__RING_ENTRIES", "20000")
            .env("TRIBUTARY_SUBAGENTS__GEO__ENABLED", "false");
        command.args(["--listen", "127.0.0.1:0"]).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let listening: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("it said: {line}"));
        let address = listening["address"].as_str().unwrap().to_owned();
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::stderr()));
        Self { child, address }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A script of this folder.
fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/console").join(name)
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn browser_finds_the_console_as_it_is_promised() {
    let service = Service::start();
    let shots = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("console");
    // Where `scripts/test` puts packages: target/<name>, beside which the folder for tests' files lies.
    let modules = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../console");
    assert!(modules.join("node_modules").is_dir(), "scripts/test installs the packages of tests/console");
    let mut command = Command::new("node");
    command.arg(script("console.mjs")).arg(format!("http://{}", service.address)).arg(shots);
    let output = command.env("MODULES", modules).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn the_tiny_client_and_the_fold_keep_their_promises() {
    let output =
        Command::new("node").args(["--test-reporter=tap"]).arg(script("units.mjs")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}
