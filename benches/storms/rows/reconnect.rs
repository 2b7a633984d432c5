//! Everybody is cut in one moment and comes back within seconds, with cursors of every kind, while events go on.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::crowd::Crowd;
use crate::options::Scale;
use crate::reader::{Cursor, Reader};
use crate::replica::Replica;
use crate::report::{Finding, held, percentile_ms, told};
use crate::rows::{Setting, hold};
use crate::sender::{Plan, Publishing, Sender, create, publish, session};
use crate::truth::Acknowledged;

/// Entries kept of a stream: few, so that some cursors are of what is no longer kept.
const KEPT: usize = 256;
/// Events of each stream before the storm, and how many are posted at once.
const BEFORE: u64 = 320;
const AT_ONCE: u64 = 40;
const WAIT: Duration = Duration::from_secs(120);
/// How often the server's memory is looked at.
const LOOK: Duration = Duration::from_millis(100);

pub fn run(setting: &Setting) -> Result<Vec<Finding>> {
    let scale = setting.scale;
    let replica = setting.start(&settings(scale))?;
    let mut sender = Sender::new(vec![replica.address]);
    for stream in 0..scale.streams {
        create(&mut sender, stream)?;
    }
    let mut crowd = Crowd::new(vec![replica.address])?;
    for index in 0..scale.readers {
        let stream = index % scale.streams;
        let path = format!("{}/events?coalesce=never", session(stream));
        crowd.add(Reader::new(stream, path), Instant::now() + Duration::from_micros(100 * index as u64));
    }
    let mut acknowledged = fill(&mut crowd, &mut sender, scale)?;

    let publishing = Publishing::start(&Plan {
        addresses: vec![replica.address],
        streams: scale.streams,
        threads: 2,
        per_second: scale.per_second * scale.streams as f64,
        first_revision: BEFORE + 1,
        padding: 0,
    });
    crowd.idle(Duration::from_secs(1))?;
    let storm = storm(&mut crowd, &replica, scale)?;
    crowd.idle(Duration::from_secs(1))?;
    let sent = publishing.stop()?;
    let last = sent.last(scale.streams);
    crowd.until(WAIT, "every reader to get the last event", |crowd| crowd.all_have(&last))?;

    acknowledged.extend(sent.acknowledged);
    for reader in &crowd.readers {
        reader.segments.iter().for_each(|segment| crowd.truth.check(reader.stream, segment));
    }
    crowd.truth.check_acknowledged(&acknowledged);
    let mut found = hold(crowd.truth.faults)?;
    found.push(held("readers that came back", "", scale.readers as f64, "all"));
    found.extend(storm);
    Ok(found)
}

fn settings(scale: &Scale) -> Vec<(&'static str, String)> {
    // Those that were cut may still be counted while they come back.
    let connections = (2 * scale.readers + 10_000).to_string();
    vec![
        ("SERVER__CONNECTIONS_MAX", connections.clone()),
        ("LIMITS__READERS", connections),
        ("CACHE__RING_ENTRIES", KEPT.to_string()),
    ]
}

/// Publishes more than is kept, never faster than everybody reads.
fn fill(crowd: &mut Crowd, sender: &mut Sender, scale: &Scale) -> Result<Vec<Acknowledged>> {
    crowd.until(WAIT, "every reader to be let in", Crowd::all_caught_up)?;
    let mut acknowledged = Vec::new();
    for first in (1..=BEFORE).step_by(AT_ONCE as usize) {
        let mut last = vec![0; scale.streams];
        for (stream, last) in last.iter_mut().enumerate() {
            let events = publish(sender, stream, first, first + AT_ONCE - 1, 0)?;
            *last = events.iter().map(|event| event.sequence).max().unwrap_or(0);
            acknowledged.extend(events);
        }
        crowd.until(WAIT, "every reader to get what is published", |crowd| crowd.all_have(&last))?;
    }
    Ok(acknowledged)
}

/// Cuts all, has them come back, and tells how that went.
fn storm(crowd: &mut Crowd, replica: &Replica, scale: &Scale) -> Result<Vec<Finding>> {
    crowd.seen = Default::default();
    let memory_before = replica.memory_bytes()?;
    let (begin, cpu_before) = (Instant::now(), replica.cpu_seconds()?);
    for index in 0..crowd.readers.len() {
        crowd.cut(index);
        come_back_somehow(index, &mut crowd.readers[index]);
        crowd.come_at(index, begin + scale.spread.mul_f64(fastrand::f64()));
    }
    let (mut memory_peak, mut looked) = (memory_before, Instant::now());
    while !crowd.all_caught_up() {
        let back = crowd.seen.opened.len();
        ensure!(begin.elapsed() < WAIT, "{back} of {} readers came back", scale.readers);
        crowd.turn(Duration::from_millis(10))?;
        if looked.elapsed() > LOOK {
            memory_peak = memory_peak.max(replica.memory_bytes()?);
            looked = Instant::now();
        }
    }
    let (recovered, cpu) = (begin.elapsed(), replica.cpu_seconds()? - cpu_before);

    let mut per_100_ms = vec![0_u64; (recovered.as_millis() / 100 + 1) as usize];
    for (at, _) in &crowd.seen.opened {
        per_100_ms[(at.duration_since(begin).as_millis() / 100) as usize] += 1;
    }
    let mut waits: Vec<u64> = crowd.seen.opened.iter().map(|(_, waited)| *waited).collect();
    let verdicts = ["ok", "trimmed", "diverged"].map(|verdict| {
        let count = crowd.seen.verdicts.get(verdict).copied().unwrap_or(0);
        told(format!("told `{verdict}`"), "", count as f64)
    });
    let mut found = vec![
        told(
            "peak, counted in 100 ms",
            "reconnects/s",
            per_100_ms.iter().max().map_or(0.0, |most| *most as f64 * 10.0),
        ),
        told("from the cut until all are back at the tail", "s", recovered.as_secs_f64()),
        told(
            "from the last one's coming until then",
            "s",
            recovered.saturating_sub(scale.spread).as_secs_f64(),
        ),
        told("from connecting to the verdict, p50", "ms", percentile_ms(&mut waits, 0.5)),
        told("from connecting to the verdict, p99", "ms", percentile_ms(&mut waits, 0.99)),
        told("server CPU per reconnect, what is published counted", "µs", cpu * 1e6 / scale.readers as f64),
        told("memory before", "MiB", memory_before as f64 / 1_048_576.0),
        told("memory at most", "MiB", memory_peak as f64 / 1_048_576.0),
    ];
    found.extend(verdicts);
    Ok(found)
}

/// What a reader comes back with: each fifth of them with something else.
fn come_back_somehow(index: usize, reader: &mut Reader) {
    let (cursor, expected): (Option<Cursor>, &'static [&'static str]) = match index / 7 % 5 {
        0 => (reader.cursor.clone(), &["ok"]),
        1 => (reader.recent.front().cloned(), &["ok"]),
        2 => (reader.first.clone(), &["trimmed"]),
        3 => (reader.cursor.as_ref().map(forged), &["diverged"]),
        // From the start, as a new reader: that isn't there any more either.
        _ => (None, &["trimmed"]),
    };
    reader.go_back_to(cursor);
    reader.expected = expected;
}

/// A cursor of another branch: the same place, another chain.
fn forged(cursor: &Cursor) -> Cursor {
    let (place, chain) = cursor.id.rsplit_once('_').unwrap_or((&cursor.id, ""));
    let first = if chain.starts_with('0') { "1" } else { "0" };
    let id = format!("{place}_{first}{}", chain.get(1..).unwrap_or_default());
    Cursor { id, sequence: cursor.sequence }
}
