//! Who counts at a node above steps, and whose task a gap is about.

use super::*;
use crate::domain::aggregate::RefusedBy;
use crate::domain::aggregate::result::Metadata;

#[test]
fn each_subagent_counts_once_whatever_became_of_its_step() {
    let task = |id: &str, status, content: &str| TaskInput {
        task_id: id.to_owned(),
        subagent: id.to_owned(),
        status,
        content: content.to_owned(),
        ..TaskInput::default()
    };
    let of = |tasks: Vec<TaskInput>, refused: Option<RefusedBy>| {
        let own = node(TaskType::Composition, Vec::new());
        combine(Node { tasks, place: Place { refused, is_final: false, ..own.place.clone() }, ..own })
    };
    let pending = InputStatus::Failed(FailureStatus::Pending);
    let late = |tasks| Child::unfinished("b", None, of(tasks, None)).lacking_as(FailureStatus::Timeout);
    let decision = RefusedBy { task_id: "safety".into(), subagent: "safety".into(), error: "no".into() };
    let whole = || task("a", InputStatus::Success, "A pump moves water.");
    let refused = Child::ended("c", None, of(vec![task("a", pending, "")], Some(decision)));
    for (child, counts) in [
        (late(vec![task("a", InputStatus::Partial, "A pump moves")]), (1, 0, 1)),
        (late(vec![whole(), task("b", pending, "")]), (2, 1, 1)),
        (late(vec![task("a", pending, ""), task("b", pending, "")]), (2, 0, 2)),
        (late(vec![whole()]), (2, 1, 1)),
        (late(Vec::new()), (1, 0, 1)),
        (refused, (1, 0, 1)),
    ] {
        let told = format!("{child:?}");
        let result = combine(node(TaskType::Composition, vec![child]));
        let Metadata { total_subagents, successful_subagents, failed_subagents, .. } = &result.metadata;
        assert_eq!((*total_subagents, *successful_subagents, *failed_subagents), counts, "{told}");
        assert!(result.failures.iter().any(|failure| matches!(&*failure.task_id, "b" | "c/safety")));
        // One more node above changes nothing of it.
        let root =
            combine(node(TaskType::Composition, vec![Child::ended("inner", None, combine_again(&result))]));
        assert_eq!((root.metadata.total_subagents, root.metadata.failed_subagents), (counts.0, counts.2));
    }
}

fn combine_again(result: &AggregatedResult) -> AggregatedResult {
    combine(node(TaskType::Composition, vec![Child::ended("again", None, result.clone())]))
}

/// Two steps whose child is the same step, which one of them saw before it had ended.
#[test]
fn step_below_two_others_counts_once() {
    let session_id = Some("s".to_owned());
    let of = |tasks: Vec<TaskInput>, children| {
        let own = node(TaskType::Retrieval, children);
        Node { tasks, place: Place { session_id: session_id.clone(), ..own.place.clone() }, ..own }
    };
    let task = |status, content: &str| TaskInput {
        task_id: "crm".into(),
        subagent: "crm".into(),
        status,
        content: content.to_owned(),
        ..TaskInput::default()
    };
    let whole = || task(InputStatus::Success, "A pump moves water.");
    let failed = || task(InputStatus::Failed(FailureStatus::Timeout), "");
    let above = |id, below| {
        Child::ended(
            id,
            None,
            combine(of(Vec::new(), vec![Child::ended("c", None, combine(of(vec![below], vec![])))])),
        )
    };
    for (below, counts, path) in [
        ([whole(), whole()], (1, 1), "a/c/crm"),
        ([failed(), whole()], (1, 1), "b/c/crm"),
        ([whole(), failed()], (1, 1), "a/c/crm"),
        ([failed(), failed()], (1, 0), "a/c/crm"),
    ] {
        let [in_a, in_b] = below;
        let result = combine(of(Vec::new(), vec![above("a", in_a), above("b", in_b)]));
        let Metadata { total_subagents, successful_subagents, .. } = result.metadata;
        assert_eq!((total_subagents, successful_subagents), counts, "{path}");
        let results = result.results.iter().map(|task| &task.task_id);
        let failures = result.failures.iter().map(|failure| &failure.task_id);
        assert_eq!(results.chain(failures).collect::<Vec<_>>(), [path]);
        assert_eq!(result.metadata.deduplicated_count, 0, "it isn't a repetition");
    }
    // The same name in two steps is two subagents.
    let beside = |id| Child::ended(id, None, combine(of(vec![whole()], vec![])));
    let result = combine(of(Vec::new(), vec![beside("a"), beside("b")]));
    assert_eq!(result.metadata.total_subagents, 2);
}

/// Steps that expect the same one, which hadn't ended, or was never there.
#[test]
fn step_below_two_others_that_brought_nothing_is_one_failure() {
    let of = |children| {
        let own = node(TaskType::Retrieval, children);
        combine(Node { place: Place { session_id: Some("s".to_owned()), ..own.place.clone() }, ..own })
    };
    let crm = || TaskInput {
        task_id: "crm".into(),
        subagent: "crm".into(),
        content: "It rains.".into(),
        ..TaskInput::default()
    };
    let ended = || {
        let own = node(TaskType::Retrieval, Vec::new());
        Child::ended("c", None, combine(Node { tasks: vec![crm()], ..own }))
    };
    let late = |child: Child| child.lacking_as(FailureStatus::Timeout);
    let (open, missing) = (|| late(Child::open("c", None)), || late(Child::missing("c")));
    let above = |id, child: Child| Child::ended(id, None, of(vec![child]));
    for (children, paths) in [
        (vec![above("a", open()), above("b", open())], &["a/c"][..]),
        (vec![above("a", missing()), above("b", missing())], &["a/c"]),
        (vec![above("a", missing()), above("b", missing()), missing()], &["a/c"]),
        (vec![above("a", ended()), above("b", open())], &["a/c/crm"]),
        (vec![above("a", open()), above("b", late(Child::open("d", None)))], &["a/c", "b/d"]),
    ] {
        let result = of(children);
        let results = result.results.iter().map(|task| &task.task_id);
        let failures = result.failures.iter().map(|failure| &failure.task_id);
        let mut told: Vec<_> = results.chain(failures).collect();
        told.sort();
        assert_eq!(told, paths);
        assert_eq!(result.metadata.total_subagents, paths.len());
    }
}

#[test]
fn gap_says_which_of_a_subagents_tasks_it_is_about() {
    let failed = |step: &str| {
        let of = |status, content: &str| TaskInput {
            task_id: "a".into(),
            subagent: "a".into(),
            status,
            content: content.into(),
            ..TaskInput::default()
        };
        let task = match step {
            "z" => of(InputStatus::Success, "A pump moves water."),
            _ => of(InputStatus::Failed(FailureStatus::Error), ""),
        };
        let own = node(TaskType::Composition, Vec::new());
        Child::ended(step, None, combine(Node { tasks: vec![task], ..own }))
    };
    let gaps = |steps: &[&str]| {
        let children = steps.iter().map(|step| failed(step)).collect();
        combine(node(TaskType::Composition, children)).gaps.join("\n")
    };
    let both = gaps(&["x", "y"]);
    assert!(both.contains("a (x/a) brought no") && both.contains("a (y/a) brought no"), "{both}");
    assert!(gaps(&["x", "z"]).contains("a (x/a) brought no"));
    assert!(gaps(&["x"]).contains("a brought no"));
}
