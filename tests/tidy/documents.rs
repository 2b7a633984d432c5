//! What documents promise is there.

use std::fs;

use crate::none;
use crate::source::{File, files, root};

fn documents() -> Vec<File> {
    let mut documents = files();
    documents.retain(|file| file.path.ends_with(".md"));
    documents
}

#[test]
fn links_between_files_lead_somewhere() {
    let mut findings = Vec::new();
    for document in documents() {
        let folder = root().join(&document.path).parent().unwrap().to_owned();
        for link in links(&document.text) {
            let path = link.split(['#', '?']).next().unwrap();
            if !link.contains("://") && !link.starts_with("mailto:") && !folder.join(path).exists() {
                findings.push(format!("{}: {link}", document.path));
            }
        }
    }
    none(findings);
}

/// The targets of `[text](target)`, outside of code.
fn links(markdown: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut links = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
            links.extend(targets.filter(|target| !target.is_empty()));
        }
    }
    links
}

/// In a table whose rows begin with the key, followed by its default.
#[test]
fn every_key_of_the_configuration_is_documented_with_its_default() {
    let Ok(document) = fs::read_to_string(root().join("docs/configuration.md")) else { return };
    let defaults = fs::read_to_string(root().join("config/default.toml")).unwrap();
    let keys = keys(&defaults);
    assert!(keys.len() > 30, "{keys:?}");
    let missing = keys.into_iter().filter(|(key, default)| {
        let row = |line: &&str| line.starts_with(&format!("| `{key}`"));
        !document.lines().find(row).is_some_and(|line| line.contains(&format!("| `{default}` |")))
    });
    none(missing.map(|(key, default)| format!("docs/configuration.md: no row for `{key}` with `{default}`")));
}

/// Each `section.key` and its value, as one writes it: `10_000` is 10000.
fn keys(toml: &str) -> Vec<(String, String)> {
    let mut section = "";
    let mut keys = Vec::new();
    for line in toml.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((key, value)) = line.split_once(" = ") {
            let is_number = value.starts_with(|first: char| first.is_ascii_digit());
            let value = if is_number { value.replace('_', "") } else { value.to_owned() };
            keys.push((format!("{section}.{key}"), value));
        }
    }
    keys
}
