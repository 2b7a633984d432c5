//! What verification costs: a draft of thirty findings, held against eight results of 2,000 tokens.
//!
//! Two thirds of the findings stand as they are; of the others one half has another figure than its source, the other half cites
//! a source that doesn't say so. Everything between the draft and the result is counted: evidence, checks, twins, coverage,
//! measuring and composing. Time of this thread's processor.

use anyhow::{Result, ensure};
use tributary::domain::aggregate::options::Options;
use tributary::domain::aggregate::result::{AggregatedResult, Level, Method};
use tributary::domain::aggregate::{Place, Question, Request, Style, aggregate};
use tributary::domain::directive::{SynthesisMode, SynthesisOptions};
use tributary::domain::synthesis::draft::{Draft, DraftFinding};
use tributary::domain::synthesis::verify::{Evidence, verify};
use tributary::domain::synthesis::written::{apply, finish};
use tributary::domain::text::words::Lexicon;

use crate::cases::{Case, eight_tasks};
use crate::clock::cpu_seconds;
use crate::figure::{Context, Figure, Target};
use crate::percentile;

const RUNS: usize = 200;
const RUNS_QUICK: usize = 10;
const FINDINGS: usize = 30;

pub fn run(_: &Context, quick: bool) -> Result<Vec<Figure>> {
    let case = eight_tasks();
    let options = SynthesisOptions { mode: SynthesisMode::Llm, ..SynthesisOptions::default() };
    let baseline = baseline(&case, &options);
    let draft = draft(&baseline);
    ensure!(draft.findings.len() == FINDINGS, "{} findings", draft.findings.len());
    let mut times = Vec::new();
    for _ in 0..if quick { RUNS_QUICK } else { RUNS } {
        let given = baseline.clone();
        let begun = cpu_seconds();
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::of(&mut lexicon, &baseline, &case.query);
        let verified = verify(&mut lexicon, &evidence, &draft);
        let (kept, failing) = (verified.kept.len(), verified.failing.len());
        let written = finish(&mut lexicon, &evidence, verified, None, &baseline);
        let result = apply(given, &written, &options);
        times.push((cpu_seconds() - begun) * 1e3);
        ensure!(result.metadata.method == Method::Llm, "not delivered: {:?}", result.metadata.reason);
        ensure!(kept >= FINDINGS / 2 && failing > 0, "{kept} kept, {failing} failing");
    }
    let (p50, p99) = (percentile(&mut times, 0.5), percentile(&mut times, 0.99));
    let measure = "8 results of 2,000 tokens, 30 findings, CPU, p50";
    Ok(vec![figure(measure, p50), figure("the same, p99", p99)])
}

fn figure(measure: &'static str, ours: f64) -> Figure {
    let target = Some(Target::AtMost(20.0));
    Figure { row: "verification", measure, unit: "ms", ours, peers: Vec::new(), target }
}

fn baseline(case: &Case, options: &SynthesisOptions) -> AggregatedResult {
    let options = Options { synthesis: options.clone(), ..Options::default() };
    let question = Question { query: Some(case.query.clone()), goal: None };
    let (place, style) = (Place::nowhere(), Style::Findings);
    aggregate(Request { question, tasks: case.tasks.clone(), options, place, style })
}

/// Sentences of the results, three or four of each, a third of them changed.
fn draft(baseline: &AggregatedResult) -> Draft {
    let each = FINDINGS.div_ceil(baseline.results.len());
    let sentences = baseline.results.iter().flat_map(|result| {
        let cited = result.content.split(". ").filter(|sentence| marker(sentence).is_some());
        cited.take(each).map(str::to_owned).collect::<Vec<_>>()
    });
    let finding = |(number, sentence): (usize, String)| {
        let (text, cited) = marker(&sentence)?;
        let (content, source) = match number % 6 {
            4 => (text.replacen(char::is_numeric, "77", 1), cited),
            5 => (text.to_owned(), cited % baseline.sources.len() as u32 + 1),
            _ => (text.to_owned(), cited),
        };
        let topic = text.split(' ').take(3).collect::<Vec<_>>().join(" ");
        let confidence = Some(Level::Medium);
        Some(DraftFinding { topic, content, source_ids: vec![source], confidence, transition: None })
    };
    let findings: Vec<_> = sentences.enumerate().filter_map(finding).take(FINDINGS).collect();
    let summary = findings.first().map(|finding| finding.content.clone()).unwrap_or_default();
    Draft { findings, summary, ..Draft::default() }
}

/// A sentence without its marker, and the number in it.
fn marker(sentence: &str) -> Option<(&str, u32)> {
    let (text, rest) = sentence.trim().split_once(" [")?;
    let number = rest.split(']').next()?.parse().ok()?;
    (!text.contains('#') && !text.contains('\n')).then_some((text, number))
}
