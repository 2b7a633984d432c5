//! Steps side by side, one after the other in each slot, driven by one thread.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::event;
use crate::load::Load;
use crate::step::dialect::{Coming, Dialect};
use crate::step::follower::{AGENT, Follower};
use crate::step::{AGENTS, AWAY, Extent, PACE};

/// A step in which nothing happens for so long has lost what isn't there.
const PATIENCE: Duration = Duration::from_secs(5);

/// Readers of a step: who follows and comes again, who comes late, who comes after.
const READERS: usize = 3;

/// What came of the steps of a run.
#[derive(Debug, Default)]
pub struct Tally {
    pub again: Counts,
    pub late: Counts,
    pub after: Counts,
    /// From making the step until the first reader had every event, where it did.
    pub whole_ns: Vec<u64>,
}

/// Of one kind of reader.
#[derive(Debug, Default)]
pub struct Counts {
    pub lost: usize,
    pub doubled: usize,
    pub events: usize,
    pub bytes: u64,
}

impl Counts {
    fn add(&mut self, follower: &Follower) {
        self.lost += follower.lost();
        self.events += follower.distinct;
        self.doubled += follower.doubled;
        self.bytes += follower.bytes;
    }
}

impl Tally {
    /// Whether every reader got every event once.
    pub fn is_exact(&self) -> bool {
        [&self.again, &self.late, &self.after].iter().all(|counts| counts.lost + counts.doubled == 0)
    }
}

/// Where a step is.
#[derive(PartialEq, Eq)]
enum Stage {
    Creating,
    /// Its first reader asks.
    Opening,
    /// Its agents speak.
    Running,
    Over,
}

struct Slot {
    step: usize,
    stage: Stage,
    began: Instant,
    /// When its agents began to speak.
    speaking: Instant,
    /// When something last happened.
    moved: Instant,
    /// Events posted, by agent.
    sent: [usize; AGENTS],
    first: Follower,
    late: Option<Follower>,
    after: Option<Follower>,
    /// When the first reader left, if it did, and whether it is back.
    left: Option<Instant>,
    is_back: bool,
    has_all: bool,
    /// Steps to go after this one.
    remaining: usize,
}

/// All slots and their connections: three publishers each, and three readers.
pub struct Slots<'a> {
    address: SocketAddr,
    dialect: &'a dyn Dialect,
    tokens: usize,
    load: Load,
    slots: Vec<Slot>,
    next_step: usize,
    buffer: Vec<u8>,
    tally: Tally,
}

impl<'a> Slots<'a> {
    pub fn new(address: SocketAddr, dialect: &'a dyn Dialect, extent: &Extent) -> Result<Self> {
        let mut load = Load::new()?;
        for _ in 0..extent.slots * AGENTS {
            load.connect_publisher(address)?;
        }
        let now = Instant::now();
        let idle = || Slot {
            step: 0,
            stage: Stage::Over,
            began: now,
            speaking: now,
            moved: now,
            sent: [0; AGENTS],
            first: Follower::new(AGENTS, extent.tokens),
            late: None,
            after: None,
            left: None,
            is_back: false,
            has_all: false,
            remaining: 0,
        };
        let slots = (0..extent.slots).map(|_| idle()).collect();
        let buffer = vec![0; 64 * 1_024];
        let (tokens, tally) = (extent.tokens, Tally::default());
        Ok(Self { address, dialect, tokens, load, slots, next_step: 0, buffer, tally })
    }

    /// Runs so many steps in every slot; returns what came of them.
    pub fn run(&mut self, steps: usize) -> Result<Tally> {
        for slot in 0..self.slots.len() {
            self.slots[slot].remaining = steps - 1;
            self.begin(slot)?;
        }
        let mut answered = Vec::new();
        while self.slots.iter().any(|slot| slot.stage != Stage::Over) {
            self.load.turn(Duration::from_millis(1), &mut answered)?;
            for publisher in answered.drain(..) {
                self.answered(publisher)?;
            }
            for guest in std::mem::take(&mut self.load.guests) {
                self.read(guest).with_context(|| format!("reader {guest}"))?;
            }
            for slot in 0..self.slots.len() {
                self.go_on(slot)?;
            }
        }
        Ok(std::mem::take(&mut self.tally))
    }

    fn begin(&mut self, at: usize) -> Result<()> {
        let now = Instant::now();
        let slot = &mut self.slots[at];
        self.next_step += 1;
        (slot.step, slot.began, slot.moved) = (self.next_step, now, now);
        (slot.sent, slot.left, slot.is_back, slot.has_all) = ([0; AGENTS], None, false, false);
        (slot.first, slot.late, slot.after) = (Follower::new(AGENTS, self.tokens), None, None);
        if let Some(request) = self.dialect.create(slot.step) {
            slot.stage = Stage::Creating;
            return self.load.publishers[at * AGENTS].request(&request);
        }
        self.open(at)
    }

    fn open(&mut self, at: usize) -> Result<()> {
        self.slots[at].stage = Stage::Opening;
        self.connect(at, Coming::First)
    }

    fn connect(&mut self, at: usize, coming: Coming) -> Result<()> {
        let slot = &mut self.slots[at];
        let reader = match coming {
            Coming::First | Coming::Again => 0,
            Coming::Late => 1,
            Coming::After => 2,
        };
        slot.moved = Instant::now();
        let guest = at * READERS + reader;
        let socket = self.load.connect_guest(self.address, guest)?;
        let request = self.dialect.follow(slot.step, coming, &slot.first.position);
        let follower = match coming {
            Coming::First | Coming::Again => &mut slot.first,
            Coming::Late => slot.late.insert(Follower::new(AGENTS, self.tokens)),
            Coming::After => slot.after.insert(Follower::new(AGENTS, self.tokens)),
        };
        follower.connect(socket, &request, self.dialect)
    }

    /// A step was made, or an agent's event stored.
    fn answered(&mut self, publisher: usize) -> Result<()> {
        let slot = &mut self.slots[publisher / AGENTS];
        slot.moved = Instant::now();
        if slot.stage == Stage::Creating { self.open(publisher / AGENTS) } else { Ok(()) }
    }

    /// Posts an agent's next event, if it has one, its time has come, and the last one is answered.
    fn speak(&mut self, at: usize, agent: usize) -> Result<()> {
        let slot = &mut self.slots[at];
        let is_due = slot.speaking.elapsed() >= PACE * slot.sent[agent] as u32;
        let is_answered = self.load.publishers[at * AGENTS + agent].outstanding == 0;
        if slot.sent[agent] == self.tokens || !is_due || !is_answered {
            return Ok(());
        }
        let token = slot.sent[agent] + 1;
        let body = event::body(agent as u64 * AGENT + token as u64);
        match self.dialect.publish(slot.step, agent, &body, token == self.tokens) {
            Some(request) => {
                slot.sent[agent] = token;
                self.load.publishers[at * AGENTS + agent].request(&request)
            }
            None => {
                // It speaks for itself.
                slot.sent[agent] = self.tokens;
                Ok(())
            }
        }
    }

    fn read(&mut self, guest: usize) -> Result<()> {
        let slot = &mut self.slots[guest / READERS];
        slot.moved = Instant::now();
        let follower = match guest % READERS {
            0 => Some(&mut slot.first),
            1 => slot.late.as_mut(),
            _ => slot.after.as_mut(),
        };
        follower.map_or(Ok(()), |follower| follower.read(&mut self.buffer, self.dialect))
    }

    /// Does what a step's state asks for.
    fn go_on(&mut self, at: usize) -> Result<()> {
        let all = AGENTS * self.tokens;
        let slot = &mut self.slots[at];
        if slot.stage == Stage::Opening && slot.first.is_open() {
            slot.stage = Stage::Running;
            slot.speaking = Instant::now();
        }
        if slot.stage == Stage::Running {
            for agent in 0..AGENTS {
                self.speak(at, agent)?;
            }
        }
        let slot = &mut self.slots[at];
        if slot.first.distinct == all && !slot.has_all {
            slot.has_all = true;
            self.tally.whole_ns.push(u64::try_from(slot.began.elapsed().as_nanos()).unwrap_or(u64::MAX));
        }
        match slot.left {
            None if slot.stage == Stage::Running && slot.first.distinct * 2 >= all => {
                slot.first.disconnect();
                slot.left = Some(Instant::now());
            }
            Some(left) if !slot.is_back && left.elapsed() >= AWAY => {
                slot.is_back = true;
                self.connect(at, Coming::Again)?;
            }
            None | Some(_) => {}
        }
        let slot = &mut self.slots[at];
        let has_much = slot.first.distinct * 4 >= all * 3;
        if slot.late.is_none() && slot.is_back && (has_much || slot.first.has_ended) {
            self.connect(at, Coming::Late)?;
        }
        self.end(at)
    }

    /// Ends a step that has nothing more to wait for, and begins the slot's next.
    fn end(&mut self, at: usize) -> Result<()> {
        let publishers = &self.load.publishers[at * AGENTS..(at + 1) * AGENTS];
        let is_answered = publishers.iter().all(|publisher| publisher.outstanding == 0);
        let slot = &mut self.slots[at];
        let has_spoken = slot.sent.iter().all(|sent| *sent == self.tokens);
        let is_read = slot.first.is_done() && slot.late.as_ref().is_some_and(Follower::is_done);
        let is_stuck = slot.moved.elapsed() > PATIENCE;
        if slot.stage == Stage::Over || !(is_stuck || is_answered && has_spoken && is_read) {
            return Ok(());
        }
        match &slot.after {
            None => return self.connect(at, Coming::After),
            Some(after) if !after.is_done() && !is_stuck => return Ok(()),
            Some(after) => self.tally.after.add(after),
        }
        self.tally.again.add(&slot.first);
        self.tally.late.add(slot.late.get_or_insert_with(|| Follower::new(AGENTS, self.tokens)));
        slot.first.disconnect();
        (slot.late, slot.after) = (None, None);
        slot.stage = Stage::Over;
        if slot.remaining == 0 {
            return Ok(());
        }
        slot.remaining -= 1;
        self.begin(at)
    }
}
