//! `tributary check` tells a Redis that takes writes from one that doesn't.

use std::process::Command;

use crate::redis_server::RedisServer;

fn check(redis: &RedisServer) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    command.env("TRIBUTARY_CACHE__BACKEND", "redis").env("TRIBUTARY_CACHE__REDIS_URL", redis.url());
    let output = command.arg("check").output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn copy_of_a_redis_is_not_taken_for_one_that_takes_writes() {
    let first = RedisServer::start();
    let (is_good, said) = check(&first);
    assert!(is_good && said.contains("reachable"), "{said}");
    let port = first.port.to_string();
    let copy = RedisServer::start_with(&["--replicaof", "127.0.0.1", &port]);
    let (is_good, said) = check(&copy);
    assert!(!is_good && said.contains("takes no writes"), "{said}");
}
