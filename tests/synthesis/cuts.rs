//! An answer that breaks off: at many places of its bytes, in both protocols.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use futures::stream;
use serde_json::json;

use crate::drafts::faithful;
use crate::model_server::{ModelServer, Says, wire};
use crate::scene::{
    BOTH, assert_extracted, assert_written, body, bring_all, ended, of_type, patient, plan, result,
};

/// Places of an answer of `length` bytes, evenly.
const PLACES: usize = 60;
/// Syntheses at once.
const AT_ONCE: usize = 8;

/// Cuts of an answer: evenly, and around its end.
fn cuts(length: usize, whole_from: usize) -> Vec<usize> {
    let around = (whole_from.saturating_sub(4)..=(whole_from + 2).min(length)).chain([length]);
    let mut cuts: Vec<usize> = (0..PLACES).map(|place| place * length / PLACES).chain(around).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The cut that a question is about: it stands in it.
fn cut_of(question: &str) -> usize {
    question.rsplit("cut at ").next().and_then(|rest| rest.split('"').next()).unwrap().parse().unwrap()
}

/// How an answer breaks off: with its connection, or as if it were whole.
type Breaks = fn(String, usize) -> Says;
const WAYS: [Breaks; 2] = [Says::Cut, Says::Short];
/// Whether the last event needs its empty line then: the end of a body ends it, too.
const NEEDS_EMPTY_LINE: [bool; 2] = [true, false];

/// Breaks off where the question says, once; returns how often each was asked.
async fn breaking(breaks: Breaks) -> (ModelServer, Arc<Mutex<BTreeMap<usize, usize>>>) {
    let seen: Arc<Mutex<BTreeMap<usize, usize>>> = Arc::default();
    let attempts = seen.clone();
    let server = ModelServer::saying(move |asked| {
        let line = asked.user().lines().find(|line| line.contains("cut at ")).unwrap();
        let at = cut_of(line);
        let mut attempts = attempts.lock().unwrap();
        let made = attempts.entry(at).or_default();
        *made += 1;
        if *made == 1 { breaks(faithful(asked), at) } else { Says::Text(faithful(asked)) }
    })
    .await;
    (server, seen)
}

#[tokio::test]
async fn an_answer_that_breaks_off_anywhere_is_asked_for_again() {
    let ways = WAYS.into_iter().zip(NEEDS_EMPTY_LINE);
    let all = BOTH.into_iter().flat_map(|protocol| ways.clone().map(move |way| (protocol, way)));
    for (protocol, (breaks, needs_empty_line)) in all {
        let (server, seen) = breaking(breaks).await;
        let app = patient(&server, protocol).start().await;
        let (length, whole_from) = measured(&app, &server, protocol, needs_empty_line).await;
        seen.lock().unwrap().clear();
        let one = async |at: usize| {
            let mut body = body(&json!({"mode": "llm"}));
            body["query"] = json!(format!("What is known? cut at {at}"));
            let result = app.post("/syntheses").json(&body).send().await.expect(200);
            assert_written(&result);
            at
        };
        let cuts = cuts(length, whole_from);
        let done: Vec<usize> = stream::iter(cuts.clone()).map(one).buffer_unordered(AT_ONCE).collect().await;
        assert_eq!(done.len(), cuts.len());
        for (at, made) in seen.lock().unwrap().iter() {
            let wanted = if *at >= whole_from { 1 } else { 2 };
            assert_eq!(*made, wanted, "{protocol:?} cut at {at} of {length}, whole from {whole_from}");
        }
    }
}

/// The bytes of the answer to the question, and from which on it is whole.
async fn measured(
    app: &crate::harness::TestApp,
    server: &ModelServer,
    protocol: wire::Protocol,
    needs_empty_line: bool,
) -> (usize, usize) {
    let mut body = body(&json!({"mode": "llm"}));
    body["query"] = json!("What is known? cut at 999999");
    app.post("/syntheses").json(&body).send().await.expect(200);
    let (answer, whole_from) = wire::whole(protocol, &faithful(&server.asked()[0]), protocol.whole());
    let data_end = answer[..whole_from].trim_end_matches(['\r', '\n']).len();
    (answer.len(), if needs_empty_line { whole_from } else { data_end })
}

#[tokio::test]
async fn an_answer_that_always_breaks_off_gives_way_to_the_extractive_one() {
    for (protocol, breaks) in BOTH.into_iter().zip(WAYS) {
        let server =
            ModelServer::saying(move |asked| breaks(faithful(asked), 300 + 400 * asked.number)).await;
        let app = patient(&server, protocol).start().await;
        let planner = plan(app.client(), "s", json!({})).await;
        bring_all(&planner, "p").await;
        let events = ended(&planner, "p").await;
        let told = of_type(&events, "synthesis");
        assert_eq!((told.len(), &told[0]["content"]["method"]), (1, &json!("extractive")));
        let reason = assert_extracted(&result(&planner, "p").await);
        assert!(reason.contains("truncated (3 times)"), "{reason}");
        assert_eq!(server.calls().len(), 3);
    }
}
