//! The documents against the program: what they print works as printed, what they list is all there is, and what they name
//! is there.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod blocks;
mod commands;
mod expected;
mod named;
mod readers;
mod tables;
mod terminal;

use std::fs;
use std::path::Path;

use blocks::{Block, blocks};

/// The project's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A document's text.
fn document(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks of a document.
fn blocks_of(path: &str) -> Vec<Block> {
    blocks(path, &document(path))
}

/// The README and everything below docs/, by path.
fn documents() -> Vec<String> {
    let mut found = vec!["README.md".to_owned()];
    collect("docs", &mut found);
    found.sort();
    assert!(found.len() > 20, "where are the documents? {found:?}");
    found
}

fn collect(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&path, found);
        } else if path.ends_with(".md") {
            found.push(path);
        }
    }
}
