//! What the program does with a configuration before it serves, and with a certificate.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;

use serde_json::Value;

#[path = "../harness/certificates.rs"]
mod certificates;

use super::harness::{Folder, PATIENCE, within};
use super::scene::{ALL, Holder, SECRET, claims, cookie_of, events, token};
use certificates::Certificates;

/// The program, with these variables alone.
pub fn program(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, _) in std::env::vars_os() {
        if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"]
            .iter()
            .any(|own| name.to_string_lossy().starts_with(own))
        {
            command.env_remove(name);
        }
    }
    let variables = variables.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value));
    command.args(arguments).envs(variables).stdin(Stdio::null());
    command
}

/// Runs it to its end, which comes soon.
pub fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = program(arguments, variables);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let (ended, waiting) = mpsc::channel();
    std::thread::spawn(move || ended.send(child.wait_with_output()));
    let output = waiting.recv_timeout(PATIENCE);
    let output = output.unwrap_or_else(|_| {
        let _ = Command::new("kill").args(["-s", "KILL", &id]).status();
        panic!("{arguments:?} didn't end: {:?}", waiting.recv_timeout(PATIENCE))
    });
    output.unwrap()
}

/// A program that runs, until the end of its test.
struct Running {
    child: Child,
    address: SocketAddr,
}

impl Running {
    fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child =
            program(arguments, variables).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("\"listening\"") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it listened");
        }
        let said: Value = serde_json::from_str(&line).unwrap();
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { child, address: said["address"].as_str().unwrap().parse().unwrap() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn nobody_is_let_in_from_outside_without_a_sign_in() {
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let output = run(&["serve", "--listen", listen], &[]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("auth.mode is none") && said.contains("server.listen"), "{said}");
    }
    let output = run(&["check", "--listen", "127.0.0.1:0"], &[("AUTH__MODE", "required")]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("nobody could sign in"), "{said}");
}

#[tokio::test]
async fn service_that_others_reach_asks_for_tokens() {
    let variables = [("AUTH__MODE", "required"), ("AUTH__JWT_SECRET", SECRET)];
    let service = Running::start(&["serve", "--listen", "0.0.0.0:0"], &variables);
    let here = SocketAddr::from(([127, 0, 0, 2], service.address.port()));
    let client = super::harness::Client::new(here);
    assert_eq!(client.get("/healthz").send().await.status, 200);
    assert_eq!(client.get("/planner/sessions").send().await.status, 401);
    let holder = Holder::of_all(client);
    holder.start("s").await;
}

#[test]
fn secret_that_is_guessed_is_refused_and_never_quoted() {
    let short = "hunter2";
    let output = run(&["check"], &[("AUTH__MODE", "required"), ("AUTH__JWT_SECRET", short)]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("auth.jwt_secret"), "{said}");
    assert!(!said.contains(short), "{said}");
    let folder = Folder::new();
    let file = folder.0.join("tributary.toml");
    // The key itself where its hash should be: the likeliest mistake.
    let key = "trb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let text = format!("[auth]\nmode = \"required\"\n[auth.keys.a]\nhash = \"{key}\"\nscopes = [\"read\"]\n");
    std::fs::write(&file, text).unwrap();
    let output = run(&["check", "--config", file.to_str().unwrap()], &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("auth.keys.a.hash"), "{said}");
    assert!(!said.contains(key), "{said}");
}

#[tokio::test]
async fn cookie_that_is_given_over_tls_never_leaves_it() {
    let certificates = Certificates::new();
    let path = |name: &str| certificates.file(name).to_str().unwrap().to_owned();
    let (certificate, key) = (path("server.pem"), path("server.key"));
    let variables = [
        ("AUTH__MODE", "required"),
        ("AUTH__JWT_SECRET", SECRET),
        ("SERVER__TLS_CERTIFICATE_FILE", &*certificate),
        ("SERVER__TLS_KEY_FILE", &*key),
    ];
    let service = Running::start(&["serve", "--listen", "127.0.0.1:0"], &variables);
    let authority = reqwest::Certificate::from_pem(&certificates.authority()).unwrap();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([authority]).build().unwrap();
    let url = |path: &str| format!("https://{}{path}", service.address);
    let asked = client
        .post(url("/tickets"))
        .bearer_auth(token(&claims(&ALL)))
        .header("content-type", "application/json")
        .body(r#"{"session_id": "s"}"#);
    let given = within("a ticket", asked.send()).await.unwrap();
    assert_eq!(given.status(), 201);
    let ticket: Value = serde_json::from_str(&given.text().await.unwrap()).unwrap();
    let read = format!("{}?ticket={}", events("s"), ticket["ticket"].as_str().unwrap());
    let opened = within("a page", client.get(url(&read)).send()).await.unwrap();
    let set = opened.headers()["set-cookie"].to_str().unwrap();
    assert!(set.contains("; Secure") && set.contains("; HttpOnly"), "{set}");
    assert!(cookie_of(opened.headers()).is_some());
}
