//! Clients of other protocols follow steps through the bridges: each the one that its users have, as it is published, in a
//! script that plays a step, reads it, and says what is wrong.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use harness::Setup;
use harness::TestApp;
use serde_json::Value;

/// Seconds that a script may take; below the time after which a test is ended.
const PATIENCE: &str = "100";

/// Where the packages are that scripts/test installs.
fn packages() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let packages = target.join("bridges/node_modules");
    assert!(packages.is_dir(), "{} is missing: scripts/test installs it", packages.display());
    packages
}

/// The scripts in a folder of their own, next to the packages: that is where Node looks for them.
fn scripts(of: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bridges");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bridges-{of}"));
    let _ = fs::remove_dir_all(&folder);
    for part in ["clients", "durable"] {
        fs::create_dir_all(folder.join(part)).unwrap();
        for file in fs::read_dir(here.join(part)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.join(part).join(file.file_name())).unwrap();
        }
    }
    fs::copy(here.join("package.json"), folder.join("package.json")).unwrap();
    symlink(packages(), folder.join("node_modules")).unwrap();
    folder
}

async fn follows(setup: Setup, name: &str, script: &str) -> Value {
    let app = setup.start().await;
    let base = format!("http://{}", app.client().address);
    let (folder, script) = (scripts(name), script.to_owned());
    let run = move || -> Output {
        let mut command = Command::new("timeout");
        command.args(["--kill-after=2", PATIENCE, "node", &script, &base]).current_dir(folder);
        command.output().unwrap()
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{said}\n{complained}", output.status);
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

#[tokio::test]
async fn ag_ui_client_follows_parallel_subagents_a_timeout_and_a_refusal() {
    let seen = follows(TestApp::new(), "ag-ui", "clients/ag_ui.mjs").await;
    assert!(seen.is_object(), "{seen}");
}

#[tokio::test]
async fn ai_sdk_in_three_versions_follows_and_resumes() {
    let seen = follows(TestApp::new(), "ai-sdk", "clients/ai_sdk.mjs").await;
    assert!(seen.is_object(), "{seen}");
}

#[tokio::test]
async fn langgraph_client_resumes_after_cuts_without_a_hole() {
    let seen = follows(TestApp::new(), "langgraph", "clients/langgraph.mjs").await;
    assert!(seen.is_object(), "{seen}");
}

#[tokio::test]
async fn a2a_client_follows_and_resubscribes() {
    let seen = follows(TestApp::new(), "a2a", "clients/a2a.mjs").await;
    assert!(seen.is_object(), "{seen}");
}

#[tokio::test]
async fn durable_streams_client_reads_in_every_mode() {
    let seen = follows(TestApp::new(), "durable-client", "clients/durable_streams.mjs").await;
    assert!(seen.is_object(), "{seen}");
}

#[tokio::test]
async fn durable_streams_suite_passes_where_it_reads() {
    let seen = follows(TestApp::new(), "durable-suite", "durable/run.mjs").await;
    assert!(seen.is_object(), "{seen}");
}
