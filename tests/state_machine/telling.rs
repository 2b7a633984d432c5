//! Telling a story to the real state machine: its commands, cut into batches, and what came out.

use std::sync::Arc;
use tributary::domain::entry::Entry;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::{AppendId, Position};
use tributary::domain::record::Answer;
use tributary::domain::session::{Batch, Command, SessionState};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::Refusal;

use crate::commands::{Plan, STAGES, Said, Story};
use crate::fixtures::{Post, cancel, combine, id, post, progress, safety, say};
use crate::model::TREE_DEPTH;

/// When stories begin.
pub const BEGIN: i64 = 1_709_518_530_000;

/// How a story is cut into batches; all of a batch is decided at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// A batch for all requests of a turn.
    Turns,
    /// A batch for each request.
    Requests,
    /// A batch for each command.
    Commands,
}

/// What a story led to.
pub struct Told {
    pub entries: Vec<Entry>,
    pub state: SessionState,
    /// By command, in order.
    pub answers: Vec<Result<Answer, Refusal>>,
}

/// One command as it is decided.
pub struct Moment<'a> {
    pub said: &'a Said,
    pub before: &'a SessionState,
    pub answer: &'a Result<Answer, Refusal>,
    pub after: &'a SessionState,
    /// Entries that the batch had before and has after.
    pub entries: (usize, usize),
    /// The moment as the batch takes it.
    pub now: Timestamp,
}

/// The limits of these tests: a tree soon reaches its bound.
pub fn limits() -> SessionLimits {
    SessionLimits { tree_depth: TREE_DEPTH, ..SessionLimits::default() }
}

/// The place where every log of these tests begins.
pub fn start() -> Position {
    Position::start(id("7f3a91"))
}

/// A session before its first entry.
pub fn empty() -> SessionState {
    SessionState::new(id("sess-1"), start())
}

/// Tells a whole story.
pub fn tell(story: &Story, cut: Cut) -> Told {
    tell_watched(story, cut, |_| {})
}

/// Tells a whole story, looking at every command.
pub fn tell_watched(story: &Story, cut: Cut, mut watch: impl FnMut(Moment<'_>)) -> Told {
    let limits = limits();
    let mut told = Told { entries: Vec::new(), state: empty(), answers: Vec::new() };
    let mut clock = BEGIN;
    for turn in &story.turns {
        clock += turn.jump_ms;
        let now = Timestamp(clock).max(told.state.last_at);
        let commands = turn.requests.iter().flatten().count();
        for batch in cut_up(&turn.requests, cut, commands) {
            let append_id = AppendId(0x5eed + told.entries.len() as u64 * 31 + batch.len() as u64);
            let mut deciding = Batch::new(&told.state, &limits, Timestamp(clock), append_id);
            for said in batch {
                let (before, entries) = (deciding.state().clone(), deciding.size().0);
                let answer = deciding.decide(&command(said, &story.plans));
                combine(&mut deciding);
                let entries = (entries, deciding.size().0);
                watch(Moment {
                    said,
                    before: &before,
                    answer: &answer,
                    after: deciding.state(),
                    entries,
                    now,
                });
                told.answers.push(answer);
            }
            let (entries, state) = deciding.into_parts();
            told.entries.extend(entries.into_iter().map(Arc::unwrap_or_clone));
            told.state = state;
        }
    }
    told
}

fn cut_up(requests: &[Vec<Said>], cut: Cut, commands: usize) -> Vec<Vec<&Said>> {
    let all = || requests.iter().flatten();
    match cut {
        Cut::Turns => vec![all().collect()],
        Cut::Requests => requests.iter().map(|request| request.iter().collect()).collect(),
        Cut::Commands => (0..commands).map(|n| all().skip(n).take(1).collect()).collect(),
    }
}

/// The name of a step.
pub fn step_name(step: usize) -> String {
    format!("step-{step}")
}

/// A command as the service would be given it.
pub fn command(said: &Said, plans: &[[Plan; 2]]) -> Command {
    match said {
        Said::Post { step, variant } => directive(*step, *variant, &plans[*step][*variant]).command(),
        Said::Event(spoken) => {
            let event =
                say(&step_name(spoken.step), STAGES[spoken.stage], spoken.status).content(spoken.content);
            let event = spoken.output.iter().fold(event, |event, n| event.about(&format!("r{n}")));
            let event = spoken.revision.iter().fold(event, |event, n| event.revision(*n));
            if spoken.retryable { event.retryable().command() } else { event.command() }
        }
        Said::Progress { step } => progress(&step_name(*step), "half of it"),
        Said::Safety { step, decision, stage, terminate } => {
            let step = step.map(step_name);
            safety(step.as_deref(), *decision, stage.map(|stage| STAGES[stage]), *terminate)
        }
        Said::Cancel { step } => cancel(step.map(step_name).as_deref()),
        Said::Close => Command::Close,
        Said::Deadlines => Command::Deadlines,
    }
}

fn directive(step: usize, variant: usize, plan: &Plan) -> Post {
    let name = step_name(step);
    let mut directive = post(&name).with("deadline_ms", plan.deadline_ms).with("more_steps", plan.more_steps);
    // So that the two never say the same.
    directive = directive.with("goal", format!("variant {variant}"));
    for (n, output) in plan.outputs.iter().enumerate() {
        directive = directive
            .expects(STAGES[output.stage], &format!("r{n}"))
            .of_which("max_attempts", output.max_attempts);
        if let Some(ms) = output.deadline_ms {
            directive = directive.of_which("deadline_ms", ms);
        }
    }
    for child in &plan.children {
        directive = directive.expects_child(&step_name(*child));
    }
    if let Some(parent) = plan.parent {
        directive = directive.with("parent_step_id", step_name(parent));
    }
    plan.disabled.iter().fold(directive, |directive, stage| directive.disabled(STAGES[*stage]))
}
