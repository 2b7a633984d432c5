//! Readers of the soak: of each session one that stays and one that is cut and comes back; of every fourth one that stalls.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::crowd::Crowd;
use crate::reader::Reader;
use crate::truth::Segment;

/// How long a session may take to its end, and a reader to get there.
const WAIT: Duration = Duration::from_secs(60);
/// How long a reader stalls until its own side gives up.
const STALL: Duration = Duration::from_secs(2);
/// After so many frames a reader is cut.
const FRAMES: u64 = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stays,
    IsCut,
    /// Was cut, and has to end.
    CameBack,
    Stalls,
}

/// What a session's readers knew when they were done.
#[derive(Default)]
struct Done {
    segments: Vec<Segment>,
    covered: Vec<u64>,
}

/// The readers, by their places in a crowd.
pub struct Watch {
    pub crowd: Crowd,
    pub events: u64,
    pub came_back: u64,
    pub stalled: u64,
    names: Receiver<String>,
    streams: usize,
    busy: HashMap<usize, (Kind, Instant)>,
    free: Vec<usize>,
    done: HashMap<usize, Done>,
}

impl Watch {
    pub fn new(address: SocketAddr, names: Receiver<String>) -> Result<Self> {
        Ok(Self {
            crowd: Crowd::new(vec![address])?,
            events: 0,
            came_back: 0,
            stalled: 0,
            names,
            streams: 0,
            busy: HashMap::new(),
            free: Vec::new(),
            done: HashMap::new(),
        })
    }

    /// Lets new readers in, reads once, and looks who is done.
    pub fn turn(&mut self) -> Result<()> {
        while let Ok(session) = self.names.try_recv() {
            let stream = self.streams;
            self.streams += 1;
            self.done.insert(stream, Done::default());
            self.add(stream, &session, Kind::Stays);
            self.add(stream, &session, Kind::IsCut);
            if stream.is_multiple_of(4) {
                self.add(stream, &session, Kind::Stalls);
            }
        }
        self.crowd.turn(Duration::from_millis(10))?;
        let busy: Vec<_> = self.busy.iter().map(|(index, (kind, since))| (*index, *kind, *since)).collect();
        for (index, kind, since) in busy {
            self.look(index, kind, since)?;
        }
        Ok(())
    }

    /// Goes on until every reader is done.
    pub fn finish(&mut self) -> Result<()> {
        while !self.busy.is_empty() {
            self.turn()?;
        }
        ensure!(self.done.is_empty(), "{} sessions weren't read to their end", self.done.len());
        Ok(())
    }

    fn add(&mut self, stream: usize, session: &str, kind: Kind) {
        let mut reader = Reader::new(stream, format!("{session}/steps/p/events?coalesce=never"));
        reader.expected = &["new", "ok", "closed"];
        let now = Instant::now();
        let index = match self.free.pop() {
            Some(index) => {
                self.crowd.replace(index, reader, now);
                index
            }
            None => self.crowd.add(reader, now),
        };
        self.busy.insert(index, (kind, now));
    }

    fn look(&mut self, index: usize, kind: Kind, since: Instant) -> Result<()> {
        let is_connected = self.crowd.is_connected(index);
        let reader = &mut self.crowd.readers[index];
        ensure!(since.elapsed() < WAIT, "a reader of {} doesn't come to its end", reader.path);
        let began = reader.segments.first().map(|segment| segment.from);
        let seen = reader.covered.zip(began).map_or(0, |(covered, began)| covered.saturating_sub(began));
        match kind {
            Kind::Stalls if reader.tail.is_some() => {
                self.crowd.listen(index, false)?;
                if since.elapsed() > STALL {
                    self.crowd.cut(index);
                    self.stalled += 1;
                    self.release(index);
                }
            }
            Kind::IsCut if seen > FRAMES && !reader.has_ended => {
                self.came_back += 1;
                self.busy.insert(index, (Kind::CameBack, since));
                self.crowd.cut(index);
                self.crowd.come_at(index, Instant::now() + Duration::from_millis(50));
            }
            Kind::Stays | Kind::IsCut | Kind::CameBack if reader.has_ended && !is_connected => {
                self.judge(index)?;
                self.release(index);
            }
            Kind::Stays | Kind::IsCut | Kind::CameBack | Kind::Stalls => {}
        }
        Ok(())
    }

    fn release(&mut self, index: usize) {
        self.busy.remove(&index);
        self.free.push(index);
    }

    /// Holds a session's readers against each other once both are done.
    fn judge(&mut self, index: usize) -> Result<()> {
        let reader = &self.crowd.readers[index];
        let Some(done) = self.done.get_mut(&reader.stream) else { return Ok(()) };
        done.segments.extend(reader.segments.iter().cloned());
        done.covered.extend(reader.covered);
        if done.covered.len() < 2 {
            return Ok(());
        }
        for segment in &done.segments {
            self.events += segment.events;
            self.crowd.truth.check(reader.stream, segment);
        }
        ensure!(done.covered[0] == done.covered[1], "two readers of {} ended apart", reader.path);
        self.done.remove(&reader.stream);
        self.crowd.truth.forget(reader.stream);
        Ok(())
    }
}
