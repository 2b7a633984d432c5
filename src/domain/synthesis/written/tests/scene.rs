//! Baselines: real reports where the data folder is there, and results made up with a fixed seed.

use std::collections::BTreeSet;

use crate::domain::aggregate::input::TaskInput;
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};
use crate::domain::synthesis::draft::{Draft, DraftFinding};
use crate::domain::synthesis::verify::{Evidence, verify};
use crate::domain::text::words::Lexicon;

/// A baseline and what was asked.
pub struct Scene {
    pub name: String,
    pub question: String,
    pub baseline: AggregatedResult,
}

impl Scene {
    pub fn of(name: &str, question: &str, tasks: Vec<TaskInput>) -> Self {
        Self::styled(name, question, tasks, Style::Findings)
    }

    /// One that looks like this.
    pub fn styled(name: &str, question: &str, tasks: Vec<TaskInput>, style: Style) -> Self {
        let question = Question { query: Some(question.to_owned()), goal: None };
        let text = question.text();
        let (options, place) = (Options::default(), Place::nowhere());
        let baseline = aggregate(Request { question, tasks, options, place, style });
        Self { name: name.to_owned(), question: text, baseline }
    }

    /// Subagents with a result that names sources.
    pub fn sourced(&self) -> BTreeSet<&str> {
        let results = self.baseline.results.iter().filter(|result| !result.sources.is_empty());
        results.map(|result| result.subagent.as_str()).collect()
    }
}

pub fn task(subagent: &str, content: &str) -> TaskInput {
    TaskInput {
        task_id: subagent.to_owned(),
        subagent: subagent.to_owned(),
        content: content.to_owned(),
        ..TaskInput::default()
    }
}

/// Three subagents, one of them without sources.
pub fn small() -> Scene {
    let history = "# Report\n\nAcme opened three factories in Ohio in 2016 [1]. The factories employ 1,200 people [1]. \
        Annual revenue of Acme in Ohio rose by 42 % in 2020 [2].\n\n## References\n\n[1] Acme history - https://acme.example/history\n\
        [2] Report - https://reports.example/2020";
    let mines = "# Report\n\nZeta mines copper in Peru [1]. Zeta sold 9,000 tonnes of copper to Brazil in 2019 [2]. \
        Annual revenue of Acme in Ohio rose by 24 % in 2020 [2].\n\n## References\n\n[1] Mines - https://mines.example/peru\n\
        [2] Trade - https://trade.example/copper";
    let crm =
        "The customer asked for a quotation of 350 pumps on Monday. Delivery is expected within 14 days.";
    let tasks = vec![task("history", history), task("mines", mines), task("crm", crm)];
    Scene::of("small", "What did Acme open, where does Zeta mine, and what did the customer ask for?", tasks)
}

/// Sentences out of a small vocabulary, with figures, citations and references.
pub fn generated(seed: u64, subagents: usize, sentences: usize) -> Scene {
    let mut state = seed;
    let mut pick = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let subjects = ["The service", "Each replica", "The archive", "A reader", "The planner", "The cache"];
    let verbs = ["stores", "streams", "replays", "orders", "verifies", "rejects", "retries"];
    let objects = ["events", "results", "sources", "frames", "directives", "citations", "requests"];
    let tails = ["under load", "after a restart", "within the limit", "in every region", "on request"];
    let tasks = (0..subagents).map(|number| {
        let mut text = String::from("# Report\n\n");
        for _ in 0..sentences {
            let (subject, verb) = (subjects[pick(subjects.len())], verbs[pick(verbs.len())]);
            let (object, tail) = (objects[pick(objects.len())], tails[pick(tails.len())]);
            let (count, share, source) = (pick(9_997) + 2, pick(99) + 1, pick(8) + 1);
            text.push_str(&format!(
                "{subject} {verb} {count} {object} {tail}, which is {share}% of all [{source}]. "
            ));
        }
        text.push_str("\n\n## References\n\n");
        for source in 1..9 {
            text.push_str(&format!(
                "[{source}] Source {source} - https://example{number}.org/page/{source}\n"
            ));
        }
        task(&format!("agent-{number}"), &text)
    });
    Scene::of("generated", "What does the service do under load?", tasks.collect())
}

/// All of them; of the reports every third, or all where `ALL_REPORTS` is set.
pub fn scenes() -> Vec<Scene> {
    let mut scenes = vec![small(), generated(42, 3, 12), generated(7, 5, 6)];
    let Ok(folder) = std::env::var("QUALITY_DATA") else { return scenes };
    let Ok(lines) = std::fs::read_to_string(format!("{folder}/reports.jsonl")) else { return scenes };
    let step = if std::env::var("ALL_REPORTS").is_ok() { 1 } else { 11 };
    for line in lines.lines().step_by(step) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let reports = row["reports"].as_object().unwrap();
        let tasks = reports.iter().map(|(model, text)| task(model, text.as_str().unwrap())).collect();
        scenes.push(Scene::of(&format!("report {}", row["id"]), row["query"].as_str().unwrap(), tasks));
    }
    scenes
}

/// Statements with why they don't stand, as findings that cite all sources; `None` where they do.
pub fn verified<'s>(scene: &Scene, statements: &[&'s str]) -> Vec<(&'s str, Option<String>)> {
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    let one = |statement: &&'s str| {
        let item = DraftFinding {
            topic: "A topic".to_owned(),
            content: (*statement).to_owned(),
            source_ids: (1..=scene.baseline.sources.len() as u32).collect(),
            confidence: None,
            transition: None,
        };
        let draft = Draft { findings: vec![item], ..Draft::default() };
        let verified = verify(&mut lexicon, &evidence, &draft);
        let why = verified.failing.first().map(|failing| failing.reasons[0].detail.clone());
        assert!(why.is_none() != verified.kept.is_empty(), "{statement}: {verified:?}");
        (*statement, why)
    };
    statements.iter().map(one).collect()
}

/// All of some sentences stand, and none of others does.
#[track_caller]
pub fn assert_judged(scene: &Scene, right: &[&str], wrong: &[&str]) {
    let refused: Vec<_> = verified(scene, right).into_iter().filter(|(_, why)| why.is_some()).collect();
    let kept: Vec<_> = verified(scene, wrong).into_iter().filter(|(_, why)| why.is_none()).collect();
    assert!(refused.is_empty() && kept.is_empty(), "refused: {refused:#?}\nkept: {kept:#?}");
}

/// Subagents with one sentence each, and a source for it.
pub fn sources(said: &[&str]) -> Scene {
    let content = |(at, text): (usize, &&str)| {
        let text = text.trim_end_matches(['.', '。']);
        let content = format!("{text} [1].\n\n## References\n\n[1] Page - https://source{at}.example/");
        task(&format!("agent-{at}"), &content)
    };
    Scene::of("sources", "What is known?", said.iter().enumerate().map(content).collect())
}

/// What the sources say that a finding which cites all of them is delivered with.
pub fn supported_by(scene: &Scene, claim: &str) -> Vec<String> {
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    let source_ids = (1..=scene.baseline.sources.len() as u32).collect();
    let (topic, content) = (String::new(), claim.to_owned());
    let item = DraftFinding { topic, content, source_ids, confidence: None, transition: None };
    let verified = verify(&mut lexicon, &evidence, &Draft { findings: vec![item], ..Draft::default() });
    let finding = &verified.kept[0].1;
    let cites = |number: &u32| {
        let by = &scene.baseline.sources[*number as usize - 1].cited_by[0];
        let result = scene.baseline.results.iter().find(|result| result.subagent == *by).unwrap();
        result.content.split(" [").next().unwrap().to_owned() + "."
    };
    finding.sources.iter().map(cites).collect()
}
