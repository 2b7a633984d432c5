//! Which bare answers contradict each other, and which only look so.

use super::super::{Asked, Compared, Kind, Said, differing};
use super::CHECKS_MAX;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::{self, Statement, statements};

const ALLOWED: &str = "Does the licence allow exports?";
const LONG: &str = "How long is the notice period?";
const COSTS: &str = "How much does the plan cost?";
const WHEN: &str = "When was the contract signed?";

/// Its kind, both statements, and what is told of them.
type Told = (Kind, [Said; 2], String);

/// What is found between the answers of as many subagents, each with its task.
fn compared(query: &str, answers: &[(&str, &str)]) -> (Vec<Told>, usize, usize) {
    let (mut said, mut results): (Vec<Statement<'static>>, Vec<_>) = Default::default();
    for (at, (answer, task)) in answers.iter().enumerate() {
        let leak = |text: String| -> &'static str { text.leak() };
        let subagent = leak(format!("a{at}"));
        let mut of =
            statements(claims::Said { subagent, ..claims::Said::uncited(leak((*answer).to_owned())) });
        of.iter_mut().for_each(|statement| statement.around.task = leak((*task).to_owned()));
        results.push(said.len()..said.len() + of.len());
        said.extend(of);
    }
    let mut reader = Reader::default();
    let features: Vec<_> = said.iter().map(|statement| reader.read(statement.text)).collect();
    let Compared { found, pairs_checked, unchecked } =
        differing(&said, &features, (0..said.len()).collect(), &Asked { query, results });
    let found = found.into_iter().map(|found| {
        let found = found.described(&said);
        (found.kind, found.statements, found.description)
    });
    (found.collect(), pairs_checked, unchecked)
}

fn kinds(query: &str, one: &str, other: &str) -> Vec<Kind> {
    let there = compared(query, &[(one, ""), (other, "")]);
    let back = compared(query, &[(other, ""), (one, "")]);
    let plain = |found: &Told| (found.0, found.1.clone().map(|said| said.text));
    assert_eq!(
        there.0.iter().map(plain).collect::<Vec<_>>(),
        back.0.iter().map(plain).collect::<Vec<_>>(),
        "{one} / {other}"
    );
    there.0.into_iter().map(|(kind, ..)| kind).collect()
}

#[test]
fn bare_answers_to_one_question_contradict() {
    for (query, one, other, kind) in [
        (ALLOWED, "Yes.", "No.", Kind::Polarity),
        ("What is the capital of Australia?", "Canberra", "It is Sydney.", Kind::Answer),
        (ALLOWED, "Yes", "**No**", Kind::Polarity),
        (ALLOWED, "Yes, it does.", "No, it doesn't.", Kind::Polarity),
        (ALLOWED, "**Answer:** Yes.", "Answer: No", Kind::Polarity),
        (ALLOWED, "Yes. The licence covers exports.", "No.", Kind::Polarity),
        (
            ALLOWED,
            "The licence covers the EU.\n\nFinal answer: Yes",
            "It has limits.\n\n**Answer: No**",
            Kind::Polarity,
        ),
        (
            LONG,
            "The contract says 5 days.\n\n**Answer: 5 days**",
            "Sunday counts, too.\n\nFinal answer: 7 days",
            Kind::Number,
        ),
        (LONG, "We count 3 steps in all.\n\n**Final answer: 5 days**", "7 days", Kind::Number),
        ("Erlaubt die Lizenz den Export?", "Ja.", "Nein.", Kind::Polarity),
        ("许可证允许出口吗？", "是", "否", Kind::Polarity),
        ("许可证允许出口吗？", "是的。", "不是。", Kind::Polarity),
        (ALLOWED, "It is allowed.", "It is not allowed.", Kind::Negation),
        (ALLOWED, "It is allowed.", "It isn't allowed.", Kind::Negation),
        (LONG, "5 days", "7 days", Kind::Number),
        (LONG, "5 days", "two weeks.", Kind::Number),
        (LONG, "5 days", "5 months", Kind::Number),
        (LONG, "It is 5 days.", "7 days", Kind::Number),
        (LONG, "5-7 days", "10 days", Kind::Number),
        (LONG, "5 days. The contract says so.", "7 days.", Kind::Number),
        (COSTS, "$5", "$7", Kind::Number),
        (COSTS, "$5 million", "$5 billion", Kind::Number),
        ("How many users does it support?", "5 users", "7", Kind::Number),
        (WHEN, "2021-03-01", "2022-03-01", Kind::Date),
        (WHEN, "March 1, 2021", "2022-03-01", Kind::Date),
        (WHEN, "In 2021.", "In 2022.", Kind::Date),
        (WHEN, "March 2021\n\nThe contract says so.", "April 2021", Kind::Date),
    ] {
        assert_eq!(kinds(query, one, other), [kind], "{query} {one} / {other}");
    }
}

const CAPITAL: &str = "What is the capital of the country?";

#[test]
fn other_words_called_the_answer_contradict() {
    for (query, one, other) in [
        (CAPITAL, "Answer: Paris", "Answer: London"),
        (CAPITAL, "**Answer:** Paris", "Final answer: London."),
        (CAPITAL, "The answer is Paris.", "**Answer: London, England**"),
        (CAPITAL, "Paris", "London."),
        (
            CAPITAL,
            "It has been so since 1789.\n\n**Answer:** Paris",
            "The parliament sits there.\n\nFinal answer: London",
        ),
        ("Who wrote the play?", "Answer: Shakespeare", "The answer is Christopher Marlowe."),
        ("Which option is right?", "Answer: Option A", "Answer: B"),
        ("What colour is the flag?", "Answer: red", "Answer: dark blue"),
        ("哪个城市是首都？", "答案：北京", "答案：上海"),
    ] {
        assert_eq!(kinds(query, one, other), [Kind::Answer], "{query} {one} / {other}");
    }
    let told = &compared(CAPITAL, &[("Answer: Paris", ""), ("Answer: London", "")]).0[0].2;
    assert_eq!(told, "Two statements answer the question differently: “London” and “Paris”.");
}

#[test]
fn other_words_that_may_mean_the_same_do_not_contradict() {
    for (query, one, other) in [
        (CAPITAL, "Answer: Paris", "Answer: Paris, France"),
        (CAPITAL, "Answer: Paris", "Answer: the city of Paris"),
        (CAPITAL, "Answer: PARIS", "Answer: paris"),
        (CAPITAL, "Answer: Kyiv", "Answer: Kiev"),
        (CAPITAL, "Answer: Paris", "Answer: unknown"),
        (CAPITAL, "Answer: Paris", "Answer: a large city"),
        (CAPITAL, "Answer: Paris", "Answer: not London"),
        (CAPITAL, "Answer: Paris", "Answer: probably London"),
        (CAPITAL, "Answer: Paris", "Answer: Paris or London"),
        ("Which country is it?", "Answer: UK", "Answer: the United Kingdom"),
        ("Which option is right?", "Answer: Option A", "Answer: A"),
        ("Which option is right?", "Answer: A", "Answer: Paris"),
        ("How many are there in which state?", "Answer: five", "Answer: 5"),
        // Of these there may be several, or the question isn't one.
        ("Which cities are large?", "Answer: Paris", "Answer: London"),
        ("Name a city.", "Answer: Paris", "Answer: London"),
        ("What is the reason for the delay?", "Answer: Rain", "Answer: Staff shortage"),
        ("Where is it?", "Answer: Paris", "Answer: France"),
        ("What is the capital? Who rules it?", "Answer: Paris", "Answer: London"),
        // A report says more than that.
        (CAPITAL, "Paris\n\nThe Seine runs through the city.", "London\n\nThe Thames runs through it."),
    ] {
        assert_eq!(kinds(query, one, other), [], "{query} {one} / {other}");
    }
}

#[test]
fn answers_that_may_both_be_right_do_not() {
    for (query, one, other) in [
        (ALLOWED, "Yes.", "Yes, it does."),
        (ALLOWED, "Yes.", "Yes. It is not for resale, though."),
        (ALLOWED, "Yes, if you register.", "No."),
        (ALLOWED, "Yes, for customers.", "No, not for others."),
        (ALLOWED, "Yes, in Berlin.", "No."),
        (ALLOWED, "Yes and no.", "No."),
        (ALLOWED, "Yes, probably.", "No."),
        (ALLOWED, "No. 5", "Yes."),
        (ALLOWED, "Yes, I can help with that.", "No."),
        (COSTS, "March 2021\n\nThe plan costs five dollars.", "April 2021\n\nThe plan costs $5."),
        (ALLOWED, "It is allowed.", "It was not allowed."),
        (ALLOWED, "It is allowed.", "It is not required."),
        (LONG, "5 days", "five days"),
        (LONG, "5 days", "120 hours"),
        (LONG, "about 5 days", "5 days"),
        (LONG, "about 5 days", "6 days"),
        (LONG, "at least 5 days", "7 days"),
        (LONG, "5-7 days", "6 days"),
        (LONG, "5 business days", "7 calendar days"),
        (LONG, "5 days", "30%"),
        (LONG, "Probably 5 days.", "7 days"),
        (LONG, "5 days. Only for staff.", "7 days"),
        (COSTS, "$5", "5 USD"),
        (COSTS, "$5", "$5.20"),
        (COSTS, "$5 per month", "$60 per year"),
        (WHEN, "2021", "March 2021"),
        (WHEN, "2021-03-01", "March 2021"),
        (WHEN, "before 2021", "2022"),
        (WHEN, "Berlin 2021", "Berlin 2022"),
        ("Who is it?", "Paris", "Rome"),
    ] {
        assert_eq!(kinds(query, one, other), [], "{query} {one} / {other}");
    }
}

#[test]
fn a_question_that_has_several_answers_contradicts_none() {
    for (query, one, other) in [
        ("", "Yes.", "No."),
        ("Is the plan free and does it include exports?", "Yes.", "No."),
        ("Is the plan free? Does it include exports?", "Yes.", "No."),
        ("Is the plan free or paid?", "Yes.", "No."),
        ("Is the plan not free?", "Yes.", "No."),
        ("What are the notice periods?", "5 days", "7 days"),
        ("Which years had a deficit?", "2021", "2022"),
        ("What are some examples of long terms?", "5 days", "7 days"),
        ("How long is each period?", "5 days", "7 days"),
        ("List a year with a deficit.", "2021", "2022"),
        ("Give examples of long terms.", "5 days", "7 days"),
        ("Describe the market.", "$5 billion\n\nThe market is large.", "$7 billion\n\nThe market is small."),
        ("哪些年份有赤字？", "2021年", "2022年"),
    ] {
        assert_eq!(kinds(query, one, other), [], "{query} {one} / {other}");
    }
    assert_eq!(kinds("Is the plan free, yes or no?", "Yes.", "No."), [Kind::Polarity]);
}

#[test]
fn only_the_only_answer_of_a_result_counts() {
    assert_eq!(kinds(LONG, "- 5 days\n- 7 days", "7 days"), []);
    assert_eq!(kinds(LONG, "## Staff\n\n5 days\n\n## Others\n\n7 days", "9 days"), []);
    assert_eq!(kinds(LONG, "5 days\n\nThe contract says so in a table.", "7 days"), [Kind::Number]);
    assert_eq!(kinds(LONG, "## Answer\n\n5 days", "7 days"), [Kind::Number]);
    let by_task = |tasks: [&str; 2]| compared(LONG, &[("5 days", tasks[0]), ("7 days", tasks[1])]).0.len();
    assert_eq!(by_task(["The period in Berlin", "The period in Rome"]), 0);
    assert_eq!(by_task(["The period in Berlin", "The period in Berlin"]), 1);
}

#[test]
fn what_others_find_is_listed_once_and_all_is_bounded() {
    let both = [("Yes, the licence covers it.", ""), ("No, the licence does not cover it.", "")];
    let (found, ..) = compared(ALLOWED, &both);
    assert_eq!(found.len(), 1, "{found:?}");
    let (found, pairs, _) = compared(ALLOWED, &[("Yes.", ""), ("No.", ""), ("Yes.", "")]);
    assert_eq!((found.len(), pairs), (1, 1));
    assert_eq!(found[0].2, "Two statements about the same subject say the opposite: “No” and “Yes”.");
    let many: Vec<String> = (2..402).map(|days| format!("{days} days")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|answer| (answer.as_str(), "")).collect();
    let (_, pairs, unchecked) = compared(LONG, &many);
    assert!(pairs <= CHECKS_MAX * many.len() && unchecked > 0, "{pairs} {unchecked}");
}
