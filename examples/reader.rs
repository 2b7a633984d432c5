//! Reads a step's stream: checks that nothing is missing, comes back where it was, stops at the end.
//!
//! `cargo run --example reader -- http://127.0.0.1:8080/planner/sessions/s1/steps/step-1/events`
//!
//! docs/reading.md says what the events mean. A token goes into `TRIBUTARY_TOKEN`.

use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde_json::Value;
use tokio::time::{sleep, timeout};

type Failure = Box<dyn Error + Send + Sync>;

/// After so many heartbeats that didn't come a line is dead, even if nobody said so.
const SILENT_HEARTBEATS: u32 = 3;
/// Problems that pass by themselves: come back.
const PASSING: [&str; 4] = ["over_capacity", "rate_limited", "draining", "store_unavailable"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let url = std::env::args().nth(1).ok_or("the address of a step's events is missing")?;
    let mut reader = Reader { url, ..Reader::default() };
    let client = Client::builder().connect_timeout(Duration::from_secs(10)).build()?;
    loop {
        match reader.read(&client).await {
            Ok(true) => return Ok(()),
            Ok(false) => {} // it was told why
            Err(Stop(failure)) => return Err(failure),
        }
        sleep(reader.retry).await;
    }
}

/// What ends everything; what only ends a line is told and tried again.
struct Stop(Failure);

/// Where the reading stands.
struct Reader {
    url: String,
    /// The last `id`: where to come back to.
    cursor: Option<String>,
    /// Everything through this sequence was read.
    covered: Option<u64>,
    heartbeat: Duration,
    retry: Duration,
}

impl Default for Reader {
    fn default() -> Self {
        let (heartbeat, retry) = (Duration::from_secs(15), Duration::from_secs(2));
        Self { url: String::new(), cursor: None, covered: None, heartbeat, retry }
    }
}

impl Reader {
    /// Reads one connection to its end; true when nothing more will come.
    async fn read(&mut self, client: &Client) -> Result<bool, Stop> {
        let patience = self.heartbeat * SILENT_HEARTBEATS;
        let mut response = match timeout(patience, self.connect(client)).await {
            Err(silence) => return Ok(told(&silence)),
            Ok(Err(failure)) => return Ok(told(&failure)),
            Ok(Ok(response)) => response,
        };
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NO_CONTENT => return Ok(true),
            status => {
                let problem = timeout(patience, response.text()).await.ok().and_then(Result::ok);
                let problem: Value = serde_json::from_str(&problem.unwrap_or_default()).unwrap_or_default();
                let refusal = refusal(&status.as_u16(), &problem);
                let comes_back = status.is_server_error() || passes(&problem);
                return if comes_back { Ok(told(&refusal)) } else { Err(Stop(refusal.into())) };
            }
        }
        let mut events = EventStream::default();
        loop {
            let bytes = match timeout(self.heartbeat * SILENT_HEARTBEATS, response.chunk()).await {
                Err(silence) => return Ok(told(&silence)),
                Ok(Err(failure)) => return Ok(told(&failure)),
                Ok(Ok(None)) => return Ok(told(&"the line ended")),
                Ok(Ok(Some(bytes))) => bytes,
            };
            for event in events.push(&bytes) {
                if self.take(event).map_err(Stop)? {
                    return Ok(true);
                }
            }
        }
    }

    async fn connect(&self, client: &Client) -> Result<Response, reqwest::Error> {
        let mut request = client.get(&self.url).header("accept", "text/event-stream");
        if let Some(cursor) = &self.cursor {
            request = request.header("last-event-id", cursor);
        }
        if let Ok(token) = std::env::var("TRIBUTARY_TOKEN") {
            request = request.bearer_auth(token);
        }
        request.send().await
    }

    /// Takes an event in; true at the end.
    fn take(&mut self, event: Event) -> Result<bool, Failure> {
        if let Some(retry) = event.retry {
            self.retry = retry;
        }
        if event.data.is_empty() {
            return Ok(false);
        }
        let data: Value = serde_json::from_str(&event.data)?;
        match event.name.as_str() {
            "open" => self.open(&data)?,
            "planner_stream" | "snapshot" => self.frame(&data)?,
            "error" if passes(&data) => eprintln!("{}", refusal(&data["status"], &data)),
            "error" => return Err(refusal(&data["status"], &data).into()),
            _ => {}
        }
        if event.id.is_some() {
            self.cursor = event.id;
        }
        Ok(event.name == "end")
    }

    /// The verdict: where the stream goes on. Where it isn't recovered, a snapshot replaces what was read.
    fn open(&mut self, open: &Value) -> Result<(), Failure> {
        let from = open["from"].as_u64().ok_or("an `open` without `from`")?;
        if open["reason"] == "ok" && self.covered.is_some_and(|covered| covered != from) {
            return Err(format!("{:?} was read, {from} follows", self.covered).into());
        }
        if let Some(ms) = open["heartbeat_ms"].as_u64().filter(|ms| *ms > 0) {
            self.heartbeat = Duration::from_millis(ms);
        }
        if open["recovered"] == false {
            println!("starting over: {}", open["reason"]);
        }
        self.covered = Some(from);
        Ok(())
    }

    /// A frame continues exactly where the last one ended.
    fn frame(&mut self, frame: &Value) -> Result<(), Failure> {
        let (from, to) = (frame["from"].as_u64(), frame["to"].as_u64());
        let wanted = self.covered.map(|covered| covered + 1);
        if from != wanted {
            return Err(format!("{wanted:?} should follow, {from:?} came").into());
        }
        self.covered = to;
        for event in frame["events"].as_array().into_iter().flatten() {
            let content = &event["content"];
            let who = content["stage"].as_str().unwrap_or("plan");
            let what = content["status"].as_str().or_else(|| event["type"].as_str()).unwrap_or_default();
            println!("{} {who} {what}", event["sequence"]);
        }
        Ok(())
    }
}

/// Whether this passes by itself.
fn passes(problem: &Value) -> bool {
    PASSING.iter().any(|code| problem["code"] == *code)
}

/// What a problem document says, in a line.
fn refusal(status: &dyn Display, problem: &Value) -> String {
    let text = |name: &str| problem[name].as_str().unwrap_or("-");
    format!("refused: {status} {}: {}", text("code"), text("detail"))
}

/// Says why a line ended; there may be more.
fn told(why: &dyn Display) -> bool {
    eprintln!("reconnecting: {why}");
    false
}

/// An event of a stream.
#[derive(Default)]
struct Event {
    name: String,
    data: String,
    id: Option<String>,
    retry: Option<Duration>,
}

/// Puts events together from bytes, wherever they were cut (WHATWG HTML, 9.2.6, as far as this service uses it: lines end in `\n`,
/// or `\r\n`).
#[derive(Default)]
struct EventStream {
    line: Vec<u8>,
    event: Event,
}

impl EventStream {
    /// The events that are whole with these bytes.
    fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut whole = Vec::new();
        for byte in bytes {
            if *byte != b'\n' {
                self.line.push(*byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\r');
            if line.is_empty() {
                whole.push(std::mem::take(&mut self.event));
            } else {
                self.field(line);
            }
        }
        whole
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        let event = &mut self.event;
        match name {
            "event" => event.name = value.to_owned(),
            "data" if event.data.is_empty() => event.data = value.to_owned(),
            "data" => event.data = format!("{}\n{value}", event.data),
            "id" => event.id = Some(value.to_owned()),
            "retry" => event.retry = value.parse().ok().map(Duration::from_millis),
            _ => {}
        }
    }
}
