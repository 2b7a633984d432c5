//! The program as an operator meets it: what it prints, how it ends.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/folder.rs"]
mod folder;
#[path = "../harness/redis_cluster.rs"]
mod redis_cluster;
#[path = "../harness/redis_server.rs"]
mod redis_server;

mod deadline;
mod files;
mod rights;
mod stopping;
mod told;
mod two_at_once;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::Folder;
use redis_cluster::RedisCluster;
use redis_server::{RedisServer, free_port};
use serde_json::Value;
use sqlx::{Connection, SqliteConnection};

fn tributary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = tributary(arguments).output().unwrap();
    (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

/// A running service; killed where a test fails.
struct Service {
    child: Child,
    log: BufReader<ChildStderr>,
    address: String,
}

impl Service {
    fn start() -> Self {
        Self::from(tributary(&["--listen", "127.0.0.1:0"]))
    }

    fn from(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        Self::listening(child, log)
    }

    fn listening(child: Child, mut log: BufReader<ChildStderr>) -> Self {
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let entry: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((entry["level"].as_str(), entry["message"].as_str()), (Some("INFO"), Some("listening")));
        let address = entry["address"].as_str().unwrap().to_owned();
        Self { child, log, address }
    }

    fn ask(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn service_says_where_it_listens_and_stops_at_a_signal() {
    for signal in ["TERM", "INT"] {
        let mut service = Service::start();
        assert!(service.ask("/healthz").starts_with("HTTP/1.1 200"));
        let _idle = TcpStream::connect(&service.address).unwrap();
        service.signal(signal);
        assert_eq!(service.child.wait().unwrap().code(), Some(0));
        let mut rest = String::new();
        service.log.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("stopping") && rest.contains("stopped"), "{rest}");
    }
}

#[test]
fn second_signal_ends_what_would_not_end() {
    let mut service = Service::start();
    let mut busy = TcpStream::connect(&service.address).unwrap();
    write!(busy, "GET /healthz HTTP/1.1\r\n").unwrap();
    service.ask("/healthz");
    service.signal("TERM");
    let begin = Instant::now();
    let mut line = String::new();
    service.log.read_line(&mut line).unwrap();
    assert!(line.contains("stopping"), "{line}");
    service.signal("TERM");
    assert_eq!(service.child.wait().unwrap().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[test]
fn signal_ends_a_start_that_waits_for_the_archive() {
    let folder = Folder::new();
    let no_database = folder.url();
    std::fs::write(no_database.strip_prefix("sqlite://").unwrap(), "no database, but a text").unwrap();
    let mut command = tributary(&["--listen", "127.0.0.1:0"]);
    let mut child = command.env("TRIBUTARY_ARCHIVE__URL", no_database).spawn().unwrap();
    let log = BufReader::new(child.stderr.take().unwrap());
    let address = String::new();
    let mut service = Service { child, log, address };
    let mut line = String::new();
    service.log.read_line(&mut line).unwrap();
    assert!(line.contains("waiting for the archive"), "{line}");
    let begin = Instant::now();
    service.signal("TERM");
    assert_eq!(service.child.wait().unwrap().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn port_in_use_is_a_clear_error() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, said) = run(&["serve", "--listen", &address]);
    let advice = "another process listens there; choose another port with --listen";
    assert_eq!((code, said), (Some(1), format!("error: can't listen on {address}: {advice}\n")));
}

#[test]
fn wrong_configuration_is_refused_before_anything_starts() {
    for command in ["serve", "check"] {
        let (code, said) = run(&[command, "--listen", "0.0.0.0:8080"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("server.listen") && said.contains("the option --listen"), "{said}");
    }
    let (code, said) = run(&["--config", "/nonexistent.toml"]);
    assert_eq!((code, said.contains("/nonexistent.toml")), (Some(2), true), "{said}");
    assert_eq!(run(&["--colour"]).0, Some(2));
}

#[test]
fn commands_that_need_no_service_end_well() {
    assert_eq!(run(&["check"]), (Some(0), "the configuration is valid\n".into()));
    assert_eq!(run(&["config"]).1.trim_end(), tributary::config::reference().trim_end());
    assert_eq!(run(&["--version"]), (Some(0), format!("tributary {}\n", env!("CARGO_PKG_VERSION"))));
    let (code, said) = run(&["migrate"]);
    assert_eq!((code, said.contains("nothing to migrate")), (Some(0), true));
}

/// What can be told of an address without going there is told by all alike.
#[test]
fn address_that_leads_to_no_archive_is_refused_by_all_commands_alike() {
    for url in ["sqlite://:memory:", "sqlite://a.db?mode=memory", "postgres://127.0.0.1:port/a"] {
        for arguments in [&["check"][..], &["check", "--offline"], &["migrate"], &["serve"]] {
            let mut command = tributary(arguments);
            command.args(["--listen", "127.0.0.1:0"]);
            let output = command.env("TRIBUTARY_ARCHIVE__URL", url).output().unwrap();
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            let begins = "error: archive.url: an archive is `none`, `sqlite://<path>` without a `?`, a file and not `:memory:`";
            assert_eq!(
                (output.status.code(), said.starts_with(begins)),
                (Some(1), true),
                "{url} {arguments:?}: {said}"
            );
        }
    }
}

/// What a start refuses is found by `check`, with the same words, code and place.
#[test]
fn check_finds_what_serve_refuses() {
    let required = ("AUTH__MODE", "required");
    for (settings, code, parts) in [
        (
            &[("INVOKE__CA_FILE", "/nonexistent.pem")][..],
            1,
            ["invoke.ca_file /nonexistent.pem (set in ", "can't be read: No such file"],
        ),
        (&[("INVOKE__CA_FILE", "Cargo.toml")], 1, ["invoke.ca_file Cargo.toml (set in ", "holds none"]),
        (&[("SECRETS__A", "Bearer x\ny")], 2, ["secrets.a: it isn't a value of an HTTP header", "(set in "]),
        (&[("SAFETY__WEBHOOK_SECRET", "whsec_!!")], 2, ["safety.webhook_secret: ", "(set in "]),
        (
            &[required, ("AUTH__JWKS", "http://example.com/x")],
            2,
            ["auth.jwks: it must be a file", "(set in "],
        ),
        (
            &[
                ("SYNTHESIS__PROVIDER", "openai"),
                ("SYNTHESIS__MODEL", "m"),
                ("SYNTHESIS__CONTEXT_TOKENS", "1024"),
            ],
            2,
            ["synthesis.context_tokens: 1024 is too small", "(set in "],
        ),
    ] {
        for command in [&["check", "--offline"][..], &["serve", "--listen", "127.0.0.1:0"]] {
            let mut program = tributary(command);
            program.envs(settings.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value)));
            let output = program.output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(code), "{command:?} {settings:?}: {said}");
            assert!(parts.iter().all(|part| said.contains(part)), "{command:?} {settings:?}: {said}");
        }
    }
}

/// As a later version leaves them.
fn newer_tables(database: &std::path::Path) {
    let url = format!("sqlite://{}", database.display());
    let later = "INSERT INTO _sqlx_migrations VALUES (9999, 'later', CURRENT_TIMESTAMP, 1, x'00', 0)";
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut database = SqliteConnection::connect(&url).await.unwrap();
        sqlx::query(later).execute(&mut database).await.unwrap();
        database.close().await.unwrap();
    });
}

/// Another program's database. Gives its bytes.
fn others_database(database: &std::path::Path) -> Vec<u8> {
    let url = format!("sqlite://{}?mode=rwc", database.display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut database = SqliteConnection::connect(&url).await.unwrap();
        sqlx::query("CREATE TABLE others (number INTEGER)").execute(&mut database).await.unwrap();
        database.close().await.unwrap();
    });
    std::fs::read(database).unwrap()
}

#[test]
fn archive_is_made_reached_and_refused_by_its_url() {
    let folder = Folder::new();
    let run = |command: &str, url: &str| {
        let mut command = tributary(&[command, "--listen", "127.0.0.1:0"]);
        let output = command.env("TRIBUTARY_ARCHIVE__URL", url).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let url = folder.url();
    let (code, said) = run("check", &url);
    let told = "archive: sqlite; the file isn't there yet, and the next start makes it";
    assert_eq!((code, said.contains(told)), (Some(0), true), "{said}");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0, "a check changes nothing");
    let (code, said) = run("check", &format!("sqlite://{}/none/archive.db", folder.0.display()));
    assert_eq!((code, said.contains("can't be made, as the folder")), (Some(1), true), "{said}");
    let others = folder.0.join("others.db");
    let before = others_database(&others);
    let (code, said) = run("check", &format!("sqlite://{}", others.display()));
    assert_eq!((code, said.contains("migrations, which the next start runs")), (Some(0), true), "{said}");
    assert!(std::fs::read(&others).unwrap() == before, "not even the way in which it is written");
    assert_eq!(run("migrate", &url), (Some(0), "the archive's tables are up to date\n".into()));
    let (code, said) = run("check", &url);
    assert_eq!(
        (code, said.contains("archive: reachable, sqlite; its tables are up to date")),
        (Some(0), true),
        "{said}"
    );
    newer_tables(&folder.0.join("archive.db"));
    let later = "archive.url: its tables are of a later version: 9999, and the latest known here is ";
    let began = Instant::now();
    for command in ["check", "migrate", "serve"] {
        let (code, said) = run(command, &url);
        assert!(code == Some(1) && said.contains(later), "{command}: {said}");
        assert!(!said.contains("set it to none"), "its tables aren't to be given up: {said}");
    }
    assert!(began.elapsed() < Duration::from_secs(8), "no wait helps");
    let (code, said) = run("check", "postgres://u:hunter2@127.0.0.1:1/t");
    assert_eq!((code, said.contains("archive: archive.url")), (Some(1), true), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
    let (code, said) = run("check", "mysql://u:hunter2@db/t");
    assert_eq!(
        (code, said.contains("archive.url"), said.contains("hunter2")),
        (Some(2), true, false),
        "{said}"
    );
    for url in ["sqlite://:memory:", "sqlite://a.db?mode=rwc", "postgres://u:hunter2@db:port/t"] {
        for command in ["check", "migrate", "serve"] {
            let (code, said) = run(command, url);
            let forms = "`none`, `sqlite://<path>` without a `?`, a file and not `:memory:`, or like `postgres://127.0.0.1:5432/<database>`; a user";
            assert!(code == Some(1) && said.contains(forms), "{command} {url}: {said}");
            assert!(!said.contains("hunter2"), "{said}");
        }
    }
}

/// docs/configuration.md: `check` warns of what has no effect, and so does the service.
#[test]
fn settings_without_effect_are_told_by_check() {
    let variables = [
        ("TRIBUTARY_CACHE__REDIS_URL", "redis://:hunter2@127.0.0.1:1"),
        ("OTEL_PROPAGATORS", "tracecontext,b3"),
        ("OTEL_TRACES_EXPORTER", "zipkin"),
        ("RUST_LOG", "info,tributary=loud"),
    ];
    let output = tributary(&["check"]).envs(variables).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let expected = [
        "warning: cache.redis_url is set, but cache.backend is memory",
        "warning: RUST_LOG is ignored",
        "warning: OTEL_TRACES_EXPORTER is ignored",
        "warning: OTEL_PROPAGATORS has a propagator that is ignored",
        "the configuration is valid",
    ];
    assert_eq!(lines.len(), expected.len(), "{said}");
    assert!(lines.iter().zip(expected).all(|(line, begin)| line.starts_with(begin)), "{said}");
}

/// A check with this Redis: its exit code, standard output and standard error.
fn check_redis(arguments: &[&str], url: &str, ca_file: &str) -> (Option<i32>, String, String) {
    let mut command = tributary(arguments);
    command.env("TRIBUTARY_CACHE__BACKEND", "redis").env("TRIBUTARY_CACHE__REDIS_URL", url);
    let output = command.env("TRIBUTARY_CACHE__REDIS_CA_FILE", ca_file).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn check_says_what_it_reaches() {
    let redis = RedisServer::start();
    let info = redis.text(&["INFO", "server"]);
    let version = info.lines().find_map(|line| line.strip_prefix("redis_version:")).unwrap();
    let valid = "the configuration is valid\n";
    let single = format!("{valid}redis: reachable, version {version}, single\n");
    assert_eq!(check_redis(&["check"], &redis.url(), ""), (Some(0), single, String::new()));

    redis.expect_ok(&["CONFIG", "SET", "maxmemory", "100mb"]);
    redis.expect_ok(&["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    let (code, said, _) = check_redis(&["check"], &redis.url(), "");
    assert!(code == Some(0) && said.contains("warning") && said.contains("allkeys-lru"), "{said}");

    redis.expect_ok(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
    redis.expect_ok(&["CONFIG", "SET", "maxmemory", "1"]);
    let (code, said, _) = check_redis(&["check"], &redis.url(), "");
    assert!(
        code == Some(1) && said.contains("redis: Redis takes no writes") && said.contains("OOM"),
        "{said}"
    );

    let both = format!("{},{}", redis.url(), redis.url().replace("127.0.0.1", "localhost"));
    let (code, said, _) = check_redis(&["check"], &both, "");
    assert!(code == Some(1) && said.contains("no node of a cluster: name one server"), "{said}");

    let cluster = RedisCluster::start();
    let (code, said, _) = check_redis(&["check"], &cluster.url(), "");
    let expected = format!("{valid}redis: reachable, version {version}, cluster\n");
    assert_eq!((code, said), (Some(0), expected));
}

#[test]
fn check_fails_where_redis_is_not_reached() {
    let nobody = format!("redis://:secret@127.0.0.1:{}", free_port());
    assert_eq!(check_redis(&["check", "--offline"], &nobody, "").0, Some(0), "it is valid, if not reached");
    let (code, said, error) = check_redis(&["check"], &nobody, "");
    assert_eq!((code, &*error), (Some(1), "error: can't be used: redis\n"));
    let why = "redis: Redis can't be reached: Connection refused";
    assert!(said.lines().nth(1).is_some_and(|line| line.starts_with(why)), "{said}");
    assert!(!said.contains("secret"), "{said}");
}
