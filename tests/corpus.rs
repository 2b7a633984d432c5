//! The committed corpus of the fuzzer, replayed without it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use tributary::domain::directive::Protocol;

#[path = "../fuzz/checks.rs"]
mod checks;

/// Calls `check` with each input of a target; there has to be one.
fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        // Shown only where the test fails: the input that did it.
        println!("{}", path.display());
        check(&fs::read(&path).unwrap());
        inputs += 1;
    }
    assert!(inputs > 0, "{} is empty", folder.display());
}

#[test]
fn the_corpus_of_every_protocol_is_read_without_a_panic() {
    for (target, protocol) in [
        ("json", Protocol::Json),
        ("ndjson", Protocol::Ndjson),
        ("sse", Protocol::Sse),
        ("openai", Protocol::Openai),
        ("anthropic", Protocol::Anthropic),
        ("a2a", Protocol::A2a),
    ] {
        replay(target, |body| checks::answer(protocol, body));
    }
}

#[test]
fn the_corpus_of_the_adapters_gets_through_all_of_them() {
    replay("adapters", checks::adapters);
}
