//! Answers that a model wrote, and what of them is delivered.

use super::*;
use crate::domain::aggregate::request::parse_answer;
use crate::domain::aggregate::result::Method;
use crate::domain::synthesis::answer::{Answer, extracted, finish_answer};

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

fn named() -> AnswerRequest {
    let body = r#"{"objective":"What does the plant make?","sheet":{"status":"completed","entries":[
        {"content":"The plant makes 4,200 tonnes of hydrogen a year [u1]. Its owner is Nordgas of Bremen [u2].","citations":["u1","u2"]},
        {"content":"The plant plans to expand in 2027.","citations":["u4"]}],
        "citations":[{"id":"u1","title":"A"},{"id":"u2","title":"B"},{"id":"rumour","title":"C"},{"id":"u4","title":"D"}]}}"#;
    parse_answer(body).unwrap()
}

fn answered(text: &str, request: &AnswerRequest) -> Answer {
    let mut lexicon = Lexicon::default();
    let verified = verify_answer(&mut lexicon, text, request);
    finish_answer(&mut lexicon, verified, None, request)
}

#[test]
fn ids_of_the_sheet_are_the_sources_that_they_name() {
    let request = named();
    let made = "The plant makes 4,200 tonnes of hydrogen a year";
    for text in [
        format!("{made} [u1]. The plant plans to expand in 2027 [u4]."),
        format!("{made} [u1][rumour]. The plant plans to expand in 2027 [u9, u4]."),
        format!("{made} 【u1】. The plant plans to expand in 2027 [3]."),
    ] {
        let answer = answered(&text, &request);
        assert_eq!(answer.answer, format!("{made}. [1] The plant plans to expand in 2027. [2]"), "{text}");
        let ids: Vec<String> = answer.references.iter().map(|reference| reference.id.to_string()).collect();
        assert_eq!(ids, ["u1", "u4"], "{text}");
    }
    let cited = answered(&format!("{made} [u1]. Its owner is Nordgas of Bremen [u1]."), &request);
    assert!(cited.answer.ends_with("Its owner is Nordgas of Bremen. [2]"), "{}", cited.answer);
}

#[test]
fn what_the_sheet_says_itself_stands_in_for_a_sentence_that_it_does_not_support() {
    let request = named();
    let text = "The plant plans to expand in 2027 [3]. The plant makes 9,900 tonnes of hydrogen a year [1].";
    let answer = answered(text, &request);
    let expected =
        "The plant plans to expand in 2027. [1] The plant makes 4,200 tonnes of hydrogen a year. [2]";
    assert_eq!((answer.answer.as_str(), answer.method), (expected, Some(Method::Llm)));
    let codes: Vec<&str> = answer.issues.iter().map(|issue| issue.code.as_str()).collect();
    assert_eq!(codes, ["replaced_sentence"], "{:?}", answer.issues);
    // It is said already, or nothing of it is.
    for more in ["The plant expands in 2031 [3].", "The moon is made of cheese [3]."] {
        let answer = answered(&format!("The plant plans to expand in 2027 [3]. {more}"), &request);
        assert_eq!(answer.answer, "The plant plans to expand in 2027. [1]", "{more}");
        assert!(answer.issues.iter().any(|issue| issue.code == "unsupported_sentence"), "{more}");
    }
}

#[test]
fn that_the_notes_do_not_answer_is_an_answer() {
    for (objective, text) in [
        ("What does the plant cost?", "The notes do not say what the plant costs."),
        ("What does the plant cost?", "The notes don't answer the question."),
        ("What does the plant cost?", "The notes contain no information on what the plant costs."),
        ("Why was the plant closed?", "The notes do not say why the plant was closed."),
        ("Who leads Nordgas?", "Nothing in the notes says who leads Nordgas."),
        ("What does the plant cost?", "The cost of the plant is not mentioned in the notes."),
        ("Was kostet die Anlage?", "Die Notizen nennen keine Kosten der Anlage."),
        ("Was kostet die Anlage?", "Was die Anlage kostet, sagen die Notizen nicht."),
        ("Combien coûte l'usine ?", "Les notes ne précisent pas combien coûte l'usine."),
        ("¿Cuánto cuesta la planta?", "Las notas no indican cuánto cuesta la planta."),
        ("工厂的成本是多少？", "资料没有提及工厂的成本。"),
        ("工場の費用はいくらですか。", "工場の費用については記載がありません。"),
        ("공장의 비용은 얼마입니까?", "공장의 비용은 언급되지 않았습니다."),
    ] {
        let mut request = named();
        request.objective = objective.to_owned();
        request.synthesis.min_quality = 0.9;
        let answer = answered(text, &request);
        assert_eq!((answer.answer.as_str(), answer.method), (text, Some(Method::Llm)), "{:?}", answer.reason);
        assert!(answer.references.is_empty(), "{text}");
        assert!(!answer.issues.iter().any(|issue| issue.code == "unsupported_sentence"), "{text}");
    }
}

#[test]
fn repeats_and_a_list_of_references_are_no_faults() {
    let request = named();
    let text = "The plant plans to expand in 2027 [3]. The plant plans to expand in 2027 [3].\n\n## References\n\n\
        1. [A](https://a.example/1)\n2. [B](https://b.example/2)\n";
    let answer = answered(text, &request);
    assert_eq!(answer.answer, "The plant plans to expand in 2027. [1]");
    let codes: Vec<&str> = answer.issues.iter().map(|issue| issue.code.as_str()).collect();
    assert_eq!(codes, ["entry_not_used"], "{:?}", answer.issues);
}

#[test]
fn a_reason_is_said_once() {
    let mut request = named();
    request.synthesis.min_quality = 1.0;
    request.synthesis.on_low_quality = crate::domain::directive::OnLowQuality::Block;
    let answer = answered("The moon is made of cheese [1].", &request);
    let reason = answer.reason.unwrap();
    assert!(reason.contains("; withheld: "), "{reason}");
    assert_eq!(extracted(&request, reason.clone()).reason, Some(reason));
}

#[test]
fn a_bare_yes_is_proven_by_nothing() {
    let body = r#"{"objective":"Is the vaccine safe for children?","sheet":{"status":"completed","entries":[
        {"content":"The vaccine is not safe for children. It was approved in 2020 for adults.","citations":["u1"]}],
        "citations":[{"id":"u1","url":"https://a.example.org/p"}]}}"#;
    let request = parse_answer(body).unwrap();
    let approved = "The vaccine was approved in 2020 for adults. [1]";
    for text in [
        "Yes. The vaccine was approved in 2020 for adults [1].",
        "**Yes**, the vaccine was approved in 2020 for adults [1].",
        "Ja. The vaccine was approved in 2020 for adults [1].",
    ] {
        let answer = answered(text, &request);
        assert_eq!((answer.answer.as_str(), answer.method), (approved, Some(Method::Llm)), "{text}");
    }
    assert_eq!(answered("Yes [1].", &request).method, Some(Method::Extractive));
}

#[test]
fn a_statement_with_a_word_of_lack_is_no_gap() {
    let body = r#"{"objective":"What does the drug do?","sheet":{"status":"completed","entries":[
        {"content":"The drug reduced strokes by 18 percent without raising the rate of bleeding.","citations":["u1"]}],
        "citations":[{"id":"u1","url":"https://a.example.org/p"}]}}"#;
    let request = parse_answer(body).unwrap();
    let turned = "The drug increased strokes by 18 percent without reducing the rate of bleeding [1].";
    assert_eq!(answered(turned, &request).method, Some(Method::Extractive));
    let gap = answered("The sheet doesn't say what the drug costs.", &request);
    assert_eq!(
        (gap.answer.as_str(), gap.method),
        ("The sheet doesn't say what the drug costs.", Some(Method::Llm))
    );
}
