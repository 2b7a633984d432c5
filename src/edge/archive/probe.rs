//! Whether an archive can be used: is it there, of which version are its tables, and may they be written?

use sqlx::migrate::Migration;

use super::database::Database;
use super::{Call, SqlArchive};
use crate::engine::ports::archive::ArchiveError;

/// Tables with what sessions are made of.
const WRITTEN: &[&str] = &["sessions", "entries", "late_results", "deletions"];
/// The others. They number their rows themselves, so no whole row can be copied into them.
const BESIDE: &[&str] = &["feedback", "shadow_comparisons", "shadow_discrepancies"];
/// Those of them in which rows change.
const UPDATED: &[&str] = &["sessions", "entries", "deletions", "shadow_comparisons"];
/// Where the library notes which migrations it has run.
const NOTES: &str = "_sqlx_migrations";

/// What was found of an archive's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// They are of this version.
    Current,
    /// So many migrations are still to be run: the next start does it, or `tributary migrate`.
    Behind(usize),
    /// There is no file of that name yet: the next start makes it.
    NoFile,
}

impl Database {
    /// A question that has a row where there is such a table.
    fn table_named(&self, name: &str) -> String {
        match self {
            Self::Sqlite { .. } => {
                format!("SELECT name FROM sqlite_master WHERE type = 'table' AND name = '{name}'")
            }
            Self::Postgres { .. } => format!("SELECT '{name}' WHERE to_regclass('{name}') IS NOT NULL"),
        }
    }

    /// The bytes of a column as hex digits in lower case.
    fn hex_of(&self, column: &str) -> String {
        match self {
            Self::Sqlite { .. } => format!("lower(hex({column}))"),
            Self::Postgres { .. } => format!("encode({column}, 'hex')"),
        }
    }
}

/// Refuses tables that this version didn't make, and can't go on with.
fn check_versions(run: &[(i64, String)], known: &[Migration]) -> Result<(), String> {
    let latest = run.iter().map(|(version, _)| *version).max().unwrap_or_default();
    let latest_known = known.iter().map(|own| own.version).max().unwrap_or_default();
    if latest > latest_known {
        return Err(format!(
            "its tables are of a later version: {latest}, and the latest known here is {latest_known}"
        ));
    }
    for (version, checksum) in run {
        let own = known.iter().find(|own| own.version == *version).map(|own| hex(&own.checksum));
        if own.as_ref() != Some(checksum) {
            return Err(format!(
                "migration {version} of its tables isn't the one that is known here: another program made them, or a changed version"
            ));
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl SqlArchive {
    /// Whether it answers right now, its tables are of no later version, and this user may write them. Writes nothing.
    ///
    /// # Errors
    /// Where one of these isn't so, with the reason.
    pub async fn reach(&self) -> Result<Tables, ArchiveError> {
        if let Database::Sqlite { file, .. } = &self.database
            && !file.is_there()
        {
            return file.check_folder().map(|()| Tables::NoFile);
        }
        let tables = self.noted(Call::Reads, self.tables()).await?;
        if tables == Tables::Behind(self.database.migrations().len()) {
            self.noted(Call::Reads, self.has_no_table_of_ours()).await?;
        }
        self.noted(Call::Writes, self.database.bounded(self.try_writing(tables))).await?;
        Ok(tables)
    }

    /// Of which version the tables are.
    ///
    /// # Errors
    /// Where they are a later version's, or another program's.
    pub(super) async fn tables(&self) -> Result<Tables, ArchiveError> {
        let run = self.migrations_run().await?;
        let known = self.database.migrations();
        check_versions(&run, &known).map_err(ArchiveError::Unavailable)?;
        let missing =
            known.iter().filter(|own| run.iter().all(|(version, _)| *version < own.version)).count();
        Ok(if missing == 0 { Tables::Current } else { Tables::Behind(missing) })
    }

    /// Why this version can't go on with the tables that are there, however long it waits; `None` where it can.
    ///
    /// # Errors
    /// Where the database doesn't answer.
    pub async fn unfit(&self) -> Result<Option<String>, ArchiveError> {
        let run = self.noted(Call::Reads, self.migrations_run()).await?;
        Ok(check_versions(&run, &self.database.migrations()).err())
    }

    /// The migrations that were run: version, and checksum in hex digits.
    async fn migrations_run(&self) -> Result<Vec<(i64, String)>, ArchiveError> {
        let there = self.database.fetch(self.database.table_named(NOTES), &[]).await?;
        if there.is_empty() {
            return Ok(Vec::new());
        }
        let checksum = self.database.hex_of("checksum");
        let run = format!("SELECT version, {checksum} FROM {NOTES} ORDER BY version");
        let rows = self.database.fetch(run, &[]).await?;
        rows.iter().map(|row| Ok((row.int(0)?, row.text(1)?.to_owned()))).collect()
    }

    /// Where no migration was run, a table by the name of one of ours is somebody else's: the first migration would fail.
    async fn has_no_table_of_ours(&self) -> Result<(), ArchiveError> {
        for table in WRITTEN.iter().chain(BESIDE) {
            if !self.database.fetch(self.database.table_named(table), &[]).await?.is_empty() {
                let text = format!(
                    "there is a table `{table}` already that isn't Tributary's: give it a database of its own"
                );
                return Err(ArchiveError::Unavailable(text));
            }
        }
        Ok(())
    }

    /// Does to the tables, in a transaction that is taken back, what has no effect but needs the right to it.
    async fn try_writing(&self, tables: Tables) -> Result<(), ArchiveError> {
        let mut tx = self.database.begin().await?;
        match tables {
            Tables::Behind(_) | Tables::NoFile => {
                tx.execute("CREATE TABLE tributary_check (number INTEGER)".to_owned(), &[]).await?;
            }
            Tables::Current => {
                for table in WRITTEN {
                    let insert = format!("INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 0");
                    tx.execute(insert, &[]).await?;
                }
                for table in BESIDE {
                    let insert =
                        format!("INSERT INTO {table} (tenant) SELECT tenant FROM {table} WHERE 1 = 0");
                    tx.execute(insert, &[]).await?;
                }
                for table in UPDATED {
                    tx.execute(format!("UPDATE {table} SET tenant = tenant WHERE 1 = 0"), &[]).await?;
                }
                for table in WRITTEN.iter().chain(BESIDE) {
                    tx.execute(format!("DELETE FROM {table} WHERE 1 = 0"), &[]).await?;
                }
            }
        }
        Ok(())
    }
}
