//! Who has a PostgreSQL archive: as with the file of SQLite (`held_file.rs`) one service that keeps its sessions in memory, alone.
//!
//! It is an advisory lock of a connection that does nothing else, one of each schema. It ends with the connection, however that ends, so it
//! also ends where the database is started anew or fails over. Then it is taken again, each time that it is looked at. A write looks in its
//! own transaction whether this process has the lock: nothing is written where another has, not even in the moment before that is noticed.
//!
//! Who starts on a PostgreSQL that was started a moment ago waits: whoever had it before, and may hold what it doesn't have yet, goes first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection, Executor};

use super::failure::failed;
use crate::engine::ports::archive::ArchiveError;

/// A schema's lock in `pg_locks`: the second key is the schema's, as several archives may lie in one database.
const LOCK: &str = "l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = 7512094 \
    AND l.objid = (hashtext(coalesce(current_schema(), ''))::bigint & 4294967295)::oid \
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())";
/// As often as it is taken by one connection it is had once more, which makes no difference.
const TAKE: &str =
    "SELECT pg_try_advisory_lock(7512094, hashtext(coalesce(current_schema(), ''))), pg_backend_pid()";
/// Three seconds: who had it looks every half second.
const IS_YOUNG: &str = "SELECT pg_postmaster_start_time() > now() - interval '3 seconds'";
/// A process that is gone without a word, with its machine or its network, loses it after some 20 s.
const KEEPALIVE: &str =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3";
const CLOSES: Duration = Duration::from_secs(1);

/// The lock of one archive.
#[derive(Debug)]
pub(super) struct HeldDatabase {
    options: PgConnectOptions,
    /// By what this process knows its own connections in `pg_stat_activity`.
    name: String,
    line: tokio::sync::Mutex<Option<PgConnection>>,
    known: Mutex<Known>,
    /// Whether another process has it that this one had.
    is_taken: AtomicBool,
}

#[derive(Debug, Default)]
struct Known {
    is_wanted: bool,
    has_had: bool,
    /// PostgreSQL's process that has the lock for this one.
    backend: Option<i32>,
    /// Why this process hasn't got it.
    trouble: Option<String>,
}

/// What became of a try.
enum Try {
    Has { backend: i32 },
    Waits(String),
    Taken(String),
}

impl HeldDatabase {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        let name = format!("tributary {:016x}", fastrand::u64(..));
        let options = options.application_name(&name);
        Self { options, name, line: Default::default(), known: Mutex::default(), is_taken: false.into() }
    }

    /// Takes the lock, or looks whether it is still there. Doesn't wait for who has it. Whether it is taken anew.
    pub(super) async fn hold(&self) -> Result<bool, ArchiveError> {
        let mut line = self.line.lock().await;
        self.known.lock().is_wanted = true;
        // Where the caller gives up, the connection goes, and its lock with it.
        let tried = match line.take() {
            Some(connection) => self.try_on(connection).await,
            None => match self.connect().await {
                Ok(connection) => self.try_on(connection).await,
                Err(error) => Err(error),
            },
        };
        let (tried, connection) = match tried {
            Ok(tried) => tried,
            Err(error) => return Err(self.not_reached(failed(error))),
        };
        *line = Some(connection);
        self.note(tried)
    }

    fn note(&self, tried: Try) -> Result<bool, ArchiveError> {
        let mut known = self.known.lock();
        let why = match tried {
            Try::Has { backend } => {
                self.is_taken.store(false, Ordering::Release);
                let is_new = known.backend != Some(backend);
                *known = Known { is_wanted: true, has_had: true, backend: Some(backend), trouble: None };
                return Ok(is_new);
            }
            Try::Waits(why) => why,
            Try::Taken(why) => {
                self.is_taken.store(known.has_had, Ordering::Release);
                why
            }
        };
        known.backend = None;
        known.trouble = Some(why.clone());
        Err(ArchiveError::Unavailable(why))
    }

    fn not_reached(&self, error: ArchiveError) -> ArchiveError {
        self.known.lock().trouble = Some(error.why().to_owned());
        error
    }

    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = PgConnection::connect_with(&self.options).await?;
        connection.execute(KEEPALIVE).await?;
        Ok(connection)
    }

    async fn try_on(&self, mut connection: PgConnection) -> Result<(Try, PgConnection), sqlx::Error> {
        let has_had = self.known.lock().has_had;
        if !has_had && sqlx::query_scalar::<_, bool>(IS_YOUNG).fetch_one(&mut connection).await? {
            let why = "PostgreSQL was started a moment ago: whoever had the archive before goes first";
            return Ok((Try::Waits(why.to_owned()), connection));
        }
        let (has_it, backend) = sqlx::query_as::<_, (bool, i32)>(TAKE).fetch_one(&mut connection).await?;
        let tried = if has_it { Try::Has { backend } } else { self.who_has_it(&mut connection).await? };
        Ok((tried, connection))
    }

    /// It may be this process itself, by a connection that only PostgreSQL takes for alive.
    async fn who_has_it(&self, connection: &mut PgConnection) -> Result<Try, sqlx::Error> {
        let holder = sqlx::query_as::<_, (i64, String, String)>(AssertSqlSafe(holder()));
        let Some((backend, name, place)) = holder.fetch_optional(&mut *connection).await? else {
            return Ok(Try::Waits("whoever had the archive has just let go of it".to_owned()));
        };
        if name == self.name {
            sqlx::query("SELECT pg_terminate_backend($1::int)").bind(backend).execute(connection).await?;
            return Ok(Try::Waits("an earlier connection of this process still has the archive".to_owned()));
        }
        Ok(Try::Taken(taken(backend, &place)))
    }

    /// Whether this process may write: in a transaction that does.
    pub(super) async fn check(&self, connection: &mut PgConnection) -> Result<(), ArchiveError> {
        let (is_wanted, backend) = {
            let known = self.known.lock();
            (known.is_wanted, known.backend)
        };
        if !is_wanted {
            return Ok(());
        }
        let is_held = format!("SELECT 1 FROM pg_locks l WHERE {LOCK} AND l.pid = $1");
        let is_held = sqlx::query(AssertSqlSafe(is_held)).bind(backend).fetch_optional(connection).await;
        match is_held.map_err(failed)? {
            Some(_) => Ok(()),
            None => {
                let ended = || "its lock ended with its connection, and has to be taken again".to_owned();
                let why = self.known.lock().trouble.clone();
                Err(ArchiveError::Unavailable(why.unwrap_or_else(ended)))
            }
        }
    }

    /// Why this process hasn't got what it wants for itself.
    pub(super) fn trouble(&self) -> Option<String> {
        self.known.lock().trouble.clone()
    }

    /// The same, only where another process has it, and had it after this one.
    pub(super) fn taken(&self) -> Option<String> {
        self.is_taken.load(Ordering::Acquire).then(|| self.trouble()).flatten()
    }

    pub(super) async fn let_go(&self) {
        if let Some(connection) = self.line.lock().await.take() {
            // It ends with the connection anyhow.
            let _ = tokio::time::timeout(CLOSES, connection.close()).await;
        }
    }
}

/// Who has the lock: PostgreSQL's process, the connection's name, and where it comes from.
pub(super) fn holder() -> String {
    format!(
        "SELECT l.pid::bigint, coalesce(a.application_name, ''), coalesce(host(a.client_addr), 'a socket') \
         FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid WHERE {LOCK} LIMIT 1"
    )
}

fn taken(backend: i64, place: &str) -> String {
    format!(
        "another process has the database (PostgreSQL's process {backend}, connected from {place}): an archive is for one service with \
         sessions in memory; stop the other one, give each a database of its own, or let several share Redis"
    )
}
