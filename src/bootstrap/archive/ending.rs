//! How a process parts from its archive.

use std::time::Duration;

use anyhow::anyhow;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::edge::archive::{Company, SqlArchive};

/// How long connections may take to be closed when all time is over: a database that lives answers at once, and one that hangs never.
const CLOSES: Duration = Duration::from_millis(500);

/// What the end of the process takes along of `sessions` that the archive hasn't got whole.
pub(super) fn all_archived(sessions: usize, company: Company) -> anyhow::Result<()> {
    match company {
        _ if sessions == 0 => Ok(()),
        Company::Replicas => {
            tracing::warn!(
                sessions,
                "stopped before everything was archived: Redis has it for other replicas"
            );
            Ok(())
        }
        Company::Nobody => {
            tracing::error!(sessions, "stopped before everything was archived: what was left is lost");
            Err(anyhow!(
                "stopped before everything was archived: what was left of {sessions} sessions is lost"
            ))
        }
    }
}

/// Lets the connections go, but doesn't wait for a database that hangs when all time is over: they end with the process.
pub(super) async fn close(archive: &SqlArchive, hard: &CancellationToken) {
    let too_long = async {
        hard.cancelled().await;
        sleep(CLOSES).await;
    };
    tokio::select! {
        () = archive.close() => {}
        () = too_long => tracing::warn!("the archive's connections would not close"),
    }
}
