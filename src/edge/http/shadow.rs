//! In what our results and the monolith's answers differ: page by page, and together.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::access::Caller;
use super::app::App;
use super::extract::{number, single_pairs};
use super::openapi::ShadowProblems;
use super::problem::Problem;
use crate::domain::ids::{SessionId, StepId};
use crate::domain::shadow::{Kind, Verdict};
use crate::domain::text::clean::one_line;
use crate::domain::verdict::{Code, Refusal};
use crate::engine::ports::shadow_log::{LoggedDiscrepancy, Summary, Wanted};

/// Discrepancies of one page at most, and where nothing else is asked.
const LIMIT_MAX: usize = 1_000;
const LIMIT: usize = 100;

/// Which discrepancies are asked for.
#[derive(Debug, Default, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "described here, read by hand")]
pub struct DiscrepancyQuery {
    /// Only those of this session.
    session: Option<SessionId>,
    /// Only those of comparisons with this verdict.
    verdict: Option<Verdict>,
    /// Only those of this kind; doesn't narrow the summary.
    kind: Option<Kind>,
    /// So many at most.
    #[param(minimum = 1, maximum = 1_000, default = 100)]
    limit: Option<usize>,
    /// The `next` of the page before.
    #[param(minimum = 0, maximum = 9_223_372_036_854_775_807i64)]
    after: Option<u64>,
}

fn wanted(query: &str) -> Result<Wanted, Refusal> {
    let mut wanted = Wanted { limit: LIMIT, ..Wanted::default() };
    for (name, value) in single_pairs(query, &["session", "verdict", "kind", "limit", "after"])? {
        match name.as_str() {
            "session" => {
                let not_an_id = |error| Refusal::at(Code::InvalidId, "", format!("`session`: {error}"));
                wanted.session = Some(value.parse().map_err(not_an_id)?);
            }
            "verdict" => wanted.verdict = Some(one_of("verdict", &value, Verdict::named, &verdicts())?),
            "kind" => wanted.kind = Some(one_of("kind", &value, Kind::named, &Kind::ALL.map(Kind::as_str))?),
            "limit" => wanted.limit = number("limit", &value)?,
            "after" => wanted.after = Some(after(&value)?),
            // For whoever authenticates by the query.
            "ticket" => {}
            other => return Err(Refusal::at(Code::UnknownField, "", unknown(other))),
        }
    }
    if !(1..=LIMIT_MAX).contains(&wanted.limit) {
        return Err(Refusal::at(Code::LimitReached, "", format!("`limit` is 1 to {LIMIT_MAX}")));
    }
    Ok(wanted)
}

fn unknown(name: &str) -> String {
    let name = one_line(name, 64);
    format!("unknown parameter `{name}`, expected one of `session`, `verdict`, `kind`, `limit`, `after`")
}

/// A place in the list, which no archive can have above `i64::MAX`.
fn after(value: &str) -> Result<u64, Refusal> {
    let place = number("after", value)? as u64;
    let place =
        i64::try_from(place).map_err(|_| Refusal::at(Code::LimitReached, "", "`after` is 0 to 2^63 - 1"))?;
    Ok(place.unsigned_abs())
}

fn verdicts() -> [&'static str; 3] {
    Verdict::ALL.map(Verdict::as_str)
}

fn one_of<T>(
    name: &str,
    value: &str,
    named: impl Fn(&str) -> Option<T>,
    known: &[&str],
) -> Result<T, Refusal> {
    let wrong =
        || Refusal::at(Code::InvalidEvent, "", format!("`{name}` is one of `{}`", known.join("`, `")));
    named(value).ok_or_else(wrong)
}

/// A page of discrepancies, and all comparisons together.
#[derive(Debug, Serialize, ToSchema)]
pub struct DiscrepancyPage {
    /// Newest first; the gravest of a comparison first.
    discrepancies: Vec<DiscrepancyView>,
    /// The `after` of the next page; `null` on the last one.
    #[schema(required)]
    next: Option<u64>,
    summary: SummaryView,
}

/// A discrepancy, and whose it is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LoggedDiscrepancy)]
struct DiscrepancyView {
    session_id: SessionId,
    plan_step_id: StepId,
    kind: Kind,
    /// What we say.
    #[schema(required)]
    ours: Option<String>,
    /// What the monolith says.
    #[schema(required)]
    legacy: Option<String>,
    /// What differs, in a sentence.
    detail: String,
    /// When both were compared.
    #[schema(format = DateTime)]
    at: String,
}

/// All comparisons of the session and the verdict that were asked for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShadowSummary)]
struct SummaryView {
    comparisons: u64,
    /// With the verdict `same`; the others likewise.
    same: u64,
    minor: u64,
    different: u64,
    /// Discrepancies, by kind.
    by_kind: BTreeMap<&'static str, u64>,
    /// The mean of the agreements. `null` where nothing was compared.
    #[schema(required, minimum = 0.0, maximum = 1.0)]
    agreement_average: Option<f64>,
    latency: LatencyView,
}

/// Medians, by nearest rank. `null` where no latency is known.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShadowLatency)]
struct LatencyView {
    #[schema(required)]
    ours_p50_ms: Option<u64>,
    #[schema(required)]
    legacy_p50_ms: Option<u64>,
}

/// See in what we and the monolith differ
///
/// From the archive; where there is none, from this process, which keeps the last 1,000 comparisons.
#[utoipa::path(
    get, path = "/shadow/discrepancies", tag = "operations", params(DiscrepancyQuery),
    responses((status = 200, description = "Discrepancies, and where to go on", body = DiscrepancyPage), ShadowProblems),
)]
pub async fn get_discrepancies(
    State(app): State<App>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let wanted = wanted(query.as_deref().unwrap_or_default())?;
    let tenant = caller.whole_tenant()?;
    let found = app.shadow.log().discrepancies(tenant, &wanted).await?;
    let summary = app.shadow.log().summary(tenant, &wanted).await?;
    let next = found.last().filter(|_| found.len() == wanted.limit).map(|last| last.id);
    let discrepancies = found.into_iter().map(DiscrepancyView::from).collect();
    let page = DiscrepancyPage { discrepancies, next, summary: SummaryView::from(summary) };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(page)).into_response())
}

impl From<LoggedDiscrepancy> for DiscrepancyView {
    fn from(logged: LoggedDiscrepancy) -> Self {
        let LoggedDiscrepancy { id: _, key, step, discrepancy, at } = logged;
        Self {
            session_id: key.session,
            plan_step_id: step,
            kind: discrepancy.kind,
            ours: discrepancy.ours,
            legacy: discrepancy.legacy,
            detail: discrepancy.detail,
            at: at.to_string(),
        }
    }
}

impl From<Summary> for SummaryView {
    fn from(summary: Summary) -> Self {
        let count = |verdict| summary.verdicts.get(&verdict).copied().unwrap_or_default();
        Self {
            comparisons: summary.verdicts.values().sum(),
            same: count(Verdict::Same),
            minor: count(Verdict::Minor),
            different: count(Verdict::Different),
            by_kind: summary.by_kind.iter().map(|(kind, count)| (kind.as_str(), *count)).collect(),
            agreement_average: summary.agreement_average,
            latency: LatencyView { ours_p50_ms: summary.ours_p50_ms, legacy_p50_ms: summary.legacy_p50_ms },
        }
    }
}
