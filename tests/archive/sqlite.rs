//! SQLite keeps the contract.

use std::sync::Arc;

use sqlx::{Connection, SqliteConnection};
use tributary::edge::archive::{ArchiveUrl, SqlArchive, Tables};
use tributary::engine::ports::archive::Archive;

pub use crate::harness::Folder;
use crate::log::{Log, batch};

impl Folder {
    /// The database in it, its tables made.
    pub async fn archive(&self) -> Arc<SqlArchive> {
        let archive = SqlArchive::at(&self.url().parse::<ArchiveUrl>().unwrap()).unwrap();
        archive.migrate().await.unwrap();
        Arc::new(archive)
    }
}

macro_rules! each_is_a_test {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                let folder = Folder::new();
                crate::contract::$module::$name(&*folder.archive().await).await;
            }
        )+
    };
}
crate::the_contract!(each_is_a_test);

#[tokio::test]
async fn migrating_again_changes_nothing() {
    let folder = Folder::new();
    let archive = folder.archive().await;
    archive.migrate().await.unwrap();
    assert_eq!(folder.archive().await.reach().await, Ok(Tables::Current));
}

#[tokio::test]
async fn tables_of_another_version_are_told_apart() {
    let folder = Folder::new();
    let bare = SqlArchive::at(&folder.url().parse::<ArchiveUrl>().unwrap()).unwrap();
    assert_eq!(bare.reach().await, Ok(Tables::NoFile));
    bare.migrate().await.unwrap();
    let mut database = SqliteConnection::connect(&folder.url()).await.unwrap();
    let set = async |database: &mut SqliteConnection, sql: &'static str| {
        sqlx::query(sql).execute(database).await.unwrap();
    };
    set(&mut database, "UPDATE _sqlx_migrations SET version = 9999 WHERE version = 1").await;
    let refused = bare.reach().await.unwrap_err().to_string();
    assert!(refused.contains("a later version: 9999"), "{refused}");
    set(&mut database, "CREATE TABLE kept AS SELECT checksum FROM _sqlx_migrations WHERE version = 2").await;
    set(&mut database, "UPDATE _sqlx_migrations SET version = 1 WHERE version = 9999").await;
    set(&mut database, "UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 2").await;
    let refused = bare.reach().await.unwrap_err().to_string();
    assert!(refused.contains("migration 2"), "{refused}");
    assert!(bare.migrate().await.is_err(), "nor is it started on");
    assert_eq!(bare.unfit().await.unwrap(), Some(refused.split_once(": ").unwrap().1.to_owned()));
    let again = "UPDATE _sqlx_migrations SET checksum = (SELECT checksum FROM kept) WHERE version = 2";
    set(&mut database, again).await;
    assert_eq!(bare.reach().await, Ok(Tables::Current));
    // What a restored copy may lack, or a hand has taken away.
    set(&mut database, "DROP TABLE deletions").await;
    let refused = bare.reach().await.unwrap_err().to_string();
    assert!(refused.contains("deletions"), "{refused}");
    database.close().await.unwrap();
}

#[tokio::test]
async fn table_of_somebody_else_is_not_taken_for_ours() {
    let folder = Folder::new();
    let archive = SqlArchive::at(&folder.url().parse::<ArchiveUrl>().unwrap()).unwrap();
    let options = folder.url().parse::<sqlx::sqlite::SqliteConnectOptions>().unwrap();
    let mut database = SqliteConnection::connect_with(&options.create_if_missing(true)).await.unwrap();
    sqlx::query("CREATE TABLE notes (id INTEGER)").execute(&mut database).await.unwrap();
    assert!(
        matches!(archive.reach().await, Ok(Tables::Behind(_))),
        "a table of another name is in nobody's way"
    );
    sqlx::query("CREATE TABLE sessions (id INTEGER)").execute(&mut database).await.unwrap();
    let refused = archive.reach().await.unwrap_err().to_string();
    assert!(refused.contains("a table `sessions`"), "{refused}");
    database.close().await.unwrap();
}

/// What is written into a file without a name is gone with the process: it isn't taken for archived.
#[tokio::test]
async fn file_that_is_gone_takes_nothing_until_it_is_back() {
    let folder = Folder::new();
    let archive = folder.archive().await;
    let (first, second) = (Log::running("s", 3), Log::running("t", 3));
    let file = std::path::PathBuf::from(folder.url().strip_prefix("sqlite://").unwrap());
    let away = file.with_extension("away");
    std::fs::rename(&file, &away).unwrap();
    let refused = archive.write(&batch([second.whole()])).await.unwrap_err().to_string();
    assert!(refused.contains("isn't there any more"), "{refused}");
    assert_eq!(archive.health().map_err(|why| why.contains("isn't there any more")), Err(true));
    std::fs::write(&file, "").unwrap();
    let refused = archive.write(&batch([second.whole()])).await.unwrap_err().to_string();
    assert!(refused.contains("another one took its place"), "{refused}");
    std::fs::rename(&away, &file).unwrap();
    archive.write(&batch([first.whole(), second.whole()])).await.unwrap();
    assert_eq!(archive.health(), Ok(()));
    assert_eq!(crate::contract::all(&*archive, &first.key).await, first.entries);
    assert_eq!(crate::contract::all(&*archive, &second.key).await, second.entries);
}

#[tokio::test]
async fn archive_of_the_first_version_is_brought_up_to_date() {
    let folder = Folder::new();
    let archive = folder.archive().await;
    let log = Log::running("s", 3);
    archive.write(&batch([log.whole()])).await.unwrap();
    archive.close().await;
    let mut database = SqliteConnection::connect(&folder.url()).await.unwrap();
    for sql in [
        "DROP TABLE feedback",
        "DROP TABLE shadow_comparisons",
        "DROP TABLE deletions",
        "DROP TABLE shadow_discrepancies",
        "CREATE UNIQUE INDEX entries_live ON entries (tenant, session, sequence) WHERE live",
        "DELETE FROM _sqlx_migrations WHERE version > 1",
    ] {
        sqlx::query(sql).execute(&mut database).await.unwrap();
    }
    database.close().await.unwrap();
    let archive = folder.archive().await;
    assert_eq!(crate::contract::all(&*archive, &log.key).await, log.entries);
    crate::contract::feedback::feedback_under_a_key_is_stored_once(&*archive).await;
}

/// docs/upgrading.md: who starts on the tables of a later version refuses, who runs already goes on.
#[tokio::test]
async fn tables_of_a_later_version_are_not_started_on() {
    let folder = Folder::new();
    let running = folder.archive().await;
    let mut database = SqliteConnection::connect(&folder.url()).await.unwrap();
    let later = "INSERT INTO _sqlx_migrations VALUES (9999, 'later', CURRENT_TIMESTAMP, 1, x'00', 0)";
    for sql in ["CREATE TABLE later (id INTEGER)", later] {
        sqlx::query(sql).execute(&mut database).await.unwrap();
    }
    database.close().await.unwrap();
    let starting = SqlArchive::at(&folder.url().parse::<ArchiveUrl>().unwrap()).unwrap();
    let refusal = starting.migrate().await.unwrap_err().to_string();
    assert!(refusal.contains("9999"), "{refusal}");
    let log = Log::running("s", 3);
    running.write(&batch([log.whole()])).await.unwrap();
    assert_eq!(crate::contract::all(&*running, &log.key).await, log.entries);
}
