//! The committed corpus of the fuzzer, replayed without it, and some thousands of inputs made from it: without the fuzzer's
//! instruments, but on every machine and the same each time.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use tributary::domain::directive::{self, DirectiveRules, Protocol};
use tributary::domain::event::parse_event;

#[path = "../fuzz/checks.rs"]
mod checks;

/// Inputs made of each of the corpus.
const MADE: usize = 1_500;
/// Where it is set, the number of them and where chance begins, for a longer run: `CORPUS_INPUTS=200000,7`.
const MORE: &str = "CORPUS_INPUTS";
/// What formats are made of: put in where chance wants it.
const WORDS: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b"\0",
    b"-",
    b"1e999",
    b"\xff",
    b"\\ud800",
    b"null",
    b"data: ",
    b"[1]",
    b"[2-4]",
    b"```",
    b"://",
    b"%2F",
    b"@",
    b"_",
    b"~",
    b"\xe4\xb8\xad",
    b"18446744073709551616",
];

/// Calls `check` with each input of a target, of which there has to be one, and with what chance makes of it.
fn replay(target: &str, check: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let inputs: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!inputs.is_empty(), "{} is empty", folder.display());
    let (count, seed) = match std::env::var(MORE) {
        Ok(more) => {
            let (count, seed) = more.split_once(',').unwrap();
            (count.parse().unwrap(), seed.parse().unwrap())
        }
        Err(_) => (MADE, 20_261),
    };
    let mut random = fastrand::Rng::with_seed(seed);
    for input in &inputs {
        run(target, input, &check);
        for _ in 0..count {
            let mut made = input.clone();
            for _ in 0..random.usize(1..5) {
                change(&mut made, &inputs, &mut random);
            }
            run(target, &made, &check);
        }
    }
}

/// A failure shows the input: saved under the target's corpus it is replayed for good.
fn run(target: &str, input: &[u8], check: &(impl Fn(&[u8]) + std::panic::RefUnwindSafe)) {
    if std::panic::catch_unwind(|| check(input)).is_err() {
        panic!("{target} fails with \"{}\"", input.escape_ascii());
    }
}

fn change(made: &mut Vec<u8>, inputs: &[Vec<u8>], random: &mut fastrand::Rng) {
    let at = random.usize(..=made.len());
    let end = (at + random.usize(..24)).min(made.len());
    match random.u8(..6) {
        0 if at < made.len() => made[at] ^= 1 << random.u8(..8),
        1 => drop(made.drain(at..end)),
        2 => made.truncate(at),
        3 => drop(made.splice(at..at, made[at..end].to_vec())),
        4 => {
            let other = &inputs[random.usize(..inputs.len())];
            let from = random.usize(..=other.len());
            made.truncate(at);
            made.extend_from_slice(&other[from..]);
        }
        _ => drop(made.splice(at..at, WORDS[random.usize(..WORDS.len())].iter().copied())),
    }
}

#[test]
fn protocols_of_answers_say_the_same_however_they_are_cut() {
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

#[test]
fn json_keeps_its_meaning_in_canonical_form() {
    replay("canonical_json", checks::canonical_json);
}

#[test]
fn directives_and_events_mean_the_same_however_they_are_spelt() {
    replay("directive", checks::directive);
    replay("event", checks::event);
}

#[test]
fn seeds_of_directives_and_events_get_past_the_door() {
    let text = |path: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(path)).unwrap()
    };
    for name in ["plain", "full", "tree"] {
        let (session, rules) = ("s".parse().unwrap(), DirectiveRules::default());
        let taken = directive::parse(&text(&format!("directive/{name}")), &session, &rules);
        assert!(taken.is_ok(), "{name}: {taken:?}");
    }
    for name in ["success", "error", "telemetry", "lines"] {
        let taken = parse_event(&text(&format!("event/{name}")), &"a".parse().unwrap());
        assert!(taken.is_ok(), "{name}: {taken:?}");
    }
}

#[test]
fn places_have_one_text() {
    replay("cursor", checks::cursor);
}

#[test]
fn identities_of_addresses_are_fixed_points() {
    replay("url_identity", checks::url_identity);
}

#[test]
fn citations_are_rewritten_in_the_same_way_wherever_the_text_is_cut() {
    replay("citations", checks::citations);
}

#[test]
fn bodies_of_events_come_out_the_same_in_whatever_pieces_they_come() {
    replay("ndjson_body", checks::ndjson_body);
    replay("sse_body", checks::sse_body);
}

#[test]
fn tokens_grant_what_stands_in_them_and_nothing_once_they_are_changed() {
    replay("jwt", checks::token);
}
