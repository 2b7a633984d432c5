//! A log that goes on from rows which aren't live: what follows them was handed over, or written by another replica, while a branch that
//! the log has left stood in their place. They are live again, from where both part.

use super::database::{Tx, Value};
use super::row::signed;
use crate::domain::entry::Entry;
use crate::domain::position::Sequence;
use crate::engine::ports::archive::{ArchiveError, Segment};

/// The rows that lead up to a place and aren't live, as far back as they are known.
const BRANCH: &str = "WITH RECURSIVE branch (sequence, chain, previous_chain) AS ( \
    SELECT sequence, chain, previous_chain FROM entries \
    WHERE tenant = $1 AND session = $2 AND sequence = $3 AND chain = $4 AND NOT live \
    UNION ALL \
    SELECT e.sequence, e.chain, e.previous_chain FROM branch b JOIN entries e \
    ON e.sequence = b.sequence - 1 AND e.chain = b.previous_chain \
    WHERE e.tenant = $1 AND e.session = $2 AND NOT e.live)";

/// Where rows begin that are live again.
pub(super) struct Again {
    first: Sequence,
    /// Whether the live row before them is what they continue. What was handed over of a branch may begin later than it parted.
    is_joined: bool,
}

impl Again {
    /// The first entry of the history that then leads up to the last of them, where that went back to `known`.
    pub(super) fn first_known(&self, known: Sequence) -> Sequence {
        if self.is_joined || mutant!("branch-that-begins-late-taken-for-whole") {
            known.min(self.first)
        } else {
            self.first
        }
    }
}

/// Makes the rows live again that lead up to `next`. `None` where there are none.
pub(super) async fn turn_back(
    tx: &mut Tx,
    segment: &Segment,
    next: &Entry,
) -> Result<Option<Again>, ArchiveError> {
    let values = [
        Value::Text(segment.key.tenant.as_str()),
        Value::Text(segment.key.session.as_str()),
        Value::Int(signed(next.sequence.previous().0)),
        Value::Int(signed(next.previous_chain.0)),
    ];
    let first = format!(
        "{BRANCH} SELECT b.sequence, CAST(CASE WHEN e.live THEN 1 ELSE 0 END AS BIGINT) FROM branch b \
         LEFT JOIN entries e ON e.tenant = $1 AND e.session = $2 AND e.sequence = b.sequence - 1 \
         AND e.chain = b.previous_chain ORDER BY b.sequence LIMIT 1"
    );
    let rows = tx.fetch(first, &values).await?;
    let Some(row) = rows.first().filter(|_| !mutant!("left-rows-not-turned-back-to")) else {
        return Ok(None);
    };
    let (first, is_joined) = (row.int(0)?, row.int(1)? == 1);
    let [tenant, session, ..] = values;
    let others =
        "UPDATE entries SET live = FALSE WHERE tenant = $1 AND session = $2 AND live AND sequence >= $3";
    // Before those become live: of a sequence only one is.
    let again = format!(
        "{BRANCH} UPDATE entries SET live = TRUE WHERE tenant = $1 AND session = $2 AND NOT live \
         AND (sequence, chain) IN (SELECT sequence, chain FROM branch)"
    );
    tx.execute(others.to_owned(), &[tenant, session, Value::Int(first)]).await?;
    let count = tx.execute(again, &values).await?;
    let session = &segment.key.session;
    tracing::warn!(%session, from = first, rows = count, "a log turned back to a branch: its rows are live again");
    Ok(Some(Again { first: Sequence(first.cast_unsigned()), is_joined }))
}
