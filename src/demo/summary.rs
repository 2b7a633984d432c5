//! What stands before and after the timeline: the question, the table, the check, where to look.

use serde::Deserialize;

use super::client::Client;
use super::coverage::{Fault, Whole};
use super::plan::{self, Plan};
use super::reader::Seen;
use super::screen::{Screen, Style, cut};
use super::timeline::thousands;

/// The question, where the service is, what the columns are.
pub fn introduce(screen: &Screen, client: &Client, plan: &Plan) {
    let models: Vec<&str> = plan.reports.iter().map(|report| report.model.as_str()).collect();
    screen.say(screen.paint("Tributary: many agents in, one ordered, replayable stream out", Style::Bold));
    screen.say("");
    for (name, text) in [
        ("question", plan.query.clone()),
        ("reports", format!("real excerpts by {} (examples/reports.json)", models.join(", "))),
        ("service", format!("{} in this process, memory store", client.url(""))),
        ("look", client.url(&plan::events_path())),
        ("marks", "◂ what a sender was told   • the reader   ↻ replayed".to_owned()),
    ] {
        screen.say(format!(
            "  {}  {}",
            screen.paint(&format!("{name:<8}"), Style::Faint),
            cut(&text, screen.width() - 12)
        ));
    }
    screen.say("");
    let heading = format!("{:>6} {:>4}   {:<14} {:<11} {}", "time", "seq", "who", "status", "what is new");
    screen.say(screen.paint(&heading, Style::Faint));
}

#[derive(Deserialize)]
struct Step {
    status: String,
    subagents: Vec<Subagent>,
}

#[derive(Deserialize)]
struct Subagent {
    key: String,
    status: String,
    revision: u64,
    attempts: u32,
    latency_ms: Option<u64>,
    late: u64,
}

/// The table of subagents, and whether the reader has everything.
pub fn conclude(
    screen: &Screen,
    seen: &Seen,
    state: &str,
    checked: &Result<Whole, Fault>,
) -> anyhow::Result<()> {
    let step: Step = serde_json::from_str(state)?;
    let heading = format!(
        "  {:<14} {:<8} {:>9} {:>8} {:>9} {:>5}",
        "subagent", "status", "revisions", "attempts", "latency", "late"
    );
    screen.say("");
    screen.say(screen.paint(&heading, Style::Faint));
    for (number, subagent) in step.subagents.iter().enumerate() {
        screen.say(format!("  {}", row(screen, subagent, Style::Lane(number))));
    }
    screen.say("");
    let verdict = match checked {
        Ok(Whole { events, from, to }) => {
            let events = thousands(*events);
            format!(
                "{events} events, sequences {from}..{to}, no hole, no double; the page has the same bytes"
            )
        }
        Err(fault) => fault.to_string(),
    };
    let style = if checked.is_ok() { Style::Good } else { Style::Bad };
    let Seen { cut_after, replayed, .. } = seen;
    for (name, text, style) in [
        ("coverage", verdict, style),
        (
            "reader",
            format!("cut after {cut_after}, resumed with its cursor, {replayed} events replayed"),
            Style::Plain,
        ),
        ("step", format!("{}: what failed is told, what succeeded is kept", step.status), Style::Plain),
        (
            "result",
            "combined without a model, each sentence a quotation: `--keep`, then GET …/result".to_owned(),
            Style::Plain,
        ),
    ] {
        let name = screen.paint(&format!("{name:<8}"), Style::Faint);
        screen.say(format!("  {name}  {}", screen.paint(&text, style)));
    }
    Ok(())
}

fn row(screen: &Screen, subagent: &Subagent, lane: Style) -> String {
    let Subagent { key, status, revision, attempts, latency_ms, late } = subagent;
    let style = if status == "success" { Style::Good } else { Style::Bad };
    let latency =
        latency_ms.map_or_else(|| "-".into(), |ms| format!("{}.{:02} s", ms / 1_000, ms % 1_000 / 10));
    let key = screen.paint(&format!("{key:<14}"), lane);
    let status = screen.paint(&format!("{status:<8}"), style);
    format!("{key} {status} {revision:>9} {attempts:>8} {latency:>9} {late:>5}")
}

/// What can be tried while the service goes on.
pub fn invite(screen: &Screen, client: &Client) {
    let (step, events) = (client.url(&plan::step_path()), client.url(&plan::events_path()));
    let steps = client.url(&plan::steps_path());
    let late = client.url(&plan::subagent_path("gpt-5"));
    let page = client.url(&format!("/console#/sessions/{}", plan::SESSION));
    screen.say("");
    screen.say(format!("  The service goes on at {} until Ctrl-C. Try:", client.url("")));
    for (what, line) in [
        ("its answer", format!("curl -s '{step}/result?format=llm'")),
        ("the page to look at, in a browser", page),
        ("the state of the step", format!("curl -s {step}")),
        ("its last five events, as a page", format!("curl -s '{events}?last=5'")),
        ("the whole stream again", format!("curl -sN -H 'Accept: text/event-stream' {events}")),
        ("what came after event 50", format!("curl -sN -H 'Accept: text/event-stream' '{events}?after=50'")),
        ("a result that comes too late", format!("curl -s --json '{{\"status\":\"success\"}}' {late}")),
        (
            "a step of your own",
            format!(
                "curl -s --json '{{\"plan_step_id\":\"mine\",\"expected_subagents\":[{{\"key\":\"me\"}}]}}' {steps}"
            ),
        ),
    ] {
        screen.say("");
        screen.say(screen.paint(&format!("  # {what}"), Style::Faint));
        screen.say(format!("  {line}"));
    }
}
