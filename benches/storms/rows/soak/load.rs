//! Planners and subagents of the soak: a session after the other, each with one step that ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender as Names;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::sender::Sender;

const JSON: &str = "application/json";
const DIRECTIVE: &str = r#"{"plan_step_id":"p","query":"How does a quote become an order?","deadline_ms":60000,
"expected_subagents":[{"key":"a","result_key":"a"},{"key":"b","result_key":"b"},{"key":"c","result_key":"c"}]}"#;

/// Threads that make sessions until they are stopped.
pub struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Result<u64>>>,
}

impl Load {
    /// The paths of sessions go to `names` as soon as there is something to read.
    pub fn start(address: SocketAddr, threads: usize, per_second: f64, names: &Names<String>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let interval = Duration::from_secs_f64(threads as f64 / per_second);
        let begin = |thread| {
            let (stop, names) = (stop.clone(), names.clone());
            std::thread::spawn(move || work(address, thread, interval, &names, &stop))
        };
        let threads = (0..threads).map(begin).collect();
        Self { stop, threads }
    }

    /// Lets every thread end its session; how many there were.
    pub fn stop(mut self) -> Result<u64> {
        self.stop.store(true, Ordering::Relaxed);
        let join = |thread: JoinHandle<_>| thread.join().map_err(|_| anyhow!("a sender panicked"))?;
        self.threads.drain(..).map(join).sum()
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn work(
    address: SocketAddr,
    thread: usize,
    interval: Duration,
    names: &Names<String>,
    stop: &AtomicBool,
) -> Result<u64> {
    let mut sender = Sender::new(vec![address]);
    let begin = Instant::now();
    for number in 0.. {
        let due = begin + interval * number;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        if stop.load(Ordering::Relaxed) {
            return Ok(number.into());
        }
        let session = format!("/planner/sessions/soak-{thread}-{number}");
        sender.post(&format!("{session}/steps"), JSON, DIRECTIVE)?;
        // Nobody listens any more where the soak has failed.
        let _ = names.send(session.clone());
        outputs(&mut sender, &format!("{session}/steps/p/subagents"))?;
    }
    Ok(0)
}

/// Three subagents in three manners: lines of one body, a request each, an array. The last one ends the step.
fn outputs(sender: &mut Sender, subagents: &str) -> Result<()> {
    let lines: Vec<String> = (1..=10).map(partial).chain([success(11)]).collect();
    sender.post(&format!("{subagents}/a/events"), "application/x-ndjson", &(lines.join("\n") + "\n"))?;
    for event in (1..=5).map(partial).chain([success(6)]) {
        sender.post(&format!("{subagents}/b/events"), JSON, &event)?;
    }
    let array = format!("[{},{},{}]", partial(1), partial(2), success(3));
    sender.post(&format!("{subagents}/c/events"), JSON, &array).map(drop)
}

fn partial(revision: u64) -> String {
    let text = "A quote becomes an order when the customer has accepted it.";
    format!(r#"{{"status":"partial","revision":{revision},"payload":{{"content":"{text}","sources":[]}}}}"#)
}

fn success(revision: u64) -> String {
    let text = format!("The order of revision {revision} is made from the quote once credit was checked.");
    let source = r#"{"title":"Orders","url":"https://docs.example/orders"}"#;
    format!(
        r#"{{"status":"success","revision":{revision},"payload":{{"content":"{text}","sources":[{source}]}}}}"#
    )
}
