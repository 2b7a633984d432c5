//! The verdict on where a reader wants to start: can history be continued exactly?

use serde::Serialize;
use utoipa::ToSchema;

use super::tail::Tail;
use super::view::StartAt;
use crate::domain::position::{Chain, Position, Sequence};

/// Why a reader was given what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReadReason)]
pub enum Reason {
    /// A new reader.
    New,
    /// Continued exactly.
    Ok,
    /// What comes after its cursor is no longer kept.
    Trimmed,
    /// Its cursor is of another life of the log.
    EpochChanged,
    /// Its cursor is beyond the end.
    Ahead,
    /// Its cursor is of another branch of the log.
    Diverged,
    /// The data's time is over.
    Expired,
    /// There is no such session or step yet.
    Unknown,
    /// Everything was read.
    Closed,
}

impl Reason {
    /// As the wire has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Ok => "ok",
            Self::Trimmed => "trimmed",
            Self::EpochChanged => "epoch_changed",
            Self::Ahead => "ahead",
            Self::Diverged => "diverged",
            Self::Expired => "expired",
            Self::Unknown => "unknown",
            Self::Closed => "closed",
        }
    }
}

/// Where reading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// After this entry.
    After(Sequence),
    /// With a snapshot.
    Snapshot,
}

/// A verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Why.
    pub reason: Reason,
    /// Where from.
    pub begin: Begin,
}

impl Verdict {
    /// Whether the reader gets everything after where it was.
    pub fn recovered(&self) -> bool {
        matches!(self.reason, Reason::New | Reason::Ok | Reason::Closed)
    }

    fn broken(reason: Reason) -> Self {
        Self { reason, begin: Begin::Snapshot }
    }
}

/// What the verdict depends on.
pub struct Log<'a> {
    /// Where the log stands.
    pub tail: &'a Tail,
    /// Its position.
    pub position: Position,
    /// Whether the time of its data is over.
    pub is_expired: bool,
    /// The oldest entry that can still be read.
    pub oldest: Sequence,
    /// The place before the first entry of the view.
    pub first: Sequence,
    /// The chain at the sequence of the cursor, where there is one and it is known.
    pub chain: Option<Chain>,
    /// The place before the last so many events of the view, where so many are asked for.
    pub before_last: Sequence,
}

/// Judges a start.
pub fn judge(start: StartAt, log: &Log<'_>) -> Verdict {
    match judge_kept(start, log) {
        // Of what is gone there is nothing to be had, wherever the reader was; any other reason would have it wait for more.
        Verdict { begin: Begin::Snapshot, .. } if log.is_expired => Verdict::broken(Reason::Expired),
        verdict => verdict,
    }
}

fn judge_kept(start: StartAt, log: &Log<'_>) -> Verdict {
    let tail = log.position.sequence;
    let after = |reason, sequence: Sequence| {
        if sequence.next() < log.oldest && sequence < tail {
            let reason = if log.tail.expired { Reason::Expired } else { Reason::Trimmed };
            return Verdict::broken(reason);
        }
        Verdict { reason, begin: Begin::After(sequence) }
    };
    match start {
        StartAt::Start => after(Reason::New, log.first),
        StartAt::Tail => after(Reason::New, tail),
        // Of what is gone the last events are none either: who asks for some isn't told that it has them all.
        StartAt::Last(1..) if log.is_expired => Verdict::broken(Reason::Expired),
        StartAt::Last(_) => after(Reason::New, log.before_last),
        StartAt::Snapshot => Verdict { reason: Reason::New, begin: Begin::Snapshot },
        StartAt::Sequence(sequence) if sequence > tail => Verdict::broken(Reason::Ahead),
        StartAt::Sequence(at) if at == tail && mutant!("tail-taken-for-ahead") => {
            Verdict::broken(Reason::Ahead)
        }
        // Before everything is where a view starts: of a step, before its own first entry.
        StartAt::Sequence(Sequence(0)) => after(Reason::Ok, log.first),
        StartAt::Sequence(sequence) => after(Reason::Ok, sequence),
        StartAt::Cursor(cursor) => judge_cursor(cursor, log, after),
    }
}

/// A cursor is continued where its chain is the log's at its sequence, whatever its epoch says: an epoch may change
/// while history stays.
fn judge_cursor(cursor: Position, log: &Log<'_>, after: impl Fn(Reason, Sequence) -> Verdict) -> Verdict {
    let same_epoch = cursor.epoch == log.position.epoch;
    if same_epoch && cursor.sequence == Sequence(0) && cursor.chain == Chain::seed(cursor.epoch) {
        return after(Reason::Ok, Sequence(0));
    }
    let known = if cursor.sequence > log.position.sequence { None } else { log.chain };
    match known {
        Some(chain) if chain == cursor.chain || mutant!("cursor-chain-not-compared") => {
            after(Reason::Ok, cursor.sequence)
        }
        _ if !same_epoch => Verdict::broken(Reason::EpochChanged),
        _ if cursor.sequence > log.position.sequence => Verdict::broken(Reason::Ahead),
        Some(_) => Verdict::broken(Reason::Diverged),
        None => after(Reason::Trimmed, cursor.sequence),
    }
}
