//! One write: where each segment belongs, what leaves the live chain for it, its rows, and where the sessions then stand.

use std::collections::HashMap;

use super::database::{Tx, Value};
use super::deletions;
use super::heads::{self, Head};
use super::row::{COLUMNS, Effect, push_values, signed};
use super::statements::in_groups;
use super::turn_back::turn_back;
use crate::domain::entry::Entry;
use crate::domain::position::{Chain, Sequence};
use crate::engine::ports::archive::{ArchiveBatch, ArchiveError, LateResult, Segment};

const LIVE: [&str; 2] = [
    ", TRUE",
    " ON CONFLICT (tenant, session, sequence, chain) DO UPDATE SET live = TRUE, epoch = excluded.epoch",
];
/// Of a branch that was left: what is live of it stays so, until the log leaves that.
const LEFT: [&str; 2] = [", FALSE", " ON CONFLICT (tenant, session, sequence, chain) DO NOTHING"];

/// Writes a batch. The caller commits.
pub(super) async fn write(tx: &mut Tx, batch: &ArchiveBatch) -> Result<(), ArchiveError> {
    let all = batch.segments.iter().chain(&batch.left);
    let known = heads::load(tx, all.map(|segment| &segment.key)).await?;
    check_remembered(batch, &known)?;
    // What goes on where the archive stands wasn't deleted.
    let unsure = batch.segments.iter().filter(|segment| {
        let head = known.get(&names(segment));
        !segment.entries.first().is_some_and(|first| head.is_some_and(|head| head.is_continued_by(first)))
    });
    let unsure = unsure.chain(&batch.left).map(|segment| &segment.key);
    let deleted = deletions::among(tx, unsure.chain(batch.late.iter().map(|late| &late.key))).await?;
    let (mut heads, mut rows) = (Vec::new(), Vec::new());
    for segment in &batch.segments {
        if deleted.has(&segment.key, segment.epoch) && !mutant!("deleted-session-archived-again") {
            tracing::info!(session = %segment.key.session, "what was left of a session that was deleted is not archived");
            continue;
        }
        let Some((mut head, skip)) = place(tx, segment, known.get(&names(segment))).await? else { continue };
        for entry in &segment.entries[skip..] {
            head.pass(entry, Effect::of(&entry.record));
        }
        heads.push((segment, head));
        rows.extend((skip..segment.entries.len()).map(|index| (segment, index)));
    }
    insert_entries(tx, &rows, LIVE).await?;
    let left = batch.left.iter().filter(|segment| {
        // Retention goes by what is known of a session.
        let is_known = known.contains_key(&names(segment))
            || heads.iter().any(|(written, _)| written.key == segment.key);
        is_known && !deleted.has(&segment.key, segment.epoch)
    });
    let left = left.flat_map(|segment| (0..segment.entries.len()).map(move |index| (segment, index)));
    insert_entries(tx, &left.collect::<Vec<_>>(), LEFT).await?;
    heads::store(tx, &heads).await?;
    let late = batch.late.iter().filter(|late| !deleted.since(&late.key, late.at));
    insert_late(tx, &late.collect::<Vec<_>>()).await
}

/// Refuses what would be written above a hole by a writer that doesn't know of it.
fn check_remembered(batch: &ArchiveBatch, known: &HashMap<(&str, &str), Head>) -> Result<(), ArchiveError> {
    for (key, remembered) in &batch.remembered {
        let head = known.get(&(key.tenant.as_str(), key.session.as_str()));
        let stands = head.map_or(Sequence(0), Head::sequence);
        if stands < *remembered {
            return Err(ArchiveError::Behind(format!(
                "it has the session `{}` up to {stands}, and had it up to {remembered}",
                key.session
            )));
        }
    }
    Ok(())
}

fn names(segment: &Segment) -> (&str, &str) {
    (segment.key.tenant.as_str(), segment.key.session.as_str())
}

/// Where a segment belongs: how its session stands before its new entries, and how many of its entries are live already.
/// `None` where all of them are.
async fn place(
    tx: &mut Tx,
    segment: &Segment,
    head: Option<&Head>,
) -> Result<Option<(Head, usize)>, ArchiveError> {
    let (Some(first), Some(last)) = (segment.entries.first(), segment.entries.last()) else {
        return Ok(None);
    };
    let Some(head) = head else { return Ok(Some((Head::before(first), 0))) };
    if head.is_continued_by(first) {
        return Ok(Some((head.clone(), 0)));
    }
    let mut live = live_chains(tx, segment, first.sequence.previous(), last.sequence).await?;
    let is_live = |entry: &Entry| live.get(&entry.sequence) == Some(&entry.chain);
    let skip = segment.entries.iter().rposition(|entry| is_live(entry)).map_or(0, |ancestor| ancestor + 1);
    let Some(next) = segment.entries.get(skip) else { return Ok(None) };
    let before = next.sequence.previous();
    let mut first_known = head.first_sequence;
    if live.get(&before) != Some(&next.previous_chain)
        && let Some(again) = turn_back(tx, segment, next).await?
    {
        live.insert(before, next.previous_chain);
        first_known = again.first_known(first_known);
    }
    if !mutant!("left-branch-stays-live") {
        unlive(tx, segment, next.sequence).await?;
    }
    let follows = next.sequence == Sequence(1)
        || (live.get(&before) == Some(&next.previous_chain) && next.sequence > first_known);
    if !follows {
        return Ok(Some((Head::before(next), skip)));
    }
    let mut base = Head::before(next);
    base.first_sequence = first_known.min(next.sequence);
    base.recount(tx, &segment.key).await?;
    Ok(Some((base, skip)))
}

async fn live_chains(
    tx: &mut Tx,
    segment: &Segment,
    from: Sequence,
    to: Sequence,
) -> Result<HashMap<Sequence, Chain>, ArchiveError> {
    let sql = "SELECT sequence, chain FROM entries \
               WHERE tenant = $1 AND session = $2 AND live AND sequence >= $3 AND sequence <= $4";
    let values = [
        Value::Text(segment.key.tenant.as_str()),
        Value::Text(segment.key.session.as_str()),
        Value::Int(signed(from.0)),
        Value::Int(signed(to.0)),
    ];
    let rows = tx.fetch(sql.to_owned(), &values).await?;
    let pair = |row: &super::database::Row| {
        Ok((Sequence(row.int(0)?.cast_unsigned()), Chain(row.int(1)?.cast_unsigned())))
    };
    rows.iter().map(pair).collect()
}

/// Takes the rows from `from` on out of the live chain.
async fn unlive(tx: &mut Tx, segment: &Segment, from: Sequence) -> Result<(), ArchiveError> {
    let sql =
        "UPDATE entries SET live = FALSE WHERE tenant = $1 AND session = $2 AND live AND sequence >= $3";
    let values = [
        Value::Text(segment.key.tenant.as_str()),
        Value::Text(segment.key.session.as_str()),
        Value::Int(signed(from.0)),
    ];
    let left = tx.execute(sql.to_owned(), &values).await?;
    if left > 0 {
        let session = &segment.key.session;
        tracing::warn!(%session, from = from.0, rows = left, "a branch of a log was left: its rows are kept, but not live");
    }
    Ok(())
}

async fn insert_entries(
    tx: &mut Tx,
    rows: &[(&Segment, usize)],
    [live, end]: [&str; 2],
) -> Result<(), ArchiveError> {
    let begin = format!("INSERT INTO entries ({}, live)", COLUMNS.join(", "));
    for group in in_groups(rows) {
        let sql = group.insert(&begin, (COLUMNS.len(), tx.placeholders()), live, end);
        let mut values = Vec::with_capacity(group.rows.len() * COLUMNS.len());
        for (segment, index) in group.rows {
            let key = (segment.key.tenant.as_str(), segment.key.session.as_str());
            let next = segment.entries.get(index + 1).map(|next| &**next);
            push_values(&mut values, key, segment.epoch.as_str(), &segment.entries[*index], next)?;
        }
        tx.execute(sql, &values).await?;
    }
    Ok(())
}

async fn insert_late(tx: &mut Tx, late: &[&LateResult]) -> Result<(), ArchiveError> {
    let begin = "INSERT INTO late_results (id, tenant, session, plan_step_id, subagent, result_key, at)";
    for group in in_groups(late) {
        let sql = group.insert(begin, (7, tx.placeholders()), "", " ON CONFLICT (id) DO NOTHING");
        let mut values = Vec::with_capacity(group.rows.len() * 7);
        for LateResult { id, at, key, output } in group.rows {
            values.extend([
                Value::Int(signed(*id)),
                Value::Text(key.tenant.as_str()),
                Value::Text(key.session.as_str()),
                Value::Text(output.step.as_str()),
                Value::Text(output.stage.as_str()),
                Value::Text(output.result_key.as_str()),
                Value::Int(at.0),
            ]);
        }
        tx.execute(sql, &values).await?;
    }
    Ok(())
}
