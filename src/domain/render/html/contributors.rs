//! Who contributed: a letter, a colour and a pattern for each subagent.

use std::collections::BTreeMap;

use super::text;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::render::inert::NAME_MAX;

/// How many colours with patterns there are; then they repeat, and the letters tell who is who.
const COLOURS: usize = 8;

/// The subagents of a result, by first appearance in results, failures, findings, contradictions and sources.
pub(super) struct Contributors<'r> {
    names: Vec<&'r str>,
    numbers: BTreeMap<&'r str, usize>,
}

impl<'r> Contributors<'r> {
    pub(super) fn of(result: &'r AggregatedResult) -> Self {
        let mut all = Self { names: Vec::new(), numbers: BTreeMap::new() };
        result.results.iter().for_each(|result| all.add(&result.subagent));
        result.failures.iter().for_each(|failure| all.add(&failure.subagent));
        result.findings.iter().flat_map(|finding| &finding.contributors).for_each(|name| all.add(name));
        let statements = result.contradictions.iter().flat_map(|contradiction| &contradiction.statements);
        statements.for_each(|statement| all.add(&statement.subagent));
        result.sources.iter().flat_map(|source| &source.cited_by).for_each(|name| all.add(name));
        all
    }

    fn add(&mut self, name: &'r str) {
        if !self.numbers.contains_key(name) {
            self.numbers.insert(name, self.names.len());
            self.names.push(name);
        }
    }

    pub(super) fn names(&self) -> &[&'r str] {
        &self.names
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The letter of a subagent in its colour; its name is the tooltip.
    pub(super) fn chip(&self, out: &mut String, number: usize) {
        let Some(name) = self.names.get(number) else { return };
        let (class, letter, name) = (class(number), letter(number), text::line(name, NAME_MAX));
        out.push_str(&format!("<abbr class=\"chip {class}\" title=\"{name}\">{letter}</abbr>"));
    }

    /// The chip and the name.
    pub(super) fn named(&self, name: &str) -> String {
        let mut out = String::new();
        if let Some(number) = self.number(name) {
            self.chip(&mut out, number);
            out.push(' ');
        }
        out + &text::bdi(name, NAME_MAX)
    }

    /// The chips and names of several, at most 20.
    pub(super) fn all_named(&self, names: &[String]) -> String {
        let shown: Vec<String> = names.iter().take(20).map(|name| self.named(name)).collect();
        let more = if names.len() > 20 { format!(" and {} more", names.len() - 20) } else { String::new() };
        if shown.is_empty() { "nobody".to_owned() } else { shown.join(", ") + &more }
    }
}

/// The class of a subagent's colour and pattern.
pub(super) fn class(number: usize) -> &'static str {
    ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"][number % COLOURS]
}

/// A, B, … Z, AA, AB, …
pub(super) fn letter(number: usize) -> String {
    let last = char::from(b'A' + u8::try_from(number % 26).unwrap_or_default());
    if number < 26 { last.to_string() } else { format!("{}{last}", letter(number / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        let letters: Vec<String> = [0, 25, 26, 51, 52, 701, 702].map(letter).to_vec();
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
