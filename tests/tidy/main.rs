//! The rules of the house that neither the compiler nor clippy knows: which layer may name what, how a file begins and
//! how long it gets, what documents must agree with. Each finding names its file; exceptions say why.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod dependencies;
mod documents;
mod files;
mod layers;
mod mutants;
mod paths;
mod source;

/// Fails with all findings at once.
fn none(findings: impl IntoIterator<Item = String>) {
    let findings: Vec<String> = findings.into_iter().collect();
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}
