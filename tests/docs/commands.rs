//! Every command that a document prints is run here, in the order in which a reader would type it, or says why it isn't.

use std::collections::HashSet;
use std::process::Command;
use std::thread;

use regex_lite::Regex;

use crate::blocks::{Block, REASONS};
use crate::terminal::works_as_printed;
use crate::{blocks_of, document, documents};

/// Each is long enough to be a test of its own.
const ALONE: [&str; 2] = ["README.md", "docs/tutorial.md"];

#[test]
fn readme_works_as_printed() {
    works_as_printed(&blocks_of(ALONE[0]));
}

#[test]
fn tutorial_works_as_printed() {
    works_as_printed(&blocks_of(ALONE[1]));
}

#[test]
fn every_other_document_works_as_printed() {
    let others: Vec<String> =
        documents().into_iter().filter(|path| !ALONE.contains(&path.as_str())).collect();
    // They wait more than they compute.
    let running = others
        .into_iter()
        .map(|path| (path.clone(), thread::spawn(move || works_as_printed(&blocks_of(&path)))));
    let running: Vec<_> = running.collect();
    let failed: Vec<String> =
        running.into_iter().filter_map(|(path, thread)| thread.join().is_err().then_some(path)).collect();
    assert!(failed.is_empty(), "see above: {failed:?}");
}

#[test]
fn every_block_of_commands_is_run_or_says_why_not() {
    let all: Vec<Block> =
        documents().iter().flat_map(|path| blocks_of(path)).filter(Block::is_commands).collect();
    let (skipped, run): (Vec<&Block>, Vec<&Block>) = all.iter().partition(|block| block.not_run.is_some());
    for block in &skipped {
        let reason = block.not_run.as_deref().unwrap();
        println!("{block}: not run: {reason}");
        let known = |known: &&str| reason.starts_with(*known);
        assert!(REASONS.iter().any(known), "{block}: `{reason}` is no reason");
    }
    println!("{} blocks are run, {} are not", run.len(), skipped.len());
    assert!(run.len() > skipped.len(), "{} run, {} not", run.len(), skipped.len());
}

/// Commands that stand in a sentence aren't run, but what they name is there.
#[test]
fn commands_in_sentences_name_what_there_is() {
    let span = Regex::new("`((?:cargo bench|scripts/|bash scripts/|tributary )[^`]*)`").unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_tributary")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let described: HashSet<&str> = help.split_whitespace().collect();
    let manifest = document("Cargo.toml");
    let mut wrong = Vec::new();
    for path in documents() {
        let text = document(&path);
        for found in span.captures_iter(&text) {
            let words: Vec<&str> = found[1].split_whitespace().collect();
            let after =
                |word: &str| words.iter().position(|each| *each == word).and_then(|at| words.get(at + 1));
            let right = match words[0] {
                "cargo" => {
                    after("--bench").is_none_or(|name| manifest.contains(&format!("name = \"{name}\"")))
                }
                "tributary" => described.contains(words[1]),
                _ => {
                    let script = words.iter().find(|word| word.starts_with("scripts/")).unwrap();
                    crate::root().join(script).exists()
                }
            };
            if !right {
                wrong.push(format!("{path}: {}", &found[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
