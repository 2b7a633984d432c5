//! What the compose file joins, joined: the service with its variables, Redis and Prometheus with their commands and files, as
//! processes of this machine. Only addresses and folders differ.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::compose::{compose, keys, replaced, variables_of, words};
use crate::redis_server::{RedisServer, free_port};
use crate::service::{Service, clean, production};
use crate::{Folder, text};

const PATIENCE: Duration = Duration::from_secs(30);

/// Ended with its test.
struct Started(Child);

impl Started {
    fn new(program: &str, arguments: &[String], folder: &Folder, variables: &Value) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).stdout(Stdio::null());
        for (name, value) in variables.as_object().unwrap() {
            command.env(name, value.as_str().unwrap());
        }
        let log = fs::File::create(folder.0.join(format!("{program}.log"))).unwrap();
        Self(command.stderr(log).spawn().unwrap_or_else(|error| panic!("{program}: {error}")))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Looks until there is something to see.
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begin.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What an HTTP server says to a GET.
fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\nhost: t\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer.split_once("\r\n\r\n")?.1.to_owned())
}

/// Redis by the compose file's own command.
fn redis(compose: &Value, folder: &Folder, port: u16) -> Started {
    let redis = &compose["services"]["redis"];
    let mut words = words(&redis["command"]);
    assert_eq!(words.remove(0), "redis-server");
    let file = folder.0.join("redis.conf");
    fs::write(&file, replaced(&text("config/redis/redis.conf"), &[("port 6379", &format!("port {port}"))]))
        .unwrap();
    assert_eq!(words[0], "/etc/redis/redis.conf");
    words[0] = file.display().to_string();
    Started::new("redis-server", &words, folder, &redis["environment"])
}

/// The health check of the container, in the way in which Docker runs it.
fn redis_is_healthy(compose: &Value, port: u16) -> Option<()> {
    let redis = &compose["services"]["redis"];
    let test = words(&redis["healthcheck"]["test"]);
    assert_eq!(test[0], "CMD-SHELL");
    let line =
        replaced(&test[1], &[("redis-cli -h 127.0.0.1", &format!("redis-cli -h 127.0.0.1 -p {port}"))]);
    let mut command = Command::new("sh");
    command.args(["-c", &line]).env("REDISCLI_AUTH", redis["environment"]["REDISCLI_AUTH"].as_str().unwrap());
    command.stderr(Stdio::null()).status().unwrap().success().then_some(())
}

/// Prometheus by the compose file's own commands, which put its key where it looks for it.
fn prometheus(compose: &Value, folder: &Folder, target: &str, port: u16) -> Started {
    let prometheus = &compose["services"]["prometheus"];
    let own = folder.0.display().to_string();
    let key = format!("{own}/tributary.key");
    let files = [
        (
            "prometheus.yml",
            vec![
                ("tributary:8080", target),
                ("/run/prometheus/tributary.key", &key),
                ("scrape_interval: 15s", "scrape_interval: 1s"),
            ],
        ),
        ("alerts.yml", vec![]),
    ];
    for (name, pairs) in files {
        fs::write(folder.0.join(name), replaced(&text(&format!("config/prometheus/{name}")), &pairs))
            .unwrap();
    }
    let mut entrance = words(&prometheus["entrypoint"]);
    assert_eq!(entrance.remove(0), "/bin/sh");
    entrance[1] =
        replaced(&entrance[1], &[("/run/prometheus/tributary.key", &key), ("/bin/prometheus", "prometheus")]);
    let arguments =
        words(&prometheus["command"]).into_iter().map(|word| match word.split_once('=').unwrap() {
            ("--config.file", _) => format!("--config.file={own}/prometheus.yml"),
            ("--web.listen-address", _) => format!("--web.listen-address=127.0.0.1:{port}"),
            ("--storage.tsdb.path", _) => format!("--storage.tsdb.path={own}/data"),
            _ => word,
        });
    let words: Vec<String> = entrance.into_iter().chain(arguments).collect();
    Started::new("sh", &words, folder, &prometheus["environment"])
}

#[test]
fn redis_prometheus_and_the_service_work_together_as_the_compose_file_starts_them() {
    let folder = Folder::new("together");
    let keys = keys(&folder);
    let compose = compose(&keys);
    let redis_port = free_port();
    let _redis = redis(&compose, &folder, redis_port);
    eventually("Redis to be healthy", || redis_is_healthy(&compose, redis_port));

    let archive = format!("sqlite://{}", folder.0.join("archive.db").display());
    let mut variables = variables_of(&compose);
    for (name, value) in &mut variables {
        match name.as_str() {
            "TRIBUTARY_SERVER__LISTEN" => *value = "127.0.0.1:0".into(),
            "TRIBUTARY_CACHE__REDIS_URL" => {
                *value = replaced(value, &[("redis:6379", &format!("127.0.0.1:{redis_port}"))]);
            }
            // The archive's own tests have a PostgreSQL.
            "TRIBUTARY_ARCHIVE__URL" => value.clone_from(&archive),
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" => value.clear(),
            _ => {}
        }
    }
    let service = Service::start(production(&variables));
    let directive = r#"{"plan_step_id":"p","expected_subagents":[{"key":"documentation"}]}"#;
    let path = "/planner/sessions/s/steps";
    assert_eq!(service.status("POST", path, None, directive), 401);
    assert_eq!(service.status("POST", path, Some(&keys["METRICS_KEY"]), directive), 403);
    assert_eq!(service.status("POST", path, Some(&keys["API_KEY"]), directive), 201);

    let port = free_port();
    let _prometheus = prometheus(&compose, &folder, &service.address, port);
    let query = "/api/v1/query?query=up%7Bjob%3D%22tributary%22%7D";
    eventually("Prometheus to scrape the service with its key", || {
        let answer: Value = serde_json::from_str(&get(port, query)?).ok()?;
        (answer["data"]["result"][0]["value"][1] == "1").then_some(())
    });
}

/// docs/upgrading.md: from one embedded process to Redis.
#[test]
fn sessions_move_from_one_process_to_redis_by_the_archive() {
    let folder = Folder::new("moved");
    let archive = format!("sqlite://{}", folder.0.join("archive.db").display());
    let start = |cache: &[(&str, &str)]| {
        let mut command = clean(env!("CARGO_BIN_EXE_tributary"));
        command
            .args(["--listen", "127.0.0.1:0"])
            .env("TRIBUTARY_ARCHIVE__URL", &archive)
            .envs(cache.iter().copied());
        Service::start(command)
    };
    let directive = |step: &str| {
        format!(
            r#"{{"plan_step_id":"{step}","expected_subagents":[{{"key":"documentation"}}],"more_steps":true}}"#
        )
    };
    let result = r#"{"status":"success","revision":1,"payload":{"answer":"It is so."}}"#;
    let post = |service: &Service, path: &str, body: &str| {
        let answer = service.ask("POST", &format!("/planner/sessions/s/steps{path}"), None, body);
        assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
        answer
    };
    let page = |service: &Service| {
        let answer = service.ask("GET", "/planner/sessions/s/events", None, "");
        let page: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        page["events"].as_array().unwrap_or_else(|| panic!("{page}")).clone()
    };

    let mut before = start(&[]);
    post(&before, "", &directive("one"));
    post(&before, "/one/subagents/documentation/events", result);
    let told = eventually("the step's end", || {
        let events = page(&before);
        (events.last()?["type"] == "plan_step_completed").then_some(events)
    });
    before.stop();

    let redis = RedisServer::start();
    let after = start(&[("TRIBUTARY_CACHE__BACKEND", "redis"), ("TRIBUTARY_CACHE__REDIS_URL", &redis.url())]);
    assert_eq!(page(&after), told, "read from the archive");
    // The step, its revisions and its place are known again.
    post(&after, "", &directive("two"));
    let again = post(&after, "/one/subagents/documentation/events", result);
    assert!(again.contains("duplicate"), "{again}");
    let events = page(&after);
    assert_eq!(events[..told.len()], told[..]);
    let sequences: Vec<u64> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert!(
        sequences.windows(2).all(|pair| pair[0] < pair[1]) && sequences.len() > told.len(),
        "{sequences:?}"
    );
}
