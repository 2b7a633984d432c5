//! A bound for what a test waits for without one: what a process says, and that it ends.

use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Kills what a test has started when it takes too long: whoever waits for that comes back, and the test fails.
pub struct Deadline {
    started: Sender<u32>,
}

impl Deadline {
    pub fn new(patience: Duration) -> Self {
        let (started, heard) = channel();
        let end = Instant::now() + patience;
        std::thread::spawn(move || {
            let mut all = Vec::new();
            loop {
                match heard.recv_timeout(end.saturating_duration_since(Instant::now())) {
                    Ok(process) => all.push(process),
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => break,
                }
            }
            eprintln!("not done in {patience:?}: what the test has started is killed");
            // What is started after that, too: whoever counts on this one is still waiting.
            all.into_iter().chain(heard).filter(|&process| is_own(process)).for_each(kill);
        });
        Self { started }
    }

    /// Counts on this process.
    pub fn mind(&self, process: u32) {
        self.started.send(process).expect("it hears until this is gone");
    }
}

/// A number may be another process's by now.
fn is_own(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status.lines().any(|line| *line == format!("PPid:\t{}", std::process::id()))
}

fn kill(process: u32) {
    let _ = Command::new("kill").args(["-s", "KILL", &process.to_string()]).status();
}

#[test]
fn what_does_not_end_is_killed_when_the_time_is_over() {
    let deadline = Deadline::new(Duration::from_millis(100));
    let begin = Instant::now();
    for _ in 0..2 {
        let mut endless = Command::new("tail").args(["-f", "/dev/null"]).spawn().unwrap();
        deadline.mind(endless.id());
        assert_eq!(endless.wait().unwrap().code(), None, "by a signal");
    }
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}
