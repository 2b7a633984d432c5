//! Schemathesis, a program that makes requests of `/openapi.json`, on every operation with all its checks: what is described
//! is taken, what isn't is refused, and every answer is as described.
//!
//! The same requests each time. `schemathesis/schemathesis.toml` says how it asks, `schemathesis/hooks.py` what it can't
//! know.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::described::{Ask, Described};
use super::harness::{Folder, Setup, TestApp};

/// Operations whose answers don't end: `schemathesis.toml` leaves them out.
const ENDLESS: [&str; 4] = ["/bridges/ag-ui/", "/bridges/ai-sdk/", "/bridges/langgraph/", "/bridges/a2a/"];

/// Nothing waits for long, nobody is sent away, and what is written can be read again.
fn patient(folder: &Folder) -> Setup {
    TestApp::new()
        .env("ARCHIVE__URL", folder.url())
        .env("BRIDGES__DURABLE_STREAMS__LONG_POLL_MS", 100)
        .env("BRIDGES__DURABLE_STREAMS__CONNECTION_MS", 1_000)
        .env("LIMITS__REQUESTS_PER_SECOND", 100_000)
}

#[tokio::test]
async fn schemathesis_finds_nothing() {
    let folder = Folder::new();
    let app = patient(&folder).start().await;
    run(&app, &folder, &["--phases", "examples,coverage,fuzzing"], None).await;
}

#[tokio::test]
async fn schemathesis_finds_nothing_where_callers_sign_in() {
    let folder = Folder::new();
    let (key, hash) = new_key();
    let file = folder.0.join("tributary.toml");
    let all = r#"scopes = ["plan", "publish", "read", "admin"]"#;
    let text = format!("[auth]\nmode = \"required\"\n[auth.keys.all]\nhash = \"{hash}\"\n{all}\n");
    std::fs::write(&file, text).unwrap();
    let app = patient(&folder).file(file).start().await;
    run(&app, &folder, &["--phases", "fuzzing", "--max-examples", "2"], Some(&key)).await;
}

/// An API key, and its hash for the configuration.
fn new_key() -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tributary")).arg("key").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let find = |prefix: &str| {
        let mut words = said.split(|c: char| c.is_whitespace() || c == '"');
        words.find(|word| word.starts_with(prefix)).unwrap().to_owned()
    };
    (find("trb_"), find("sha256:"))
}

/// Runs it on a session with a step, so that the ids of the examples lead somewhere.
async fn run(app: &TestApp, folder: &Folder, options: &[&str], key: Option<&str>) {
    let described = Described::by(app).await;
    let bearer = key.map(|key| format!("Bearer {key}"));
    let headers: Vec<_> = bearer.iter().map(|value| ("authorization", value.as_str())).collect();
    for id in ["post_step", "post_events"] {
        let example = described.operation(id).examples().swap_remove(0).1;
        let ask = Ask { headers: &headers, body: Some(("application/json", example)), ..Ask::default() };
        let answer = described.ask(app, id, ask).await;
        assert!(answer.status < 300, "{id}: {}", answer.text());
    }
    let url = format!("http://{}", app.client().address);
    // From a file: where it is told the address of the document, it doesn't ask that one.
    let document = folder.0.join("openapi.json");
    std::fs::write(&document, described.document.to_string()).unwrap();
    let mut command = Command::new("timeout");
    let configuration = ours("schemathesis.toml");
    command.arg("500").arg(program()).arg("--no-color").arg("--config-file").arg(configuration);
    command.arg("run").arg(document).args(["--url", &url]).args(options);
    if let Some(bearer) = &bearer {
        command.args(["--header", &format!("Authorization: {bearer}")]);
    }
    command.env("SCHEMATHESIS_HOOKS", ours("hooks.py")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.current_dir(&folder.0).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let all = described.operations();
    let asked = all.iter().filter(|one| ends(one.template)).count();
    assert!(said.contains(&format!("Tested: {asked}\n")), "it didn't ask all {asked} operations:\n{said}");
}

fn ends(template: &str) -> bool {
    template.ends_with("agent-card.json") || ENDLESS.iter().all(|bridge| !template.starts_with(bridge))
}

fn ours(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openapi/schemathesis").join(name)
}

/// What scripts/test has put under the target directory.
fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../openapi/venv/bin/schemathesis");
    assert!(program.exists(), "{} is missing; run scripts/test, which installs it", program.display());
    program
}
