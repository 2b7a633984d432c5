//! Figures over what subagents did, and what users think of it.

mod feedback;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{RawQuery, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::access::Caller;
use super::app::App;
use super::extract::{known_pairs, number};
use super::openapi::AnalyticsProblems;
use super::problem::Problem;
use crate::domain::breaker::{BreakerState, BreakerView};
use crate::domain::ids::SubagentKey;
use crate::domain::time::Timestamp;
use crate::domain::verdict::{Code, Refusal};
use crate::engine::clock::wall_clock;
use crate::engine::figures::StoreFigures;
use crate::engine::ports::analytics::{Latency, SubagentFigures};
pub use feedback::*;

const HOUR_MS: i64 = 3_600_000;
/// Ten years: more than any retention that makes sense.
const HOURS_MAX: usize = 87_600;

/// Which time figures are about.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it is described, and never made")]
pub struct AnalyticsQuery {
    /// The last so many hours.
    #[param(minimum = 1, maximum = 87_600, default = 24)]
    hours: Option<u32>,
}

/// The time that a query asks about: `from` is in it.
struct Span {
    from: Timestamp,
    to: Timestamp,
}

impl Span {
    fn of(RawQuery(query): RawQuery) -> Result<Self, Problem> {
        let mut hours = 24;
        let pairs = known_pairs(query.as_deref().unwrap_or_default(), &["hours"])?;
        if let Some((_, value)) = pairs.iter().find(|(name, _)| name == "hours") {
            hours = number("hours", value)?;
        }
        if !(1..=HOURS_MAX).contains(&hours) {
            return Err(Refusal::at(Code::LimitReached, "", format!("`hours` is 1 to {HOURS_MAX}")).into());
        }
        let to = wall_clock();
        Ok(Self { from: Timestamp(to.0 - hours as i64 * HOUR_MS), to })
    }
}

/// What subagents did in a time.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubagentAnalytics {
    #[schema(format = DateTime)]
    from: String,
    #[schema(format = DateTime)]
    to: String,
    /// Where they are from: everything that the archive has, or the sessions that the store still holds.
    source: FiguresSource,
    /// Whether there are more sessions than are read (`limits.figures_sessions`): then these figures are of the first of them
    /// by name. Never so where they are from the archive.
    truncated: bool,
    /// Sessions that aren't counted because they can't be read here: a newer version wrote them, or they are damaged. None where the figures
    /// are from the archive.
    unreadable_sessions: usize,
    /// By key; those that did nothing are left out, unless they are called and have a breaker.
    subagents: Vec<SubagentFiguresView>,
}

/// Where figures are from.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FiguresSource {
    Archive,
    Store,
}

/// What one kind of subagent did.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubagentFigures)]
struct SubagentFiguresView {
    #[schema(value_type = SubagentKey)]
    key: String,
    /// Outputs that ended.
    outputs: u64,
    counts: CountsView,
    /// Those that ended in `error`, as a part of all; 0 to 1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    error_rate: f64,
    /// Those that ended in `timeout`, as a part of all; 0 to 1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    timeout_rate: f64,
    /// Further attempts.
    retries: u64,
    /// Results that came when their output was over.
    late: u64,
    /// Of the outputs that ended: from the step's start, or as their senders reported. `null` where none did.
    #[schema(required)]
    latency_ms: Option<LatencyView>,
    /// Of the replica that answers, where it calls this subagent; `null` where it doesn't.
    #[schema(required)]
    breaker: Option<SubagentBreaker>,
}

/// The circuit breaker of a subagent.
#[derive(Debug, Serialize, ToSchema)]
struct SubagentBreaker {
    state: BreakerState,
    /// Since when calls are held back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    since: Option<String>,
    /// Why they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The part of the window's calls that failed, 0 to 1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    failure_rate: f64,
    /// Calls of the window.
    calls: u64,
}

/// Ends of outputs, by status.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubagentCounts)]
struct CountsView {
    success: u64,
    error: u64,
    timeout: u64,
    degraded: u64,
    refused: u64,
    cancelled: u64,
}

/// Percentiles, by nearest rank.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LatencyPercentiles)]
struct LatencyView {
    p50: u64,
    p95: u64,
    p99: u64,
}

/// See what subagents did
///
/// From the archive, where there is one; what is still on its way there isn't counted yet. Without one from the sessions that
/// the store still holds, `limits.figures_sessions` of them at most: `truncated` says where there are more. Breakers are those of the replica that answers.
#[utoipa::path(
    get, path = "/analytics/subagents", tag = "operations", params(AnalyticsQuery),
    responses((status = 200, description = "Figures by subagent", body = SubagentAnalytics), AnalyticsProblems),
)]
pub async fn get_subagents(
    State(app): State<App>,
    caller: Caller,
    query: RawQuery,
) -> Result<Json<SubagentAnalytics>, Problem> {
    let Span { from, to } = Span::of(query)?;
    let tenant = caller.whole_tenant()?;
    let (source, figures) = match &app.archive {
        Some(archive) => {
            let subagents = archive.analytics.subagents(tenant, from).await?;
            (FiguresSource::Archive, StoreFigures { subagents, is_truncated: false, unreadable: 0 })
        }
        None => {
            let most = app.settings.figures_sessions;
            (FiguresSource::Store, app.coordinator.figures(tenant, from, most).await?)
        }
    };
    let StoreFigures { subagents, is_truncated: truncated, unreadable: unreadable_sessions } = figures;
    let mut views: BTreeMap<SubagentKey, SubagentFiguresView> = subagents
        .into_iter()
        .map(|figures| (figures.key.clone(), SubagentFiguresView::new(figures)))
        .collect();
    for (key, breaker) in app.coordinator.breakers(tenant) {
        let nothing = || SubagentFiguresView::new(SubagentFigures::none(key.clone()));
        views.entry(key.clone()).or_insert_with(nothing).breaker = Some(breaker.into());
    }
    let (from, to) = (from.to_string(), to.to_string());
    let subagents = views.into_values().collect();
    Ok(Json(SubagentAnalytics { from, to, source, truncated, unreadable_sessions, subagents }))
}

impl From<BreakerView> for SubagentBreaker {
    fn from(breaker: BreakerView) -> Self {
        let BreakerView { state, since, failure_rate, calls, reason } = breaker;
        Self { state, since: since.map(|at| at.to_string()), reason, failure_rate, calls }
    }
}

impl SubagentFiguresView {
    fn new(figures: SubagentFigures) -> Self {
        let counts = figures.counts;
        let outputs = counts.total();
        let rate = |count: u64| if outputs == 0 { 0.0 } else { count as f64 / outputs as f64 };
        let view = |Latency { p50_ms, p95_ms, p99_ms }| LatencyView { p50: p50_ms, p95: p95_ms, p99: p99_ms };
        Self {
            key: figures.key.to_string(),
            outputs,
            error_rate: rate(counts.error),
            timeout_rate: rate(counts.timeout),
            counts: CountsView {
                success: counts.success,
                error: counts.error,
                timeout: counts.timeout,
                degraded: counts.degraded,
                refused: counts.refused,
                cancelled: counts.cancelled,
            },
            retries: figures.retries,
            late: figures.late,
            latency_ms: figures.latency.map(view),
            breaker: None,
        }
    }
}
