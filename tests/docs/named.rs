//! What documents name is there: tests that prove a promise, files that code is found in, a worked example.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use regex_lite::Regex;

use crate::{blocks_of, document, root};

/// Names of all functions in Rust files below a folder.
fn functions(folder: &Path, found: &mut HashSet<String>) {
    let name = Regex::new(r"\bfn ([a-z0-9_]+)").unwrap();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            functions(&entry.path(), found);
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(entry.path()).unwrap();
            found.extend(name.captures_iter(&text).map(|name| name[1].to_owned()));
        }
    }
}

/// In backticks, four words and more joined by underscores: a test.
fn tests_named_in(text: &str) -> Vec<String> {
    let span = Regex::new("`([a-z0-9]+(?:_[a-z0-9]+){3,})`").unwrap();
    span.captures_iter(text).map(|name| name[1].to_owned()).collect()
}

#[test]
fn every_promise_is_proven_by_a_test_that_there_is() {
    let text = document("docs/guarantees.md");
    let mut there = HashSet::new();
    for folder in ["tests", "src"] {
        functions(&root().join(folder), &mut there);
    }
    let named = tests_named_in(&text);
    assert!(named.len() > 40, "{named:?}");
    let missing: Vec<&String> = named.iter().filter(|name| !there.contains(*name)).collect();
    assert!(missing.is_empty(), "no such test: {missing:#?}");
    // A row of a promise ends with what proves it.
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.matches('|').count() == 6);
    let rows = rows.filter(|line| !line.starts_with("| fault"));
    let unproven: Vec<&str> = rows.filter(|line| tests_named_in(line).is_empty()).collect();
    assert!(unproven.is_empty(), "promised without a test: {unproven:#?}");
}

#[test]
fn files_and_folders_that_are_named_are_there() {
    let path =
        Regex::new("`((?:src|tests|benches|config|docs|examples|migrations|scripts)/[A-Za-z0-9_./-]+)`")
            .unwrap();
    for document_path in
        ["docs/architecture.md", "docs/adapters.md", "docs/guarantees.md", "docs/contributing.md"]
    {
        let text = document(document_path);
        let named = path.captures_iter(&text).map(|path| path[1].to_owned());
        let missing: Vec<String> = named.filter(|path| !root().join(path).exists()).collect();
        assert!(missing.is_empty(), "{document_path}: {missing:#?}");
    }
    assert!(path.captures_iter(&document("docs/architecture.md")).count() > 40);
}

/// The adapter that the document shows is compiled and tested with the others.
#[test]
fn worked_example_is_the_one_that_is_tested() {
    let shown = blocks_of("docs/adapters.md");
    let folder = "src/domain/adapters/tests/";
    for name in ["test_run.rs", "test_run.json", "test_run.raw.json"] {
        let language = if name.ends_with("rs") { "rust" } else { "json" };
        let text = document(&format!("{folder}{name}"));
        let same = |text: &str| text.trim_end().to_owned();
        let found = shown.iter().any(|block| block.language == language && same(&block.text) == same(&text));
        assert!(found, "docs/adapters.md doesn't show {folder}{name} as it is");
    }
}
