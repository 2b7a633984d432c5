//! Faults made by hand: `tests/mutants.toml` and the code name the same ones, and no ordinary build has them.

use std::collections::BTreeMap;

use crate::none;
use crate::source::{File, files, root, rust};

fn read(path: &str) -> toml::Table {
    std::fs::read_to_string(root().join(path)).unwrap().parse().unwrap()
}

/// The names in `mutant!("…")`, each with the file that it stands in.
fn in_code() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for File { path, text } in rust("src/") {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for after in line.split("mutant!(\"").skip(1) {
                found.push((after.split('"').next().unwrap().to_owned(), path.clone()));
            }
        }
    }
    found
}

#[test]
fn every_fault_stands_once_in_the_code_and_once_in_the_table() {
    let table = read("tests/mutants.toml");
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, path) in in_code() {
        places.entry(name).or_default().push(path);
    }
    let unlisted = places.keys().filter(|name| !table.contains_key(*name));
    let gone = table.keys().filter(|name| !places.contains_key(*name));
    let twice = places.iter().filter(|(_, paths)| paths.len() > 1);
    let findings = unlisted.map(|name| format!("{name}: not in tests/mutants.toml, {:?}", places[name]));
    let findings = findings.chain(gone.map(|name| format!("{name}: nowhere in src/")));
    none(findings.chain(twice.map(|(name, paths)| format!("{name}: in several places, {paths:?}"))));
    assert!(table.len() >= 20, "only {} faults", table.len());
}

#[test]
fn every_fault_has_a_killer_that_exists() {
    let sources: Vec<File> = files().into_iter().filter(|file| file.path.ends_with(".rs")).collect();
    let mut findings = Vec::new();
    for (name, mutant) in read("tests/mutants.toml") {
        let text = |key: &str| mutant.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let killer = text("killer");
        let (program, test) = (killer.split("::").next().unwrap(), killer.rsplit("::").next().unwrap());
        let folder = if program == "lib" { "src/" } else { "tests/" };
        let heads = [format!("fn {test}("), format!("fn {test}<")];
        let defines = |file: &File| {
            file.path.starts_with(folder) && heads.iter().any(|head| file.text.contains(head.as_str()))
        };
        let is_program = program == "lib" || root().join(format!("tests/{program}/main.rs")).exists();
        if text("fault").is_empty() || !is_program || !sources.iter().any(defines) {
            findings.push(format!("{name}: no fault, or no such test: {killer}"));
        }
    }
    none(findings);
}

#[test]
fn no_ordinary_build_has_faults() {
    let manifest = read("Cargo.toml");
    let features = manifest["features"].as_table().unwrap();
    assert!(features.contains_key("mutants"), "{features:?}");
    // Neither by default nor because another feature brings it.
    none(
        features
            .iter()
            .filter(|(_, brings)| format!("{brings:?}").contains("mutants"))
            .map(|(name, _)| format!("Cargo.toml: the feature {name} brings `mutants`")),
    );
    // `--all-features` would have them too.
    let told = [".ci/run", "scripts/test", "Dockerfile"]
        .map(|path| (path, std::fs::read_to_string(root().join(path)).unwrap()));
    none(told.into_iter().filter(|(_, text)| text.contains("all-features")).map(|(path, _)| path.to_owned()));
}
