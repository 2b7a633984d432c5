//! The order of siblings, and what becomes of those that aren't there.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::request::parse_tree;
use crate::domain::aggregate::result::Method;
use crate::domain::directive::SynthesisOptions;
use crate::domain::synthesis::written::{Origin, Written, WrittenFinding, apply};

mod counted;

fn child(id: &str, depends_on: &[&str]) -> Child {
    let mut child = Child::open(id, None);
    child.depends_on = depends_on.iter().map(|id| (*id).to_owned()).collect();
    child
}

fn names(children: Vec<Child>) -> Vec<String> {
    in_order(children).into_iter().map(|child| child.id).collect()
}

#[test]
fn siblings_come_after_what_they_depend_on_and_otherwise_as_given() {
    assert_eq!(names(vec![child("c", &["a"]), child("b", &[]), child("a", &[])]), ["b", "a", "c"]);
    assert_eq!(names(vec![child("b", &["nobody", "b"]), child("a", &[])]), ["b", "a"]);
    assert_eq!(names(vec![child("a", &["b"]), child("b", &["a"]), child("c", &["a"])]), ["a", "b", "c"]);
}

fn node(task_type: TaskType, children: Vec<Child>) -> Node {
    Node {
        question: Question { query: None, goal: Some("pumps".to_owned()) },
        task_type: Some(task_type),
        length: None,
        tasks: Vec::new(),
        children,
        options: Options::default(),
        place: Place::nowhere(),
    }
}

fn leaf(id: &str, content: &str) -> Child {
    let (task_id, subagent, content) = (id.to_owned(), id.to_owned(), content.to_owned());
    let status = InputStatus::Success;
    Child::leaf(id, None, TaskInput { task_id, subagent, content, status, ..TaskInput::default() })
}

/// The names of the results and those of the findings, where these are told of equals alone.
fn told(result: &AggregatedResult) -> (Vec<&str>, Vec<&str>) {
    let results = result.results.iter().map(|task| task.task_id.as_str()).collect();
    let findings = result.findings.iter().map(|finding| finding.contributors[0].as_str()).collect();
    (results, findings)
}

/// Equally strong leaves that depend on others, in every order.
fn of_equals(task_type: TaskType, depend: [&[&str]; 3]) -> Vec<AggregatedResult> {
    let says = ["The cart holds apples.", "The invoice lists prices to pay.", "The depot ships parcels."];
    let leaves = ["a", "b", "c"].iter().zip(says).zip(depend).map(|((id, says), depend)| {
        let depends_on = depend.iter().map(|id| (*id).to_owned()).collect();
        Child { depends_on, ..leaf(id, says) }
    });
    let leaves: Vec<Child> = leaves.collect();
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    orders.map(|order| combine(node(task_type, order.map(|at| leaves[at].clone()).to_vec()))).to_vec()
}

#[test]
fn equals_stand_in_the_order_of_what_they_depend_on_however_they_were_given() {
    let expected = ["c", "a", "b"];
    for result in of_equals(TaskType::Retrieval, [&["c"], &["a"], &[]]) {
        assert_eq!(told(&result), (expected.to_vec(), expected.to_vec()), "{}", result.body);
        // It is handed up, whatever stands beside it.
        let inner = Child::ended("inner", None, result);
        let root = combine(node(TaskType::Retrieval, vec![leaf("z", "The clerk greets guests."), inner]));
        let (results, findings) = told(&root);
        assert_eq!(results, ["inner/c", "inner/a", "inner/b", "z"]);
        assert_eq!(findings, ["c", "a", "b", "z"]);
    }
    // What is stronger comes first all the same.
    let cites = Child { depends_on: vec!["z".to_owned()], ..leaf("a", "The pumps move water.") };
    let first = combine(node(TaskType::Retrieval, vec![leaf("z", "The clerk greets guests."), cites]));
    assert_eq!(told(&first), (vec!["a", "z"], vec!["a", "z"]), "the goal asks for pumps");
}

#[test]
fn equals_stand_by_their_names_where_nothing_tells_an_order() {
    let nothing: [&[&str]; 3] = [&[], &[], &[]];
    for depend in [nothing, [&["nobody"], &[], &["c"]]] {
        for result in of_equals(TaskType::Retrieval, depend) {
            // The longest comes first of equal findings.
            assert_eq!(told(&result), (vec!["a", "b", "c"], vec!["b", "c", "a"]));
        }
    }
    // A ring says nothing.
    for result in of_equals(TaskType::Retrieval, [&["c"], &["a"], &["b"]]) {
        assert_eq!(told(&result).0, ["a", "b", "c"]);
    }
}

#[test]
fn what_a_line_denies_is_denied_above() {
    let text = "Do not:\n- store them fully charged for months\n- expose them to more than 60 °C\n\nStore them in a dry place.";
    let inner =
        combine(node(TaskType::Retrieval, vec![leaf("a", text), leaf("b", "The clerk greets guests.")]));
    let root = combine(node(TaskType::Retrieval, vec![Child::ended("inner", None, inner)]));
    let topic = |content: &str| {
        let found = root.findings.iter().find(|finding| finding.content.contains(content));
        found.map(|finding| finding.topic.as_str())
    };
    assert_eq!(topic("fully charged"), Some("Do not"), "{:?}", root.findings);
    assert_eq!(topic("more than 60"), Some("Do not"), "{:?}", root.findings);
    assert_ne!(topic("dry place"), Some("Do not"), "{:?}", root.findings);
}

#[test]
fn child_that_has_not_ended_is_a_failure_whatever_the_node_is_for() {
    for task_type in [TaskType::Retrieval, TaskType::Reasoning, TaskType::Composition] {
        let children = vec![leaf("a", "A pump moves water."), child("b", &[]), Child::missing("c")];
        let result = combine(node(task_type, children));
        let failed: Vec<&str> = result.failures.iter().map(|failure| failure.task_id.as_str()).collect();
        assert_eq!((failed, result.status.as_str()), (vec!["b", "c"], "partial_failure"));
        // Twice up: it is still told at the root.
        let root = combine(node(task_type, vec![Child::ended("inner", None, result)]));
        assert!(root.failures.iter().any(|failure| failure.task_id == "inner/c"), "{:?}", root.failures);
    }
}

#[test]
fn prose_below_an_inner_node_is_a_chapter_in_its_own_order() {
    let told = ["It rained all May.", "Pumps moved the water.", "The cellar dried."];
    let chapter = |leaves: Vec<Child>| combine(node(TaskType::Composition, leaves));
    let inner = chapter(vec![leaf("z", told[0]), leaf("a", told[1])]);
    // The pump is what was asked for: by relevance it comes first.
    assert_eq!(inner.results[0].task_id, "a");
    let inner = Child::ended("weather", Some("The weather".to_owned()), inner);
    let part = chapter(vec![inner, leaf("m", told[2])]);
    assert_eq!(part.body, format!("## The weather\n\n{}\n\n{}\n\n{}", told[0], told[1], told[2]));
    let root = chapter(vec![leaf("b", "Preface."), Child::unfinished("part", Some("One".to_owned()), part)]);
    let expected =
        format!("Preface.\n\n## One\n\n### The weather\n\n{}\n\n{}\n\n{}", told[0], told[1], told[2]);
    assert_eq!(root.body, expected);
}

fn tree(body: &str) -> TreeResult {
    let parsed = parse_tree(body).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    combine_tree(parsed)
}

/// A tree with a leaf `b` below `a`, and one with this id beside `a`.
fn with_leaf_beside(id: &str) -> TreeResult {
    let node = |id: &str, rest: &str| {
        format!(r#"{{"id":"{id}","goal":"Of {id}","task_type":"composition",{rest}}}"#)
    };
    let below = node("b", r#""content":"Pumps move 40 litres of water.""#);
    let inner = node("a", &format!(r#""children":[{below}]"#));
    let beside = node(id, r#""content":"Fans move 70 kg of dry air.""#);
    tree(&node("root", &format!(r#""children":[{inner},{beside}]"#)))
}

#[test]
fn paths_of_nodes_are_told_from_ids_with_slashes() {
    let paths = |result: &TreeResult| -> BTreeSet<String> {
        result.result.results.iter().map(|task| task.task_id.clone()).collect()
    };
    let found = with_leaf_beside("a/b");
    assert_eq!(paths(&found), BTreeSet::from(["a/b".to_owned(), "a~1b".to_owned()]));
    let names: BTreeSet<&str> = found.result.results.iter().map(|task| task.subagent.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["a/b", "b"]));
    assert!(found.result.body.contains("## Of a\n\nPumps move 40 litres of water."), "{}", found.result.body);
    // Where nothing can be taken for something else, an id stays as it is.
    for id in ["c/d", "a~b", "ab/c"] {
        assert_eq!(paths(&with_leaf_beside(id)), BTreeSet::from(["a/b".to_owned(), id.to_owned()]));
    }
}

#[test]
fn leaf_that_is_the_root_is_counted_once_and_says_that_it_has_not_ended() {
    let alone =
        |content: &str| tree(&format!(r#"{{"id":"x","goal":"Pumps","task_type":"retrieval"{content}}}"#));
    let (told, open) = (alone(r#","content":"Pumps move water.""#), alone(""));
    for found in [&told, &open] {
        assert_eq!((found.metrics.leaves, found.metrics.inner_nodes, found.nodes.len()), (1, 0, 1));
    }
    assert_eq!((told.metrics.unfinished, told.result.failures.len()), (0, 0));
    let failed: Vec<&str> = open.result.failures.iter().map(|failure| failure.task_id.as_str()).collect();
    assert_eq!((open.metrics.unfinished, failed), (1, vec!["x"]));
}

#[test]
fn what_a_node_leaves_out_is_told_at_the_root() {
    let said = ["Pumps move water.", "Valves stop oil.", "Fans cool the hall."];
    let leaves = || said.iter().zip(["x", "y", "z"]).map(|(said, id)| leaf(id, said)).collect::<Vec<_>>();
    for task_type in [TaskType::Retrieval, TaskType::Reasoning, TaskType::Composition] {
        let at_most = |most: u32, children| {
            let mut node = node(task_type, children);
            node.options.aggregation.max_results = most;
            combine(node)
        };
        let told = |result: &AggregatedResult| -> Vec<String> {
            result.gaps.iter().filter(|gap| gap.contains("left out")).cloned().collect()
        };
        let inner = at_most(1, leaves());
        let root = at_most(20, vec![Child::ended("inner", None, inner.clone())]);
        let above = at_most(20, vec![Child::ended("root", None, root.clone())]);
        let below = "2 results are left out further down, the least relevant of each node: no more results are asked for.";
        assert_eq!(
            told(&inner),
            ["2 results are left out, the least relevant: no more results are asked for."]
        );
        assert_eq!((told(&root), told(&above)), (vec![below.to_owned()], vec![below.to_owned()]));
        assert!(root.synthesis.contains("left out further down"), "{}", root.synthesis);
        let whole = at_most(20, vec![Child::ended("inner", None, at_most(3, leaves()))]);
        assert_eq!(told(&whole), [""; 0]);
    }
}

#[test]
fn what_a_language_model_wrote_of_a_node_is_taken_up_as_prose() {
    let brought = "A pump of the plant moves 40 litres of water a minute.";
    let baseline = combine(node(TaskType::Retrieval, vec![leaf("a", brought)]));
    let finding = WrittenFinding {
        topic: "Pumps".to_owned(),
        content: "A pump moves 40 litres of water a minute.".to_owned(),
        contributors: vec!["a".to_owned()],
        verify: Some("Only one site says this.".to_owned()),
        origin: Origin::Draft,
        ..WrittenFinding::default()
    };
    let written = Written { findings: vec![finding], ..Written::default() };
    let written =
        apply(baseline, &written, &SynthesisOptions { min_quality: 0.0, ..SynthesisOptions::default() });
    assert_eq!(written.metadata.method, Method::Llm, "{:?}", written.metadata);
    assert!(written.body.contains("To verify"), "{}", written.body);
    for task_type in [TaskType::Reasoning, TaskType::Composition] {
        let result = combine(node(task_type, vec![Child::ended("inner", None, written.clone())]));
        let taken = &result.results[0].content;
        assert_eq!(taken, "A pump moves 40 litres of water a minute.", "{task_type:?}");
    }
}

#[test]
fn what_disagrees_below_still_disagrees_above() {
    let room = |count: u32| {
        format!(
            "The site in Linz has room for {count} buses [1].\n\n## References\n\n[1] https://site{count}.at/1"
        )
    };
    let found = combine(node(TaskType::Retrieval, vec![leaf("x", &room(80)), leaf("y", &room(60))]));
    assert_eq!(found.contradictions.len(), 1, "{:?}", found.findings);
    let root = combine(node(TaskType::Reasoning, vec![Child::ended("site", None, found)]));
    let said: Vec<&str> = root.findings.iter().map(|finding| finding.content.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|said| said.matches("buses").count() == 1), "{said:?}");
    assert_eq!(root.contradictions.len(), 1, "{said:?}");
}

#[test]
fn a_position_of_one_subagent_is_handed_up_as_it_was_said() {
    let step = |id: &str, subagents: &[&str]| {
        let said = |name: &&str| TaskInput {
            task_id: (*name).to_owned(),
            subagent: (*name).to_owned(),
            content: match id {
                "c" => "# Pumps\n\nThe pump in Linz moves 40 litres. It is *old* by now.".to_owned(),
                _ => format!("The valves in Bergen leak water into the cellar, says {name}."),
            },
            href: Some(format!("/originals/{name}")),
            ..TaskInput::default()
        };
        let mut below = node(TaskType::Retrieval, Vec::new());
        below.tasks = subagents.iter().map(said).collect();
        below.place =
            Place { session_id: Some("s".to_owned()), plan_step_id: Some(id.to_owned()), ..Place::nowhere() };
        Child::ended(id, Some(format!("The goal of {id}")), combine(below))
    };
    let above = |children: Vec<Child>| {
        let results = combine(node(TaskType::Reasoning, children)).results;
        let mut told: Vec<_> = (results.into_iter())
            .map(|told| (told.task_id, told.subagent, told.href.unwrap_or_default(), told.task.unwrap()))
            .collect();
        told.sort();
        told
    };
    let of = |id: &str, subagent: &str, href: &str, goal: &str| {
        (id.to_owned(), subagent.to_owned(), href.to_owned(), format!("The goal of {goal}"))
    };
    let whole = |id: &str| of(id, id, &format!("/planner/sessions/s/steps/{id}/result"), id);
    assert_eq!(
        above(vec![step("c", &["k"]), step("d", &["l", "m"])]),
        [of("c/k", "k", "/originals/k", "c"), whole("d")]
    );
    // Positions are told apart by their names.
    assert_eq!(above(vec![step("c", &["k"]), step("d", &["k"])]), [whole("c"), whole("d")]);
}

#[test]
fn what_is_missing_is_handed_up_as_nobodys_words() {
    let endless = |word: &str| format!("The pump {}.", format!("{word} on and ").repeat(900));
    let below = vec![leaf("a", &endless("runs")), leaf("b", &endless("goes"))];
    let found = combine(node(TaskType::Retrieval, below));
    assert!(found.findings.is_empty() && found.body.contains("not quoted"), "{}", found.body);
    let root = combine(node(TaskType::Reasoning, vec![Child::ended("site", None, found)]));
    let said: Vec<&str> = root.results.iter().map(|result| result.content.as_str()).collect();
    assert!(said.iter().all(|text| text.starts_with("The pump ")), "{said:?}");
    assert_eq!(said.len(), 2);
}

#[test]
fn prose_cites_what_its_parts_name_and_do_not_cite() {
    let with = |id: &str, content: &str, urls: &[&str]| {
        let sources = urls.iter().filter_map(|url| SourceInput::from_text(url)).collect();
        let brought = TaskInput {
            task_id: id.to_owned(),
            subagent: id.to_owned(),
            content: content.to_owned(),
            sources,
            ..TaskInput::default()
        };
        Child::leaf(id, None, brought)
    };
    let result = combine(node(
        TaskType::Composition,
        vec![
            with("a", "The limit is 5 MB.", &["https://a.com"]),
            with(
                "b",
                "Exports take a minute. They are free for all users!",
                &["https://b.com", "https://c.com"],
            ),
            with(
                "d",
                "Imports take an hour [1]. They are slow for most users.",
                &["https://d.com", "https://e.com"],
            ),
        ],
    ));
    assert_eq!(
        result.body,
        "The limit is 5 MB [1].\n\nExports take a minute [2][3]. They are free for all users [2][3]!\n\n\
         Imports take an hour [4]. They are slow for most users."
    );
    let used: Vec<bool> = result.sources.iter().map(|source| source.used).collect();
    assert_eq!(used, [true, true, true, true, false]);
    assert!(result.results.iter().all(|told| !told.content.contains("5 MB [1]")), "as it was said");
}

#[test]
fn composition_keeps_the_prose_in_the_order_of_depends_on() {
    let mut first = leaf("z", "# One\n\nPumps move water.");
    let second = Child { depends_on: vec!["z".to_owned()], ..leaf("a", "# Two\n\nValves stop it.") };
    first.depends_on.clear();
    let result = combine(node(TaskType::Composition, vec![second, first]));
    assert_eq!(result.body, "## One\n\nPumps move water.\n\n## Two\n\nValves stop it.");
}

#[test]
fn composition_cites_what_its_parts_name_and_do_not_cite() {
    let cites = |id: &str, content: &str| {
        let source = SourceInput { url: Some(format!("https://{id}.example/x")), ..SourceInput::default() };
        let (task_id, subagent, content) = (id.to_owned(), id.to_owned(), content.to_owned());
        let (sources, status) = (vec![source], InputStatus::Success);
        Child::leaf(
            id,
            None,
            TaskInput { task_id, subagent, content, sources, status, ..TaskInput::default() },
        )
    };
    let children =
        vec![cites("a", "A pump moves 40 litres of water."), cites("b", "Valves of the plant stop it [1].")];
    let result = combine(node(TaskType::Composition, children));
    let used: Vec<(&str, bool)> =
        result.sources.iter().map(|source| (source.title.as_str(), source.used)).collect();
    assert_eq!(used, [("https://a.example/x", true), ("https://b.example/x", true)]);
    assert!(result.body.starts_with("A pump moves 40 litres of water [1]."), "{}", result.body);
}

proptest! {
    #[test]
    fn every_sibling_is_there_once_and_after_what_it_depends_on(links in vec(vec(0..8_usize, 0..4), 8)) {
        // Links point backwards only, so that there is no ring.
        let children: Vec<Child> = links.iter().enumerate().map(|(at, links)| {
            let mut child = Child::open(&format!("c{at}"), None);
            child.depends_on = links.iter().filter(|link| **link > at).map(|link| format!("c{link}")).collect();
            child
        }).collect();
        let order = names(children.clone());
        let place = |id: &str| order.iter().position(|name| name == id);
        for child in &children {
            for before in &child.depends_on {
                prop_assert!(place(before) < place(&child.id), "{order:?}");
            }
        }
        prop_assert_eq!(order.len(), children.len());
    }
}

#[test]
fn titles_and_excerpts_of_a_source_go_up_to_the_root() {
    let cites = |id: &str, title: &str, snippet: &str| {
        let source = SourceInput {
            url: Some("https://a.example/pumps".to_owned()),
            title: Some(title.to_owned()),
            snippet: Some(snippet.to_owned()),
            ..SourceInput::default()
        };
        let (task_id, subagent, content) =
            (id.to_owned(), id.to_owned(), format!("The pump of {id} moves water [1]."));
        let input = TaskInput {
            task_id,
            subagent,
            content,
            sources: vec![source],
            status: InputStatus::Success,
            ..TaskInput::default()
        };
        Child::leaf(id, None, input)
    };
    for task_type in [TaskType::Retrieval, TaskType::Reasoning, TaskType::Composition] {
        let children = vec![
            cites("a", "Pumps of the plant", "A pump moves 40 litres."),
            cites("b", "The plant's pumps, in pictures", "Three pumps were sold."),
        ];
        let inner = combine(node(task_type, children));
        let root = combine(node(task_type, vec![Child::ended("inner", None, inner.clone())]));
        let [below, above] = [&inner, &root].map(|result| &result.sources[0]);
        assert_eq!((below.other_titles.len(), below.snippets.len()), (1, 2));
        assert_eq!(
            (&above.title, &above.other_titles, &above.snippets),
            (&below.title, &below.other_titles, &below.snippets)
        );
    }
}
