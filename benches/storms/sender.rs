//! Senders: blocking, and repeating until they are told what became of an event.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::response::{self, number_after};
use crate::truth::Acknowledged;
use crate::{event, interrupt};

/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(10);
/// How long a sender repeats itself.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// An answer.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// A keep-alive connection to one replica, then to the next.
pub struct Sender {
    addresses: Vec<SocketAddr>,
    at: usize,
    socket: Option<TcpStream>,
    received: Vec<u8>,
    /// The longest time from a first attempt until the sender was told.
    pub longest: Duration,
    /// Attempts after the first ones.
    pub repeats: u64,
}

impl Sender {
    pub fn new(addresses: Vec<SocketAddr>) -> Self {
        let (longest, received) = (Duration::ZERO, Vec::new());
        Self { addresses, at: 0, socket: None, received, longest, repeats: 0 }
    }

    pub fn get(&mut self, path: &str) -> Result<Answer> {
        self.attempt(format!("GET {path} HTTP/1.1\r\nhost: storms\r\n\r\n").as_bytes())
    }

    /// Posts until there is an answer that isn't "later", from one replica or the other; it must be a 2xx.
    pub fn post(&mut self, path: &str, kind: &str, body: &str) -> Result<Answer> {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: storms\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let begin = Instant::now();
        loop {
            interrupt::check()?;
            let answer = self.attempt(request.as_bytes());
            let is_over = begin.elapsed() > PATIENCE;
            match answer {
                Ok(answer) if (200..300).contains(&answer.status) => {
                    self.longest = self.longest.max(begin.elapsed());
                    return Ok(answer);
                }
                Ok(answer) if answer.status < 500 || is_over => {
                    let text = String::from_utf8_lossy(&answer.body);
                    bail!("{path} was refused with {}: {text}", answer.status)
                }
                Err(error) if is_over => return Err(error).with_context(|| format!("posting to {path}")),
                Ok(_) | Err(_) => {}
            }
            self.repeats += 1;
            self.at += 1;
            self.socket = None;
            std::thread::sleep(PAUSE);
        }
    }

    fn attempt(&mut self, request: &[u8]) -> Result<Answer> {
        let answer = self.exchange(request);
        if answer.is_err() {
            self.socket = None;
        }
        answer
    }

    fn exchange(&mut self, request: &[u8]) -> Result<Answer> {
        let mut socket = match self.socket.take() {
            Some(socket) => socket,
            None => {
                let socket = TcpStream::connect(self.addresses[self.at % self.addresses.len()])?;
                socket.set_nodelay(true)?;
                socket.set_read_timeout(Some(Duration::from_millis(200)))?;
                self.received.clear();
                socket
            }
        };
        socket.write_all(request)?;
        let (end, mut buffer) = (Instant::now() + ATTEMPT, [0; 16 * 1_024]);
        loop {
            if let Some(answer) = response::parse(&self.received)? {
                let (status, bytes, body) = (answer.status, answer.bytes, answer.body.into_owned());
                self.received.drain(..bytes);
                self.socket = Some(socket);
                return Ok(Answer { status, body });
            }
            interrupt::check()?;
            ensure!(Instant::now() < end, "no answer within {} s", ATTEMPT.as_secs());
            match socket.read(&mut buffer) {
                Ok(0) => bail!("the server closed the connection"),
                Ok(count) => self.received.extend_from_slice(&buffer[..count]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(error) => return Err(error).context("reading an answer"),
            }
        }
    }
}

/// The session of a stream.
pub fn session(stream: usize) -> String {
    format!("/planner/sessions/storm-{stream}")
}

/// Makes a stream: a session with one step, of one subagent that never ends.
pub fn create(sender: &mut Sender, stream: usize) -> Result<()> {
    let directive =
        r#"{"plan_step_id":"p","expected_subagents":[{"key":"a","result_key":"r"}],"deadline_ms":3600000}"#;
    sender.post(&format!("{}/steps", session(stream)), "application/json", directive).map(drop)
}

/// Posts events `first` to `last` of a stream in one request.
pub fn publish(
    sender: &mut Sender,
    stream: usize,
    first: u64,
    last: u64,
    padding: usize,
) -> Result<Vec<Acknowledged>> {
    let events: Vec<String> = (first..=last).map(|revision| padded(revision, padding)).collect();
    let path = format!("{}/steps/p/subagents/a/events", session(stream));
    let answer = sender.post(&path, "application/json", &format!("[{}]", events.join(",")))?;
    let answer: serde_json::Value = serde_json::from_slice(&answer.body).context("reading an answer")?;
    let results = answer["results"].as_array().context("an answer without results")?;
    ensure!(results.len() == events.len(), "{} results of {} events", results.len(), events.len());
    let mut acknowledged = Vec::with_capacity(results.len());
    for (revision, result) in (first..).zip(results) {
        // A repeat is told where the first attempt went.
        let is_done = ["accepted", "duplicate"].contains(&result["verdict"].as_str().unwrap_or_default());
        ensure!(is_done, "event {revision} of stream {stream}: {result}");
        let sequence = number_after(result.to_string().as_bytes(), b"\"sequence\":");
        let sequence = sequence.with_context(|| format!("no sequence in {result}"))?;
        acknowledged.push(Acknowledged { stream, revision, sequence });
    }
    Ok(acknowledged)
}

fn padded(revision: u64, padding: usize) -> String {
    let body = event::body(revision);
    match body.strip_suffix(r#"","sources":[]}}"#) {
        Some(begin) if padding > 0 => format!(r#"{begin}{}","sources":[]}}}}"#, " ".repeat(padding)),
        _ => body,
    }
}

/// What is published, and how fast.
#[derive(Clone)]
pub struct Plan {
    pub addresses: Vec<SocketAddr>,
    pub streams: usize,
    pub threads: usize,
    /// Events a second in all.
    pub per_second: f64,
    pub first_revision: u64,
    /// Bytes more than an event has anyway.
    pub padding: usize,
}

/// What became of it.
#[derive(Default)]
pub struct Sent {
    pub acknowledged: Vec<Acknowledged>,
    pub longest: Duration,
    pub repeats: u64,
}

impl Sent {
    /// The highest sequence of each stream that was acknowledged.
    pub fn last(&self, streams: usize) -> Vec<u64> {
        let mut last = vec![0; streams];
        for event in &self.acknowledged {
            last[event.stream] = last[event.stream].max(event.sequence);
        }
        last
    }
}

/// Threads that publish until they are stopped. Each has streams of its own, so revisions are dense and in order.
pub struct Publishing {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Result<Sent>>>,
}

impl Publishing {
    pub fn start(plan: &Plan) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let begin = |thread| {
            let (plan, stop) = (plan.clone(), stop.clone());
            std::thread::spawn(move || work(&plan, thread, &stop))
        };
        let threads = (0..plan.threads).map(begin).collect();
        Self { stop, threads }
    }

    /// Lets every thread finish the event that it is at.
    pub fn stop(mut self) -> Result<Sent> {
        self.stop.store(true, Ordering::Relaxed);
        let mut sent = Sent::default();
        for thread in self.threads.drain(..) {
            let part = thread.join().map_err(|_| anyhow!("a sender panicked"))??;
            sent.acknowledged.extend(part.acknowledged);
            sent.longest = sent.longest.max(part.longest);
            sent.repeats += part.repeats;
        }
        Ok(sent)
    }
}

impl Drop for Publishing {
    /// A row that fails takes its senders along: they would wait for a server that is gone.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn work(plan: &Plan, thread: usize, stop: &AtomicBool) -> Result<Sent> {
    let mut sender = Sender::new(plan.addresses.clone());
    sender.at = thread;
    let (begin, interval) = (Instant::now(), plan.threads as f64 / plan.per_second);
    let (mut acknowledged, mut sent) = (Vec::new(), 0.0);
    for revision in plan.first_revision.. {
        for stream in (thread..plan.streams).step_by(plan.threads) {
            let due = begin + Duration::from_secs_f64(sent * interval);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            if stop.load(Ordering::Relaxed) {
                return Ok(Sent { acknowledged, longest: sender.longest, repeats: sender.repeats });
            }
            acknowledged.extend(publish(&mut sender, stream, revision, revision, plan.padding)?);
            sent += 1.0;
        }
    }
    Ok(Sent::default())
}
