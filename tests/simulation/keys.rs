//! Requests with an `Idempotency-Key`: a repeat gets the first answer, and nothing is stored twice.

use std::collections::BTreeMap;

use tributary::domain::entry::Entry;
use tributary::domain::record::{Answer, Record};
use tributary::domain::session::IdempotencyKey;
use tributary::domain::verdict::Verdict;

use crate::fixtures::idempotency;
use crate::history::Act;
use crate::redis::ModelRedis;
use crate::sender::{Told, What};

const MESSAGE: &str = "on it for key ";
const CONTENT: &str = "\"content\":\"7";
/// Above all other contents.
const CONTENTS: u64 = 70_000;

/// What a sender with a key was told, and when: by the world's count of such moments.
#[derive(Debug, Clone)]
pub struct Keyed {
    pub key: u64,
    /// What it says, without where.
    pub request: u64,
    /// When it asked for the last time.
    pub asked: u64,
    pub told: u64,
    pub answer: Option<Answer>,
}

/// What is sent with an act.
pub fn header(key: u64, act: &Act) -> IdempotencyKey {
    idempotency(&format!("key {key}"), u128::from(request(act)))
}

/// Tells requests apart, wherever they go.
pub fn request(act: &Act) -> u64 {
    let what = match act.clone() {
        Act::Post { session, step, outputs, deadline_ms, .. } => {
            format!("post {session} {step} {outputs} {deadline_ms}")
        }
        Act::Say { session, step, output, revision, content, said, .. } => {
            format!("say {session} {step} {output} {revision:?} {content} {said:?}")
        }
        Act::Progress { session, step, .. } => format!("progress {session} {step}"),
        Act::Refuse { session, step, .. } => format!("refuse {session} {step}"),
        Act::Cancel { session, step, .. } => format!("cancel {session} {step}"),
        other => panic!("nobody sends {other:?}"),
    };
    what.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What a progress with a key says, found again in the log.
pub fn message(key: u64) -> String {
    format!("{MESSAGE}{key}")
}

/// Contents that only senders with keys have, two for each.
pub fn content(key: u64) -> u64 {
    CONTENTS + 2 * key
}

/// Whether the answer came with something that was stored, and so is what every repeat is told.
fn was_stored(answer: Answer) -> bool {
    match answer {
        Answer::Step { created } => created,
        Answer::Event(decided) => decided.verdict == Verdict::Accepted,
        Answer::Done(_) => true,
    }
}

/// What is wrong with the answers to a session's requests; only where nothing was lost and nothing expired.
pub fn check(server: &ModelRedis, told: &[&Told], violations: &mut Vec<String>) {
    let mut by_key: BTreeMap<u64, Vec<(&Keyed, &What)>> = BTreeMap::new();
    for told in told {
        if let Some(keyed) = &told.keyed {
            by_key.entry(keyed.key).or_default().push((keyed, &told.what));
        }
    }
    for requests in by_key.values() {
        let stored = requests.iter().filter(|(keyed, _)| keyed.answer.is_some_and(was_stored));
        for (first, _) in stored {
            for (later, what) in requests {
                let (is_same, is_after) = (first.request == later.request, later.asked > first.told);
                let both = later.answer.is_some_and(was_stored);
                if is_same && later.answer != first.answer && (is_after || both) {
                    violations.push(format!("{later:?} was told {what:?} instead of {first:?}"));
                } else if is_same && is_after {
                    server.note("a key answered again");
                } else if !is_same && both {
                    violations.push(format!("{later:?} was taken beside {first:?}"));
                } else if !is_same && matches!(what, What::Refused("idempotency_conflict")) {
                    server.note("a key for something else");
                } else if !is_same && is_after {
                    violations.push(format!("{later:?} was told {what:?}, though {first:?} has its key"));
                }
            }
        }
    }
}

/// What a log holds twice of what was sent with one key.
pub fn stored_twice<'a>(log: impl Iterator<Item = &'a Entry>, violations: &mut Vec<String>) {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for entry in log {
        let Some(wire) = entry.wire() else { continue };
        if !matches!(entry.record, Record::Progress { .. } | Record::Subagent { .. }) {
            continue;
        }
        let wire = std::str::from_utf8(wire).unwrap();
        let said = [MESSAGE, CONTENT].into_iter().find_map(|begin| wire.split_once(begin));
        let Some((_, said)) = said else { continue };
        let said = said.split('"').next().unwrap().to_owned();
        // Others' contents may begin like that too, but are shorter.
        if wire.contains(CONTENT) && said.len() + 1 < CONTENTS.to_string().len() {
            continue;
        }
        if let Some(before) = seen.insert(format!("{:?} {said}", entry.record.event_type()), entry.sequence.0)
        {
            violations.push(format!("what {said} says is stored as {before} and as {}", entry.sequence));
        }
    }
}
