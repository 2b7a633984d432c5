//! What stands word for word inside of a sentence that says the opposite of it.

use super::cases::{drafted, finding, id, through};
use super::scene::{Scene, assert_judged, task};
use crate::domain::synthesis::draft::{Draft, DraftContradiction, DraftStatement};

fn plant() -> Scene {
    let audit = "# Report\n\nIt is not true that the cooling valve of the northern plant leaks [1]. \
        It is not true that the second pump of the plant failed [1]. \
        It is not true, the auditors write, that the operator hid two accidents [1]. \
        The auditors never said “the operator paid every fine on time” [1]. \
        The auditors report that the northern plant repaired nine pumps in 2021 [1].\
        \n\n## References\n\n[1] Audit - https://audit.example/2021";
    let union = "# Report\n\nThe cooling valve of the northern plant drips every night [1]. \
        The union claims that the operator concealed two accidents from the auditors [1]. \
        Two witnesses saw on Monday morning, from the road behind the gate, how the second pump of the plant failed [1].\
        \n\n## References\n\n[1] Union - https://union.example/plant";
    Scene::of(
        "plant",
        "What is wrong with the northern plant?",
        vec![task("audit", audit), task("union", union)],
    )
}

/// What comes of a contradiction between two quotations, of the audit and of the union.
fn contradiction(audit: &str, union: &str) -> Vec<String> {
    let scene = plant();
    let statement = |(quote, of): (&str, &str)| DraftStatement {
        quote: quote.to_owned(),
        source_id: Some(id(&scene, of)),
    };
    let statements = [(audit, "audit.example"), (union, "union.example")].map(statement).to_vec();
    let item = DraftContradiction { description: String::new(), statements };
    let said = finding("The auditors report that the northern plant repaired nine pumps in 2021.", &[1, 2]);
    let draft = Draft { contradictions: vec![item], ..drafted(vec![said]) };
    let (verified, _) = through(&scene, &draft, None);
    let [found] = &*verified.contradictions else { panic!("{:?}", verified.notes) };
    found.statements.iter().map(|said| said.text.clone()).collect()
}

#[test]
fn quotation_that_its_sentence_denies_is_delivered_with_all_of_it() {
    let quoted = "the cooling valve of the northern plant leaks";
    let other = "The cooling valve of the northern plant drips every night";
    assert_eq!(contradiction(quoted, other), [&format!("It is not true that {quoted}"), other]);
}

#[test]
fn what_one_denies_and_another_says_in_the_same_words_contradicts() {
    let quoted = "the second pump of the plant failed";
    assert_eq!(contradiction(quoted, quoted), [&format!("It is not true that {quoted}"), quoted]);
}

#[test]
fn what_is_only_held_is_delivered_with_who_holds_it() {
    let quoted = "the operator concealed two accidents from the auditors";
    let other = "It is not true, the auditors write, that the operator hid two accidents";
    assert_eq!(contradiction(other, quoted), [other, &format!("The union claims that {quoted}")]);
}

#[test]
fn finding_that_leaves_the_denial_out_does_not_stand() {
    let right = [
        "It is not true that the cooling valve of the northern plant leaks.",
        "It is not true that “the cooling valve of the northern plant leaks”.",
        "The northern plant repaired nine pumps in 2021.",
        "The auditors report that “the northern plant repaired nine pumps in 2021”.",
        "The auditors never said “the operator paid every fine on time”.",
    ];
    let wrong = [
        "The cooling valve of the northern plant leaks.",
        "the cooling valve of the northern plant leaks",
        "The report says “the cooling valve of the northern plant leaks”.",
        "The auditors write that “the operator hid two accidents”.",
        "The auditors said “the operator paid every fine on time”.",
        "The operator paid every fine on time.",
    ];
    assert_judged(&plant(), &right, &wrong);
}
