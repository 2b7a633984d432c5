//! Whether an archive can be used: is it there, of which version are its tables, and may they be written?

use super::connect::MIGRATIONS;
use super::{Call, SqlArchive};
use crate::engine::ports::archive::ArchiveError;

/// Tables with what sessions are made of.
const WRITTEN: &[&str] = &["sessions", "entries", "late_results", "deletions"];
/// The others. They number their rows themselves, so no row can be copied into them.
const BESIDE: &[&str] = &["feedback", "shadow_comparisons", "shadow_discrepancies"];
/// Where the library notes which migrations it has run.
const NOTES: &str = "_sqlx_migrations";

/// What was found of an archive's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// They are of this version.
    Current,
    /// So many migrations are still to be run: the next start does it, or `tributary migrate`.
    Behind(usize),
}

impl SqlArchive {
    /// Whether it answers right now, its tables are of no later version, and this user may write them. Writes nothing.
    ///
    /// # Errors
    /// Where one of these isn't so, with the reason.
    pub async fn reach(&self) -> Result<Tables, ArchiveError> {
        let latest = self.noted(Call::Reads, self.latest()).await?;
        let known = MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default();
        if latest > known {
            return Err(ArchiveError::Unavailable(format!(
                "its tables are of a later version: {latest}, and the latest known here is {known}"
            )));
        }
        let missing = MIGRATIONS.iter().filter(|(version, ..)| *version > latest).count();
        let tables = if missing == 0 { Tables::Current } else { Tables::Behind(missing) };
        self.noted(Call::Writes, self.database.bounded(self.try_writing(tables))).await?;
        Ok(tables)
    }

    /// The last migration that was run; 0 where there was none.
    async fn latest(&self) -> Result<i64, ArchiveError> {
        let there = self.database.fetch(self.database.table_named(NOTES), &[]).await?;
        if there.is_empty() {
            return Ok(0);
        }
        let latest = format!("SELECT COALESCE(MAX(version), 0) FROM {NOTES}");
        let rows = self.database.fetch(latest, &[]).await?;
        rows.first().map_or(Ok(0), |row| row.int(0))
    }

    /// Does to the tables, in a transaction that is taken back, what has no effect but needs the right to it.
    async fn try_writing(&self, tables: Tables) -> Result<(), ArchiveError> {
        let mut tx = self.database.begin().await?;
        match tables {
            Tables::Behind(_) => {
                tx.execute("CREATE TABLE tributary_check (number INTEGER)".to_owned(), &[]).await?;
            }
            Tables::Current => {
                for table in WRITTEN {
                    let insert = format!("INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 0");
                    tx.execute(insert, &[]).await?;
                }
                for table in WRITTEN.iter().chain(BESIDE) {
                    tx.execute(format!("DELETE FROM {table} WHERE 1 = 0"), &[]).await?;
                }
            }
        }
        Ok(())
    }
}
