//! Tributary itself, as a user starts it: the built binary with its default configuration, the whole pipeline on.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::Process;
use crate::redis::Redis;
use crate::server::{Begin, Server, answers, free_address, post};

/// A running `tributary serve`.
pub struct Tributary {
    address: SocketAddr,
    process: Process,
}

impl Tributary {
    /// `variables` differ from the defaults.
    pub fn start(binary: &Path, variables: &[(&str, String)], directory: &Path) -> Result<Self> {
        Self::start_command(Command::new(binary), variables, directory)
    }

    /// The same where something else starts the binary, and is told which.
    pub fn start_command(
        mut command: Command,
        variables: &[(&str, String)],
        directory: &Path,
    ) -> Result<Self> {
        let address = free_address()?;
        // A session is created and driven by this benchmark alone: no proxy, no collector, no colour.
        command.args(["serve", "--listen", &address.to_string()]).current_dir(directory);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        let mut process = Process::spawn(&mut command, &directory.join("tributary.log"))?;
        process.until(|| answers(address, "/healthz")).context("starting tributary")?;
        Ok(Self { address, process })
    }

    /// With its defaults, or with a Redis to keep events in.
    pub fn start_on(binary: &Path, redis: Option<&Redis>, directory: &Path) -> Result<Self> {
        let stored = redis.map(|redis| {
            let backend = ("TRIBUTARY_CACHE__BACKEND", "redis".to_owned());
            vec![backend, ("TRIBUTARY_CACHE__REDIS_URL", redis.url())]
        });
        Self::start(binary, &stored.unwrap_or_default(), directory)
    }

    /// Asks it to end, and waits for that so long; what it said last.
    pub fn end(self, patience: Duration) -> Result<String> {
        self.process.end(patience)
    }
}

/// The path of a stream: one step of one session.
fn step(stream: usize) -> String {
    format!("/planner/sessions/bench-{stream}/steps/p")
}

/// The path to which a stream's events are posted.
pub fn events(stream: usize) -> String {
    format!("{}/subagents/bench/events", step(stream))
}

impl Server for Tributary {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn process(&self) -> &Process {
        &self.process
    }

    fn create(&self, stream: usize) -> Option<Vec<u8>> {
        let directive = r#"{"plan_step_id":"p","expected_subagents":[{"key":"bench","result_key":"r"}],"deadline_ms":3600000}"#;
        let path = format!("/planner/sessions/bench-{stream}/steps");
        Some(post(self.address, &path, "application/json", directive))
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        post(self.address, &events(stream), "application/json", body)
    }

    /// `coalesce=never`: a lagging reader would otherwise be spared superseded partials, and every event must arrive.
    /// A live reader begins at the tail, so that a step's own first events aren't part of it.
    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8> {
        let after = match begin {
            Begin::Live => "tail",
            Begin::Oldest => "start",
        };
        let (path, address) = (step(stream), self.address);
        format!(
            "GET {path}/events?after={after}&coalesce=never HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n"
        )
        .into_bytes()
    }
}
