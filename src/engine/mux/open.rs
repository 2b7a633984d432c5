//! Where a reader stands when it comes, and when it has to begin anew.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::behind::Behind;
use super::changed::changed;
use super::opened::Opened;
use super::snapshot;
use super::tail::Tail;
use super::verdict::{Begin, Log, Reason, Verdict, judge};
use super::view::{StartAt, View};
use super::window::LogWindow;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Position, Sequence};
use crate::domain::session::{SessionState, StepState};
use crate::engine::ports::result_cache::{Loaded, Presence, ResultCache, Snapshot, StoreError, load_settled};

/// How long a cursor's place is waited for that the store has just lost, and how often it is looked for at most: a log may change often.
const PUT_BACK_IN: Duration = Duration::from_secs(1);
const LOOKS: u32 = 4;

/// Finds the place for a start, by what this process knows where that is enough: a reader that goes on exactly. Every
/// other verdict is given on what the store knows; another replica may know more.
pub async fn locate(
    cache: &dyn ResultCache,
    key: &SessionKey,
    view: &View,
    start: StartAt,
) -> Result<(Arc<LogWindow>, Opened), StoreError> {
    let window = cache.follow(key).await?;
    // What isn't live here an archive may have.
    let is_live = |known: &Loaded| matches!(known.presence, Presence::Live(_));
    if let Some(mut known) = cache.known(key).filter(is_live) {
        if known.oldest > Sequence(1) {
            known.oldest = cache.oldest(key, known.oldest).await;
        }
        let opened = locate_in(cache, key, &window, view, start, known, Wanted::Continued).await?;
        if opened.recovered || mutant!("verdict-of-a-stale-window") {
            return Ok((window, opened));
        }
    }
    locate_in_store(cache, key, view, start).await
}

/// Finds the place for a start in a session as the store knows it. Where that has just lost something, a cursor that it doesn't know may
/// be one of what is about to be put back: that is waited for.
pub async fn locate_in_store(
    cache: &dyn ResultCache,
    key: &SessionKey,
    view: &View,
    start: StartAt,
) -> Result<(Arc<LogWindow>, Opened), StoreError> {
    cache.settled().await;
    let until = Instant::now() + PUT_BACK_IN;
    let mut looks = 1..LOOKS;
    loop {
        let mut window = cache.refresh(key).await?;
        let seen = window.version();
        let loaded = load_settled(cache, key).await?;
        if is_behind(&window, &loaded) && !mutant!("window-from-before-the-store") {
            window = cache.refresh(key).await?;
        }
        let opened = locate_in(cache, key, &window, view, start, loaded, Wanted::Any).await?;
        let is_of_more = matches!(opened.reason, Reason::Ahead | Reason::Diverged);
        let may_come = is_of_more && cache.may_lack() && !mutant!("lost-place-not-waited-for");
        let waits = may_come && looks.next().is_some();
        if !waits || timeout_at(until, changed(&window, seen)).await.is_err() {
            return Ok((window, opened));
        }
    }
}

/// Whether a window was asked for before the store had all that it knows: what it had lost was put back in between, acknowledged long ago.
fn is_behind(window: &LogWindow, loaded: &Loaded) -> bool {
    let Presence::Live(state) = &loaded.presence else { return false };
    let store = state.position;
    window.tail().position.is_none_or(|held| held.epoch != store.epoch || held.sequence < store.sequence)
}

/// Which verdicts are of use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Any,
    /// What breaks off is judged anew by the store: no snapshot is taken for it.
    Continued,
}

async fn locate_in(
    cache: &dyn ResultCache,
    key: &SessionKey,
    window: &LogWindow,
    view: &View,
    start: StartAt,
    loaded: Loaded,
    wanted: Wanted,
) -> Result<Opened, StoreError> {
    let (state, position) = match &loaded.presence {
        Presence::Unknown => return Ok(Opened::unknown()),
        Presence::Expired(position) => (None, *position),
        Presence::Live(state) | Presence::Archived(state) => (Some(state.clone()), state.position),
    };
    let step = match (&state, &view.step) {
        (Some(state), Some(id)) => match state.step(id) {
            Some(step) => Some(step),
            None => return Ok(Opened::unknown()),
        },
        (None, _) | (_, None) => None,
    };
    let tail = window.tail();
    let position = tail.position.unwrap_or(position);
    let first = step.map_or(Sequence(0), StepState::before);
    let oldest = loaded.oldest.min(tail.oldest);
    let behind = Behind { cache, key, window };
    let chain = match start {
        StartAt::Cursor(cursor) => behind.chain_at(cursor.sequence, position).await?,
        StartAt::Start | StartAt::Tail | StartAt::Last(_) | StartAt::Snapshot | StartAt::Sequence(_) => None,
    };
    let before_last = match start {
        StartAt::Last(events) => {
            let floor = first.max(oldest.previous());
            // What concerns the whole session is no part of a step that was over.
            let last = step.and_then(|step| step.ended).map_or(position, |end| end.position).sequence;
            behind.before_last(view, events, floor..last).await?
        }
        StartAt::Start | StartAt::Tail | StartAt::Snapshot | StartAt::Sequence(_) | StartAt::Cursor(_) => {
            first
        }
    };
    let is_expired = state.is_none();
    let verdict = judge(start, &Log { tail: &tail, position, is_expired, oldest, first, chain, before_last });
    finish(
        cache,
        key,
        window,
        view,
        &loaded,
        Place { state: state.as_deref(), step, tail, position, first, verdict },
        wanted,
    )
    .await
}

struct Place<'a> {
    state: Option<&'a SessionState>,
    step: Option<&'a StepState>,
    tail: Tail,
    position: Position,
    first: Sequence,
    verdict: Verdict,
}

async fn finish(
    cache: &dyn ResultCache,
    key: &SessionKey,
    window: &LogWindow,
    view: &View,
    loaded: &Loaded,
    place: Place<'_>,
    wanted: Wanted,
) -> Result<Opened, StoreError> {
    let step_end = place.step.and_then(|step| step.ended).map(|end| end.position);
    let is_over = !matches!(loaded.presence, Presence::Live(_));
    let last = place.position.sequence;
    let end = match (&view.step, place.state) {
        (Some(_), Some(_)) => step_end.map(|end| end.sequence).or(is_over.then_some(last)),
        // Data stays while a step runs.
        (Some(_), None) => Some(last),
        // A session that expects more steps may go on though its data's time is over.
        (None, _) => place.tail.ended.then_some(last),
    };
    let mut opened = Opened {
        reason: place.verdict.reason,
        recovered: place.verdict.recovered(),
        start: Some(place.position),
        from: place.first,
        tail: place.position.sequence,
        oldest: loaded.oldest.min(place.tail.oldest),
        snapshot: None,
        step_end,
        finished: false,
        is_over,
        step: place.state.and_then(|state| seen_step(state, view)),
    };
    let is_wanted = |recovered: bool| recovered || wanted == Wanted::Any;
    match place.verdict.begin {
        Begin::After(sequence) => {
            let Some(start) = position_at(cache, key, window, place.position, sequence).await? else {
                opened.recovered = false;
                if !is_wanted(false) {
                    return Ok(opened);
                }
                return in_snapshot(cache, key, (opened, Reason::Trimmed), loaded, wanted).await;
            };
            opened.from = sequence;
            opened.start = Some(start);
            opened.finished = match end {
                Some(end) if sequence >= end => true,
                // Who has the last event of a closed session has all of it, whatever was noted since.
                Some(end) if view.step.is_none() && opened.reason == Reason::Ok => {
                    Behind { cache, key, window }.is_quiet(sequence..end).await?
                }
                Some(_) | None => false,
            };
            if opened.finished {
                opened.reason = Reason::Closed;
            }
            Ok(opened)
        }
        Begin::Snapshot if !is_wanted(opened.recovered) => Ok(opened),
        Begin::Snapshot => in_snapshot(cache, key, (opened, place.verdict.reason), loaded, wanted).await,
    }
}

fn seen_step(state: &SessionState, view: &View) -> Option<Arc<StepState>> {
    let mut steps = state.steps.iter().rev();
    steps.find(|step| view.step.as_ref().is_none_or(|id| step.id() == id)).cloned()
}

/// Begins with a snapshot. That of a session whose data has expired is empty. That of a live one isn't: where the store has none, it
/// has just lost it, and whoever were shown an empty one would never see what is put back.
async fn in_snapshot(
    cache: &dyn ResultCache,
    key: &SessionKey,
    (mut opened, reason): (Opened, Reason),
    loaded: &Loaded,
    wanted: Wanted,
) -> Result<Opened, StoreError> {
    let position = opened.start.expect("a snapshot stands for a known place");
    let snapshot = match cache.snapshot(key).await? {
        Some(snapshot) => snapshot,
        None if !matches!(loaded.presence, Presence::Live(_)) => Snapshot::whole(position, Vec::new()),
        None if wanted == Wanted::Continued => {
            opened.recovered = false;
            return Ok(opened);
        }
        None => return Err(StoreError::Unavailable("it has just lost what is put back in a moment".into())),
    };
    Ok(with_snapshot(opened, reason, snapshot))
}

fn with_snapshot(mut opened: Opened, reason: Reason, mut snapshot: Snapshot) -> Opened {
    opened.reason = reason;
    opened.recovered &= reason == Reason::New;
    // What concerns the whole session and came after a step's end is no part of its view: its snapshot doesn't stand for it.
    if let Some(end) = opened.step_end.filter(|end| end.sequence < snapshot.position.sequence) {
        snapshot.position = Position { epoch: snapshot.position.epoch, ..end };
    }
    opened.start = Some(snapshot.position);
    opened.snapshot = Some(snapshot);
    opened
}

/// The whole position at a sequence: what comes after it tells the chain.
async fn position_at(
    cache: &dyn ResultCache,
    key: &SessionKey,
    window: &LogWindow,
    tail: Position,
    sequence: Sequence,
) -> Result<Option<Position>, StoreError> {
    if sequence == tail.sequence {
        return Ok(Some(tail));
    }
    if let Some(chain) = window.chain_at(sequence) {
        return Ok(Some(Position { epoch: tail.epoch, sequence, chain }));
    }
    let next = cache.read(key, sequence, 1).await?.entries();
    Ok(next.and_then(|entries| entries.first().map(|entry| entry.previous_position(tail.epoch))))
}

/// Writes the frames of a snapshot, where one follows.
pub fn write_snapshot(out: &mut Vec<u8>, opened: &Opened, view: &View, layout: super::frames::Layout) {
    if let Some(Snapshot { position, entries, .. }) = &opened.snapshot {
        snapshot::write_snapshot(out, entries, opened.from, *position, view, layout);
    }
}
