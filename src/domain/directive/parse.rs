//! Parsing and checking of directives.
//!
//! What comes out is valid: ids agree, names are unique, numbers are in their ranges, nothing is asked for that this
//! version doesn't do. What needs the session (an id that is taken, a tree that is too deep) is decided there.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Budget, CallRules, Directive, ExpectedSubagent, Invoke, SynthesisOptions, invoke};
use crate::domain::adapters::Adapter;
use crate::domain::canonical_json::{canonicalize, digest};
use crate::domain::event::{ArcJson, Digest, SenderTelemetry, check_telemetry};
use crate::domain::ids::{ResultKey, SessionId, StepId};
use crate::domain::limits::SessionLimits;
use crate::domain::requests::{WHOLE_MAX, check_length, parse_body, typed};
use crate::domain::verdict::{Code, Refusal};

#[cfg(test)]
mod tests;

/// Longest `query`, `goal` and `instructions`, in characters.
const PROMPT_CHARS_MAX: usize = 32_768;
/// Longest `document_context`, in characters.
const DOCUMENT_CHARS_MAX: usize = 262_144;
/// Longest `task`, in characters.
const TASK_CHARS_MAX: usize = 8_192;
/// Longest result that can be asked for, in words or tokens.
const RESULT_LENGTH_MAX: u32 = 100_000;

/// Longest name of a language, in characters.
const LANGUAGE_CHARS_MAX: usize = 64;

/// What of a directive is asked for as it was given.
#[derive(Deserialize)]
struct Given {
    deadline_ms: Option<IgnoredAny>,
}

/// What a service allows its directives.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DirectiveRules {
    /// Counts and deadlines.
    pub limits: SessionLimits,
    /// Whom the service calls, and how.
    pub calls: CallRules,
    /// The prompts that may be named.
    pub prompts: BTreeSet<String>,
}

/// The directive that was posted for `session`.
///
/// Refused as [`parse_body`] does, as `invalid_event` where a value isn't allowed, as `limit_reached` where there is
/// too much of something, as `host_not_allowed` where a call is asked for that mustn't be made; the first of these
/// that is found, with a JSON Pointer.
///
/// A subagent's deadline may be later than the step's; it then has no effect, as the step's comes first.
pub fn parse(text: &str, session: &SessionId, rules: &DirectiveRules) -> Result<Directive, Refusal> {
    let mut directive: Directive = parse_body(text)?;
    let Given { deadline_ms } = typed(text, "")?;
    if deadline_ms.is_none() {
        directive.deadline_ms = directive.deadline_ms.min(rules.limits.deadline_ms);
    }
    if directive.session_id.as_ref().is_some_and(|given| given != session) {
        let detail = format!("`session_id` doesn't agree with the path, which says `{session}`");
        return Err(wrong("/session_id", detail));
    }
    fill_result_keys(&mut directive.expected_subagents);
    check_counts(&directive, &rules.limits)?;
    check_steps(&directive)?;
    check_values(&directive, rules)?;
    let mut result_keys = HashSet::new();
    for (index, expected) in directive.expected_subagents.iter().enumerate() {
        let under = format!("/expected_subagents/{index}");
        check_subagent(expected, &under, rules)?;
        if !result_keys.insert(expected.result_key()) {
            let key = expected.result_key();
            let detail = format!("`result_key` `{key}` is there twice; give each output of a step its own");
            return Err(wrong(format!("{under}/result_key"), detail));
        }
    }
    Ok(directive)
}

impl Directive {
    /// Digest of what the directive says: the order of members makes no difference, nor do defaults that are spelt
    /// out (an adapter that the key would give, a deadline that the step's forestalls, a call as configured) and optional
    /// objects that are empty. Of a parsed directive.
    pub fn digest(&self) -> Digest {
        let mut plain = self.clone();
        plain.planner_context = plain.planner_context.filter(|context| !is_empty_object(context));
        plain.synthesis.budget = plain.synthesis.budget.filter(|budget| *budget != Budget::default());
        for expected in &mut plain.expected_subagents {
            let by_key = Adapter::choose(&expected.key, None);
            let adapter_is_default = expected.adapter == Some(by_key);
            let deadline_is_default = expected.deadline_ms.is_some_and(|ms| ms >= self.deadline_ms);
            let call_is_default = expected.invoke == Some(Invoke::Configured(true));
            let telemetry = expected.telemetry.clone().and_then(what_it_says);
            let telemetry_is_spelt = telemetry != expected.telemetry;
            if adapter_is_default || deadline_is_default || call_is_default || telemetry_is_spelt {
                let expected = Arc::make_mut(expected);
                expected.invoke = expected.invoke.take().filter(|_| !call_is_default);
                expected.adapter = expected.adapter.filter(|_| !adapter_is_default);
                expected.deadline_ms = expected.deadline_ms.filter(|_| !deadline_is_default);
                expected.telemetry = telemetry;
            }
        }
        let text = serde_json::to_string(&plain).expect("a directive has only string keys, so it serialises");
        let mut canonical = Vec::new();
        match canonicalize(&text, &mut canonical) {
            Ok(()) => digest(&canonical),
            // Only where it wasn't parsed here: raw JSON in it has a key twice or is too deep.
            Err(_) => digest(text.as_bytes()),
        }
    }
}

/// Whether a JSON text is an object without members.
fn is_empty_object(json: &ArcJson) -> bool {
    let inside = json.0.get().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(|inside| inside.trim().is_empty())
}

/// Telemetry without figures that are none; nothing where nothing is left.
fn what_it_says(own: SenderTelemetry) -> Option<SenderTelemetry> {
    let metrics = own.metrics.filter(|metrics| !is_empty_object(metrics));
    Some(SenderTelemetry { metrics, ..own }).filter(|own| *own != SenderTelemetry::default())
}

/// An absent `result_key` is the key.
fn fill_result_keys(subagents: &mut [Arc<ExpectedSubagent>]) {
    for expected in subagents.iter_mut().filter(|expected| expected.result_key.is_none()) {
        let key =
            expected.key.as_str().parse::<ResultKey>().expect("keys and result keys have the same rules");
        Arc::make_mut(expected).result_key = Some(key);
    }
}

fn check_counts(directive: &Directive, limits: &SessionLimits) -> Result<(), Refusal> {
    for (name, count, most) in [
        ("expected_subagents", directive.expected_subagents.len(), limits.subagents_per_directive),
        ("expected_children", directive.expected_children.len(), limits.children_per_directive),
        ("depends_on", directive.depends_on.len(), limits.steps_per_session),
    ] {
        if count > most {
            let detail = format!("`{name}` has {count} entries; the limit is {most}");
            return Err(Refusal::at(Code::LimitReached, format!("/{name}"), detail));
        }
    }
    if directive.expected_subagents.is_empty() && directive.expected_children.is_empty() {
        let detail =
            "a step waits for something: name at least one of `expected_subagents` or `expected_children`";
        return Err(wrong("/expected_subagents", detail));
    }
    Ok(())
}

fn check_steps(directive: &Directive) -> Result<(), Refusal> {
    let own = &directive.plan_step_id;
    if directive.parent_step_id.as_ref() == Some(own) {
        return Err(wrong("/parent_step_id", "a step isn't its own parent"));
    }
    for (name, steps) in
        [("expected_children", &directive.expected_children), ("depends_on", &directive.depends_on)]
    {
        if let Some(index) = steps.iter().position(|step| step == own) {
            return Err(wrong(format!("/{name}/{index}"), format!("a step isn't in its own `{name}`")));
        }
        if let Some(index) = first_repeat(steps) {
            return Err(wrong(format!("/{name}/{index}"), format!("`{}` is there twice", steps[index])));
        }
    }
    let parent = directive.parent_step_id.as_ref();
    match directive.expected_children.iter().position(|child: &StepId| Some(child) == parent) {
        Some(index) => {
            Err(wrong(format!("/expected_children/{index}"), "a step's parent isn't also its child"))
        }
        None => Ok(()),
    }
}

fn check_values(directive: &Directive, rules: &DirectiveRules) -> Result<(), Refusal> {
    let (limits, Directive { aggregation, synthesis, .. }) = (&rules.limits, directive);
    check_prompt(synthesis, &rules.prompts, "/synthesis")?;
    check_deadline(Some(directive.deadline_ms), limits, "/deadline_ms")?;
    within(directive.length, 1..=RESULT_LENGTH_MAX, "/length")?;
    within(Some(aggregation.min_relevance), 0.0..=1.0, "/aggregation/min_relevance")?;
    within(Some(aggregation.max_results), 1..=1_000, "/aggregation/max_results")?;
    within(Some(aggregation.max_result_tokens), 1..=RESULT_LENGTH_MAX, "/aggregation/max_result_tokens")?;
    within(Some(synthesis.min_quality), 0.0..=1.0, "/synthesis/min_quality")?;
    within(synthesis.target_length, 1..=RESULT_LENGTH_MAX, "/synthesis/target_length")?;
    for (name, text, chars_max) in [
        ("query", &directive.query, PROMPT_CHARS_MAX),
        ("goal", &directive.goal, PROMPT_CHARS_MAX),
        ("instructions", &directive.instructions, PROMPT_CHARS_MAX),
        ("document_context", &directive.document_context, DOCUMENT_CHARS_MAX),
    ] {
        if let Some(text) = text {
            check_length(text, chars_max, &format!("/{name}"))?;
        }
    }
    match &directive.planner_context {
        Some(context) if !context.0.get().starts_with('{') => {
            Err(wrong("/planner_context", "`planner_context` is an object"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Refuses a prompt that nobody configured, a language without a name, and a price that is none.
pub fn check_prompt(
    synthesis: &SynthesisOptions,
    prompts: &BTreeSet<String>,
    under: &str,
) -> Result<(), Refusal> {
    if let Some(name) = synthesis.prompt.as_ref().filter(|name| !prompts.contains(*name)) {
        let known = prompts.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let detail = format!("no prompt `{name}` is configured; there are {known}");
        return Err(wrong(format!("{under}/prompt"), detail));
    }
    if let Some(language) = &synthesis.language {
        if language.is_empty() {
            return Err(wrong(format!("{under}/language"), "`language` is empty"));
        }
        check_length(language, LANGUAGE_CHARS_MAX, &format!("{under}/language"))?;
    }
    let budget = synthesis.budget.as_ref();
    let numbers = |read: fn(&Budget) -> Option<u64>| budget.and_then(read);
    within(numbers(|budget| budget.tokens), 0..=WHOLE_MAX, &format!("{under}/budget/tokens"))?;
    within(numbers(|budget| budget.time_ms), 1..=WHOLE_MAX, &format!("{under}/budget/time_ms"))?;
    let cost = budget.and_then(|budget| budget.cost);
    match cost.filter(|cost| !(0.0..=1e9).contains(cost)) {
        Some(cost) => {
            Err(wrong(format!("{under}/budget/cost"), format!("{cost} isn't between 0 and 1000000000")))
        }
        None => Ok(()),
    }
}

fn check_subagent(expected: &ExpectedSubagent, under: &str, rules: &DirectiveRules) -> Result<(), Refusal> {
    check_deadline(expected.deadline_ms, &rules.limits, &format!("{under}/deadline_ms"))?;
    within(Some(expected.max_attempts), 1..=100, &format!("{under}/max_attempts"))?;
    if let Some(task) = &expected.task {
        check_length(task, TASK_CHARS_MAX, &format!("{under}/task"))?;
    }
    if let Some(own) = &expected.telemetry {
        check_telemetry(own, &format!("{under}/telemetry"))?;
    }
    invoke::check(expected.invoke.as_ref(), &expected.key, &format!("{under}/invoke"), &rules.calls)
}

/// Refuses a deadline of nothing, and one beyond the service's limit.
fn check_deadline(ms: Option<u64>, limits: &SessionLimits, pointer: &str) -> Result<(), Refusal> {
    let most = limits.deadline_ms;
    match ms {
        Some(ms) if ms > most => {
            let detail = format!("`deadline_ms` is {ms}; the limit is {most}");
            Err(Refusal::at(Code::LimitReached, pointer, detail))
        }
        Some(0) => Err(wrong(pointer, format!("`deadline_ms` is 0; it can be 1 to {most}"))),
        Some(_) | None => Ok(()),
    }
}

/// Refuses a value outside of `range`, ends included.
fn within<N: PartialOrd + Display>(
    value: Option<N>,
    range: RangeInclusive<N>,
    pointer: &str,
) -> Result<(), Refusal> {
    match value {
        Some(value) if !range.contains(&value) => {
            let name = pointer.rsplit('/').next().unwrap_or(pointer);
            let detail = format!("`{name}` is {value}; it can be {} to {}", range.start(), range.end());
            Err(wrong(pointer, detail))
        }
        Some(_) | None => Ok(()),
    }
}

/// The index of the first item that stands before it too.
fn first_repeat<T: Eq + Hash>(items: &[T]) -> Option<usize> {
    let mut seen = HashSet::new();
    items.iter().position(|item| !seen.insert(item))
}

fn wrong(pointer: impl Into<String>, detail: impl Into<String>) -> Refusal {
    Refusal::at(Code::InvalidEvent, pointer, detail)
}
