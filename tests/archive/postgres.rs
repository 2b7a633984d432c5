//! PostgreSQL keeps the contract: a private server, a database for each test.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tributary::edge::archive::{ArchiveUrl, SqlArchive};

use crate::harness::eventually;
use crate::redis_server::free_port;

/// A private server on a free port, ended with its test.
pub struct Server {
    folder: PathBuf,
    pub port: u16,
    child: Child,
}

/// The server refuses to run as root.
fn as_postgres(program: &str) -> Command {
    let program = installed(program);
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

/// Debian keeps the server's programs out of the search path, in a folder for each version.
fn installed(program: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin").join(program)).collect();
    found.retain(|path| path.exists());
    found.sort();
    found.pop().unwrap_or_else(|| program.into())
}

impl Server {
    pub async fn start() -> Self {
        let name = format!("tributary-postgres-{}-{:x}", std::process::id(), fastrand::u64(..));
        let folder = std::env::temp_dir().join(name);
        let mut initdb = as_postgres("initdb");
        initdb.args([
            "--no-sync",
            "--auth=trust",
            "--username=postgres",
            "--encoding=UTF8",
            "--locale=C",
            "-D",
        ]);
        let made = initdb.arg(&folder).stdin(Stdio::null()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = free_port();
        let child = Self::spawn(&folder, port);
        let server = Self { folder, port, child };
        server.answers().await;
        server
    }

    fn spawn(folder: &PathBuf, port: u16) -> Child {
        let mut command = as_postgres("postgres");
        command.arg("-D").arg(folder).arg("-k").arg(folder).args(["-p", &port.to_string()]);
        command.args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200"]);
        // Its journal would grow to a gigabyte, which the disk of a test machine may not have.
        command.args(["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    async fn answers(&self) {
        let url = self.url("postgres");
        eventually("PostgreSQL to answer", || async { PgConnection::connect(&url).await.ok().map(|_| ()) })
            .await;
    }

    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// The URL of an empty database.
    pub async fn database(&self) -> String {
        let name = format!("t{:x}", fastrand::u64(..));
        self.administer(format!("CREATE DATABASE {name}")).await;
        self.url(&name)
    }

    /// Gives back what the database at `url` takes, some 8 MB even if nothing was written.
    async fn drop_database(&self, url: &str) {
        let (_, name) = url.rsplit_once('/').unwrap();
        self.administer(format!("DROP DATABASE {name} WITH (FORCE)")).await;
    }

    pub async fn administer(&self, sql: String) {
        let mut admin = PgConnection::connect(&self.url("postgres")).await.unwrap();
        sqlx::query(AssertSqlSafe(sql)).execute(&mut admin).await.unwrap();
    }

    /// Freezes the server and every process of it.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal("CONT");
    }

    /// Each connection is a process of its own.
    fn signal(&self, name: &str) {
        let server = self.child.id();
        let connections = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children"));
        let mut kill = Command::new("kill");
        kill.args(["-s", name, &server.to_string()]).args(connections.unwrap_or_default().split_whitespace());
        // It complains of a connection that has ended meanwhile.
        let _ = kill.stderr(Stdio::null()).status().unwrap();
    }

    /// Ends it as a crash would.
    pub fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again where it was.
    pub async fn restart(&mut self) {
        let folder = self.folder.clone();
        // Processes of the one that was killed may still hold the folder.
        let child = eventually("PostgreSQL to start again", || async {
            let mut child = Self::spawn(&folder, self.port);
            let url = self.url("postgres");
            let begin = std::time::Instant::now();
            while begin.elapsed().as_secs() < 5 {
                if child.try_wait().unwrap().is_some() {
                    return None;
                }
                if PgConnection::connect(&url).await.is_ok() {
                    return Some(child);
                }
            }
            let _ = child.kill();
            let _ = child.wait();
            None
        })
        .await;
        self.child = child;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that was stopped doesn't notice a kill of its postmaster before it goes on.
        self.thaw();
        let _ = Command::new("kill").args(["-s", "QUIT", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub async fn archive_at(url: &str) -> Arc<SqlArchive> {
    let archive = SqlArchive::at(&url.parse::<ArchiveUrl>().unwrap()).unwrap();
    archive.migrate().await.unwrap();
    Arc::new(archive)
}

macro_rules! one_after_the_other {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        /// One server for all of them: it takes longer to start than they take.
        #[tokio::test]
        async fn postgres_keeps_the_contract() {
            let server = Server::start().await;
            $(
                eprintln!("{}", stringify!($name));
                let url = server.database().await;
                let archive = archive_at(&url).await;
                crate::contract::$module::$name(&*archive).await;
                archive.close().await;
                server.drop_database(&url).await;
            )+
        }
    };
}
crate::the_contract!(one_after_the_other);
