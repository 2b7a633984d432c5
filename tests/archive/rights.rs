//! `tributary check` finds out that a database takes no writes from this user.

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tributary::edge::archive::{ArchiveUrl, SqlArchive, Tables};
use tributary::engine::ports::archive::ArchiveError;

use crate::postgres::{Server, archive_at};

async fn reach(url: &str) -> Result<Tables, ArchiveError> {
    let archive = SqlArchive::at(&url.parse::<ArchiveUrl>().unwrap()).unwrap();
    let reached = archive.reach().await;
    archive.close().await;
    reached
}

#[tokio::test]
async fn user_who_may_only_read_is_told_so_without_a_trace() {
    let server = Server::start().await;
    let url = server.database().await;
    let as_reader = url.replace("postgres@", "reader@");
    let mut admin = PgConnection::connect(&url).await.unwrap();
    let run = async |admin: &mut PgConnection, sql: String| {
        sqlx::query(AssertSqlSafe(sql)).execute(admin).await.unwrap();
    };
    run(&mut admin, "CREATE ROLE reader LOGIN".to_owned()).await;
    let refused = reach(&as_reader).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied for schema public. The database is reached"), "{refused}");
    assert!(
        refused.contains("GRANT USAGE, CREATE ON SCHEMA public") && !refused.contains("line"),
        "{refused}"
    );
    assert!(matches!(reach(&url).await, Ok(Tables::Behind(_))), "who may make tables can begin");

    archive_at(&url).await.close().await;
    run(&mut admin, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader".to_owned()).await;
    let refused = reach(&as_reader).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied for table sessions"), "{refused}");
    assert!(refused.contains("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES"), "{refused}");
    assert_eq!(reach(&url).await, Ok(Tables::Current));

    let tables = "ALL TABLES IN SCHEMA public";
    run(&mut admin, format!("GRANT INSERT, DELETE ON {tables} TO reader")).await;
    let refused = reach(&as_reader).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied for table sessions"), "it may change nothing: {refused}");
    run(&mut admin, format!("GRANT UPDATE ON {tables} TO reader")).await;
    run(&mut admin, "REVOKE INSERT ON feedback FROM reader".to_owned()).await;
    let refused = reach(&as_reader).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied for table feedback"), "{refused}");

    let (_, name) = url.rsplit_once('/').unwrap();
    run(&mut admin, format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
    let refused = reach(&url).await.unwrap_err().to_string();
    assert!(refused.contains("read-only transaction"), "{refused}");
}

/// `tributary migrate` by the owner, and a service that may make no tables.
#[tokio::test]
async fn user_who_may_make_no_tables_goes_on_with_those_that_are_there() {
    let server = Server::start().await;
    let url = server.database().await;
    let as_writer = url.replace("postgres@", "writer@");
    let mut admin = PgConnection::connect(&url).await.unwrap();
    let run = async |admin: &mut PgConnection, sql: &str| {
        sqlx::query(AssertSqlSafe(sql.to_owned())).execute(admin).await.unwrap();
    };
    run(&mut admin, "CREATE ROLE writer LOGIN").await;
    let writer = SqlArchive::at(&as_writer.parse::<ArchiveUrl>().unwrap()).unwrap();
    for _ in 0..2 {
        let refused = writer.migrate().await.unwrap_err().to_string();
        assert!(refused.contains("permission denied for schema public"), "{refused}");
    }

    // The lock of migrations isn't kept by who failed: others would wait until they gave up.
    let begun = std::time::Instant::now();
    archive_at(&url).await.close().await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(3), "{:?}", begun.elapsed());

    run(&mut admin, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO writer").await;
    writer.migrate().await.unwrap();
    assert_eq!(writer.reach().await, Ok(Tables::Current));
    writer.close().await;
}

/// A full one is no one that is away: who runs it would look at the network.
#[tokio::test]
async fn database_that_takes_no_more_connections_is_told_as_that() {
    let server = Server::start().await;
    let url = server.database().await;
    archive_at(&url).await.close().await;
    let (_, name) = url.rsplit_once('/').unwrap();
    server.administer("CREATE ROLE serving LOGIN".to_owned()).await;
    server.administer(format!("ALTER DATABASE {name} CONNECTION LIMIT 0")).await;
    let refused = reach(&url.replace("postgres@", "serving@")).await.unwrap_err().to_string();
    assert!(refused.contains("too many connections for database"), "{refused}");
    assert!(refused.contains("max_connections") && !refused.contains("is away"), "{refused}");
}
