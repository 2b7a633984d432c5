//! A run from its beginning to its end, and what must be true then.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Once};
use std::time::Duration;

use tributary::domain::position::Sequence;
use tributary::domain::record::{Record, SubagentStatus};
use tributary::domain::session::{Command, SessionState};
use tributary::domain::verdict::Verdict;
use tributary::engine::coordinator::Submission;
use tributary::engine::ports::result_cache::Presence;

use crate::history::{Act, From, History, Pace, Said};
use crate::keys;
use crate::ledger::read;
use crate::reader::{self, Running};
use crate::sender::{self, Told, What};
use crate::snapshot::Past;
use crate::world::{World, key, name};

/// How long, by the server's clock, everything may take after the last fault: the longest deadline, a claim of a replica that
/// died, a clock that went back, and some looks.
const SETTLES_IN: Duration = Duration::from_secs(180);
const LOOK: Duration = Duration::from_millis(500);

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    pub violations: Vec<String>,
    pub trace: Vec<String>,
    pub happened: BTreeMap<&'static str, u64>,
}

thread_local! {
    /// What tasks of the run on this thread have panicked with; `None` while there is no run.
    static PANICKED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// A task that panics is told by its run; the runtime would go on without it.
fn listen_for_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_of_a_run = PANICKED.with_borrow_mut(|panicked| {
                panicked
                    .as_mut()
                    .map(|panicked| panicked.push(format!("{panic}\n{}", own_frames())))
                    .is_some()
            });
            if !is_of_a_run {
                before(panic);
            }
        }));
    });
}

/// Where in the service it was.
fn own_frames() -> String {
    let frames = std::backtrace::Backtrace::force_capture().to_string();
    let lines: Vec<&str> = frames.lines().collect();
    let own = lines.windows(2).filter(|two| two[1].contains("at ./src/") || two[1].contains("at src/"));
    own.map(|two| format!("  {}\n  {}", two[0].trim(), two[1].trim())).collect::<Vec<_>>().join("\n")
}

fn has_panicked() -> bool {
    PANICKED.with_borrow(|panicked| panicked.as_ref().is_some_and(|panicked| !panicked.is_empty()))
}

/// Runs a history on this thread, as fast as it goes: the clock stands still but for what is waited for.
pub fn run(history: &History) -> Outcome {
    let history = history.clone();
    listen_for_panics();
    PANICKED.set(Some(Vec::new()));
    // The service's own random numbers are this generator's.
    fastrand::seed(history.seed);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let mut outcome = runtime.block_on(async move {
        let world = World::new(&history);
        let mut scene =
            Scene { world, readers: BTreeMap::new(), senders: Vec::new(), delay_ms: history.delay_ms };
        for (gap, act) in &history.acts {
            tokio::time::sleep(Duration::from_millis(*gap)).await;
            if has_panicked() {
                break;
            }
            scene.act(act);
        }
        scene.end(&history).await
    });
    runtime.shutdown_background();
    outcome.violations.extend(PANICKED.take().into_iter().flatten());
    outcome
}

struct Scene {
    world: Arc<World>,
    readers: BTreeMap<usize, Running>,
    senders: Vec<tokio::task::JoinHandle<Told>>,
    delay_ms: u64,
}

impl Scene {
    fn act(&mut self, act: &Act) {
        let (world, server) = (&self.world, &self.world.server);
        world.saw(|| format!("{act:?}"));
        let set =
            |replica: usize, what: fn(&crate::redis::Weather) -> &std::sync::atomic::AtomicU64, to: u64| {
                if let Some(weather) = world.weather(replica) {
                    what(&weather).store(to, std::sync::atomic::Ordering::Relaxed);
                }
            };
        let down = |replica: usize, is_down: bool| {
            if let Some(weather) = world.weather(replica) {
                weather.down.store(is_down, std::sync::atomic::Ordering::Relaxed);
            }
        };
        match act {
            Act::Read { reader, replica, session, from, coalesce, pace } => {
                if let Some(running) = self.readers.get(reader) {
                    running.orders.send_modify(|orders| {
                        (orders.cuts, orders.from, orders.pace) = (orders.cuts + 1, *from, *pace);
                    });
                } else {
                    let running = reader::begin(world, *reader, *replica, *session, *from, *coalesce, *pace);
                    self.readers.insert(*reader, running);
                }
            }
            Act::Cut { reader } => {
                if let Some(running) = self.readers.get(reader) {
                    server.note("a reader cut");
                    running.orders.send_modify(|orders| {
                        (orders.cuts, orders.from) = (orders.cuts + 1, From::Start);
                    });
                }
            }
            Act::Go { reader } => {
                if let Some(running) = self.readers.get(reader) {
                    running.orders.send_modify(|orders| orders.pace = Pace::Fast);
                }
            }
            Act::LoseMessages { replica, count } => set(*replica, |weather| &weather.lose_messages, *count),
            Act::DoubleMessages { replica, count } => {
                set(*replica, |weather| &weather.double_messages, *count)
            }
            Act::DelayMessages { replica, ms } => set(*replica, |weather| &weather.message_delay_ms, *ms),
            Act::LoseCommands { replica, count } => set(*replica, |weather| &weather.lose_commands, *count),
            Act::LoseAnswers { replica, count } => set(*replica, |weather| &weather.lose_answers, *count),
            Act::Down { replica } => down(*replica, true),
            Act::Up { replica } => down(*replica, false),
            Act::BreakSubscription { replica } => {
                server.note("a subscription broken");
                server.break_subscriptions(Some(*replica));
            }
            Act::ForgetScripts => server.forget_scripts(),
            Act::RestartEmpty => {
                server.note("a restart without data");
                server.restart_empty();
            }
            Act::Keep => server.keep(),
            Act::RollBack => {
                if server.roll_back() {
                    server.note("a roll-back");
                }
            }
            Act::Evict { session, what } => {
                if server.evict(&name(*session), what) {
                    server.note("an eviction");
                }
            }
            Act::Jump { ms } => {
                server.note(if *ms < 0 { "the clock set back" } else { "the clock set forward" });
                server.jump(*ms);
            }
            Act::Kill { replica } => world.kill(*replica),
            Act::Start { replica } => world.start(*replica, self.delay_ms),
            Act::Post { .. }
            | Act::Say { .. }
            | Act::Progress { .. }
            | Act::Refuse { .. }
            | Act::Keyed { .. }
            | Act::Cancel { .. } => {
                self.senders.extend(sender::begin(world, act));
            }
        }
    }

    /// Everything works again; whoever waits is told, every step ends, readers reach the end.
    async fn end(mut self, history: &History) -> Outcome {
        let world = self.world.clone();
        let mut violations = Vec::new();
        world.heal(history.delay_ms);
        for reader in self.readers.values() {
            reader.orders.send_modify(|orders| orders.pace = Pace::Fast);
        }
        if has_panicked() {
            return Outcome { violations, trace: world.trace(), happened: world.server.happened() };
        }
        let mut told = Vec::new();
        for sender in std::mem::take(&mut self.senders) {
            told.push(sender.await.expect("a sender doesn't panic"));
        }
        let unanswered = |told: &&Told| matches!(told.what, What::Refused("never answered"));
        violations.extend(told.iter().filter(unanswered).map(|told| format!("never answered: {told:?}")));
        let mut states = Vec::new();
        for session in 0..2 {
            states.push(self.settled(session, &mut violations).await);
        }
        self.readers_arrive(&states, &mut violations).await;
        for (session, state) in states.iter().enumerate() {
            if let Some(state) = state {
                let told = told.iter().filter(|told| told.session == session);
                promised(&world, state, told, &mut violations);
                check_log(&world, session, state, &mut violations);
                // Sessions are closed at the end only, when all of their readers are gone.
                if reader::is_closed_to_who_comes_late(&world, session).await {
                    world.server.note("a reader: closed");
                }
            }
        }
        if world.past() == Past::Whole {
            for session in 0..2 {
                let of = |told: &&Told| told.session == session;
                keys::check(&world.server, &told.iter().filter(of).collect::<Vec<_>>(), &mut violations);
                let log: Vec<_> = world.server.log(&name(session)).iter().map(|bytes| read(bytes)).collect();
                keys::stored_twice(log.iter(), &mut violations);
            }
        }
        for told in &told {
            world.server.note(counted(&told.what));
        }
        violations.extend(world.server.ledger.lock().violations.clone());
        Outcome { violations, trace: world.trace(), happened: world.server.happened() }
    }

    /// Waits until every step of a session has ended and the session is closed. `None` where there is no session.
    async fn settled(&self, session: usize, violations: &mut Vec<String>) -> Option<Arc<SessionState>> {
        let until = self.world.server.now() + SETTLES_IN.as_millis() as i64;
        let mut is_closed = false;
        loop {
            tokio::time::sleep(LOOK).await;
            let late = self.world.server.now() > until;
            let state = match self.world.session(session).await {
                Some(Presence::Live(state)) => state,
                Some(Presence::Unknown | Presence::Expired(_) | Presence::Archived(_)) => return None,
                None if late => {
                    violations.push(format!("s{session}: no replica can say how it stands"));
                    return None;
                }
                None => continue,
            };
            if !is_closed {
                let replica = self.world.replica(0).expect("all run");
                let close = Submission::one(Command::Close, None);
                is_closed = replica.coordinator.submit(&key(session), close).await.is_ok();
                continue;
            }
            if state.steps.iter().all(|step| step.ended.is_some()) {
                return Some(state);
            }
            if late {
                let open: Vec<_> = state
                    .steps
                    .iter()
                    .filter(|step| step.ended.is_none())
                    .map(|step| step.id().clone())
                    .collect();
                violations.push(format!("s{session}: {open:?} never ended"));
                return Some(state);
            }
        }
    }

    /// Readers of what is there are shown all of it.
    async fn readers_arrive(&self, states: &[Option<Arc<SessionState>>], violations: &mut Vec<String>) {
        let until = self.world.server.now() + SETTLES_IN.as_millis() as i64;
        for (name, reader) in &self.readers {
            loop {
                let seen = reader.seen.borrow().clone();
                // There is nothing to come to the end of where the session never began.
                let arrived = seen.ended || states.get(reader.session).is_none_or(Option::is_none);
                if arrived || self.world.server.now() > until {
                    if !arrived {
                        violations.push(format!("reader {name} never came to the end: {:?}", seen.place));
                    }
                    violations.extend(seen.violations);
                    break;
                }
                tokio::time::sleep(LOOK).await;
            }
            reader.task.abort();
        }
    }
}

/// What was acknowledged is there, once, and nothing else in its place.
fn promised<'a>(
    world: &World,
    state: &SessionState,
    told_all: impl Iterator<Item = &'a Told> + Clone,
    violations: &mut Vec<String>,
) {
    let has_lost_data = world.server.ledger.lock().has_lost_data();
    let mut accepted: BTreeMap<(usize, usize, u64), (u64, Option<u64>)> = BTreeMap::new();
    for told in told_all.clone() {
        let What::Event { output, revision: Some(revision), content, said, verdict, sequence } = &told.what
        else {
            continue;
        };
        let may_lose = world.may_have_lost(told.session, &sender::step(told.step));
        let Some(step) = state.steps.iter().find(|step| step.id().as_str() == sender::step(told.step)) else {
            if !may_lose {
                violations.push(format!("{told:?}, but its step is gone"));
            }
            continue;
        };
        let Some(known) =
            step.subagents.iter().find(|known| known.output.result_key.as_str() == sender::output(*output))
        else {
            if !may_lose {
                violations.push(format!("{told:?}, but the step doesn't expect it"));
            }
            continue;
        };
        if may_lose {
            continue;
        }
        let last = known.sender.map_or(0, |mark| mark.revision);
        // Two branches took one each: the other's came too late for a last word.
        let has_last_word = matches!(known.status, SubagentStatus::Success | SubagentStatus::Error)
            && told_all.clone().any(|other| is_accepted(other, told.step, *output, last));
        if has_lost_data && *revision > last && has_last_word && *verdict != Verdict::Late {
            world.server.note("told: accepted, and too late where another branch had a last word");
            continue;
        }
        match verdict {
            Verdict::Accepted | Verdict::Duplicate | Verdict::Stale if last < *revision => {
                violations.push(format!("{told:?}, but revision {last} is the last that is known"));
            }
            Verdict::Accepted if *said == Said::Success && known.status != SubagentStatus::Success => {
                violations.push(format!("{told:?}, but it ended as {:?}", known.status));
            }
            Verdict::Accepted => {
                let place = (told.step, *output, *revision);
                // A repeat with the same key is told what the first was.
                if let Some(other) = accepted.insert(place, (*content, *sequence))
                    && other != (*content, *sequence)
                    && !has_lost_data
                {
                    violations.push(format!("{told:?}, though {other:?} was accepted as that revision"));
                }
            }
            Verdict::Duplicate if !has_lost_data => {
                let original = accepted.get(&(told.step, *output, *revision));
                if original.is_some_and(|(first, at)| first != content || at != sequence) {
                    violations.push(format!("{told:?}, but the original is {original:?}"));
                }
            }
            Verdict::Duplicate | Verdict::Stale | Verdict::Late | Verdict::Conflict => {}
        }
    }
}

/// Whether this revision of an output was accepted with it.
fn is_accepted(told: &Told, in_step: usize, of: usize, which: u64) -> bool {
    let What::Event { output, revision: Some(revision), verdict: Verdict::Accepted, .. } = &told.what else {
        return false;
    };
    (told.step, *output, *revision) == (in_step, of, which)
}

/// The log as it lies there: dense, each output once terminal, each step once at its end, each revision once.
fn check_log(world: &World, session: usize, state: &SessionState, violations: &mut Vec<String>) {
    let log: Vec<_> = world.server.log(&name(session)).iter().map(|bytes| read(bytes)).collect();
    for two in log.windows(2) {
        if two[1].sequence != two[0].sequence.next() || two[1].previous_chain != two[0].chain {
            violations.push(format!("s{session}: {} is followed by {}", two[0].sequence, two[1].sequence));
        }
    }
    let last = log.last().map_or(Sequence(0), |entry| entry.sequence);
    if log.is_empty()
        || last == state.position.sequence
            && log.last().is_some_and(|entry| entry.chain != state.position.chain)
    {
        // A store that lost data may stand above a log that is gone, or begins anew.
        if !world.server.ledger.lock().has_lost_data() {
            violations.push(format!("s{session}: the log ends at {last}, the state at {}", state.position));
        }
    }
    let mut terminal: BTreeMap<String, Sequence> = BTreeMap::new();
    let mut ended: BTreeMap<String, Sequence> = BTreeMap::new();
    for entry in &log {
        let once = match &entry.record {
            Record::StepEnded { step } => ended.insert(step.to_string(), entry.sequence),
            Record::Subagent { output, status, .. } if status.is_terminal() => {
                terminal.insert(format!("{} {}", output.step, output.result_key), entry.sequence)
            }
            _ => continue,
        };
        if let Some(before) = once {
            violations.push(format!(
                "s{session}: {} ends again what {before} ended: {:?}",
                entry.sequence, entry.record
            ));
        }
        if let Record::Subagent { output, .. } = &entry.record
            && ended.contains_key(output.step.as_str())
        {
            violations.push(format!("s{session}: {} comes after its step's end", entry.sequence));
        }
    }
}

fn counted(what: &What) -> &'static str {
    match what {
        What::Step { created: true } => "told: a step created",
        What::Step { created: false } => "told: a step known",
        What::Event { verdict: Verdict::Accepted, .. } => "told: accepted",
        What::Event { verdict: Verdict::Duplicate, .. } => "told: duplicate",
        What::Event { verdict: Verdict::Stale, .. } => "told: stale",
        What::Event { verdict: Verdict::Late, .. } => "told: late",
        What::Event { verdict: Verdict::Conflict, .. } => "told: conflict",
        What::Done => "told: done",
        What::Refused(_) => "told: refused",
        What::GivenUp => "told: nothing for sure",
    }
}
