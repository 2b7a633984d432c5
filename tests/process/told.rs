//! What is wrong is told by a start and by `check` alike.

use std::io::Read;

use crate::folder::Folder;
use crate::{Service, tributary};

/// What `check` prints, and its code.
fn check(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = tributary(arguments).envs(variables.iter().copied()).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// docs/configuration.md: a file that can't be read ends the program with 1. What doesn't answer may in a moment.
#[test]
fn keys_of_tokens_in_a_file_must_be_there_and_at_an_address_may_come() {
    let required = ("TRIBUTARY_AUTH__MODE", "required");
    let file = [required, ("TRIBUTARY_AUTH__JWKS", "/nonexistent.json")];
    for arguments in [&["check"][..], &["check", "--offline"], &["serve", "--listen", "127.0.0.1:0"]] {
        let (code, said) = check(arguments, &file);
        let told = "auth.jwks: no keys can be read from /nonexistent.json: No such file";
        assert!(code == Some(1) && said.contains(told), "{arguments:?}: {said}");
    }
    let nobody = format!("http://127.0.0.1:{}/keys", crate::redis_server::free_port());
    let address = [required, ("TRIBUTARY_AUTH__JWKS", &*nobody)];
    assert_eq!(check(&["check", "--offline"], &address).0, Some(0));
    let (code, said) = check(&["check"], &address);
    assert!(code == Some(1) && said.contains("Connection refused"), "{said}");
    let mut command = tributary(&["--listen", "127.0.0.1:0"]);
    let mut child = command.envs(address).spawn().unwrap();
    let mut log = std::io::BufReader::new(child.stderr.take().unwrap());
    for told in [
        "auth.jwks is set without auth.jwt_audiences",
        "the keys of tokens can't be had",
        "no keys can be read from",
    ] {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut log, &mut line).unwrap();
        assert!(line.contains(told), "{line}");
    }
    let service = Service::listening(child, log);
    let ready = service.ask("/readyz");
    assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
    assert!(ready.contains("\"sign_in\":{\"ready\":false,\"reason\":\"Connection refused"), "{ready}");
}

#[test]
fn certificates_of_redis_are_read_offline_too() {
    let redis = [
        ("TRIBUTARY_CACHE__BACKEND", "redis"),
        ("TRIBUTARY_CACHE__REDIS_URL", "rediss://127.0.0.1:1"),
        ("TRIBUTARY_CACHE__REDIS_CA_FILE", "/nonexistent.pem"),
    ];
    let (code, said) = check(&["check", "--offline"], &redis);
    assert!(code == Some(1) && said.contains("cache.redis_ca_file /nonexistent.pem (set in "), "{said}");
}

#[test]
fn doubts_are_told_by_both() {
    let hash = format!("sha256:{}", "a".repeat(64));
    let settings = [
        ("TRIBUTARY_AUTH__MODE", "required"),
        ("TRIBUTARY_AUTH__JWT_SECRET", "0123456789"),
        ("TRIBUTARY_AUTH__KEYS__CRM__HASH", &*hash),
        ("TRIBUTARY_AUTH__KEYS__CRM__SCOPES", "read"),
        ("TRIBUTARY_AUTH__KEYS__CRM__EXPIRES", "2020-01-01T00:00:00Z"),
    ];
    let doubts =
        ["auth.jwt_secret is shorter than 32 bytes", "auth.keys.crm has expired, on 2020-01-01T00:00:00Z"];
    let (code, said) = check(&["check", "--offline"], &settings);
    assert_eq!(code, Some(0));
    let warned = |text: &str| doubts.iter().all(|doubt| text.matches(doubt).count() == 1);
    assert!(warned(&said) && said.matches("warning: ").count() == 2, "{said}");
    let mut child = tributary(&["--listen", "127.0.0.1:0"]).envs(settings).spawn().unwrap();
    let mut log = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut told = String::new();
    for _ in &doubts {
        std::io::BufRead::read_line(&mut log, &mut told).unwrap();
    }
    assert!(warned(&told), "{told}");
    let mut service = Service::listening(child, log);
    service.signal("TERM");
    service.log.read_to_string(&mut told).unwrap();
    assert!(warned(&told), "{told}");
}

#[test]
fn what_cannot_be_reached_is_told_with_its_cause() {
    let nobody = format!("http://127.0.0.1:{}", crate::redis_server::free_port());
    let (code, said) = check(&["check"], &[("OTEL_EXPORTER_OTLP_ENDPOINT", &*nobody)]);
    assert!(code == Some(1) && said.contains("error: can't be used: traces, metrics"), "{said}");
    assert_eq!(said.matches("Connection refused").count(), 2, "{said}");
    let folder = Folder::new();
    let away = folder.0.join("away/archive.db");
    let url = format!("sqlite://{}", away.display());
    let (code, said) = check(&["check"], &[("TRIBUTARY_ARCHIVE__URL", &*url)]);
    let told = format!("{} isn't there and can't be made", away.display());
    let hint = format!("the folder {}", folder.0.join("away").display());
    assert!(code == Some(1) && said.contains(&told) && said.contains(&hint), "{said}");
}

#[test]
fn no_readers_at_all_is_told_of_the_key_that_was_set_alone() {
    let (code, said) = check(&["check"], &[("TRIBUTARY_LIMITS__READERS", "0")]);
    assert!(code == Some(2) && said.contains("limits.readers: 0 is out of range"), "{said}");
    assert!(!said.contains("readers_per_session"), "{said}");
}
