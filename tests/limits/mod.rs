//! Everything has a bound. Each one is reached here, by lowering it: a problem document with a stable code, and nothing
//! that was acknowledged is lost. And whatever else is wrong with a request is told as clearly.

mod bad_bodies;
mod bad_requests;
mod connections;
mod directives;
mod input_errors;
mod memory;
mod readers;
mod requests;
mod sessions;

/// The tests' own texts: a limit is lowered under its name.
const TESTS: [&str; 8] = [
    include_str!("connections.rs"),
    include_str!("directives.rs"),
    include_str!("memory.rs"),
    include_str!("readers.rs"),
    include_str!("requests.rs"),
    include_str!("sessions.rs"),
    include_str!("../security/slow.rs"),
    include_str!("../archive/analytics.rs"),
];

#[test]
fn every_limit_of_the_configuration_is_reached_by_a_test() {
    let defaults = include_str!("../../config/default.toml");
    let section = defaults.split("\n[limits]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let keys =
        section.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
    let names: Vec<String> = keys.map(|(key, _)| format!("\"LIMITS__{}\"", key.to_uppercase())).collect();
    assert!(names.len() >= 14, "{names:?}");
    let others = ["\"SERVER__CONNECTIONS_MAX\"", "\"CACHE__MEMORY_BYTES_MAX\"", "\"CACHE__RING_BYTES\""];
    for name in names.iter().map(String::as_str).chain(others) {
        assert!(TESTS.iter().any(|text| text.contains(name)), "no test lowers {name}");
    }
}
