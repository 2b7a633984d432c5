//! What subagents of each kind give: raw outputs in the shapes of such agents, not the service's normalised ones.
//!
//! Pure, and the same for the same question: random choices come from a generator that is seeded by the question and the
//! caller's seed. An output may come in parts; a part is what the agent has so far, the last one all of it.

mod action_workflow;
mod documentation;
mod generic;
mod question;
mod row_selection;
mod safety;
mod voice;

use serde_json::Value;

use super::behaviour::{Behaviour, Decision};
pub use question::Question;

/// What a subagent is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Answers with sources.
    Documentation,
    /// Rows of a table.
    RowSelection,
    /// A call of a tool, to be confirmed.
    ActionWorkflow,
    /// A transcript.
    Voice,
    /// A decision on what may be said.
    Safety,
    /// Anything else: a text.
    Generic,
}

impl Kind {
    /// By its name in a path.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "documentation" => Self::Documentation,
            "row_selection" => Self::RowSelection,
            "action_workflow" => Self::ActionWorkflow,
            "voice" => Self::Voice,
            "safety" => Self::Safety,
            "generic" => Self::Generic,
            _ => return None,
        })
    }
}

/// A subagent with its question.
#[derive(Debug, Clone)]
pub struct Agent {
    /// What it is for.
    pub kind: Kind,
    /// What it is asked.
    pub question: Question,
    verdict: safety::Verdict,
}

impl Agent {
    /// A subagent that answers `question` as `behaviour` says.
    pub fn new(kind: Kind, question: Question, behaviour: &Behaviour) -> Self {
        let verdict = safety::Verdict {
            decision: behaviour.decision.unwrap_or(Decision::Allow),
            subagent: behaviour.subagent.clone(),
            terminate: behaviour.terminate,
        };
        Self { kind, question, verdict }
    }

    /// In how many parts such an agent usually answers where it streams.
    pub fn usual_parts(&self) -> u64 {
        match self.kind {
            Kind::Documentation | Kind::Voice | Kind::Generic => 4,
            Kind::RowSelection => 3,
            Kind::ActionWorkflow | Kind::Safety => 1,
        }
    }

    /// The raw output after `part` of `parts` (from 1). `None`: it has nothing to show before its end.
    pub fn output(&self, part: u64, parts: u64) -> Option<Value> {
        let so_far = Share { part, parts: parts.max(1) };
        let question = &self.question;
        match self.kind {
            Kind::Documentation => Some(documentation::output(question, so_far)),
            Kind::RowSelection => Some(row_selection::output(question, so_far)),
            Kind::Voice => Some(voice::output(question, so_far)),
            Kind::Generic => Some(generic::output(question, so_far)),
            Kind::ActionWorkflow => so_far.is_whole().then(|| action_workflow::output(question)),
            Kind::Safety => so_far.is_whole().then(|| safety::output(question, &self.verdict)),
        }
    }

    /// All of the raw output.
    pub fn whole(&self) -> Value {
        self.output(1, 1).unwrap_or_default()
    }

    /// The output as a model would write it.
    pub fn text(&self) -> String {
        match self.kind {
            Kind::Documentation => documentation::text(&self.question),
            Kind::Voice => voice::text(&self.question),
            Kind::Generic => generic::text(&self.question),
            Kind::Safety => safety::text(&self.question, &self.verdict),
            Kind::RowSelection => {
                row_selection::output(&self.question, Share { part: 1, parts: 1 }).to_string()
            }
            Kind::ActionWorkflow => String::new(),
        }
    }

    /// The tool that a model calls in place of a text: its name and arguments.
    pub fn tool_call(&self) -> Option<(&'static str, Value)> {
        (self.kind == Kind::ActionWorkflow).then(|| action_workflow::call(&self.question))
    }

    /// Documents that the output rests on: URL and title.
    pub fn documents(&self) -> Vec<(String, String)> {
        match self.kind {
            Kind::Documentation => documentation::documents(&self.question),
            Kind::RowSelection | Kind::ActionWorkflow | Kind::Voice | Kind::Safety | Kind::Generic => {
                Vec::new()
            }
        }
    }
}

/// How much of an output there is.
#[derive(Debug, Clone, Copy)]
struct Share {
    part: u64,
    parts: u64,
}

impl Share {
    fn is_whole(self) -> bool {
        self.part >= self.parts
    }

    /// That share of `whole` things, rounded up.
    fn of(self, whole: usize) -> usize {
        let part = u128::from(self.part.min(self.parts)) * whole as u128;
        usize::try_from(part.div_ceil(u128::from(self.parts))).unwrap_or(whole)
    }

    /// The words that there are so far.
    fn of_words(self, text: &str) -> String {
        if self.is_whole() {
            return text.to_owned();
        }
        let words: Vec<_> = text.split_inclusive(' ').collect();
        words.iter().take(self.of(words.len())).copied().collect::<String>().trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [&str; 6] =
        ["documentation", "row_selection", "action_workflow", "voice", "safety", "generic"];

    fn agent(kind: &str, query: &str, seed: u64) -> Agent {
        let body = serde_json::json!({ "query": query }).to_string();
        let question = Question::read(body.as_bytes(), seed);
        Agent::new(Kind::named(kind).unwrap(), question, &Behaviour::default())
    }

    #[test]
    fn the_same_question_has_the_same_answer_and_another_one_another() {
        for kind in KINDS {
            let (first, again) = (agent(kind, "who converts?", 1), agent(kind, "who converts?", 1));
            assert_eq!((first.whole(), first.text()), (again.whole(), again.text()), "{kind}");
            assert_ne!(first.whole(), agent(kind, "who else?", 1).whole(), "{kind}");
            assert!(first.whole().to_string().contains("who converts?"), "{kind}: {}", first.whole());
        }
        let seeds: std::collections::HashSet<_> =
            (0..20).map(|seed| agent("row_selection", "q", seed).whole().to_string()).collect();
        assert!(seeds.len() > 15, "{} outputs of 20 seeds", seeds.len());
    }

    #[test]
    fn parts_grow_and_the_last_one_is_the_whole() {
        for kind in KINDS {
            let agent = agent(kind, "Ärger mit 1,000 quotes — warum?", 7);
            for parts in [1, 2, 3, 10, 1_000] {
                assert_eq!(agent.output(parts, parts), Some(agent.whole()), "{kind} {parts}");
                let sizes: Vec<_> = (1..=parts)
                    .map(|part| agent.output(part, parts).map_or(0, |it| it.to_string().len()))
                    .collect();
                // The last one's marks may be shorter than those before: `true` in place of `false`.
                let grown = sizes.split_last().map_or(&[][..], |(_, before)| before);
                assert!(grown.is_sorted() && sizes.last() >= sizes.first(), "{kind} {parts}");
            }
        }
    }
}
