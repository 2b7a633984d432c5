//! What a safety check's own output says, wherever in it that stands.
//!
//! | from | member | says |
//! |---|---|---|
//! | any | `decision`, `verdict`, `outcome`, `action`, `judgment`, `label`, `classification`, `safety`, `status` | the word's decision; `ok` as a `status` is about the call and says nothing |
//! | any | flags (`flagged`, `blocked`, `safe`, `needs_review`, …) | see `words` |
//! | OpenAI moderation | `results: [{flagged, categories: {hate: true}}]` | each; the categories that are true |
//! | Azure content safety | `categoriesAnalysis: [{category, severity}]`, `blocklistsMatch` | severity 0 allows, 1 to 3 escalates, 4 and more (medium, where its own filter begins) refuses; a match refuses |
//! | Azure prompt shields | `userPromptAnalysis`, `documentsAnalysis` | `attackDetected` refuses |
//! | Azure OpenAI | `content_filter_results: {hate: {filtered, severity}}` | each |
//! | Bedrock guardrails | `action: GUARDRAIL_INTERVENED\|NONE`, `stopReason`, `assessments` | the word; names of what was blocked |
//! | NeMo guardrails | `log.activated_rails: [{name, stop}]`, `rails_status: {name: {status}}` | a rail that stops refuses |
//! | Gemini, Model Armor | `promptFeedback.blockReason`, `sanitizationResult.filterMatchState` | refuses; the word |
//! | Llama Guard and others as chat | `choices: [{message: {content}}]`, `content`, `text`, `output`, `generated_text` | the first line |
//! | any | `violations`, `violated_categories`, `violated_policies` | any refuses, none allows |
//!
//! The strictest of all counts. Six levels are looked into, each once, so the work is linear.

use super::super::model_text::{is_whole_answer, within};
use super::super::shape::{Member, is_text, members};
use super::super::values::{
    boolean, embedded_in, find, items, plain, says_something, shortened, word, word_of,
};
use super::words;
use crate::domain::policy::PolicyDecision;
use crate::domain::synthesis::draft::behind_thoughts;

mod providers;

/// Levels that are looked into.
const DEPTH_MAX: u8 = 6;
/// Names that make up a policy, and the characters of each.
const NAMES_MAX: usize = 16;
const NAME_CHARS_MAX: usize = 120;
/// Longest text that a model's verdict is read from, in bytes.
const VERDICT_BYTES_MAX: usize = 4_096;

/// The decision that a value stands for.
pub(super) fn decision_of(value: &str) -> Option<PolicyDecision> {
    words::decision(&word(value)?)
}

/// What was found.
#[derive(Default)]
pub(super) struct Evidence {
    decision: Option<PolicyDecision>,
    /// Whether a decision was given in words that aren't known.
    unclear: bool,
    names: Vec<String>,
    reason: Option<String>,
    severity: Option<String>,
}

impl Evidence {
    /// What the output `value` says.
    pub(super) fn of(value: &str) -> Self {
        let mut evidence = Self::default();
        if is_text(value) {
            evidence.verdict(value, Said::Whole);
        } else if is_whole_answer(value) {
            evidence.verdict(members(value).and_then(|all| find(&all, "content")).unwrap_or_default(), Said::ByModel);
            evidence.look(value, 0);
        } else {
            evidence.look(value, 0);
        }
        evidence
    }

    /// The strictest decision; `None` where there is none, or one in unknown words that isn't outdone.
    pub(super) fn decision(&self) -> Option<PolicyDecision> {
        self.decision.filter(|decision| !self.unclear || *decision == PolicyDecision::Refuse)
    }

    /// The names of what was violated.
    pub(super) fn policy(&self) -> String {
        if self.names.is_empty() { "unspecified".to_owned() } else { self.names.join(", ") }
    }

    /// The first reason that was given, else a sentence.
    pub(super) fn reason(&self, decision: PolicyDecision) -> String {
        let none = match decision {
            PolicyDecision::Allow => "The safety check found nothing wrong.",
            PolicyDecision::Refuse => "The safety check refused and gave no reason.",
            PolicyDecision::Escalate => "The safety check asks for a person and gave no reason.",
        };
        self.reason.clone().unwrap_or_else(|| none.to_owned())
    }

    /// The first severity that was given.
    pub(super) fn severity(&self, decision: PolicyDecision) -> String {
        self.severity.clone().unwrap_or_else(|| decision.usual_severity().to_owned())
    }

    fn says(&mut self, decision: PolicyDecision) {
        let strictness = |decision| match decision {
            PolicyDecision::Allow => 0,
            PolicyDecision::Escalate => 1,
            PolicyDecision::Refuse => 2,
        };
        self.decision =
            self.decision.into_iter().chain([decision]).max_by_key(|decision| strictness(*decision));
    }

    fn names(&mut self, name: &str) {
        let name = shortened(name.trim(), NAME_CHARS_MAX).unwrap_or_else(|| name.trim().to_owned());
        if self.names.len() < NAMES_MAX && !name.is_empty() && !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    fn look(&mut self, value: &str, depth: u8) {
        if depth >= DEPTH_MAX {
            return;
        }
        if let Some(list) = items(value) {
            list.into_iter().for_each(|item| self.look(item, depth + 1));
        } else if let Some(members) = members(value) {
            members.iter().for_each(|member| self.member(member, depth));
        }
    }

    fn member(&mut self, Member { key, value }: &Member<'_>, depth: u8) {
        let flagged = boolean(value).and_then(|set| words::flag(&key.0, set));
        if let Some(decision) = flagged {
            return self.says(decision);
        }
        match key.0.as_ref() {
            "decision" | "verdict" => match decision_of(value) {
                Some(decision) => self.says(decision),
                None => self.unclear |= says_something(value),
            },
            "outcome" | "action" | "judgment" | "judgement" | "label" | "classification" | "safety"
            | "stop_reason" | "stopReason" | "finish_reason" | "filterMatchState" => {
                decision_of(value).into_iter().for_each(|decision| self.says(decision));
            }
            "status" if word(value).as_deref() != Some("ok") => {
                decision_of(value).into_iter().for_each(|decision| self.says(decision));
            }
            "result" if decision_of(value).is_some() => {
                decision_of(value).into_iter().for_each(|decision| self.says(decision));
            }
            "content" | "text" | "output" | "generated_text" | "completion" | "response" | "result"
                if is_text(value) =>
            {
                self.verdict(value, Said::Somewhere);
            }
            "results"
            | "result"
            | "output"
            | "response"
            | "moderation"
            | "userPromptAnalysis"
            | "documentsAnalysis"
            | "prompt_filter_results"
            | "choices"
            | "message"
            | "content"
            | "data"
            | "log"
            | "guardrails_data"
            | "sanitizationResult"
            | "promptFeedback" => self.look(value, depth + 1),
            "content_filter_results" | "content_filter_result" | "rails_status" => {
                self.checks(value, depth + 1)
            }
            "categories" => self.categories(value),
            "categoriesAnalysis" => self.azure(value),
            "violations" | "violated_categories" | "violated_policies" | "blocklistsMatch" => {
                self.violations(value, key.0 != "blocklistsMatch");
            }
            "activated_rails" => self.rails(value),
            "assessments" => self.assessments(value, 0),
            "blockReason" | "block_reason" if says_something(value) => {
                self.says(PolicyDecision::Refuse);
                self.names(&plain(value));
            }
            "policy" | "policy_name" | "rule" | "category" if says_something(value) => {
                self.names(&plain(value))
            }
            "reason" | "explanation" | "rationale" if self.reason.is_none() && says_something(value) => {
                self.reason = Some(plain(value).into_owned());
            }
            "severity" | "risk_level" if self.severity.is_none() && says_something(value) => {
                self.severity = Some(plain(value).into_owned());
            }
            _ => {}
        }
    }

    /// A model's verdict in words: the decision, then the categories. In the midst of other members a text may be what
    /// was checked rather than the check's own, so there only the plainest words allow, and no JSON is looked for in prose.
    fn verdict(&mut self, value: &str, said: Said) {
        let text = plain(value);
        let text = behind_thoughts(&text);
        let in_prose = || (said != Said::Somewhere && text.len() <= VERDICT_BYTES_MAX).then(|| within(text)).flatten();
        if let Some(held) = embedded_in(text).or_else(in_prose) {
            return self.look(&held, 1);
        }
        let mut lines = text.trim().lines().map(str::trim).filter(|line| !line.is_empty());
        let (true, Some(first)) = (text.len() <= VERDICT_BYTES_MAX, lines.next()) else { return };
        let after_colon = |line: &str| line.split_once(':').map_or(line, |(_, rest)| rest).to_owned();
        let Some(word) = word_of(&after_colon(first)) else { return };
        let Some(decision) = words::decision(&word) else {
            if said != Said::Somewhere {
                self.with_reason(first);
            }
            return;
        };
        if said == Said::Whole
            || decision != PolicyDecision::Allow
            || matches!(word.as_str(), "safe" | "allow" | "allowed")
        {
            self.says(decision);
            lines.for_each(|line| after_colon(line).split(',').for_each(|name| self.names(name)));
        }
    }

    /// `REFUSE: contains an address`: the decision, then why. What allows is said in so many words only: `Safe: no`.
    fn with_reason(&mut self, line: &str) {
        let Some((word, why)) = line.split_once(':') else { return };
        let decision = word_of(word).and_then(|word| words::decision(&word));
        let is_why = why.trim().contains(char::is_whitespace);
        if let Some(decision) = decision.filter(|decision| is_why && *decision != PolicyDecision::Allow) {
            self.says(decision);
            self.reason.get_or_insert_with(|| why.trim().to_owned());
        }
    }
}

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// It is the whole output.
    Whole,
    /// It is what a language model said, with what else its answer has.
    ByModel,
    /// In the midst of other members.
    Somewhere,
}
