//! Subagents that are called at once: what a call in flight costs, and how long after its last byte the event is at a reader.
//!
//! The calls wait in the subagents together, then end one after the other over three seconds, and once more all in the same
//! moment. The agent's clock for its last byte and the reader's for the event are the same machine's.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};

use crate::figures::{Finding, percentile_ms};
use crate::load::Load;
use crate::loads::memory::settled;
use crate::process::Process;
use crate::scale::Scale;
use crate::server::{Server, post, setup_connection};
use crate::servers::{Kind, Servers};
use crate::simulator::Simulator;
use crate::tributary::Tributary;

/// Calls at once, over so many sessions.
const CALLS: usize = 500;
const SESSIONS: usize = 5;
/// How long the first of them waits in its agent: all are on their way by then.
const FIRST_MS: usize = 4_000;
/// Over how long they end.
const SPREAD_MS: usize = 3_000;

pub fn run(servers: &Servers, _: Kind, _: &Scale) -> Result<Vec<Finding>> {
    let agents = Simulator::start(&servers.tributary, &servers.directory)?;
    let variables = [
        ("TRIBUTARY_INVOKE__ALLOWED_HOSTS", agents.address.to_string()),
        ("TRIBUTARY_INVOKE__ALLOW_PRIVATE", "true".to_owned()),
    ];
    let server = Tributary::start(&servers.tributary, &variables, &servers.directory)?;
    // What is made once, such as the client's own, isn't what a call costs.
    round(&server, &agents, "warm", 10, 0)?;
    let before = settled(&server, &mut Load::new()?)?;
    let cpu = server.cpu()?;
    let spread = round(&server, &agents, "spread", CALLS, SPREAD_MS)?;
    let used = server.cpu()?.since(&cpu);
    let together = round(&server, &agents, "together", CALLS, 0)?;
    let (mut late, mut late_together) = (spread.latencies_ns, together.latencies_ns);
    Ok(vec![
        ("memory per call in flight", spread.memory.saturating_sub(before) as f64 / 1_024.0 / CALLS as f64),
        ("CPU per call", used as f64 / 1e3 / CALLS as f64),
        ("added latency p50", percentile_ms(&mut late, 0.5)),
        ("added latency p99", percentile_ms(&mut late, 0.99)),
        ("the same, all ending at once, p50", percentile_ms(&mut late_together, 0.5)),
        ("the same, all ending at once, p99", percentile_ms(&mut late_together, 0.99)),
    ])
}

/// What a round of calls came to.
struct Round {
    latencies_ns: Vec<u64>,
    /// The server's memory while all calls were in flight, in bytes.
    memory: u64,
}

fn round(server: &Tributary, agents: &Simulator, name: &str, calls: usize, spread: usize) -> Result<Round> {
    let sessions: Vec<String> = (0..SESSIONS).map(|session| format!("{name}-{session}")).collect();
    let mut publisher = setup_connection(server.address())?;
    let mut buffer = vec![0; 64 * 1_024];
    let each = calls / SESSIONS;
    let mut readers = Vec::new();
    for (at, session) in sessions.iter().enumerate() {
        let expected: Vec<Value> = (0..each)
            .map(|call| {
                let wait = FIRST_MS + (at * each + call) * spread / calls;
                let url = format!("http://{}/generic/json?latency_ms={wait}", agents.address);
                json!({"key": "bench", "result_key": format!("r{call}"), "invoke": {"url": url, "protocol": "json"}})
            })
            .collect();
        let directive =
            json!({"plan_step_id": "p", "query": "q", "expected_subagents": expected}).to_string();
        let path = format!("/planner/sessions/{session}/steps");
        let request = post(server.address(), &path, "application/json", &directive);
        publisher.call(&request, &mut buffer)?;
        readers.push(read(server.address(), session.clone(), each));
    }
    let memory = memory_in_flight(server.process(), agents, calls)?;
    let mut seen = HashMap::new();
    for reader in readers {
        seen.extend(reader.join().map_err(|_| anyhow!("a reader failed"))??);
    }
    latencies(&agents.calls()?, name, &seen).map(|latencies_ns| Round { latencies_ns, memory })
}

/// Waits until all calls are in flight, and reads the memory that takes.
fn memory_in_flight(process: &Process, agents: &Simulator, calls: usize) -> Result<u64> {
    let give_up = Instant::now() + Duration::from_secs(20);
    while agents.calls()?["in_flight"].as_u64() != Some(calls as u64) {
        ensure!(Instant::now() < give_up, "not all calls were in flight at once");
        std::thread::sleep(Duration::from_millis(50));
    }
    process.memory_bytes()
}

/// When each success of a session arrived, by session and result key, in nanoseconds since 1970.
type Seen = HashMap<(String, String), u64>;

fn read(address: SocketAddr, session: String, each: usize) -> JoinHandle<Result<Seen>> {
    std::thread::spawn(move || {
        let mut socket = TcpStream::connect(address).context("connecting a reader")?;
        let path = format!("/planner/sessions/{session}/steps/p/events");
        let accept = "accept: application/x-ndjson";
        socket.write_all(format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{accept}\r\n\r\n").as_bytes())?;
        let mut seen = HashMap::new();
        for line in BufReader::new(socket).lines() {
            let line = line.context("reading a stream")?;
            let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock")?.as_nanos() as u64;
            // Heads and sizes of chunks are no JSON.
            let Ok(frame) = serde_json::from_str::<Value>(&line) else { continue };
            for event in frame["data"]["events"].as_array().into_iter().flatten() {
                let content = &event["content"];
                if event["type"] == "planner_stream" && content["status"] == "success" {
                    let result_key = content["result_key"].as_str().unwrap_or_default().to_owned();
                    seen.insert((session.clone(), result_key), now);
                }
            }
            if seen.len() == each {
                return Ok(seen);
            }
        }
        Err(anyhow!("a stream ended after {} of {each} successes", seen.len()))
    })
}

/// From an agent's last byte to its event at the reader, of every call of a round.
fn latencies(calls: &Value, name: &str, seen: &Seen) -> Result<Vec<u64>> {
    let start_ms = calls["started_at_unix_ms"].as_f64().context("no start")?;
    let mut latencies = Vec::new();
    for call in calls["calls"].as_array().context("no calls")? {
        let header = |name: &str| call["headers"][name].as_str().unwrap_or_default().to_owned();
        let session = header("tributary-session-id");
        if !session.starts_with(name) {
            continue;
        }
        let ended_ns = (start_ms + call["ended_ms"].as_f64().context("a call didn't end")?) * 1e6;
        let arrived = seen.get(&(session, header("tributary-result-key"))).context("an event is missing")?;
        latencies.push(arrived.saturating_sub(ended_ns as u64));
    }
    ensure!(latencies.len() == seen.len(), "{} calls for {} events", latencies.len(), seen.len());
    Ok(latencies)
}
