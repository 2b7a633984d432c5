//! A real model, small and often wrong, over real reports: what of its drafts was delivered, and that all of it is proven.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow};

use crate::delivered::{Tally, faults};
use crate::figure::{Context, Figure, Target};
use crate::model::RealModel;
use crate::questions::{own_questions, questions};
use crate::service::Service;

/// Of the questions, where it is to be quick.
const QUICK: usize = 3;

pub fn run(context: &Context, quick: bool) -> Result<Vec<Figure>> {
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("real_model");
    let model = RealModel::start(&installed).map_err(|error| anyhow!(error))?;
    let mut variables = model.variables();
    variables.push(("BREAKER__MINIMUM_CALLS", "1000000".to_owned()));
    let service = Service::start(&context.folder, &variables)?;
    let mut asked = questions(&own_questions()).context("reading the questions of the tests")?;
    if let Some(folder) = &context.data {
        asked.extend(questions(&folder.join("reports.jsonl")).context("reading the reports")?);
    }
    if quick {
        asked.drain(..asked.len().saturating_sub(QUICK));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for question in &asked {
        crate::interrupt::check()?;
        let result = runtime.block_on(question.ask(&service.url)).map_err(|error| anyhow!(error))?;
        eprintln!("{}: {}", question.id, result["metadata"]["method"]);
        tally.add(question, &result);
        wrong.extend(faults(question, &result));
    }
    let speed = runtime.block_on(model.tokens_per_second()).map_err(|error| anyhow!(error))?;
    wrong.iter().for_each(|fault| eprintln!("FAULT {fault}"));
    eprintln!("{}", tally.table());
    let share = |count: usize| count as f64 / tally.results().max(1) as f64;
    Ok(vec![
        figure("results", tally.results() as f64, None),
        figure("faults in them", wrong.len() as f64, Some(Target::AtMost(0.0))),
        figure("the draft as it was, share of results", share(tally.drafts), None),
        figure("with repairs, share of results", share(tally.repaired), None),
        figure("with quotations, share of results", share(tally.with_twins), None),
        figure("extractive, share of results", share(tally.extractive), None),
        Figure { unit: "1/s", ..figure("tokens that the model writes", speed, None) },
    ])
}

fn figure(measure: &'static str, ours: f64, target: Option<Target>) -> Figure {
    Figure { row: "real", measure, unit: "", ours, peers: Vec::new(), target }
}
