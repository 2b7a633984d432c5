//! Which problem documents an operation may answer.
//!
//! An operation lists codes; statuses, titles and `Retry-After` follow from [`Problem`], as they do when it answers.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::Value;
use utoipa::openapi::schema::{AllOfBuilder, AnyOfBuilder, Object, ObjectBuilder, Ref, Schema, Type};
use utoipa::openapi::{ContentBuilder, HeaderBuilder, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::domain::verdict::Code::{self, *};
use crate::edge::http::ingest::EventsAnswer;
use crate::edge::http::problem::{PROBLEM_JSON, Problem};

/// Whatever is asked that is the same for everybody.
const OPEN: &[Code] = &[RateLimited, Internal, OverCapacity];
/// Whatever is asked of what only a token opens.
const ALWAYS: &[Code] =
    &[RateLimited, Internal, OverCapacity, Unauthorized, TokenExpired, Forbidden, StoreUnavailable];
/// Whatever is always answered.
const HEALTH: &[Code] = &[Internal];
/// Whatever is asked that has no rate.
const READINESS: &[Code] = &[Internal, OverCapacity];
/// Paths with ids.
const IDS: &[Code] = &[InvalidId];
/// What reads from the store.
const READ: &[Code] = &[StoreUnavailable];
/// What writes to it.
const WRITE: &[Code] =
    &[IdempotencyConflict, LimitReached, StoreUnavailable, OutcomeUnknown, ArchiveBacklog, Draining];
/// JSON bodies.
const BODY: &[Code] = &[InvalidJson, BodyTooLarge, UnsupportedMediaType, InvalidEvent, UnknownField];

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = [$($codes:expr),+] $(as_422 [$($within:ident),+])?;)+) => {$(
        $(#[$doc])*
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                described(&[$($codes),+].concat(), &[$($($within),+)?], Ref::from_schema_name("Problem").into())
            }
        }
    )+};
}

problems! {
    /// Of what is open to everybody.
    OpenProblems = [OPEN];
    /// Of metrics.
    MetricsProblems = [ALWAYS];
    /// Of a ticket.
    TicketProblems = [ALWAYS, IDS, BODY];
    /// Of health, which has no rate, and is told where there is no room for anything else.
    HealthProblems = [HEALTH];
    /// Of readiness, which has none either.
    ReadinessProblems = [READINESS];
    /// Of files.
    FileProblems = [OPEN, &[NotFound]];
    /// Of a list.
    ListProblems = [ALWAYS, IDS, READ, &[FeatureDisabled, InvalidEvent, UnknownField, LimitReached]];
    /// Of a directive. What it asks for that isn't allowed or isn't there makes it wrong as a whole.
    DirectiveProblems = [ALWAYS, IDS, BODY, WRITE, &[EventTooLarge, FeatureDisabled, DirectiveConflict]]
        as_422 [HostNotAllowed, FeatureDisabled];
    /// Of the state of a session.
    SessionProblems = [ALWAYS, IDS, READ, &[FeatureDisabled, UnknownSession, SessionExpired]];
    /// Of the state of a step.
    StepProblems = [ALWAYS, IDS, READ, &[FeatureDisabled, UnknownStep, SessionExpired]];
    /// Of a step's result.
    ResultProblems = [ALWAYS, IDS, READ,
        &[FeatureDisabled, InvalidEvent, UnknownField, UnknownStep, UnknownSubagent, SessionExpired, Draining]];
    /// Of combining without a plan.
    CombineProblems = [ALWAYS, BODY, &[FeatureDisabled, LimitReached]] as_422 [FeatureDisabled];
    /// Of figures.
    AnalyticsProblems = [ALWAYS, READ, &[FeatureDisabled, InvalidEvent, UnknownField, LimitReached]];
    /// Of feedback: no log is written.
    FeedbackProblems = [ALWAYS, IDS, BODY, READ,
        &[FeatureDisabled, UnknownStep, SessionExpired, IdempotencyConflict, OutcomeUnknown]];
    /// Of the monolith's answer, likewise.
    LegacyProblems = [ALWAYS, IDS, BODY, READ, &[FeatureDisabled, UnknownStep, SessionExpired, IdempotencyConflict,
        LimitReached, OutcomeUnknown]];
    /// Of discrepancies.
    ShadowProblems = [ALWAYS, IDS, READ, &[InvalidEvent, UnknownField, LimitReached]];
    /// Of forgetting a session.
    ForgetProblems = [ALWAYS, IDS, READ, &[FeatureDisabled, UnknownSession]];
    /// Of what a planner says of a running step.
    TellStepProblems = [ALWAYS, IDS, BODY, WRITE, &[FeatureDisabled, UnknownStep, StepEnded, SessionExpired]];
    /// Of its progress, which is an event as it was sent.
    ProgressProblems = [ALWAYS, IDS, BODY, WRITE,
        &[EventTooLarge, FeatureDisabled, UnknownStep, StepEnded, SessionExpired]];
    /// Of a safety decision, which may name a subagent.
    SafetyProblems = [ALWAYS, IDS, BODY, WRITE,
        &[FeatureDisabled, UnknownStep, UnknownSubagent, StepEnded, SessionExpired]];
    /// Of a safety decision about a session.
    SessionSafetyProblems = [ALWAYS, IDS, BODY, WRITE,
        &[FeatureDisabled, UnknownSession, UnknownSubagent, SessionExpired]];
    /// Of what a planner says of a session.
    TellSessionProblems = [ALWAYS, IDS, BODY, WRITE, &[FeatureDisabled, UnknownSession, SessionExpired]];
    /// Of reading through a bridge.
    BridgeProblems = [ALWAYS, IDS, BODY, READ, &[InvalidCursor, UnknownStep, UnknownSession, SessionExpired, Draining]];
    /// Of reading, in any form.
    ReadProblems = [ALWAYS, IDS, READ, &[InvalidCursor, InvalidEvent, UnknownField, LimitReached, UnknownStep,
        UnknownSession, FeatureDisabled, Draining]];
}

/// Of events, one or many. In a request with several, one that is wrong makes it 422. Where any was decided, the document
/// also has what an [`EventsAnswer`] has.
pub struct EventsProblems;

impl IntoResponses for EventsProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let own = [EventTooLarge, UnknownStep, UnknownSubagent, RevisionConflict, SessionExpired];
        let with_results = AllOfBuilder::new()
            .item(Ref::from_schema_name("Problem"))
            .item(Ref::from_schema_name(EventsAnswer::name()))
            .description(Some("Where any event was decided or refused"));
        let either = AnyOfBuilder::new().item(with_results).item(Ref::from_schema_name("Problem"));
        let of_many = [InvalidJson, EventTooLarge, UnknownStep, UnknownSubagent];
        described(&[ALWAYS, IDS, BODY, WRITE, &own].concat(), &of_many, either.into())
    }
}

/// A response for each status. `within_422`: codes that come as 422 where a part of the body is meant.
fn described(
    codes: &[Code],
    within_422: &[Code],
    document: RefOr<Schema>,
) -> BTreeMap<String, RefOr<Response>> {
    let plain = codes.iter().map(|code| Problem::new(*code, ""));
    let within = within_422.iter().map(|code| Problem::new(*code, ""));
    let within = within.map(|problem| problem.with_status(StatusCode::UNPROCESSABLE_ENTITY));
    let mut by_status: BTreeMap<u16, Vec<Problem>> = BTreeMap::new();
    for problem in plain.chain(within) {
        by_status.entry(problem.status.as_u16()).or_default().push(problem);
    }
    let one = |(status, problems): (u16, Vec<Problem>)| {
        (status.to_string(), response(status, &problems, &document).into())
    };
    by_status.into_iter().map(one).collect()
}

fn response(status: u16, problems: &[Problem], document: &RefOr<Schema>) -> Response {
    let lines = problems.iter().map(|problem| format!("* `{}`: {}", problem.code.as_str(), problem.title()));
    let schema = AllOfBuilder::new().item(document.clone()).item(narrowed(status, problems));
    let response = ResponseBuilder::new()
        .description(lines.collect::<Vec<_>>().join("\n"))
        .content(PROBLEM_JSON, ContentBuilder::new().schema(Some(schema)).build());
    if problems.iter().any(|problem| problem.retry_after.is_some()) {
        let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).build();
        let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait")).build();
        return response.header("Retry-After", header).build();
    }
    response.build()
}

/// What of a problem document is known when its status is.
fn narrowed(status: u16, problems: &[Problem]) -> Object {
    let only = |values: Vec<Value>| ObjectBuilder::new().enum_values(Some(values));
    let codes = problems.iter().map(|problem| problem.code.as_str().into()).collect();
    ObjectBuilder::new()
        .property("status", only(vec![status.into()]).schema_type(Type::Integer))
        .property("code", only(codes).schema_type(Type::String))
        .build()
}
