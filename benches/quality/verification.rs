//! Row `verification`: claims that people wrote from a page (WiCE), as findings of a draft that cites the page. Those that annotators
//! called supported should stand, the others shouldn't; there is no peer that refuses. Then claims that were written for this, of which
//! one side may be said and the other says something else, by a word mostly.

use serde_json::Value;
use tributary::domain::aggregate::input::TaskInput;
use tributary::domain::aggregate::options::Options;
use tributary::domain::aggregate::result::AggregatedResult;
use tributary::domain::aggregate::{Place, Question, Request, Style, aggregate};
use tributary::domain::synthesis::draft::{Draft, DraftFinding};
use tributary::domain::synthesis::verify::{Evidence, verify};
use tributary::domain::text::words::Lexicon;

use crate::figure::{Context, Figure};
use crate::peers;

mod claims;

use claims::Set;

/// What a line of a page is shorter than that says nothing: menus, buttons.
const LINE_CHARS_MIN: usize = 20;

pub fn run(context: &Context) -> Vec<Figure> {
    let mut figures = wice(context);
    figures.extend(written(Set::Words, false, ["honest claims that stand", "false claims that stand"]));
    let held_out = ["honest claims that stand, held out", "false claims that stand, held out"];
    figures.extend(written(Set::Words, true, held_out));
    let paraphrased = ["honest paraphrases that stand", "misleading sentences that stand"];
    figures.extend(written(Set::Paraphrased, false, paraphrased));
    let held_out = ["honest paraphrases that stand, held out", "misleading sentences that stand, held out"];
    figures.extend(written(Set::Paraphrased, true, held_out));
    figures
}

fn figure(measure: &'static str, ours: f64) -> Figure {
    Figure { row: "verification", measure, unit: "", ours, peers: Vec::new(), target: None }
}

/// Of each kind of claims, with whether it may be claimed and whether it stands, the share that stands.
fn shares(verdicts: &[(bool, bool)]) -> [f64; 2] {
    [true, false].map(|may| {
        let of: Vec<bool> = verdicts.iter().filter(|(is, _)| *is == may).map(|(_, stands)| *stands).collect();
        of.iter().filter(|stands| **stands).count() as f64 / of.len().max(1) as f64
    })
}

fn wice(context: &Context) -> Vec<Figure> {
    let items = peers::items(context, "wice-dev.jsonl");
    if items.is_empty() {
        println!("verification: wice-dev.jsonl isn't there");
        return Vec::new();
    }
    let verdicts: Vec<(bool, bool)> =
        items.iter().map(|item| (item["label"] == "supported", stands(item))).collect();
    let [supported, others] = shares(&verdicts);
    vec![
        figure("supported claims that stand", supported),
        figure("claims not or partly supported that stand", others),
    ]
}

/// Claims of the written cases, each of whose sentences is a source's.
fn written(set: Set, held_out: bool, measures: [&'static str; 2]) -> Vec<Figure> {
    let mut verdicts = Vec::new();
    for case in claims::cases(set, held_out) {
        let sources = case.said.iter().enumerate().map(|(at, said)| {
            let bare = said.trim_end_matches(['.', '。']);
            task(at, format!("{bare} [1].\n\n## References\n\n[1] Page - https://source{at}.example/"))
        });
        let baseline = baseline("What is known?", sources.collect());
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::of(&mut lexicon, &baseline, "What is known?");
        let cited: Vec<u32> = (1..=baseline.sources.len() as u32).collect();
        verdicts.extend(
            case.claims.iter().map(|(claim, may)| (*may, is_kept(&mut lexicon, &evidence, claim, &cited))),
        );
    }
    shares(&verdicts).into_iter().zip(measures).map(|(ours, measure)| figure(measure, ours)).collect()
}

/// Whether a claim stands as a finding that cites its page.
fn stands(item: &Value) -> bool {
    let lines = peers::texts(item, "evidence");
    let said = lines
        .iter()
        .filter(|line| line.chars().count() > LINE_CHARS_MIN)
        .map(|line| format!("{} [1].", line.trim_start_matches(['#', ' ', '-', '*']).trim_end_matches('.')));
    let content =
        format!("{}\n\n## References\n\n[1] Page - https://a.example/", said.collect::<Vec<_>>().join(" "));
    let claim = item["claim"].as_str().unwrap_or_default();
    let baseline = baseline(claim, vec![task(0, content)]);
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &baseline, claim);
    is_kept(&mut lexicon, &evidence, claim, &[1])
}

fn task(at: usize, content: String) -> TaskInput {
    let name = format!("agent-{at}");
    TaskInput { task_id: name.clone(), subagent: name, content, ..TaskInput::default() }
}

fn baseline(question: &str, tasks: Vec<TaskInput>) -> AggregatedResult {
    aggregate(Request {
        question: Question { query: Some(question.to_owned()), goal: None },
        tasks,
        options: Options::default(),
        place: Place::nowhere(),
        style: Style::Findings,
    })
}

/// Whether a claim stands as a finding that cites some sources.
fn is_kept(lexicon: &mut Lexicon, evidence: &Evidence<'_>, claim: &str, cited: &[u32]) -> bool {
    let finding = DraftFinding {
        topic: String::new(),
        content: claim.to_owned(),
        source_ids: cited.to_vec(),
        confidence: None,
        transition: None,
    };
    let draft = Draft { findings: vec![finding], ..Draft::default() };
    !verify(lexicon, evidence, &draft).kept.is_empty()
}
