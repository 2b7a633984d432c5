//! What a synthesis was made of, as what it is held against.

use crate::domain::synthesis::support::Evidence;
use crate::domain::text::words::Word;

/// The results that a synthesis quotes, and what is known of their sources' texts.
#[derive(Debug, Default)]
pub struct Material<'a> {
    /// What was asked.
    pub query: String,
    /// Each result: its task, its subagent, the words of its text.
    pub results: Vec<(&'a str, &'a str, &'a [Word])>,
    /// By source, from number 1: its excerpts, and the sentences that cite it. Behind them those that cite nothing.
    pub evidence: Vec<Evidence<'a>>,
}

impl<'a> Material<'a> {
    /// The places of the results of some subagents.
    pub(super) fn results_of(&self, subagents: &[String]) -> Vec<usize> {
        let is_of = |(_, subagent, _): &(&str, &str, &[Word])| subagents.iter().any(|name| name == subagent);
        self.results.iter().enumerate().filter(|(_, result)| is_of(result)).map(|(at, _)| at).collect()
    }

    /// The results by their tasks.
    pub(super) fn named(&self) -> Vec<(&'a str, &'a [Word])> {
        self.results.iter().map(|(task, _, words)| (*task, *words)).collect()
    }
}
