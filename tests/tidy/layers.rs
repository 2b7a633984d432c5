//! `domain ← engine ← edge`, and what each layer leaves to the others.

use crate::none;
use crate::paths::paths;
use crate::source::{code, rust};

/// What the domain names would make it wait, touch the world, or differ from one run to the next.
const NOT_IN_DOMAIN: &[&str] = &[
    "crate::engine",
    "crate::edge",
    "crate::bootstrap",
    "crate::lifecycle",
    "crate::config",
    "tokio",
    "tokio_util",
    "futures",
    "tracing",
    "axum",
    "hyper",
    "tower",
    "parking_lot",
    "dashmap",
    "std::time::Instant",
    "std::time::SystemTime",
    "Instant",
    "SystemTime",
    "jiff::Timestamp::now",
    "Timestamp::now",
    "rand",
    "fastrand",
    "uuid::Uuid::new_v4",
    "uuid::Uuid::now_v7",
    "Uuid::new_v4",
    "Uuid::now_v7",
    "std::fs",
    "std::net",
    "std::thread",
    "std::process",
    "std::env",
];

const NOT_IN_ENGINE: &[&str] = &[
    "crate::edge",
    "crate::bootstrap",
    "axum",
    "hyper",
    "hyper_util",
    "tower",
    "tower_http",
    "std::fs",
    "std::net",
];

#[test]
fn domain_decides_and_nothing_else() {
    none(named("src/domain/", NOT_IN_DOMAIN));
    let waits =
        |code: &str| code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "async");
    let files = rust("src/domain/");
    none(files.iter().filter(|file| waits(&code(&file.text))).map(|file| format!("{}: async", file.path)));
}

#[test]
fn engine_leaves_the_world_to_the_edge() {
    none(named("src/engine/", NOT_IN_ENGINE));
}

#[test]
fn folders_of_the_edge_do_not_know_each_other() {
    let mut findings = Vec::new();
    for file in rust("src/edge/") {
        let Some((own, _)) = file.path["src/edge/".len()..].split_once('/') else { continue };
        for path in paths(&file.path, &code(&file.text)) {
            let Some(named) = path.strip_prefix("crate::edge::") else { continue };
            if named.split("::").next() != Some(own) {
                findings.push(format!("{}: {path}", file.path));
            }
        }
    }
    none(findings);
}

#[test]
fn only_bootstrap_names_ports_and_what_implements_them() {
    let mut others = Vec::new();
    for file in rust("src/").into_iter().filter(|file| !file.path.starts_with("src/edge/")) {
        let paths = paths(&file.path, &code(&file.without_tests()).replace("tributary::", "crate::"));
        let names = |layer| paths.iter().any(|path| is_under(path, layer));
        let joins = file.path == "src/bootstrap.rs" || file.path.starts_with("src/bootstrap/");
        if !joins && names("crate::engine") && names("crate::edge") {
            others.push(file.path);
        }
    }
    none(others);
}

fn named(folder: &str, forbidden: &[&str]) -> Vec<String> {
    let files = rust(folder);
    assert!(!files.is_empty(), "where is {folder}?");
    let mut findings = Vec::new();
    for file in files {
        let found = paths(&file.path, &code(&file.without_tests()));
        let wrong = found.into_iter().filter(|path| forbidden.iter().any(|name| is_under(path, name)));
        findings.extend(wrong.map(|path| format!("{}: {path}", file.path)));
    }
    findings
}

fn is_under(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
