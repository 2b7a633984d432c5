//! How a stop ends where the archive hasn't got everything.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use sqlx::{Connection, SqliteConnection};

use crate::folder::Folder;
use crate::redis_server::RedisServer;
use crate::{Service, tributary};

const STEP: &str = r#"{"plan_step_id":"p","expected_subagents":[{"key":"a"}],"deadline_ms":600000}"#;

/// A service with the archive of this folder, which keeps its sessions where `others` say.
fn service(folder: &Folder, others: &[(&str, &str)]) -> Service {
    let mut command = tributary(&["--listen", "127.0.0.1:0"]);
    command.env("TRIBUTARY_ARCHIVE__URL", folder.url()).env("TRIBUTARY_SERVER__DRAIN_WINDOW_MS", "1000");
    let mut child = command.envs(others.iter().copied()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    if !others.is_empty() {
        let mut warned = String::new();
        log.read_line(&mut warned).unwrap();
        assert!(warned.contains("archive.url is a file (sqlite)"), "{warned}");
    }
    Service::listening(child, log)
}

/// Posts a directive, which is acknowledged.
fn acknowledged(service: &Service, session: &str) {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let length = STEP.len();
    write!(
        stream,
        "POST /planner/sessions/{session}/steps HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{STEP}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
}

/// Stops it while somebody else holds the archive's file; its code, and what it said.
async fn stopped_without_its_archive(others: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = Folder::new();
    let mut service = service(&folder, others);
    let mut other = SqliteConnection::connect(&folder.url()).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    acknowledged(&service, "s");
    service.signal("TERM");
    let code = service.child.wait().unwrap().code();
    let mut said = String::new();
    service.log.read_to_string(&mut said).unwrap();
    other.close().await.unwrap();
    (code, said)
}

/// What a supervisor goes by: the step was acknowledged, and is nowhere any more.
#[tokio::test]
async fn stop_that_loses_what_was_acknowledged_ends_with_1() {
    let (code, said) = stopped_without_its_archive(&[]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("error: stopped before everything was archived: what was left of 1 sessions is lost"),
        "{said}"
    );
}

#[tokio::test]
async fn stop_whose_rest_redis_keeps_ends_with_0() {
    // With a bound, so that nothing is said of that.
    let redis = RedisServer::start_with(&["--save", "", "--appendonly", "no", "--maxmemory", "64mb"]);
    let url = redis.url();
    let others = [("TRIBUTARY_CACHE__BACKEND", "redis"), ("TRIBUTARY_CACHE__REDIS_URL", &*url)];
    let (code, said) = stopped_without_its_archive(&others).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Redis has it for other replicas"), "{said}");
}

/// With the archive there, the same stop ends well.
#[test]
fn stop_that_archives_everything_ends_with_0() {
    let folder = Folder::new();
    let mut service = service(&folder, &[]);
    acknowledged(&service, "s");
    service.signal("TERM");
    assert_eq!(service.child.wait().unwrap().code(), Some(0));
}
