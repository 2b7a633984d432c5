//! Answers that a model wrote, and what of them is delivered.

use super::*;
use crate::domain::aggregate::request::parse_answer;
use crate::domain::aggregate::result::Method;

fn request() -> AnswerRequest {
    let body = r#"{"objective":"What did Acme open?","sheet":{"status":"completed","entries":[
        {"content":"Acme opened three factories in Ohio in 2016.","citations":["a"]},
        {"content":"The factories employ 1,200 people.","citations":["b"]},
        {"content":"Zeta mines copper in Peru.","citations":["c"]}],
        "citations":[{"id":"a","title":"A","url":"https://a.example/1"},{"id":"b","title":"B"},{"id":"c","title":"C"}]}}"#;
    parse_answer(body).unwrap()
}

#[test]
fn sentences_stand_by_what_they_cite_and_references_are_rebuilt() {
    let (mut lexicon, request) = (Lexicon::default(), request());
    let text = "The factories employ 1,200 people [2]. Acme opened three factories in Ohio [3].\n\nAcme owns the moon [1][9].";
    let verified = verify_answer(&mut lexicon, text, &request);
    assert_eq!(verified.repair_items().len(), 1, "{verified:?}");
    assert_eq!(verified.unused_entries, [2]);
    let answer = finish_answer(&mut lexicon, verified, None, &request);
    assert_eq!(
        answer.answer,
        "The factories employ 1,200 people. [1] Acme opened three factories in Ohio. [2]"
    );
    let ids: Vec<String> = answer.references.iter().map(|reference| reference.id.to_string()).collect();
    assert_eq!((ids.join(" "), answer.unused_references.len()), ("b a".to_owned(), 1));
    assert_eq!(answer.method, Some(Method::Llm));
    let codes: Vec<&str> = answer.issues.iter().map(|issue| issue.code.as_str()).collect();
    assert_eq!(codes, ["unsupported_sentence", "entry_not_used"]);
}

#[test]
fn repaired_sentence_takes_its_place_and_nothing_left_is_the_sheets_own_answer() {
    let (mut lexicon, request) = (Lexicon::default(), request());
    let verified = verify_answer(&mut lexicon, "Acme opened five factories in Ohio in 1816 [1].", &request);
    assert_eq!(verified.repair_items().len(), 1);
    let fixed = "Acme opened three factories in Ohio in 2016 [1].";
    let answer = finish_answer(&mut lexicon, verified.clone(), Some(fixed), &request);
    assert_eq!(answer.answer, "Acme opened three factories in Ohio in 2016. [1]");
    let own = finish_answer(&mut lexicon, verified, None, &request);
    assert_eq!((own.method, own.reason.is_some()), (Some(Method::Extractive), true));
    assert_eq!(own.answer, super::super::answer(&request).answer);
}

#[test]
fn thoughts_are_no_part_of_an_answer() {
    let (mut lexicon, request) = (Lexicon::default(), request());
    let text = "<think>\nThe factories employ 1,200 people [2], I think.\n</think>\nAcme opened three factories in Ohio [1].";
    let verified = verify_answer(&mut lexicon, text, &request);
    let answer = finish_answer(&mut lexicon, verified, None, &request);
    assert_eq!(answer.answer, "Acme opened three factories in Ohio. [1]");
}

#[test]
fn sentence_keeps_the_citations_of_what_its_own_sentence_of_an_entry_cites() {
    let body = r#"{"objective":"What does the plant make?","sheet":{"status":"completed","entries":[
        {"content":"The plant makes 4,200 tonnes of hydrogen a year [a]. It employs about 310 people [b].","citations":["a","b"]},
        {"content":"The plant plans to expand in 2027.","citations":["c"]},
        {"content":"The plant stands in Lingen. Its owner is Nordgas.","citations":["d"]}],
        "citations":[{"id":"a","title":"A"},{"id":"b","title":"B"},{"id":"c","title":"C"},{"id":"d","title":"D"}]}}"#;
    let (mut lexicon, request) = (Lexicon::default(), parse_answer(body).unwrap());
    for (text, sources) in [
        ("It employs about 310 people [1].", [2]),
        ("It employs about 310 people [3].", [2]),
        ("The plant makes 4,200 tonnes of hydrogen a year [1][3].", [1]),
        ("The plant makes 4,200 tonnes of hydrogen a year [2].", [1]),
        ("The plant stands in Lingen [4].", [4]),
    ] {
        let verified = verify_answer(&mut lexicon, text, &request);
        assert_eq!(verified.sentences[0].sources, sources, "{text}: {verified:?}");
    }
}

#[test]
fn that_the_sheet_does_not_say_something_stands_and_what_it_plans_is_not_done() {
    let body = r#"{"objective":"What does the plant make?","sheet":{"status":"completed","entries":[
        {"content":"The plant makes 4,200 tonnes of hydrogen a year.","citations":["a"]},
        {"content":"The plant plans to expand in 2027.","citations":["c"]}],
        "citations":[{"id":"a","title":"A"},{"id":"c","title":"C"}]}}"#;
    let (mut lexicon, request) = (Lexicon::default(), parse_answer(body).unwrap());
    for (text, stands) in [
        ("The notes do not say what the plant costs.", true),
        ("The notes do not say how many tonnes of hydrogen the plant makes.", false),
        ("The plant expanded in 2027 [2].", false),
        ("The plant makes 4,200 tonnes of hydrogen, which is more than any other plant [1].", false),
        ("The plant plans to expand in 2027 [2].", true),
    ] {
        let verified = verify_answer(&mut lexicon, text, &request);
        assert_eq!(verified.sentences[0].reasons.is_empty(), stands, "{text}: {verified:?}");
    }
}
