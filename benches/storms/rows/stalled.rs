//! Many readers stop reading: what that costs, whether the others feel it, and what becomes of them.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::crowd::Crowd;
use crate::reader::Reader;
use crate::replica::Replica;
use crate::report::{Finding, held, percentile_ms, told};
use crate::rows::{Setting, hold};
use crate::sender::{Plan, Publishing, Sender, create, session};

const WAIT: Duration = Duration::from_secs(60);
/// Of a socket that hardly takes anything.
const RECEIVE_BUFFER: usize = 4_096;
/// Half of the stalled readers go on after this.
const PAUSE: Duration = Duration::from_secs(3);
/// The others are cut after this (`server.tcp_user_timeout_ms`); the default would take half a minute.
const USER_TIMEOUT: Duration = Duration::from_secs(6);
/// Bytes more than usual in an event, and events a second: the buffers of a stalled reader are full within two seconds.
const PADDING: usize = 3_000;
const PER_SECOND: f64 = 40.0;
/// What the service may hold for a reader that doesn't read: a chunk (`streaming.chunk_bytes`, 32 KiB), and as much again
/// for the last event in it, the connection and what is stored meanwhile.
const READER_KIB_MAX: f64 = 64.0;

pub fn run(setting: &Setting) -> Result<Vec<Finding>> {
    let scale = setting.scale;
    let variables = [("SERVER__TCP_USER_TIMEOUT_MS", USER_TIMEOUT.as_millis().to_string())];
    let replica = setting.start(&variables)?;
    create(&mut Sender::new(vec![replica.address]), 0)?;
    let mut crowd = Crowd::new(vec![replica.address])?;
    join(&mut crowd, scale.healthy, "?coalesce=never")?;
    let publishing = Publishing::start(&Plan {
        addresses: vec![replica.address],
        streams: 1,
        threads: 1,
        per_second: PER_SECOND,
        first_revision: 1,
        padding: PADDING,
    });
    crowd.idle(Duration::from_millis(500))?;
    let alone = p99_over(&mut crowd, scale.beside)?;

    crowd.receive_buffer = Some(RECEIVE_BUFFER);
    let memory_before = replica.memory_bytes()?;
    let stalled = join(&mut crowd, scale.stalled, "?after=tail")?;
    stalled.clone().try_for_each(|index| crowd.listen(index, false))?;
    let stopped = Instant::now();
    let beside = p99_over(&mut crowd, PAUSE)?;
    let memory = replica.memory_bytes()?.saturating_sub(memory_before);

    let (first_half, others) = halves(&stalled);
    first_half.clone().try_for_each(|index| crowd.listen_widely(index))?;
    let left = scale.healthy + first_half.len();
    let cut_after = until_cut(&mut crowd, &replica, left, stopped)?;
    // Who was cut comes back with what it has.
    crowd.receive_buffer = None;
    for index in others {
        crowd.readers[index].expected = &["ok"];
        crowd.cut(index);
        crowd.come_at(index, Instant::now());
    }
    crowd.until(WAIT, "those that were cut to come back", Crowd::all_caught_up)?;
    let sent = publishing.stop()?;
    let last = sent.last(1);
    crowd.until(WAIT, "every reader to get the last event", |crowd| crowd.all_have(&last))?;

    for reader in &crowd.readers {
        reader.segments.iter().for_each(|segment| crowd.truth.check(0, segment));
    }
    crowd.truth.check_acknowledged(&sent.acknowledged);
    let mut found = hold(crowd.truth.faults)?;
    let reader_kib = memory as f64 / 1_024.0 / scale.stalled as f64;
    ensure!(reader_kib < READER_KIB_MAX, "{reader_kib:.0} KiB for a stalled reader");
    let beside_max = 5.0 * alone + 100.0;
    ensure!(beside < beside_max, "latency p99 {beside:.0} ms beside stalled readers, {alone:.0} ms without");
    let spared =
        |reader: &Reader| reader.segments.iter().map(|segment| segment.coalesced.len()).sum::<usize>();
    let spared: usize = crowd.readers.iter().map(spared).sum();
    found.extend([
        held("readers that have everything in the end", "", crowd.readers.len() as f64, "all"),
        told("events that those who lagged were spared, by name", "", spared as f64),
        told("latency p99 of the others, nobody stalled", "ms", alone),
        held(
            "latency p99 of the others beside them",
            "ms",
            beside,
            format!("< {beside_max:.0} ms (5 × and 100 ms)"),
        ),
        held(
            "memory of a stalled reader, its connection counted",
            "KiB",
            reader_kib,
            format!("< {READER_KIB_MAX} KiB"),
        ),
        told(
            "from stopping until the other half is cut (`tcp_user_timeout_ms` is 6 s)",
            "s",
            cut_after.as_secs_f64(),
        ),
    ]);
    Ok(found)
}

/// More readers of the stream; returns which.
fn join(crowd: &mut Crowd, count: usize, query: &str) -> Result<Range<usize>> {
    let first = crowd.readers.len();
    for _ in 0..count {
        crowd.add(Reader::new(0, format!("{}/events{query}", session(0))), Instant::now());
    }
    crowd.until(WAIT, "every reader to be let in", Crowd::all_caught_up)?;
    Ok(first..first + count)
}

fn halves(range: &Range<usize>) -> (Range<usize>, Range<usize>) {
    let middle = range.start + range.len() / 2;
    (range.start..middle, middle..range.end)
}

fn p99_over(crowd: &mut Crowd, period: Duration) -> Result<f64> {
    crowd.seen.latencies_ns.clear();
    crowd.idle(period)?;
    Ok(percentile_ms(&mut crowd.seen.latencies_ns, 0.99))
}

/// Waits until the server has no more than `left` readers: how long that is after `stopped`.
fn until_cut(crowd: &mut Crowd, replica: &Replica, left: usize, stopped: Instant) -> Result<Duration> {
    loop {
        let readers = replica.metric("tributary_readers")?;
        if readers <= left as f64 {
            ensure!(readers == left as f64, "{readers} readers are left instead of {left}");
            return Ok(stopped.elapsed());
        }
        ensure!(stopped.elapsed() < 2 * USER_TIMEOUT + WAIT, "{readers} readers instead of {left}");
        crowd.idle(Duration::from_millis(100))?;
    }
}
