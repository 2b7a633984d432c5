//! The names that the service may use, as the file with all of them has them.

use std::collections::BTreeSet;

const SOURCE: &str = include_str!("../../src/domain/telemetry_names.rs");

/// The names in one of its modules: `span`, `attribute`, `metric`.
pub fn all(module: &str) -> BTreeSet<&'static str> {
    let begin = SOURCE.find(&format!("pub mod {module} {{")).unwrap();
    let text = &SOURCE[begin..];
    let text = &text[..text.find("\n}").unwrap()];
    let constants = text.lines().filter(|line| line.trim_start().starts_with("pub const"));
    constants.map(|line| line.split('"').nth(1).unwrap()).collect()
}

/// A metric's name as Prometheus has it, without its unit and what follows.
pub fn in_prometheus(name: &str) -> String {
    name.replace('.', "_")
}

#[test]
fn the_names_are_read_from_their_file() {
    assert!(all("span").contains("plan_step") && !all("span").contains("tributary.step.status"));
    assert!(all("attribute").contains("error.type") && all("metric").contains("tributary.publishes"));
}
