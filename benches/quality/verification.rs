//! Row `verification`: claims that people wrote from a page (WiCE), as findings of a draft that cites the page. Those that annotators
//! called supported should stand, the others shouldn't; there is no peer that refuses.

use serde_json::Value;
use tributary::domain::aggregate::input::TaskInput;
use tributary::domain::aggregate::options::Options;
use tributary::domain::aggregate::{Place, Question, Request, Style, aggregate};
use tributary::domain::synthesis::draft::{Draft, DraftFinding};
use tributary::domain::synthesis::verify::{Evidence, verify};
use tributary::domain::text::words::Lexicon;

use crate::figure::{Context, Figure};
use crate::peers;

/// What a line of a page is shorter than that says nothing: menus, buttons.
const LINE_CHARS_MIN: usize = 20;

pub fn run(context: &Context) -> Vec<Figure> {
    let items = peers::items(context, "wice-dev.jsonl");
    if items.is_empty() {
        println!("verification: skipped, wice-dev.jsonl isn't there");
        return Vec::new();
    }
    let verdicts: Vec<(bool, bool)> =
        items.iter().map(|item| (item["label"] == "supported", stands(item))).collect();
    let share = |supported: bool| {
        let of: Vec<bool> =
            verdicts.iter().filter(|(is, _)| *is == supported).map(|(_, stands)| *stands).collect();
        of.iter().filter(|stands| **stands).count() as f64 / of.len().max(1) as f64
    };
    let figure = |measure, ours| Figure {
        row: "verification",
        measure,
        unit: "",
        ours,
        peers: Vec::new(),
        target: None,
    };
    vec![
        figure("supported claims that stand", share(true)),
        figure("claims not or partly supported that stand", share(false)),
    ]
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
    let task = TaskInput {
        task_id: "page".to_owned(),
        subagent: "page".to_owned(),
        content,
        ..TaskInput::default()
    };
    let baseline = aggregate(Request {
        question: Question { query: Some(claim.to_owned()), goal: None },
        tasks: vec![task],
        options: Options::default(),
        place: Place::nowhere(),
        style: Style::Findings,
    });
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &baseline, claim);
    let finding = DraftFinding {
        topic: String::new(),
        content: claim.to_owned(),
        source_ids: vec![1],
        confidence: None,
        transition: None,
    };
    let draft = Draft { findings: vec![finding], ..Draft::default() };
    !verify(&mut lexicon, &evidence, &draft).kept.is_empty()
}
