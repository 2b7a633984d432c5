//! The order of siblings, and what becomes of those that aren't there.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::domain::directive::SynthesisOptions;
use crate::domain::synthesis::written::{Origin, Written, WrittenFinding, apply};

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
fn composition_keeps_the_prose_in_the_order_of_depends_on() {
    let mut first = leaf("z", "# One\n\nPumps move water.");
    let second = Child { depends_on: vec!["z".to_owned()], ..leaf("a", "# Two\n\nValves stop it.") };
    first.depends_on.clear();
    let result = combine(node(TaskType::Composition, vec![second, first]));
    assert_eq!(result.body, "## One\n\nPumps move water.\n\n## Two\n\nValves stop it.");
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
