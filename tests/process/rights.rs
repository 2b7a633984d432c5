//! What the user of Redis may do is found out by `check`, and told by a service that can't be ready.

use std::io::BufRead;

use crate::redis_server::RedisServer;
use crate::{Service, tributary};

/// As docs/replicas.md has it, but for the channels.
const WITHOUT_CHANNELS: [&str; 10] =
    ["ACL", "SETUSER", "trib", "reset", "on", ">pw", "~tributary:*", "+@all", "-@admin", "-@dangerous"];

fn settings(redis: &RedisServer) -> [(&'static str, String); 2] {
    let url = format!("redis://trib:pw@127.0.0.1:{}", redis.port);
    [("TRIBUTARY_CACHE__BACKEND", "redis".to_owned()), ("TRIBUTARY_CACHE__REDIS_URL", url)]
}

fn check(redis: &RedisServer) -> (Option<i32>, String) {
    let output = tributary(&["check"]).envs(settings(redis)).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// A user that was made since Redis 7.0 has no channels unless it is given some.
#[test]
fn user_without_channels_is_told_by_check_by_the_log_and_by_readiness() {
    let redis = RedisServer::start();
    redis.expect_ok(&WITHOUT_CHANNELS);
    redis.expect_ok(&["ACL", "SETUSER", "trib", "+info"]);
    let (code, said) = check(&redis);
    assert!(code == Some(1) && said.contains("Redis takes no subscription: "), "{said}");
    assert!(said.contains("ACL SETUSER … &tributary:*") && !said.contains("pw@"), "{said}");

    let mut command = tributary(&["--listen", "127.0.0.1:0"]);
    let mut child = command.envs(settings(&redis)).spawn().unwrap();
    let mut log = std::io::BufReader::new(child.stderr.take().unwrap());
    let (warned, address) = warned_and_listening(&mut log);
    assert!(warned.contains("WARN") && warned.contains("&tributary:*"), "{warned}");
    let service = Service { child, log, address };
    let ready = service.ask("/readyz");
    assert!(ready.starts_with("HTTP/1.1 503"), "{ready}");
    assert!(
        ready.contains("the subscription to Redis is down: ") && ready.contains("&tributary:*"),
        "{ready}"
    );

    redis.expect_ok(&["ACL", "SETUSER", "trib", "&tributary:*"]);
    let (code, said) = check(&redis);
    assert!(code == Some(0) && said.contains("redis: reachable"), "{said}");
    let given = std::time::Instant::now();
    while !service.ask("/readyz").starts_with("HTTP/1.1 200") {
        assert!(given.elapsed() < std::time::Duration::from_secs(20), "it isn't ready");
        std::thread::yield_now();
    }
}

/// The line that warns of the subscription, and where it listens: whichever comes first.
fn warned_and_listening(log: &mut impl BufRead) -> (String, String) {
    let (mut warned, mut address) = (None, None);
    while warned.is_none() || address.is_none() {
        let mut line = String::new();
        assert!(log.read_line(&mut line).unwrap() > 0, "{warned:?} {address:?}");
        let entry: serde_json::Value = serde_json::from_str(&line).unwrap();
        match entry["message"].as_str() {
            Some("listening") => address = entry["address"].as_str().map(str::to_owned),
            Some("no subscription to Redis") => warned = Some(line),
            _ => {}
        }
    }
    (warned.unwrap(), address.unwrap())
}
