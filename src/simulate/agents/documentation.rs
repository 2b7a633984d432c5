//! A documentation agent, as retrieval chains answer: `{response, sources: [{link, name, excerpt, score}], …}`.

use serde_json::{Value, json};

use super::{Question, Share};

const STATEMENTS: [&str; 6] = [
    "Quotes become orders in two steps, each of which can be undone for 14 days.",
    "Conversion rose from 21% to 34% after the approval step was dropped.",
    "The export runs every night at 02:00 UTC and keeps 90 days.",
    "Only members of the billing group may change the currency of an account.",
    "Requests above 100 a minute are answered with 429 and a Retry-After header.",
    "Webhooks are signed with HMAC-SHA256 and sent up to five times.",
];

const DOCUMENTS: [(&str, &str); 5] = [
    ("https://docs.example.com/quotes/conversion", "Converting quotes"),
    ("https://docs.example.com/api/limits", "Rate limits"),
    ("https://wiki.example.com/display/BILL/Currencies", "Currencies of accounts"),
    ("https://docs.example.com/webhooks/signing", "Signed webhooks"),
    ("https://status.example.com/exports", "Nightly exports"),
];

/// What there is so far; sources come with the end.
pub(super) fn output(question: &Question, so_far: Share) -> Value {
    let response = so_far.of_words(&text(question));
    if !so_far.is_whole() {
        return json!({"response": response, "sources": []});
    }
    let mut rng = question.rng(3);
    let sources: Vec<Value> = documents(question)
        .into_iter()
        .map(|(link, name)| {
            let score = f64::from(rng.u32(600..990)) / 1_000.0;
            json!({"link": link, "name": name, "excerpt": *pick(&mut rng, &STATEMENTS), "score": score})
        })
        .collect();
    json!({"response": response, "retrieval_count": sources.len(), "sources": sources})
}

/// The answer, with marks of its sources.
pub(super) fn text(question: &Question) -> String {
    let mut rng = question.rng(1);
    let mut statements = STATEMENTS;
    rng.shuffle(&mut statements);
    let [first, second, third, ..] = statements;
    format!("On “{}”: {first} [1] {second} [2] {third} [1]", question.query)
}

/// The sources: URL and title.
pub(super) fn documents(question: &Question) -> Vec<(String, String)> {
    let mut rng = question.rng(2);
    let mut documents = DOCUMENTS;
    rng.shuffle(&mut documents);
    documents.iter().take(2).map(|(url, title)| ((*url).to_owned(), (*title).to_owned())).collect()
}

fn pick<'a, T>(rng: &mut fastrand::Rng, list: &'a [T; 6]) -> &'a T {
    &list[rng.usize(..list.len())]
}
