//! Spans of appends, by example and by property.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value as Json, json, value::RawValue};

use super::Told;
use crate::domain::directive::Directive;
use crate::domain::entry::Entry;
use crate::domain::event::{Digest, EventError, SenderStatus, SubagentEvent};
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::limits::SessionLimits;
use crate::domain::policy::{PolicyDecision, PolicyOutcome};
use crate::domain::position::{AppendId, Position};
use crate::domain::session::{Batch, Combined, Command, NewStep, SessionState, Spent, Synthesised};
use crate::domain::span::{Span, SpanStatus, Value};
use crate::domain::story::Made;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::telemetry_names::{attribute, span};
use crate::domain::time::Timestamp;

const BEGIN: i64 = 1_709_518_530_000;
const CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A log, and the state after each of its entries.
struct Log {
    states: Vec<SessionState>,
    entries: Vec<Arc<Entry>>,
    now: i64,
}

fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("tests use well-formed ids")
}

fn key() -> SessionKey {
    SessionKey { tenant: TenantId::default_tenant(), session: id("sess-1") }
}

fn raw(value: &Json) -> Arc<RawValue> {
    RawValue::from_string(value.to_string()).expect("a value is JSON").into()
}

impl Log {
    /// A session without an entry.
    fn new() -> Self {
        let empty = SessionState::new(id("sess-1"), Position::start(id("7f3a91")));
        Self { states: vec![empty], entries: Vec::new(), now: BEGIN }
    }

    /// With a step `p` that expects these keys, three attempts each.
    fn expecting(keys: &[&str]) -> Self {
        let mut log = Self::new();
        log.post("p", keys);
        log
    }

    fn post(&mut self, step: &str, keys: &[&str]) -> &mut Self {
        let expected: Vec<_> =
            keys.iter().map(|key| json!({"key": key, "result_key": key, "task": "canarytask"})).collect();
        let directive = json!({"plan_step_id": step, "query": "canaryquery", "deadline_ms": 10_000,
            "expected_subagents": expected, "planner_context": {"conversation_id": "conv", "user_id": 7}});
        let directive: Directive = serde_json::from_value(directive).expect("a valid directive");
        let context = TelemetryContext::of_request(Some(CALLER), None, None, 7, 9);
        self.tell(&Command::StartStep(Box::new(NewStep {
            directive: Arc::new(directive),
            digest: Digest(5),
            context: Arc::new(context),
            disabled: Default::default(),
        })))
    }

    /// What `key` says at so many milliseconds after the beginning; an error may be tried again.
    fn says(&mut self, at_ms: i64, key: &str, status: SenderStatus) -> &mut Self {
        let failed = status == SenderStatus::Error;
        let message = Some("canarymessage".to_owned());
        let event = SubagentEvent {
            result_key: Some(id(key)),
            status,
            revision: None,
            payload: (!failed).then(|| raw(&json!({"content": "canarypayload"}))),
            error: failed.then(|| EventError {
                code: Some("quota".to_owned()),
                message,
                retryable: Some(true),
            }),
            telemetry: None,
            digest: Digest(u128::from(self.now.unsigned_abs())),
            is_raw: false,
        };
        self.now = self.now.max(BEGIN + at_ms);
        self.tell(&Command::Event { step: id("p"), key: id(key), event })
    }

    /// Decides a command, if it isn't refused, and everything that follows from it.
    fn tell(&mut self, command: &Command) -> &mut Self {
        let limits = SessionLimits::default();
        let append_id = AppendId(self.entries.len() as u64);
        let state = self.states.last().expect("there is the empty one").clone();
        let mut batch = Batch::new(&state, &limits, Timestamp(self.now), append_id);
        if batch.decide(command).is_err() {
            return self;
        }
        while let Some(step) = batch.to_combine().map(|step| step.id().clone()) {
            let metadata =
                raw(&json!({"total_input_results": 2, "successful_subagents": 1, "failed_subagents": 1}));
            let quality = raw(&json!({"overall": 0.5, "issues": [{}, {}]}));
            let summary = "canarysummary".to_owned();
            let synthesis = Some(Synthesised {
                summary: summary.clone(),
                sources: Vec::new(),
                method: "extractive",
                quality,
                written: None,
                spent: Spent::default(),
            });
            batch.combine(&Combined {
                step,
                summary,
                sources: Vec::new(),
                metadata,
                synthesis,
                open: None,
                has_material: true,
                tokens: 12,
                synthesis_length: 34,
            });
        }
        let (entries, _) = batch.into_parts();
        for entry in entries {
            let mut state = self.states.last().expect("there is the empty one").clone();
            state.apply(&entry);
            self.states.push(state);
            self.entries.push(entry);
        }
        self
    }

    /// The spans of the log, cut into appends after these numbers of entries.
    fn spans(&self, cuts: &[usize], content: bool) -> Vec<Span> {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (self.entries.len() + 1)).collect();
        cuts.extend([0, self.entries.len()]);
        cuts.sort_unstable();
        let appends = cuts.windows(2).filter(|two| two[0] < two[1]);
        appends.flat_map(|two| self.append(two[0], two[1], content).spans(|_| true)).collect()
    }

    fn append(&self, from: usize, to: usize, content: bool) -> Told<'_> {
        let made: &[Made] = &[];
        let (before, after) = (&self.states[from], &self.states[to]);
        // Leaked: a key of a test, small and few.
        Told {
            key: Box::leak(Box::new(key())),
            before,
            entries: &self.entries[from..to],
            after,
            made,
            content,
        }
    }

    fn all(&self) -> Vec<Span> {
        self.spans(&[], false)
    }
}

/// An attribute as text, `-` where there is none.
fn text(span: &Span, name: &str) -> String {
    let value = span.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
    match value {
        None => "-".to_owned(),
        Some(Value::Text(text)) => text.to_string(),
        Some(Value::Shared(text)) => text.to_string(),
        Some(Value::Int(number)) => number.to_string(),
        Some(Value::Float(number)) => number.to_string(),
        Some(Value::Bool(is)) => is.to_string(),
    }
}

/// A span in a line: its name, when it ran after the beginning in milliseconds, how it ended, and some attributes.
fn line(span: &Span, names: &[&str]) -> String {
    let ms = |us: i64| us / 1_000 - BEGIN;
    let status = match &span.status {
        SpanStatus::Unset => "ok".to_owned(),
        SpanStatus::Error(why) => format!("error({why})"),
    };
    let attributes: String = names.iter().map(|name| format!(" {}", text(span, name))).collect();
    format!("{} {}-{} {status}{attributes}", span.name, ms(span.start_us), ms(span.end_us))
}

fn lines(spans: &[Span], names: &[&str]) -> Vec<String> {
    spans.iter().map(|span| line(span, names)).collect()
}

#[test]
fn each_piece_of_work_that_is_over_is_a_span() {
    let mut log = Log::expecting(&["crm", "docs"]);
    log.says(10, "crm", SenderStatus::InProgress).says(20, "crm", SenderStatus::Success);
    log.says(30, "docs", SenderStatus::Error).says(40, "docs", SenderStatus::InProgress);
    log.says(50, "docs", SenderStatus::Error).says(70, "docs", SenderStatus::Error);
    let names = [attribute::STATUS, attribute::ATTEMPT, attribute::ERROR_TYPE];
    assert_eq!(
        lines(&log.all(), &names),
        [
            "invoke_agent crm 0-20 ok success 1 -",
            "aggregation.retry 0-30 error(quota) - 1 quota",
            "aggregation.retry 30-50 error(quota) - 2 quota",
            "invoke_agent docs 0-70 error(quota) error 3 quota",
            "subagent.aggregation 70-70 ok - - -",
            "synthesize-results 70-70 ok - - -",
            "plan_step 0-70 ok - - -",
        ]
    );
}

#[test]
fn an_output_says_how_it_ended_and_not_why_in_anybodys_words() {
    let decided = |decision| {
        let (policy, reason) = ("p".to_owned(), "canaryreason".to_owned());
        let outcome =
            PolicyOutcome { decision, policy, reason, severity: None, subagent: None, terminate: None };
        Command::Safety { step: Some(id("p")), outcome }
    };
    let cancelled = Command::Cancel { step: None, reason: Some("canaryreason".to_owned()) };
    for (told, wanted) in [
        (Command::Deadlines, "invoke_agent crm 0-10000 error(deadline) timeout deadline ERROR"),
        (cancelled, "invoke_agent crm 0-10000 ok cancelled cancelled WARNING"),
        (decided(PolicyDecision::Refuse), "invoke_agent crm 0-10000 ok refused refused WARNING"),
    ] {
        let mut log = Log::expecting(&["crm"]);
        log.now = BEGIN + 10_000;
        log.tell(&told);
        let spans = log.all();
        let output = spans.iter().find(|span| span.name.starts_with(span::SUBAGENT)).unwrap_or(&spans[0]);
        assert_eq!(
            line(output, &[attribute::STATUS, attribute::ERROR_TYPE, attribute::LANGFUSE_LEVEL]),
            wanted
        );
        assert!(!format!("{spans:?}").contains("canary"), "{spans:?}");
    }
}

#[test]
fn two_failures_in_one_append_are_two_attempts_one_after_the_other() {
    let mut log = Log::expecting(&["docs"]);
    log.says(30, "docs", SenderStatus::Error).says(50, "docs", SenderStatus::Error);
    let whole = log.all();
    assert_eq!(
        lines(&whole, &[attribute::ATTEMPT]),
        ["aggregation.retry 0-30 error(quota) 1", "aggregation.retry 30-50 error(quota) 2"]
    );
    assert_ne!(whole[0].place, whole[1].place);
}

#[test]
fn ids_follow_from_the_steps_place_and_nothing_else() {
    let mut log = Log::expecting(&["crm"]);
    log.says(20, "crm", SenderStatus::Success);
    let state = log.states.last().expect("it has entries");
    let step = state.step(&id("p")).expect("it was posted");
    let spans = log.all();
    let by_name = |name: &str| spans.iter().find(|span| span.name.starts_with(name)).expect("it is over");
    let whole = by_name(span::STEP);
    assert_eq!(format!("{:016x}", whole.place.span.0), *step.context.span_id);
    assert_eq!(whole.parent.map(|parent| format!("{:016x}", parent.0)).as_deref(), Some("00f067aa0ba902b7"));
    let output = by_name(span::SUBAGENT);
    assert_eq!(output.place.span, step.context.span_below("crm"));
    assert_eq!(format!("{:016x}", output.place.span.0), *state.steps[0].subagents[0].context.span_id);
    for name in [span::SUBAGENT, span::AGGREGATION, span::SYNTHESIS] {
        assert_eq!(
            (by_name(name).parent, by_name(name).place.trace),
            (Some(whole.place.span), whole.place.trace)
        );
    }
    // Another session tells the same story in the same place: the same ids.
    let mut again = Log::expecting(&["crm"]);
    again.says(20, "crm", SenderStatus::Success);
    assert_eq!(again.all(), spans);
}

#[test]
fn texts_are_told_by_opt_in_only() {
    let mut log = Log::expecting(&["crm", "docs"]);
    log.says(10, "crm", SenderStatus::Success).says(20, "docs", SenderStatus::Error);
    log.now = BEGIN + 10_000;
    log.tell(&Command::Deadlines);
    let silent = format!("{:?}", log.spans(&[], false));
    assert!(!silent.contains("canary"), "{silent}");
    assert!(silent.contains(attribute::INPUT_DIGEST) && silent.contains(attribute::OUTPUT_DIGEST));
    let open = format!("{:?}", log.spans(&[], true));
    for word in ["canaryquery", "canarytask", "canarypayload", "canarysummary"] {
        assert!(open.contains(word), "no {word} in {open}");
    }
    assert!(!open.contains("canarymessage"), "{open}");
}

#[test]
fn every_span_says_whose_it_is() {
    let mut log = Log::expecting(&["crm"]);
    log.says(20, "crm", SenderStatus::Success);
    for span in log.all() {
        assert_eq!(text(&span, attribute::SESSION_ID), "conv");
        assert_eq!(text(&span, attribute::USER_ID), "-", "a user that isn't a text is none");
        assert_eq!(
            (text(&span, attribute::SESSION), text(&span, attribute::STEP)),
            ("sess-1".into(), "p".into())
        );
    }
}

#[test]
fn a_trace_that_nobody_wants_has_no_spans() {
    let mut log = Log::expecting(&["crm"]);
    log.says(20, "crm", SenderStatus::Success);
    assert!(log.append(0, log.entries.len(), true).spans(|_| false).is_empty());
    let asked = |context: &TelemetryContext| &*context.trace_id == "4bf92f3577b34da6a3ce929d0e0e4736";
    assert_eq!(log.append(0, log.entries.len(), false).spans(asked).len(), 4);
}

#[test]
fn steps_of_one_session_are_spans_of_their_own() {
    let mut log = Log::expecting(&["crm"]);
    log.post("q", &["crm"]);
    log.says(20, "crm", SenderStatus::Success);
    let names: Vec<_> = log.all().iter().map(|span| text(span, attribute::STEP)).collect();
    assert!(!names.is_empty() && names.iter().all(|step| step == "p"), "{names:?}");
}

/// What may be said in a story: by whom, and what.
fn saying() -> impl Strategy<Value = (i64, usize, SenderStatus)> {
    let status = prop_oneof![
        Just(SenderStatus::InProgress),
        Just(SenderStatus::Partial),
        Just(SenderStatus::Error),
        Just(SenderStatus::Success),
    ];
    (0..5_000i64, 0..3usize, status)
}

/// Spans by their places; each place once.
fn by_place(spans: Vec<Span>) -> BTreeMap<String, Span> {
    let count = spans.len();
    let all: BTreeMap<_, _> = spans.into_iter().map(|span| (format!("{:?}", span.place), span)).collect();
    assert_eq!(all.len(), count, "a place is there twice");
    all
}

proptest! {
    #![proptest_config(crate::properties::cases(128))]

    /// Which replica stores how much at once is chance.
    #[test]
    fn however_a_log_is_cut_into_appends_its_spans_are_the_same(
        said in proptest::collection::vec(saying(), 0..24),
        cuts in proptest::collection::vec(0..200usize, 0..12),
        ends in any::<bool>(),
        content in any::<bool>(),
    ) {
        let mut log = Log::expecting(&["crm", "docs", "notes"]);
        for (at_ms, who, status) in said {
            log.says(at_ms, ["crm", "docs", "notes"][who], status);
        }
        if ends {
            log.now = BEGIN + 10_000;
            log.tell(&Command::Deadlines);
        }
        let whole = by_place(log.spans(&[], content));
        let single: Vec<_> = (0..log.entries.len()).collect();
        prop_assert_eq!(&by_place(log.spans(&single, content)), &whole);
        prop_assert_eq!(&by_place(log.spans(&cuts, content)), &whole);
        for span in whole.values() {
            prop_assert!(span.start_us <= span.end_us, "{:?}", span);
            let mut names: Vec<_> = span.attributes.iter().map(|(name, _)| *name).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            prop_assert_eq!(names.len(), count, "an attribute is there twice: {:?}", span);
        }
    }
}
