//! Why a result is as it is: what it was made of, what language models were asked and answered, what the checks found.
//!
//! It shows every word of every subagent and of the prompts: it is for whoever runs the service (scope `admin`). What
//! the log has is made again from it, at any time and on every replica. Prompts as they were sent, raw answers and the
//! log of the checks are in no log: the replica that wrote keeps them for a while, and where they are gone the answer
//! says so.

use std::sync::Arc;

use axum::Json;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::app::App;
use super::extract::Ids;
use super::problem::Problem;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::step::Basis;
use crate::domain::directive::{Directive, SynthesisMode, SynthesisOptions};
use crate::domain::ids::{ResultKey, SessionId, StepId, SubagentKey};
use crate::domain::record::SubagentStatus;
use crate::domain::session::{SessionState, StepState};
use crate::domain::synthesis::explanation::{ExplainedCall, Explanation};
use crate::domain::synthesis::verify::CheckLog;
use crate::domain::synthesis::written::Written;
use crate::engine::computing::off_thread;
use crate::engine::synthesis::{RemadePrompt, Synthesiser, Write};

/// Why there is nothing of how it was written.
const NOT_ASKED: &str = "no language model was to write: `synthesis.mode` isn't `llm`";
const NOT_KEPT: &str = "`synthesis.explain_bytes` is 0: nothing is kept";
const GONE: &str = "not known to this replica: nobody was asked, another replica wrote, \
     the service has been started since, or what was written later took its place";
const NO_DRAFT: &str = "there was no draft to check";

/// A result, and why it is as it is.
#[derive(Serialize, ToSchema)]
pub struct ExplainedResult<'a> {
    session_id: &'a SessionId,
    plan_step_id: &'a StepId,
    /// What was asked.
    asked: AskedFor<'a>,
    /// What came of the subagents; the full originals are at `href`.
    inputs: Vec<Input<'a>>,
    /// The steps below, whose results are inputs too.
    children: Vec<&'a StepId>,
    /// The extractive result: what a language model is given, and what its draft is held against.
    baseline: &'a AggregatedResult,
    /// What of a draft is delivered, as it stands in the log: each finding with who wrote it (`draft`, `repaired`,
    /// `extractive`), and what became of the others. `null` where no language model was to write.
    #[schema(value_type = Option<Object>, required)]
    written: Option<&'a Written>,
    /// What the first model would be asked now, by the configuration as it is.
    #[schema(required)]
    prompt: Option<&'a RemadePrompt>,
    /// What models were asked, as it was sent, and what they answered, as it came.
    #[schema(required)]
    calls: Option<&'a [ExplainedCall]>,
    /// What the checks found of the draft.
    #[schema(required)]
    checks: Option<&'a CheckLog>,
    /// What can't be told, and why.
    missing: Vec<Missing>,
    /// The result that is delivered.
    result: &'a AggregatedResult,
}

/// What the directive asked for.
#[derive(Serialize, ToSchema)]
struct AskedFor<'a> {
    #[schema(required)]
    query: Option<&'a str>,
    #[schema(required)]
    goal: Option<&'a str>,
    #[schema(required)]
    instructions: Option<&'a str>,
    #[schema(required)]
    document_context: Option<&'a str>,
    synthesis: &'a SynthesisOptions,
}

/// One output.
#[derive(Serialize, ToSchema)]
struct Input<'a> {
    result_key: &'a ResultKey,
    subagent: &'a SubagentKey,
    status: SubagentStatus,
    /// Its last revision; 0 where it said nothing.
    revision: u64,
    href: String,
}

/// Something that can't be told.
#[derive(Serialize, ToSchema)]
struct Missing {
    /// A member of this document.
    what: &'static str,
    why: String,
}

/// The answer that explains `result`.
pub(super) async fn explained(
    app: &App,
    ids: &Ids,
    result: Arc<AggregatedResult>,
) -> Result<Option<Response>, Problem> {
    let Some((state, basis)) = app.results.basis(&ids.key, ids.step()).await? else { return Ok(None) };
    let known = app.synthesiser.explanations().get(&ids.key, ids.step());
    let (synthesiser, id) = (app.synthesiser.clone(), ids.step().clone());
    let write = move || {
        let step = state.step(&id)?;
        let text = document(&synthesiser, (&state, step), &basis, known.as_deref(), &result);
        Some(text)
    };
    let Some(text) = off_thread(write).await else { return Ok(None) };
    Ok(Some(([(header::CACHE_CONTROL, "no-store")], Json(text)).into_response()))
}

fn document(
    synthesiser: &Synthesiser,
    (state, step): (&SessionState, &StepState),
    basis: &Basis,
    known: Option<&Explanation>,
    result: &AggregatedResult,
) -> serde_json::Value {
    let Directive { query, goal, instructions, document_context, synthesis, .. } = &*step.directive;
    let mut missing = Vec::new();
    let mut miss = |what, why: &str| missing.push(Missing { what, why: why.to_owned() });
    let is_written = synthesis.mode == SynthesisMode::Llm;
    // Of a session of that name that was deleted something else may be known.
    let known = known.filter(|_| is_written);
    let prompt = match is_written {
        true => {
            let write = Write::of_step(&step.directive, basis.baseline.clone(), Instant::now());
            synthesiser.remade_prompt(&write)
        }
        false => Err(NOT_ASKED.to_owned()),
    };
    if let Err(why) = &prompt {
        miss("prompt", why);
    }
    let why = match is_written {
        false => NOT_ASKED,
        true if !synthesiser.explanations().is_on() => NOT_KEPT,
        true => GONE,
    };
    match known {
        None => ["calls", "checks"].into_iter().for_each(|what| miss(what, why)),
        Some(known) if known.checks.is_none() => miss("checks", NO_DRAFT),
        Some(_) => {}
    }
    let explained = ExplainedResult {
        session_id: &state.session,
        plan_step_id: step.id(),
        asked: AskedFor {
            query: query.as_deref(),
            goal: goal.as_deref(),
            instructions: instructions.as_deref(),
            document_context: document_context.as_deref(),
            synthesis,
        },
        inputs: inputs(state, step),
        children: state.children(step).filter_map(Result::ok).map(StepState::id).collect(),
        baseline: &basis.baseline,
        written: basis.written.as_ref(),
        prompt: prompt.as_ref().ok(),
        calls: known.map(|known| known.calls.as_slice()),
        checks: known.and_then(|known| known.checks.as_ref()),
        missing,
        result,
    };
    serde_json::to_value(explained).expect("figures and texts are JSON")
}

fn inputs<'a>(state: &SessionState, step: &'a StepState) -> Vec<Input<'a>> {
    let input = |subagent: &'a Arc<crate::domain::session::SubagentState>| {
        let output = &subagent.output;
        Input {
            result_key: &output.result_key,
            subagent: &output.stage,
            status: subagent.status,
            revision: subagent.revision,
            href: format!(
                "/planner/sessions/{}/steps/{}/results/{}",
                state.session, output.step, output.result_key
            ),
        }
    };
    step.subagents.iter().map(input).collect()
}
