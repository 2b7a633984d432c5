//! What is done in a run, made from its seed before it begins: so it can be printed, and shortened.

use std::fmt;

use crate::keys;

/// Entries of a log that no run fills.
const RING: usize = 1_000;

/// Milliseconds that no session outlives.
const EXPIRES_IN: i64 = 30 * 60_000;

/// One run.
#[derive(Debug, Clone)]
pub struct History {
    pub seed: u64,
    pub replicas: usize,
    /// Entries that a log keeps.
    pub ring: usize,
    /// Milliseconds that each way of a command takes at most.
    pub delay_ms: u64,
    /// Each after so many milliseconds more.
    pub acts: Vec<(u64, Act)>,
}

/// What a sender says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    Partial,
    Success,
    Error { retryable: bool },
}

/// From where a reader comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    Start,
    Tail,
    Snapshot,
    /// Its first cursor, or the one before the last: honest, but old.
    Old,
    /// A cursor whose chain was never handed out.
    Forged,
    /// A cursor beyond the end.
    Beyond,
}

/// How fast a reader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Fast,
    Slow,
    Stalled,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    Post {
        replica: usize,
        session: usize,
        step: usize,
        outputs: usize,
        deadline_ms: u64,
    },
    Say {
        replica: usize,
        session: usize,
        step: usize,
        output: usize,
        revision: Option<u64>,
        content: u64,
        said: Said,
    },
    Progress {
        replica: usize,
        session: usize,
        step: usize,
    },
    Refuse {
        replica: usize,
        session: usize,
        step: usize,
    },
    Cancel {
        replica: usize,
        session: usize,
        step: usize,
    },
    Read {
        reader: usize,
        replica: usize,
        session: usize,
        from: From,
        coalesce: bool,
        pace: Pace,
    },
    /// A reader's line breaks: it comes back elsewhere.
    Cut {
        reader: usize,
    },
    /// A reader reads on, as fast as it can.
    Go {
        reader: usize,
    },
    /// Something that is sent with an `Idempotency-Key`.
    Keyed {
        key: u64,
        act: Box<Act>,
    },
    LoseMessages {
        replica: usize,
        count: u64,
    },
    DoubleMessages {
        replica: usize,
        count: u64,
    },
    DelayMessages {
        replica: usize,
        ms: u64,
    },
    LoseCommands {
        replica: usize,
        count: u64,
    },
    LoseAnswers {
        replica: usize,
        count: u64,
    },
    Down {
        replica: usize,
    },
    Up {
        replica: usize,
    },
    BreakSubscription {
        replica: usize,
    },
    ForgetScripts,
    RestartEmpty,
    Keep,
    RollBack,
    Evict {
        session: usize,
        what: &'static str,
    },
    Jump {
        ms: i64,
    },
    Kill {
        replica: usize,
    },
    Start {
        replica: usize,
    },
}

impl History {
    /// The run of a seed.
    pub fn of(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed ^ 0x9e37_79b9_7f4a_7c15);
        let replicas = rng.usize(2..=3);
        let sessions = rng.usize(1..=2);
        let ring = if rng.u8(..4) == 0 { rng.usize(6..24) } else { RING };
        let delay_ms = [0, 2, 8, 40][rng.usize(..4)];
        // Faults that lose data in a third of the runs; how many of any kind, by the run.
        let (loses_data, trouble) = (rng.u8(..3) == 0, rng.u8(..40));
        let mut makes =
            Maker { rng, replicas, sessions, revisions: [[[0; 3]; 3]; 2], readers: 0, loses_data };
        let mut acts: Vec<(u64, Act)> =
            (0..sessions).map(|session| (makes.gap(), makes.post(session, 0))).collect();
        for _ in 0..makes.rng.usize(20..70) {
            let gap = makes.gap();
            let act = if makes.rng.u8(..100) < trouble { makes.fault() } else { makes.ordinary() };
            acts.push((gap, act));
        }
        // The others are as they were before there were keys: what failed once goes on failing.
        if matches!(seed % 10, 4 | 8) {
            give_keys(seed, replicas, &mut acts);
        }
        Self { seed, replicas, ring, delay_ms, acts }
    }
}

/// Has half of the senders send a key, some of them again later, elsewhere, and some the key of another.
fn give_keys(seed: u64, replicas: usize, acts: &mut Vec<(u64, Act)>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut at, mut key) = (0, 0);
    while at < acts.len() {
        let act = &mut acts[at].1;
        at += 1;
        if rng.bool() || !act.is_sent() {
            continue;
        }
        key += 1;
        if let Act::Say { revision: None, content, .. } = act {
            *content = keys::content(key);
        }
        let mut again = act.clone();
        *act = Act::Keyed { key, act: Box::new(act.clone()) };
        if rng.u8(..3) > 0 {
            continue;
        }
        again.go_to(rng.usize(..replicas));
        if rng.u8(..4) == 0
            && let Act::Say { content, .. } = &mut again
        {
            *content += 1;
        }
        let later = rng.usize(at..=(at + 15).min(acts.len()));
        acts.insert(later, (rng.u64(..400), Act::Keyed { key, act: Box::new(again) }));
    }
}

impl Act {
    /// Whether somebody sends it, without a key.
    fn is_sent(&self) -> bool {
        matches!(
            self,
            Self::Post { .. }
                | Self::Say { .. }
                | Self::Progress { .. }
                | Self::Refuse { .. }
                | Self::Cancel { .. }
        )
    }

    fn go_to(&mut self, to: usize) {
        if let Self::Post { replica, .. }
        | Self::Say { replica, .. }
        | Self::Progress { replica, .. }
        | Self::Refuse { replica, .. }
        | Self::Cancel { replica, .. } = self
        {
            *replica = to;
        }
    }
}

impl History {
    /// Whether time passes that sessions don't outlive.
    pub fn expires(&self) -> bool {
        self.acts.iter().any(|(_, act)| matches!(act, Act::Jump { ms } if *ms >= EXPIRES_IN))
    }

    /// Whether logs are short: replicas hold no more than the store.
    pub fn trims(&self) -> bool {
        self.ring < RING
    }

    /// Whether a replica dies.
    pub fn kills(&self) -> bool {
        self.acts.iter().any(|(_, act)| matches!(act, Act::Kill { .. }))
    }

    /// Whether a replica can't reach the store for a while.
    pub fn cuts_off(&self) -> bool {
        self.acts.iter().any(|(_, act)| matches!(act, Act::Down { .. }))
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, replicas, ring, delay_ms, acts } = self;
        writeln!(
            f,
            "seed {seed}: {replicas} replicas, {ring} entries a log, {delay_ms} ms a way, {} acts",
            acts.len()
        )?;
        acts.iter().try_for_each(|(gap, act)| writeln!(f, "  {gap:>6} ms  {act:?}"))
    }
}

struct Maker {
    rng: fastrand::Rng,
    replicas: usize,
    sessions: usize,
    /// The last revision of each output of each step of each session.
    revisions: [[[u64; 3]; 3]; 2],
    readers: usize,
    loses_data: bool,
}

impl Maker {
    fn gap(&mut self) -> u64 {
        match self.rng.u8(..10) {
            0..4 => 0,
            4..8 => self.rng.u64(..30),
            8 => self.rng.u64(..600),
            _ => self.rng.u64(..5_000),
        }
    }

    fn replica(&mut self) -> usize {
        self.rng.usize(..self.replicas)
    }

    fn post(&mut self, session: usize, step: usize) -> Act {
        // The second number for a step says something else in its directive: a conflict.
        let outputs = if self.rng.u8(..12) == 0 { 2 } else { 1 + (session + step) % 3 };
        let deadline_ms = [1_500, 8_000, 30_000][(session + 2 * step) % 3];
        Act::Post { replica: self.replica(), session, step, outputs, deadline_ms }
    }

    fn ordinary(&mut self) -> Act {
        let (replica, session, step) = (self.replica(), self.rng.usize(..self.sessions), self.rng.usize(..3));
        match self.rng.u8(..100) {
            0..10 => self.post(session, step),
            10..62 => self.say(replica, session),
            62..65 => Act::Progress { replica, session, step },
            65..66 => Act::Refuse { replica, session, step },
            66..67 => Act::Cancel { replica, session, step },
            67..83 => self.read(replica, session),
            83..94 if self.readers > 0 => Act::Cut { reader: self.rng.usize(..self.readers) },
            94.. if self.readers > 0 => Act::Go { reader: self.rng.usize(..self.readers) },
            _ => self.read(replica, session),
        }
    }

    fn say(&mut self, replica: usize, session: usize) -> Act {
        let step = if self.rng.bool() { 0 } else { self.rng.usize(..3) };
        let output = self.rng.usize(..1 + (session + step) % 3);
        let last = &mut self.revisions[session][step][output];
        // Mostly the next one; sometimes again, with the same content or another, or an old one.
        let (revision, content) = match self.rng.u8(..10) {
            0 if *last > 0 => (*last, *last),
            1 if *last > 0 => (*last, 1_000 + *last),
            2 if *last > 1 => (*last - 1, *last - 1),
            _ => {
                *last += self.rng.u64(1..=2);
                (*last, *last)
            }
        };
        let said = match self.rng.u8(..20) {
            0..15 => Said::Partial,
            15..18 => Said::Success,
            _ => Said::Error { retryable: self.rng.bool() },
        };
        let revision = (self.rng.u8(..12) > 0).then_some(revision);
        Act::Say { replica, session, step, output, revision, content, said }
    }

    fn read(&mut self, replica: usize, session: usize) -> Act {
        let from = [
            From::Start,
            From::Start,
            From::Start,
            From::Tail,
            From::Snapshot,
            From::Old,
            From::Forged,
            From::Beyond,
        ][self.rng.usize(..8)];
        // A known reader comes anew, or another one.
        let reader = if self.readers < 6 { self.readers } else { self.rng.usize(..6) };
        self.readers = self.readers.max(reader + 1);
        let pace = [Pace::Fast, Pace::Fast, Pace::Slow, Pace::Stalled][self.rng.usize(..4)];
        Act::Read { reader, replica, session, from, coalesce: self.rng.bool(), pace }
    }

    fn fault(&mut self) -> Act {
        let (replica, count) = (self.replica(), self.rng.u64(1..=4));
        let session = self.rng.usize(..self.sessions);
        match self.rng.u8(..if self.loses_data { 22 } else { 16 }) {
            0..2 => Act::LoseMessages { replica, count },
            2 => Act::DoubleMessages { replica, count },
            3 => Act::DelayMessages { replica, ms: self.rng.u64(1..300) },
            4 => Act::LoseCommands { replica, count },
            5..7 => Act::LoseAnswers { replica, count },
            7 => Act::Down { replica },
            8..10 => Act::Up { replica },
            10 => Act::BreakSubscription { replica },
            11 => Act::ForgetScripts,
            12 => Act::Kill { replica },
            13 => Act::Start { replica },
            14 => Act::Jump { ms: [-20_000, -1_000, 3_000, 20_000][self.rng.usize(..4)] },
            15 => Act::Jump { ms: if self.rng.u8(..4) == 0 { 45 * 60_000 } else { 1_000 } },
            16 => Act::RestartEmpty,
            17..19 => Act::Keep,
            19..21 => Act::RollBack,
            _ => Act::Evict { session, what: ["meta", "log", "latest"][self.rng.usize(..3)] },
        }
    }
}
