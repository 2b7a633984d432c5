//! The real program, started with variables of its own and killed when its test is over.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::ops::Deref;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use super::{Client, eventually, within};

/// Lines of the log that a failing test prints.
const LINES_SHOWN: usize = 60;

/// What the program will be started with.
#[derive(Default)]
pub struct Setup {
    env: Vec<(String, String)>,
    file: Option<std::path::PathBuf>,
}

impl Setup {
    /// A variable, `TRIBUTARY_` left out: `LIMITS__READERS`.
    pub fn env(self, name: &str, value: impl ToString) -> Self {
        self.variable(&format!("TRIBUTARY_{name}"), value)
    }

    /// A variable by its whole name: `OTEL_SERVICE_NAME`.
    pub fn variable(mut self, name: &str, value: impl ToString) -> Self {
        self.env.push((name.to_owned(), value.to_string()));
        self
    }

    /// A configuration file.
    pub fn file(mut self, path: impl Into<std::path::PathBuf>) -> Self {
        self.file = Some(path.into());
        self
    }

    /// Starts the program and waits until it answers.
    pub async fn start(self) -> TestApp {
        self.begin().answers().await
    }

    /// Starts the program, which must end by itself; gives its code, and what it said.
    pub async fn refused(self) -> (Option<i32>, String) {
        let Started { mut child, log } = self.begin();
        let ended =
            eventually("the program to end", || std::future::ready(child.0.try_wait().unwrap())).await;
        // The pipe's end is read after the process is gone.
        let mut lines = log.clone();
        let _ = within("the program's last word", lines.wait_for(|_| false)).await;
        (ended.code(), log.borrow().join("\n"))
    }

    /// Starts the program.
    pub fn begin(self) -> Started {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        let ours = |name: &str| {
            ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| name.starts_with(prefix))
        };
        for (name, _) in std::env::vars_os().filter(|(name, _)| ours(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        command.args(["serve", "--listen", "127.0.0.1:0"]).envs(self.env);
        if let Some(file) = &self.file {
            command.arg("--config").arg(file);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let log = follow(BufReader::new(child.stderr.take().unwrap()));
        Started { child: Killed(child), log }
    }
}

/// A program that was started, and may not answer yet.
pub struct Started {
    child: Killed,
    log: watch::Receiver<Vec<String>>,
}

impl Started {
    /// Waits until it answers.
    pub async fn answers(self) -> TestApp {
        let Self { child, log } = self;
        let line = wait_for(&log, "\"listening\"").await;
        let line: Value = serde_json::from_str(&line).unwrap();
        let address: SocketAddr = line["address"].as_str().unwrap().parse().unwrap();
        let app = TestApp { child, log, client: Client::new(address) };
        assert_eq!(app.get("/healthz").send().await.status, 200);
        app
    }

    /// Waits until the log has a line with `text`; returns the line.
    pub async fn logged(&self, text: &str) -> String {
        wait_for(&self.log, text).await
    }
}

/// A process that doesn't outlive who has it.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A running service. It reads like a [`Client`] of itself.
pub struct TestApp {
    child: Killed,
    log: watch::Receiver<Vec<String>>,
    client: Client,
}

impl TestApp {
    /// A service on a free port of 127.0.0.1, with nothing but defaults so far. Only a Redis may take longer than by
    /// default: a machine that stands still for a second isn't what a test is about, unless it says so.
    #[expect(clippy::new_ret_no_self, reason = "reads as TestApp::new().env(…).start()")]
    pub fn new() -> Setup {
        Setup::default().env("CACHE__REDIS_TIMEOUT_MS", 20_000)
    }

    /// Who talks to it.
    pub fn client(&self) -> Client {
        self.client
    }

    /// Sends a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let status =
            Command::new("kill").args(["-s", name, &self.child.0.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits until the log has a line with `text`; returns the line.
    pub async fn logged(&self, text: &str) -> String {
        wait_for(&self.log, text).await
    }

    /// The lines of the log so far.
    pub fn log_lines(&self) -> Vec<String> {
        self.log.borrow().clone()
    }

    /// Waits until the process has ended.
    pub async fn exited(&mut self) -> ExitStatus {
        let child = &mut self.child.0;
        eventually("the process to end", || std::future::ready(child.try_wait().unwrap())).await
    }

    /// Whether the process has ended.
    pub fn is_gone(&mut self) -> bool {
        self.child.0.try_wait().unwrap().is_some()
    }

    /// Its memory (resident set), in bytes.
    pub fn rss_bytes(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.0.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kib * 1_024
    }

    /// The number behind `name` in what `/readyz` says of the service, such as `readers`.
    pub async fn gauge(&self, name: &str) -> u64 {
        let ready = self.get("/readyz").send().await.json();
        ready["dependencies"]["service"][name].as_u64().unwrap_or_else(|| panic!("no `{name}` in {ready}"))
    }

    /// Waits until `/readyz` says that `name` is `wanted`.
    pub async fn settled(&self, name: &str, wanted: u64) {
        let what = format!("`{name}` to be {wanted}");
        eventually(what, || async { (self.gauge(name).await == wanted).then_some(()) }).await
    }
}

impl Deref for TestApp {
    type Target = Client;
    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let _ = self.child.0.kill();
        let _ = self.child.0.wait();
        // The pipe's end is read after the process is gone.
        let begin = std::time::Instant::now();
        while self.log.has_changed().is_ok() && begin.elapsed() < Duration::from_secs(2) {
            std::thread::yield_now();
        }
        let lines = self.log.borrow();
        if std::thread::panicking() {
            let from = lines.len().saturating_sub(LINES_SHOWN);
            eprintln!("--- the service's log ---\n{}\n---", lines[from..].join("\n"));
        } else {
            let panicked = lines.iter().find(|line| line.contains("panicked"));
            assert!(panicked.is_none(), "the service panicked: {panicked:?}");
        }
    }
}

/// Keeps what the program says; the sender's end tells that it has said everything.
fn follow(mut lines: impl BufRead + Send + 'static) -> watch::Receiver<Vec<String>> {
    let (sender, log) = watch::channel(Vec::new());
    std::thread::spawn(move || {
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            let said = std::mem::take(&mut line);
            sender.send_modify(|lines| lines.push(said.trim_end().to_owned()));
        }
    });
    log
}

async fn wait_for(log: &watch::Receiver<Vec<String>>, text: &str) -> String {
    let mut lines = log.clone();
    let found = lines.wait_for(|lines| lines.iter().any(|line| line.contains(text)));
    match within(format!("the log to say {text}"), found).await {
        Ok(lines) => lines.iter().find(|line| line.contains(text)).cloned().unwrap(),
        Err(_) => panic!("the process ended before it said {text}: {}", log.borrow().join("\n")),
    }
}
