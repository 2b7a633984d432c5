//! Where sessions stand: the table `sessions`, a row each.

use std::collections::HashMap;

use super::database::{Row, Tx, Value};
use super::row::{Effect, signed};
use super::statements::in_groups;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Chain, Position, Sequence};
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::{ArchiveError, ArchivedSession, Segment};

/// The columns of a session, in the order that [`session_of`] reads them.
pub(super) const COLUMNS: &str =
    "tenant, session, epoch, sequence, chain, first_sequence, open_steps, more_steps, updated_at";
const COLUMN_COUNT: usize = 9;

const STORE_END: &str = " ON CONFLICT (tenant, session) DO UPDATE SET epoch = excluded.epoch, \
     sequence = excluded.sequence, chain = excluded.chain, first_sequence = excluded.first_sequence, \
     open_steps = excluded.open_steps, more_steps = excluded.more_steps, updated_at = excluded.updated_at";

/// Where a session stands, as far as writing needs it.
#[derive(Debug, Clone)]
pub(super) struct Head {
    sequence: Sequence,
    chain: Chain,
    pub(super) first_sequence: Sequence,
    open_steps: i64,
    more_steps: bool,
    updated_at: Timestamp,
}

impl Head {
    /// A session of which nothing is known before `entry`.
    pub(super) fn before(entry: &Entry) -> Self {
        Self {
            sequence: entry.sequence.previous(),
            chain: entry.previous_chain,
            first_sequence: entry.sequence,
            open_steps: 0,
            // A session is open until a step that is seen says otherwise.
            more_steps: is_beginning(entry.sequence),
            updated_at: entry.at,
        }
    }

    pub(super) fn sequence(&self) -> Sequence {
        self.sequence
    }

    pub(super) fn is_continued_by(&self, entry: &Entry) -> bool {
        self.sequence.next() == entry.sequence && self.chain == entry.previous_chain
    }

    /// Goes on to the next entry.
    pub(super) fn pass(&mut self, entry: &Entry, effect: Effect) {
        if mutant!("archive-position-behind") {
            return;
        }
        self.sequence = entry.sequence;
        self.chain = entry.chain;
        self.updated_at = entry.at;
        self.note(effect);
    }

    fn note(&mut self, effect: Effect) {
        match effect {
            Effect::Nothing => {}
            Effect::StepStarts => (self.open_steps, self.more_steps) = (self.open_steps + 1, false),
            Effect::StepStartsMoreFollow => (self.open_steps, self.more_steps) = (self.open_steps + 1, true),
            Effect::StepStartsUnseen | Effect::PostBegins => self.open_steps += 1,
            // After a hole a step may end whose beginning is missing.
            Effect::StepEnds => self.open_steps = (self.open_steps - 1).max(0),
            Effect::SessionCloses => self.more_steps = false,
        }
    }

    /// Counts again what the live entries from the first one up to here did.
    pub(super) async fn recount(&mut self, tx: &mut Tx, key: &SessionKey) -> Result<(), ArchiveError> {
        let sql = "SELECT effect FROM entries WHERE tenant = $1 AND session = $2 AND live AND effect > 0 \
                   AND sequence >= $3 AND sequence <= $4 ORDER BY sequence";
        let values = [
            Value::Text(key.tenant.as_str()),
            Value::Text(key.session.as_str()),
            Value::Int(signed(self.first_sequence.0)),
            Value::Int(signed(self.sequence.0)),
        ];
        self.more_steps = is_beginning(self.first_sequence);
        for row in tx.fetch(sql.to_owned(), &values).await? {
            if let Some(effect) = Effect::numbered(row.int(0)?) {
                self.note(effect);
            }
        }
        Ok(())
    }
}

/// Whether nothing of a session came before. In a log without its beginning nobody knows what was said there.
fn is_beginning(first: Sequence) -> bool {
    first == Sequence(1)
}

/// The heads of sessions, by tenant and name, where there are any.
pub(super) async fn load<'k>(
    tx: &mut Tx,
    keys: impl Iterator<Item = &'k SessionKey>,
) -> Result<HashMap<(&'k str, &'k str), Head>, ArchiveError> {
    let keys: Vec<&SessionKey> = keys.collect();
    let mut found = HashMap::with_capacity(keys.len());
    for group in in_groups(&keys) {
        let mut sql = format!("SELECT {COLUMNS} FROM sessions WHERE (tenant, session) IN (VALUES ");
        group.tuples(&mut sql, (2, tx.placeholders()), "");
        sql.push(')');
        let names = |key: &&'k SessionKey| [key.tenant.as_str(), key.session.as_str()];
        let values: Vec<Value<'_>> = group.rows.iter().flat_map(names).map(Value::Text).collect();
        let mut heads = HashMap::new();
        for row in tx.fetch(sql, &values).await? {
            heads.insert((row.text(0)?.to_owned(), row.text(1)?.to_owned()), head_of(&row)?);
        }
        for key in group.rows {
            let (tenant, session) = (key.tenant.as_str(), key.session.as_str());
            if let Some(head) = heads.remove(&(tenant.to_owned(), session.to_owned())) {
                found.insert((tenant, session), head);
            }
        }
    }
    Ok(found)
}

/// Writes where sessions stand now.
pub(super) async fn store(tx: &mut Tx, heads: &[(&Segment, Head)]) -> Result<(), ArchiveError> {
    let begin = format!("INSERT INTO sessions ({COLUMNS})");
    for group in in_groups(heads) {
        let sql = group.insert(&begin, (COLUMN_COUNT, tx.placeholders()), "", STORE_END);
        let mut values = Vec::with_capacity(group.rows.len() * COLUMN_COUNT);
        for (segment, head) in group.rows {
            values.extend([
                Value::Text(segment.key.tenant.as_str()),
                Value::Text(segment.key.session.as_str()),
                Value::Text(segment.epoch.as_str()),
                Value::Int(signed(head.sequence.0)),
                Value::Int(signed(head.chain.0)),
                Value::Int(signed(head.first_sequence.0)),
                Value::Int(head.open_steps),
                Value::Int(head.more_steps.into()),
                Value::Int(head.updated_at.0),
            ]);
        }
        tx.execute(sql, &values).await?;
    }
    Ok(())
}

fn head_of(row: &Row) -> Result<Head, ArchiveError> {
    Ok(Head {
        sequence: Sequence(row.int(3)?.cast_unsigned()),
        chain: Chain(row.int(4)?.cast_unsigned()),
        first_sequence: Sequence(row.int(5)?.cast_unsigned()),
        open_steps: row.int(6)?,
        more_steps: row.int(7)? > 0,
        updated_at: Timestamp(row.int(8)?),
    })
}

/// A session out of a row of [`COLUMNS`].
pub(super) fn session_of(row: &Row) -> Result<ArchivedSession, ArchiveError> {
    let head = head_of(row)?;
    let (has_open_step, more) = (head.open_steps > 0, head.more_steps);
    Ok(ArchivedSession {
        key: SessionKey { tenant: row.parsed(0)?, session: row.parsed(1)? },
        position: Position { epoch: row.parsed(2)?, sequence: head.sequence, chain: head.chain },
        first: head.first_sequence,
        has_open_step,
        is_ended: !has_open_step && !more,
        updated_at: head.updated_at,
    })
}
