//! What a synthesis was made of, as what it is held against.

/// The results that a synthesis quotes, and what is known of their sources' texts.
#[derive(Debug, Default)]
pub struct Material<'a> {
    /// What was asked.
    pub query: String,
    /// Each result: its task, its subagent, its text.
    pub results: Vec<(&'a str, &'a str, &'a str)>,
    /// By source, from number 1: its excerpts, and the sentences that cite it. Behind them those that cite nothing.
    pub evidence: Vec<Vec<&'a str>>,
}

impl<'a> Material<'a> {
    /// The places of the results of some subagents.
    pub(super) fn results_of(&self, subagents: &[String]) -> Vec<usize> {
        let is_of = |(_, subagent, _): &(&str, &str, &str)| subagents.iter().any(|name| name == subagent);
        self.results.iter().enumerate().filter(|(_, result)| is_of(result)).map(|(at, _)| at).collect()
    }

    /// The results by their tasks.
    pub(super) fn named(&self) -> Vec<(&'a str, &'a str)> {
        self.results.iter().map(|(task, _, text)| (*task, *text)).collect()
    }
}
