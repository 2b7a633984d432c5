//! Readers: what they do, and what must be true of each byte that they are shown.
//!
//! A frame's id names the place after it, with its chain. Going back from there through everything that was ever stored
//! gives what the frame must hold, and where the frame before must have ended.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tributary::domain::position::{Chain, Epoch, Position, Sequence};
use tributary::engine::mux::{Framing, ReadRequest, StartAt, View};

use crate::history::{From, Pace};
use crate::snapshot::{self, Past};
use crate::world::{World, key};

const PAUSE: Duration = Duration::from_millis(90);

/// What a reader is told from outside.
#[derive(Debug, Clone, Copy)]
pub struct Orders {
    /// Rises with each cut.
    pub cuts: u64,
    /// Where it comes back from after the last cut.
    pub from: From,
    pub pace: Pace,
}

/// A reader that runs.
pub struct Running {
    pub session: usize,
    pub orders: watch::Sender<Orders>,
    pub task: tokio::task::JoinHandle<()>,
    pub seen: watch::Receiver<Seen>,
}

/// How far a reader is.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// What it was shown last; nothing yet, or of nothing.
    pub place: Option<Position>,
    pub ended: bool,
    pub violations: Vec<String>,
}

struct Reader {
    world: Arc<World>,
    name: usize,
    session: usize,
    coalesce: bool,
    /// Its cursors, oldest first.
    cursors: Vec<Position>,
    /// Where the next frame begins; `None`: anywhere.
    place: Option<(Sequence, Option<Chain>)>,
    epoch: Option<Epoch>,
    /// The events of a snapshot whose last frame hasn't come.
    gathered: Vec<Box<RawValue>>,
    /// How many connections it has had.
    turn: usize,
    rng: fastrand::Rng,
    seen: watch::Sender<Seen>,
}

/// How a connection ended.
enum Left {
    /// Everything was read.
    Ended,
    /// The line broke, or the service let it go.
    Again,
}

/// Begins to read.
pub fn begin(
    world: &Arc<World>,
    name: usize,
    replica: usize,
    session: usize,
    from: From,
    coalesce: bool,
    pace: Pace,
) -> Running {
    let (orders, ordered) = watch::channel(Orders { cuts: 0, from, pace });
    let (seen, shown) = watch::channel(Seen::default());
    let reader = Reader {
        world: world.clone(),
        name,
        session,
        coalesce,
        cursors: Vec::new(),
        place: None,
        epoch: None,
        gathered: Vec::new(),
        turn: replica,
        rng: fastrand::Rng::with_seed(world.server.roll(u64::MAX - 1)),
        seen,
    };
    let task = tokio::spawn(reader.run(from, ordered));
    Running { session, orders, task, seen: shown }
}

impl Reader {
    async fn run(mut self, mut from: From, mut orders: watch::Receiver<Orders>) {
        let mut cuts = 0;
        loop {
            let (start, is_honest) = self.start(from);
            if let Left::Ended = self.connect(start, is_honest, &mut orders).await {
                return self.seen.send_modify(|seen| seen.ended = true);
            }
            // Who was told to come from elsewhere does so once; otherwise it goes on where it was.
            let told = *orders.borrow();
            from = if told.cuts == cuts { From::Start } else { told.from };
            cuts = told.cuts;
            self.turn += 1;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Where it starts, and whether that may be taken for what it has read.
    fn start(&mut self, from: From) -> (StartAt, bool) {
        let last = self.cursors.last().copied();
        match (from, last) {
            (From::Old, Some(_)) => {
                let old = self.cursors[self.cursors.len() / 2];
                self.cursors.truncate(self.cursors.len() / 2 + 1);
                self.place = Some((old.sequence, Some(old.chain)));
                (StartAt::Cursor(old), true)
            }
            (From::Forged, Some(last)) => {
                (StartAt::Cursor(Position { chain: Chain(!last.chain.0), ..last }), false)
            }
            (From::Beyond, Some(last)) => {
                (StartAt::Cursor(Position { sequence: Sequence(last.sequence.0 + 9_999), ..last }), false)
            }
            (From::Tail, _) => (StartAt::Tail, true),
            (From::Snapshot, _) => (StartAt::Snapshot, true),
            (From::Start, Some(last)) => (StartAt::Cursor(last), true),
            (From::Forged | From::Beyond, None) => {
                let epoch = Epoch::from_random(7);
                (StartAt::Cursor(Position { epoch, sequence: Sequence(3), chain: Chain(5) }), false)
            }
            (From::Start | From::Old, None) => (StartAt::Start, true),
        }
    }

    async fn connect(
        &mut self,
        start: StartAt,
        is_honest: bool,
        orders: &mut watch::Receiver<Orders>,
    ) -> Left {
        let Some(replica) = self.world.replica(self.turn) else { return Left::Again };
        let cuts = orders.borrow_and_update().cuts;
        let mut death = self.world.death();
        let request = ReadRequest {
            key: key(self.session),
            view: View::default(),
            start,
            framing: Framing::Sse,
            batch: None,
            coalesce: self.coalesce,
            caller: None,
            lives: None,
        };
        let opened = tokio::select! {
            biased;
            _ = &mut death => return Left::Again,
            opened = replica.mux.open(request) => opened,
        };
        let Ok(mut reader) = opened else { return Left::Again };
        let mut text = Vec::new();
        let mut first = Some((start, is_honest));
        loop {
            let chunk = tokio::select! {
                biased;
                _ = &mut death => return Left::Again,
                changed = orders.changed() => {
                    if changed.is_err() || orders.borrow_and_update().cuts != cuts {
                        return Left::Again;
                    }
                    continue;
                }
                chunk = poll_fn(|cx| reader.poll_next(cx)) => chunk,
            };
            let Some(chunk) = chunk else { return Left::Again };
            text.extend_from_slice(&chunk);
            while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = text.drain(..end + 2).collect();
                if let Some(left) = self.hear(std::str::from_utf8(&event).unwrap(), &mut first) {
                    return left;
                }
            }
            let pace = orders.borrow().pace;
            match pace {
                Pace::Fast => {}
                Pace::Slow => tokio::time::sleep(Duration::from_millis(self.rng.u64(1..60))).await,
                Pace::Stalled => {
                    self.world.server.note("a reader stalled");
                    let go_on =
                        orders.wait_for(|orders| orders.pace != Pace::Stalled || orders.cuts != cuts).await;
                    if !go_on.is_ok_and(|orders| orders.cuts == cuts) {
                        return Left::Again;
                    }
                }
            }
        }
    }

    /// One event of the stream.
    fn hear(&mut self, event: &str, first: &mut Option<(StartAt, bool)>) -> Option<Left> {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let data = || field("data").unwrap_or_default();
        match field("event") {
            Some("open") => {
                let open: Value = serde_json::from_str(data()).unwrap();
                self.opened(&open, first.take());
            }
            Some("planner_stream") => self.frame(field("id"), data()),
            Some("snapshot") => self.snapshot(field("id"), data()),
            Some("end") => return Some(Left::Ended),
            Some("drain" | "error") => return Some(Left::Again),
            Some("heartbeat") | None => {}
            Some(other) => self.violation(format!("an event that nobody knows: {other}")),
        }
        None
    }

    fn opened(&mut self, open: &Value, first: Option<(StartAt, bool)>) {
        let reason = open["reason"].as_str().unwrap().to_owned();
        let (recovered, from) = (open["recovered"] == true, open["from"].as_u64().unwrap());
        self.gathered.clear();
        self.world.saw(|| format!("reader {} opens: {open}", self.name));
        self.world.server.note(verdict(&reason));
        let (is_new, before) = (first.is_some(), self.place);
        match first {
            Some((StartAt::Cursor(at), is_honest)) if recovered => {
                if !is_honest {
                    self.violation(format!("a forged cursor was taken: {at}, {open}"));
                } else if from != at.sequence.0 {
                    self.violation(format!("from another place than the cursor's: {at}, {open}"));
                }
                self.place = Some((at.sequence, Some(at.chain)));
            }
            _ if recovered => self.place = Some((Sequence(from), None)),
            // What follows is a snapshot, or waiting.
            _ => self.place = None,
        }
        if !is_new {
            self.world.server.note("a second open");
            if recovered && before.is_some_and(|(place, _)| place.0 != from) {
                self.violation(format!(
                    "began anew elsewhere than at {before:?}, as if nothing were missing: {open}"
                ));
            }
        }
        self.epoch = open["epoch"].as_str().map(|epoch| epoch.parse().unwrap());
    }

    fn frame(&mut self, id: Option<&str>, data: &str) {
        let frame: Frame = serde_json::from_str(data).unwrap();
        let Some(to) = id.and_then(|id| id.parse::<Position>().ok()) else {
            return self.violation(format!("a frame without a place: {data}"));
        };
        self.world.saw(|| format!("reader {} frame {}..{} at {to}", self.name, frame.from, frame.to));
        if to.sequence.0 != frame.to {
            self.violation(format!("the id {to} isn't the frame's end {}", frame.to));
        }
        if self.epoch.is_some_and(|epoch| epoch != to.epoch) {
            self.violation(format!("{to} is of another epoch than was opened"));
        }
        if let Some((place, _)) = self.place
            && place.0 + 1 != frame.from
        {
            self.violation(format!(
                "a hole or a double: {} was followed by {}..{}",
                place.0, frame.from, frame.to
            ));
        }
        self.compare(&frame, to);
        self.reached(to);
    }

    /// What a frame holds is what was stored.
    fn compare(&mut self, frame: &Frame, to: Position) {
        let stored = self.world.server.ledger.lock().back_to(Sequence(frame.from - 1), to);
        let Some(stored) = stored else {
            // Before a log's first entry there is none.
            return self.violation(format!("{}..{to} was never stored", frame.from));
        };
        if let (Some((_, Some(chain))), Some(entry)) = (self.place, stored.first())
            && entry.previous_chain != chain
        {
            self.violation(format!("{}..{to} is of another branch than what came before", frame.from));
        }
        let mut shown = frame.events.iter();
        for entry in &stored {
            if frame.coalesced.contains(&entry.sequence.0) {
                self.world.server.note("a partial coalesced");
                if !entry.record.is_partial() {
                    self.violation(format!("{} is no partial and was coalesced away", entry.sequence));
                }
            } else if let Some(wire) = entry.wire().filter(|_| !entry.unseen) {
                let event = shown.next().map(|event| event.get().as_bytes());
                if event != Some(wire) {
                    self.violation(format!("{} isn't shown as it was stored", entry.sequence));
                }
            }
        }
        if shown.next().is_some() {
            self.violation(format!("{}..{to} shows more than was stored", frame.from));
        }
    }

    fn snapshot(&mut self, id: Option<&str>, data: &str) {
        let frame: Frame = serde_json::from_str(data).unwrap();
        self.world.saw(|| format!("reader {} snapshot {}..{}", self.name, frame.from, frame.to));
        self.world.server.note("a snapshot");
        self.gathered.extend(frame.events);
        // Only its last frame has a place.
        let Some(at) = id.and_then(|id| id.parse::<Position>().ok()) else { return };
        let events = std::mem::take(&mut self.gathered);
        let shown: Vec<&[u8]> = events.iter().map(|event| event.get().as_bytes()).collect();
        let past = self.world.past();
        let wrong = snapshot::wrong(&self.world.server.ledger.lock(), &shown, at, past);
        if past == Past::Whole && !shown.is_empty() {
            self.world.server.note("a snapshot known to the byte");
        }
        wrong.into_iter().for_each(|what| self.violation(what));
        self.reached(at);
    }

    fn reached(&mut self, place: Position) {
        self.place = Some((place.sequence, Some(place.chain)));
        self.cursors.push(place);
        self.seen.send_modify(|seen| seen.place = Some(place));
    }

    fn violation(&self, what: String) {
        self.world.saw(|| format!("reader {}: {what}", self.name));
        self.seen.send_modify(|seen| seen.violations.push(format!("reader {}: {what}", self.name)));
    }
}

#[derive(serde::Deserialize)]
struct Frame {
    from: u64,
    to: u64,
    events: Vec<Box<RawValue>>,
    #[serde(default)]
    coalesced: Vec<u64>,
}

/// Whether somebody who comes to the end of a session is told that nothing follows.
pub async fn is_closed_to_who_comes_late(world: &World, session: usize) -> bool {
    let Some(replica) = world.replica(0) else { return false };
    let request = ReadRequest {
        key: key(session),
        view: View::default(),
        start: StartAt::Tail,
        framing: Framing::Sse,
        batch: None,
        coalesce: false,
        caller: None,
        lives: None,
    };
    replica.mux.open(request).await.is_ok_and(|reader| reader.is_finished())
}

/// What is counted of a verdict.
fn verdict(reason: &str) -> &'static str {
    match reason {
        "new" => "a reader: new",
        "ok" => "a reader: ok",
        "trimmed" => "a reader: trimmed",
        "epoch_changed" => "a reader: epoch_changed",
        "ahead" => "a reader: ahead",
        "diverged" => "a reader: diverged",
        "expired" => "a reader: expired",
        "unknown" => "a reader: unknown",
        "closed" => "a reader: closed",
        other => panic!("no verdict: {other}"),
    }
}
