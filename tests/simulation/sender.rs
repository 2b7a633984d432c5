//! Whoever posts and says: repeats until told, with the same revision, at whichever replica answers.

use std::sync::Arc;
use std::time::Duration;

use tributary::domain::event::SenderStatus;
use tributary::domain::record::Answer;
use tributary::domain::session::{Command, IdempotencyKey};
use tributary::domain::verdict::{Refusal, Verdict};
use tributary::engine::coordinator::{Submission, SubmitError};

use crate::fixtures::{cancel, post, progress, safety, say};
use crate::history::{Act, Said};
use crate::keys::{self, Keyed};
use crate::world::{World, key};

/// Between two tries: at first, and at most.
const PAUSE: Duration = Duration::from_millis(70);
const PAUSE_MOST: Duration = Duration::from_secs(1);
/// Tries until a sender gives up. Everything works again long before.
const TRIES: usize = 600;

/// What a sender was told in the end.
#[derive(Debug, Clone)]
pub struct Told {
    pub session: usize,
    pub step: usize,
    pub what: What,
    /// Where it sends a key.
    pub keyed: Option<Keyed>,
}

#[derive(Debug, Clone)]
pub enum What {
    Step {
        created: bool,
    },
    /// With the revision and content that it sent, and the sequence that it was told.
    Event {
        output: usize,
        revision: Option<u64>,
        content: u64,
        said: Said,
        verdict: Verdict,
        sequence: Option<u64>,
    },
    Done,
    Refused(&'static str),
    /// Nothing was stored for sure, or not known whether; a repeat wouldn't be safe.
    GivenUp,
}

pub fn step(number: usize) -> String {
    format!("p{number}")
}

pub fn output(number: usize) -> String {
    format!("r{number}")
}

fn command(act: &Act, key: Option<u64>) -> Option<(usize, usize, usize, Command, bool)> {
    let of = |replica: &usize, session: &usize, number: &usize, command, repeats| {
        Some((*replica, *session, *number, command, repeats))
    };
    match act {
        Act::Post { replica, session, step: number, outputs, deadline_ms } => {
            let mut directive =
                post(&step(*number)).with("deadline_ms", *deadline_ms).with("more_steps", true);
            for n in 0..*outputs {
                directive = directive.expects("crm", &output(n)).of_which("max_attempts", 2);
            }
            of(replica, session, number, directive.command(), true)
        }
        Act::Say { replica, session, step: number, output: n, revision, content, said } => {
            let status = match said {
                Said::Partial => SenderStatus::Partial,
                Said::Success => SenderStatus::Success,
                Said::Error { .. } => SenderStatus::Error,
            };
            let mut event = say(&step(*number), "crm", status).about(&output(*n)).content(*content);
            if matches!(said, Said::Error { retryable: true }) {
                event = event.retryable();
            }
            if let Some(revision) = revision {
                event = event.revision(*revision);
            }
            of(replica, session, number, event.command(), revision.is_some())
        }
        Act::Progress { replica, session, step: number } => {
            let text = key.map_or("on it".to_owned(), keys::message);
            of(replica, session, number, progress(&step(*number), &text), false)
        }
        Act::Refuse { replica, session, step: number } => {
            let refuse = tributary::domain::policy::PolicyDecision::Refuse;
            of(replica, session, number, safety(Some(&step(*number)), refuse, None, Some(true)), false)
        }
        Act::Cancel { replica, session, step: number } => {
            of(replica, session, number, cancel(Some(&step(*number))), true)
        }
        _ => None,
    }
}

/// Sends what an act says; `None` where it says nothing.
pub fn begin(world: &Arc<World>, act: &Act) -> Option<tokio::task::JoinHandle<Told>> {
    let (key, act) = match act {
        Act::Keyed { key, act } => (Some(*key), &**act),
        act => (None, act),
    };
    let (replica, session, step, command, repeats) = command(act, key)?;
    let idempotency = key.map(|key| keys::header(key, act));
    let (world, act) = (world.clone(), act.clone());
    Some(tokio::spawn(async move {
        let sent = Sent { command, repeats: repeats || key.is_some(), idempotency };
        let (what, answer, asked) = send(&world, &act, (replica, session), sent).await;
        world.saw(|| format!("told {act:?}: {what:?}"));
        let request = keys::request(&act);
        let keyed = key.map(|key| Keyed { key, request, asked, told: world.tick(), answer });
        Told { session, step, what, keyed }
    }))
}

/// A request, and whether it is safe to send it again.
struct Sent {
    command: Command,
    repeats: bool,
    idempotency: Option<IdempotencyKey>,
}

/// Gives what it was told, the answer where there was one, and when it asked last.
async fn send(
    world: &World,
    act: &Act,
    (replica, session): (usize, usize),
    sent: Sent,
) -> (What, Option<Answer>, u64) {
    let mut asked = world.tick();
    let mut pause = PAUSE;
    for turn in replica..replica + TRIES {
        let Some(replica) = world.replica(turn) else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let death = world.death();
        let key = key(session);
        let submission = Submission::one(sent.command.clone(), sent.idempotency.clone());
        asked = world.tick();
        let answered = tokio::select! {
            biased;
            answered = replica.coordinator.submit(&key, submission) => answered,
            // Its connection breaks with the replica; with another's too: then it asks once more than it must.
            _ = death => Err(SubmitError::OutcomeUnknown),
        };
        let error = match answered {
            Ok(reply) => match (reply.answers.into_iter().next(), reply.stopped) {
                (Some(answer), _) => return (told(act, answer.clone()), answer.ok(), asked),
                (None, Some(error)) => error,
                (None, None) => panic!("a reply without an answer, nor a reason"),
            },
            Err(error) => error,
        };
        match error {
            SubmitError::UnknownSession => return (What::Refused("unknown_session"), None, asked),
            SubmitError::SessionExpired => return (What::Refused("session_expired"), None, asked),
            SubmitError::OutcomeUnknown if !sent.repeats => return (What::GivenUp, None, asked),
            SubmitError::OutcomeUnknown | SubmitError::Draining | SubmitError::Store(_) => {
                world.server.note("a sender repeats");
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MOST);
    }
    (What::Refused("never answered"), None, asked)
}

fn told(act: &Act, answer: Result<Answer, Refusal>) -> What {
    match (answer, act) {
        (Err(refusal), _) => What::Refused(refusal.code.as_str()),
        (Ok(Answer::Step { created }), _) => What::Step { created },
        (Ok(Answer::Done(_)), _) => What::Done,
        (Ok(Answer::Event(decided)), Act::Say { output, revision, content, said, .. }) => What::Event {
            output: *output,
            revision: *revision,
            content: *content,
            said: *said,
            verdict: decided.verdict,
            sequence: decided.sequence.map(|sequence| sequence.0),
        },
        (Ok(Answer::Event(_)), act) => panic!("{act:?} was answered like an event"),
    }
}
