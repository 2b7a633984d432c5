//! A mixed load for as long as it takes: memory and descriptors must not grow, and nothing may be left at the end.

mod load;
mod samples;
mod watch;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::replica::Replica;
use crate::report::{Finding, held, told};
use crate::rows::{Setting, hold};
use load::Load;
use samples::Samples;
use watch::Watch;

const THREADS: usize = 2;
const SAMPLE: Duration = Duration::from_secs(1);
/// Bytes by which fitted memory may grow over the measured two thirds, besides 5 % of its mean: what an allocator that keeps
/// pages for later may move. Over the 24,000 sessions of the full soak it is 175 bytes a session, so whatever is kept of every
/// one shows.
const GROWTH_MAX: f64 = 4.0 * 1_048_576.0;
const GROWTH_SHARE_MAX: f64 = 0.05;

pub fn run(setting: &Setting) -> Result<Vec<Finding>> {
    let scale = setting.scale;
    let variables = [
        ("CACHE__TTL_SECONDS", scale.ttl_seconds.to_string()),
        ("CACHE__TOMBSTONE_SECONDS", (2 * scale.ttl_seconds).to_string()),
        ("COORDINATOR__IDLE_MS", "1000".to_owned()),
        // Senders' connections that are idle go soon, so that descriptors can be compared at the end.
        ("SERVER__HEADER_READ_TIMEOUT_MS", "2000".to_owned()),
    ];
    let replica = setting.start(&variables)?;
    let at_start = replica.descriptors()?;
    let (names, streams) = mpsc::channel();
    let load = Load::start(replica.address, THREADS, scale.sessions_per_second, &names);
    drop(names);
    let mut watch = Watch::new(replica.address, streams)?;
    let mut samples = Samples::default();
    let (begin, mut sampled) = (Instant::now(), Instant::now());
    while begin.elapsed() < setting.soak {
        watch.turn()?;
        if sampled.elapsed() >= SAMPLE {
            sampled = Instant::now();
            samples.take(begin.elapsed(), &replica)?;
        }
    }
    let sessions = load.stop()?;
    watch.finish()?;

    let mut found = hold(watch.crowd.truth.faults)?;
    found.extend([
        told("sessions", "", sessions as f64),
        told("events checked, all readers", "", watch.events as f64),
        told("readers that came back", "", watch.came_back as f64),
        told("readers that stalled", "", watch.stalled as f64),
    ]);
    found.extend(samples.judge(GROWTH_MAX, GROWTH_SHARE_MAX)?);
    let patience = Duration::from_secs(3 * scale.ttl_seconds + 30);
    let at_end = until_empty(&replica, at_start, patience)?;
    found.extend([
        held("descriptors at the end", "", at_end as f64, format!("≤ {at_start}, as at the start")),
        held("sessions active, readers, bytes stored at the end", "", 0.0, "0"),
    ]);
    Ok(found)
}

/// Waits until nothing of the load is left, and returns how many descriptors are open then.
fn until_empty(replica: &Replica, at_start: usize, patience: Duration) -> Result<usize> {
    let end = Instant::now() + patience;
    loop {
        let mut left = Vec::new();
        for name in ["tributary_sessions_active", "tributary_readers", "tributary_store_size_bytes"] {
            let number = replica.metric(name)?;
            if number != 0.0 {
                left.push(format!("{name} {number}"));
            }
        }
        let descriptors = replica.descriptors()?;
        if left.is_empty() && descriptors <= at_start {
            return Ok(descriptors);
        }
        let left = left.join(", ");
        ensure!(Instant::now() < end, "left: {left}; {descriptors} descriptors, {at_start} at the start");
        crate::interrupt::check()?;
        std::thread::sleep(Duration::from_millis(200));
    }
}
