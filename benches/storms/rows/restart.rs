//! Two replicas on one Redis go down in turn under load; readers come back to the other one, senders repeat.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;

use crate::crowd::Crowd;
use crate::reader::Reader;
use crate::redis::Redis;
use crate::replica::Replica;
use crate::report::{Finding, held, told};
use crate::rows::{Setting, hold};
use crate::sender::{Plan, Publishing, Sender, create, session};

const WAIT: Duration = Duration::from_secs(60);
/// Between two restarts.
const REST: Duration = Duration::from_secs(1);
const TURN: Duration = Duration::from_millis(10);
/// How long readers are asked to wait before they come back: short, since what is measured is the service's part.
const RETRY_MS: u64 = 200;

/// How long one restart took, each from the signal.
#[derive(Default)]
struct Times {
    gone: Duration,
    ready: Duration,
    /// Until every reader was back at the tail, on either replica.
    back: Duration,
}

pub fn run_rolling(setting: &Setting) -> Result<Vec<Finding>> {
    run(setting, Signal::TERM)
}

pub fn run_kill(setting: &Setting) -> Result<Vec<Finding>> {
    run(setting, Signal::KILL)
}

fn run(setting: &Setting, signal: Signal) -> Result<Vec<Finding>> {
    let scale = setting.scale;
    let redis = Redis::start(&setting.directory)?;
    let variables = [
        ("CACHE__BACKEND", "redis".to_owned()),
        ("CACHE__REDIS_URL", redis.url()),
        ("STREAMING__RETRY_MS", RETRY_MS.to_string()),
    ];
    let mut replicas = [setting.start(&variables)?, setting.start(&variables)?];
    let addresses: Vec<_> = replicas.iter().map(|replica| replica.address).collect();
    let mut sender = Sender::new(addresses.clone());
    for stream in 0..scale.wandered {
        create(&mut sender, stream)?;
    }
    let mut crowd = Crowd::new(addresses.clone())?;
    crowd.comes_back = true;
    for index in 0..scale.wanderers {
        let stream = index % scale.wandered;
        let path = format!("{}/events?coalesce=never", session(stream));
        crowd.add(Reader::new(stream, path), Instant::now());
    }
    crowd.until(WAIT, "every reader to be let in", Crowd::all_caught_up)?;
    crowd.readers.iter_mut().for_each(|reader| reader.expected = &["ok"]);

    let publishing = Publishing::start(&Plan {
        addresses,
        streams: scale.wandered,
        threads: 4,
        per_second: scale.wandered_per_second,
        first_revision: 1,
        padding: 0,
    });
    crowd.idle(REST)?;
    crowd.seen = Default::default();
    let mut worst = Times::default();
    for turn in 0..2 * scale.restarts {
        let replica = &mut replicas[turn % 2];
        let times = restart(&mut crowd, replica, signal).with_context(|| format!("restart {}", turn + 1))?;
        worst.gone = worst.gone.max(times.gone);
        worst.ready = worst.ready.max(times.ready);
        worst.back = worst.back.max(times.back);
        crowd.idle(REST)?;
    }
    let sent = publishing.stop()?;
    let last = sent.last(scale.wandered);
    crowd.until(WAIT, "every reader to get the last event", |crowd| crowd.all_have(&last))?;

    for reader in &crowd.readers {
        reader.segments.iter().for_each(|segment| crowd.truth.check(reader.stream, segment));
    }
    crowd.truth.check_acknowledged(&sent.acknowledged);
    let mut found = hold(crowd.truth.faults)?;
    let longest_refusal = sent.longest.as_secs_f64();
    let restarts = format!("{} restarts", 2 * scale.restarts);
    found.extend([
        held("readers that came back each time", "", scale.wanderers as f64, "all"),
        told(format!("events acknowledged, {restarts}"), "", sent.acknowledged.len() as f64),
        told("reconnects", "", crowd.seen.opened.len() as f64),
        told("longest pause between two frames of a reader", "s", crowd.seen.longest_pause.as_secs_f64()),
        told("longest wait of a sender until it was told", "s", longest_refusal),
        told("attempts that senders repeated", "", sent.repeats as f64),
        told("from the signal until the replica is gone, at most", "s", worst.gone.as_secs_f64()),
        told("from the signal until it takes work again, at most", "s", worst.ready.as_secs_f64()),
        told("from the signal until every reader is at the tail, at most", "s", worst.back.as_secs_f64()),
    ]);
    Ok(found)
}

/// Ends a replica and starts it again, while readers and senders go on.
fn restart(crowd: &mut Crowd, replica: &mut Replica, signal: Signal) -> Result<Times> {
    let (begin, mut times) = (Instant::now(), Times::default());
    replica.signal(signal);
    while !replica.has_ended()? {
        ensure!(begin.elapsed() < WAIT, "it doesn't end");
        crowd.turn(TURN)?;
    }
    times.gone = begin.elapsed();
    replica.start_again()?;
    while times.ready.is_zero() || times.back.is_zero() {
        let (ready, back) = (!times.ready.is_zero(), !times.back.is_zero());
        ensure!(begin.elapsed() < WAIT, "ready again: {ready}; every reader back: {back}");
        crowd.turn(TURN)?;
        if !ready && replica.is_ready()? {
            times.ready = begin.elapsed();
        }
        if !back && crowd.all_caught_up() {
            times.back = begin.elapsed();
        }
    }
    Ok(times)
}
