//! What we take from others: under licences that deny.toml allows, from the one place that it allows.

use std::process::Command;

use config::{Config, File, FileFormat};
use serde_json::Value;

use crate::none;
use crate::source::{files, root};

#[test]
fn dependencies_have_licences_that_are_allowed() {
    let rules = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let rules = Config::builder().add_source(File::from_str(&rules, FileFormat::Toml)).build().unwrap();
    let allowed = rules.get::<Vec<String>>("licenses.allow").unwrap();
    let packages = packages();
    let others = packages.iter().filter(|package| !package["source"].is_null());
    none(others.filter_map(|package| {
        let licence = package["license"].as_str().unwrap_or("no licence");
        let allows = |name: &str| allowed.iter().any(|known| known == name);
        let source = package["source"].as_str().unwrap();
        let known_source = source.ends_with("/crates.io-index");
        (!known_source || !satisfies(licence, &allows))
            .then(|| format!("{}: {licence}, {source}", package["name"]))
    }));
}

/// What the lock file means for this machine; nothing is fetched.
fn packages() -> Vec<Value> {
    let cargo = || Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let version = cargo().arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let arguments = ["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host];
    let output = cargo().args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether an SPDX expression can be satisfied; in old ones `/` is an OR.
fn satisfies(licence: &str, allows: &dyn Fn(&str) -> bool) -> bool {
    let spaced = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let holds = either(&mut words, allows);
    assert_eq!(words.next(), None, "{licence}");
    holds
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allows: &dyn Fn(&str) -> bool) -> bool {
    let mut holds = both(words, allows);
    while words.next_if_eq(&"OR").is_some() {
        holds |= both(words, allows);
    }
    holds
}

fn both(words: &mut Words<'_>, allows: &dyn Fn(&str) -> bool) -> bool {
    let mut holds = one(words, allows);
    while words.next_if_eq(&"AND").is_some() {
        holds &= one(words, allows);
    }
    holds
}

fn one(words: &mut Words<'_>, allows: &dyn Fn(&str) -> bool) -> bool {
    let name = words.next().unwrap();
    if name == "(" {
        let holds = either(words, allows);
        assert_eq!(words.next(), Some(")"));
        return holds;
    }
    match words.next_if_eq(&"WITH") {
        Some(_) => allows(&format!("{name} WITH {}", words.next().unwrap())),
        None => allows(name),
    }
}

#[test]
fn licence_is_an_expression() {
    let allows = |name: &str| ["MIT", "A WITH B"].contains(&name);
    for (licence, holds) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(GPL-3.0 OR MIT) AND A WITH B", true),
        ("A OR MIT AND GPL-3.0", false),
    ] {
        assert_eq!(satisfies(licence, &allows), holds, "{licence}");
    }
}

/// Where a package comes from is a matter of the machine that installs it; its digest is not.
#[test]
fn lists_of_packages_name_no_hosts() {
    let lists = ["package.json", "package-lock.json", "requirements.txt", ".npmrc"];
    let found = files().into_iter().filter(|file| lists.iter().any(|name| file.path.ends_with(name)));
    none(found.filter(|file| file.text.contains("://")).map(|file| format!("{}: names a host", file.path)));
}
