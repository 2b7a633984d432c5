//! The monolith's answers, and what came of them: of a log in an archive, and of one in memory.

use tributary::domain::aggregate::request::parse_legacy_response;
use tributary::domain::aggregate::{Place, Question, Request, Style, aggregate, options::Options};
use tributary::domain::event::Digest;
use tributary::domain::ids::{SessionKey, TenantId};
use tributary::domain::session::IdempotencyKey;
use tributary::domain::shadow::{Comparison, Kind, Verdict, compare};
use tributary::domain::time::Timestamp;
use tributary::engine::ports::shadow_log::{
    KEYS_MAX, LoggedDiscrepancy, Noted, NotedResponse, ShadowLog, Summary, Waiting, Wanted,
};

use crate::fixtures::{id, session_key};

const ANSWER: &str = "The tower is 5 metres high.";

/// An answer that says `said`.
pub fn response(session: &str, step: &str, said: &str) -> NotedResponse {
    let body = serde_json::json!({ "answer": said, "latency_ms": 100 }).to_string();
    NotedResponse { key: session_key(session), step: id(step), body: body.into(), at: Timestamp(1_000) }
}

/// What comes of comparing it with a result that says nothing; `ours_ms` is our latency.
pub fn compared(of: &Waiting, ours_ms: u64) -> Comparison {
    let nothing = Request {
        question: Question::default(),
        tasks: Vec::new(),
        options: Options::default(),
        place: Place::nowhere(),
        style: Style::Findings,
    };
    compare(&aggregate(nothing), Some(ours_ms), &parse_legacy_response(&of.response.body).unwrap())
}

fn once(key: &str, fingerprint: u128) -> IdempotencyKey {
    IdempotencyKey { key: key.into(), fingerprint: Digest(fingerprint) }
}

/// Notes an answer, which then waits.
pub async fn note(log: &impl ShadowLog, response: &NotedResponse) -> Waiting {
    match log.note(response, None).await.unwrap() {
        Noted::Waiting(waiting) => waiting,
        other @ (Noted::Compared(_) | Noted::Replaced | Noted::Conflict) => panic!("{other:?}"),
    }
}

/// Notes an answer and settles it.
pub async fn note_compared(
    log: &impl ShadowLog,
    response: &NotedResponse,
    ours_ms: u64,
    at: i64,
) -> Comparison {
    let waiting = note(log, response).await;
    let comparison = compared(&waiting, ours_ms);
    assert!(log.settle(&waiting, &comparison, Timestamp(at)).await.unwrap());
    comparison
}

async fn page(log: &impl ShadowLog, wanted: &Wanted) -> Vec<LoggedDiscrepancy> {
    log.discrepancies(&TenantId::default_tenant(), wanted).await.unwrap()
}

/// What the monolith says in all discrepancies, newest first.
pub async fn all(log: &impl ShadowLog) -> Vec<String> {
    let said = |one: LoggedDiscrepancy| format!("{} {}", one.key.session, one.discrepancy.legacy.unwrap());
    page(log, &Wanted { limit: 1_000, ..Wanted::default() }).await.into_iter().map(said).collect()
}

async fn summary(log: &impl ShadowLog, wanted: Wanted) -> Summary {
    log.summary(&TenantId::default_tenant(), &wanted).await.unwrap()
}

pub async fn an_answer_waits_until_it_is_compared(log: &impl ShadowLog) {
    assert_eq!(log.waiting(0, 10).await.unwrap(), []);
    let odd = "wrong: “…”\n'; -- \u{0}";
    let first = note(log, &response("s", "p", odd)).await;
    let second = note(log, &response("s", "q", ANSWER)).await;
    assert_eq!(first.response, response("s", "p", odd));
    assert!(second.id > first.id);
    assert_eq!(log.waiting(0, 10).await.unwrap(), [first.clone(), second.clone()]);
    assert_eq!(log.waiting(0, 1).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(log.waiting(first.id, 10).await.unwrap(), std::slice::from_ref(&second));
    let nothing = Wanted { limit: 10, ..Wanted::default() };
    assert_eq!((page(log, &nothing).await, summary(log, nothing).await), (vec![], Summary::default()));
    let comparison = compared(&second, 7);
    assert!(log.settle(&second, &comparison, Timestamp(5)).await.unwrap());
    assert!(!log.settle(&second, &comparison, Timestamp(6)).await.unwrap(), "once");
    assert_eq!(log.waiting(0, 10).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(all(log).await, [format!("s {ANSWER}")]);
    log.give_up(&second).await.unwrap();
    log.give_up(&first).await.unwrap();
    assert_eq!(log.waiting(0, 10).await.unwrap(), []);
    assert_eq!(all(log).await.len(), 1, "what was compared stays");
}

pub async fn a_later_answer_takes_the_place_of_an_earlier_one(log: &impl ShadowLog) {
    let early = note(log, &response("s", "p", "It is old.")).await;
    let late = note(log, &response("s", "p", "It is new.")).await;
    assert!(!log.settle(&early, &compared(&early, 1), Timestamp(1)).await.unwrap(), "it was replaced");
    log.give_up(&early).await.unwrap();
    assert_eq!(log.waiting(0, 10).await.unwrap(), std::slice::from_ref(&late));
    assert!(log.settle(&late, &compared(&late, 1), Timestamp(1)).await.unwrap());
    assert_eq!(all(log).await, ["s It is new."]);
    let latest = note(log, &response("s", "p", "It is newest.")).await;
    assert!(latest.id > late.id);
    assert_eq!(all(log).await, Vec::<String>::new(), "with everything that came of it");
}

pub async fn an_answer_under_a_key_is_stored_once(log: &impl ShadowLog) {
    let first = response("s", "p", ANSWER);
    let Noted::Waiting(waiting) = log.note(&first, Some(&once("k", u128::MAX))).await.unwrap() else {
        panic!("it waits")
    };
    let again = NotedResponse { at: Timestamp(9_000), ..first.clone() };
    let noted = log.note(&again, Some(&once("k", u128::MAX))).await.unwrap();
    assert_eq!(noted, Noted::Waiting(waiting.clone()), "as the first");
    assert_eq!(log.note(&response("s", "q", "b"), Some(&once("k", 7))).await.unwrap(), Noted::Conflict);
    let comparison = compared(&waiting, 3);
    assert!(log.settle(&waiting, &comparison, Timestamp(1)).await.unwrap());
    let noted = log.note(&again, Some(&once("k", u128::MAX))).await.unwrap();
    assert_eq!(noted, Noted::Compared(Box::new(comparison)));
    let mut elsewhere = response("s", "p", "c");
    elsewhere.key = SessionKey { tenant: "other".parse().unwrap(), ..elsewhere.key };
    for (one, key) in [(&response("s", "q", "b"), "K"), (&response("t", "p", "b"), "k"), (&elsewhere, "k")] {
        let noted = log.note(one, Some(&once(key, 7))).await.unwrap();
        assert!(matches!(noted, Noted::Waiting(_)), "another key, session or tenant: {noted:?}");
    }
    assert_eq!(all(log).await.len(), 1);
    let replaced = log.note(&response("s", "p", "d"), Some(&once("l", 1))).await.unwrap();
    assert!(matches!(replaced, Noted::Waiting(_)));
    assert_eq!(all(log).await.len(), 0, "with everything that came of it");
}

pub async fn a_late_retry_changes_nothing(log: &impl ShadowLog) {
    let (key, first) = (Some(once("k", 1)), response("s", "p", "It is old."));
    let Noted::Waiting(waiting) = log.note(&first, key.as_ref()).await.unwrap() else { panic!("it waits") };
    let comparison = compared(&waiting, 3);
    assert!(log.settle(&waiting, &comparison, Timestamp(1)).await.unwrap());
    let second = note(log, &response("s", "p", "It is new.")).await;
    let noted = log.note(&first, key.as_ref()).await.unwrap();
    assert_eq!(noted, Noted::Compared(Box::new(comparison)), "what it had come to");
    assert_eq!(log.note(&first, Some(&once("k", 2))).await.unwrap(), Noted::Conflict);
    assert_eq!(log.waiting(0, 10).await.unwrap(), std::slice::from_ref(&second));
    assert_eq!((all(log).await, summary(log, Wanted::default()).await), (vec![], Summary::default()));

    let unheard = log.note(&response("s", "p", "It is newer."), Some(&once("l", 1))).await.unwrap();
    assert!(matches!(unheard, Noted::Waiting(_)));
    let last = note(log, &response("s", "p", "It is newest.")).await;
    let noted = log.note(&response("s", "p", "It is newer."), Some(&once("l", 1))).await.unwrap();
    assert_eq!(noted, Noted::Replaced);
    assert_eq!(log.waiting(0, 10).await.unwrap(), std::slice::from_ref(&last));
}

pub async fn so_many_keys_are_known(log: &impl ShadowLog) {
    let said = |number: usize| response("s", "p", &format!("It is {number}."));
    for number in 0..=KEYS_MAX {
        let noted = log.note(&said(number), Some(&once(&format!("k{number}"), 1))).await.unwrap();
        assert!(matches!(noted, Noted::Waiting(_)), "{number}: {noted:?}");
    }
    // With the next one all of these were replaced, and they are one too many.
    note(log, &said(KEYS_MAX + 1)).await;
    let noted = log.note(&said(1), Some(&once("k1", 1))).await.unwrap();
    assert_eq!(noted, Noted::Replaced);
    let noted = log.note(&said(0), Some(&once("k0", 1))).await.unwrap();
    assert!(matches!(noted, Noted::Waiting(_)), "it is forgotten: {noted:?}");
}

pub async fn discrepancies_are_read_page_by_page_newest_first(log: &impl ShadowLog) {
    for (number, session) in [(1, "s"), (2, "t"), (3, "s")] {
        let said = format!(
            "The first of {number} is red. The second of {number} is green.\n\nhttps://a.example/{number}"
        );
        note_compared(log, &response(session, &format!("p{number}"), &said), 1, 10 * number).await;
    }
    let kinds = [Kind::Missing, Kind::Missing, Kind::CitationMissing];
    let mut pages = Vec::new();
    let mut wanted = Wanted { limit: 2, ..Wanted::default() };
    loop {
        let found = page(log, &wanted).await;
        let Some(last) = found.last() else { break };
        wanted.after = Some(last.id);
        pages.extend(found);
    }
    let found: Vec<(String, i64, Kind)> =
        pages.iter().map(|one| (one.step.to_string(), one.at.0, one.discrepancy.kind)).collect();
    let expected: Vec<(String, i64, Kind)> = [3, 2, 1]
        .iter()
        .flat_map(|number| kinds.map(|kind| (format!("p{number}"), 10 * number, kind)))
        .collect();
    assert_eq!(found, expected);
    assert!(pages.is_sorted_by(|one, next| one.id > next.id));
    let all = Wanted { limit: 100, ..Wanted::default() };
    let count = async |wanted: Wanted| page(log, &wanted).await.len();
    assert_eq!(count(Wanted { session: Some(id("s")), ..all.clone() }).await, 6);
    assert_eq!(count(Wanted { kind: Some(Kind::CitationMissing), ..all.clone() }).await, 3);
    assert_eq!(count(Wanted { kind: Some(Kind::Extra), ..all.clone() }).await, 0);
    assert_eq!(count(Wanted { verdict: Some(Verdict::Different), ..all.clone() }).await, 9);
    assert_eq!(count(Wanted { verdict: Some(Verdict::Same), ..all.clone() }).await, 0);
    let nobody = log.discrepancies(&"nobody".parse().unwrap(), &all).await.unwrap();
    assert_eq!(nobody, []);
}

pub async fn comparisons_are_summed_up(log: &impl ShadowLog) {
    for (number, said, ours_ms) in [(1, "", 40), (2, ANSWER, 10), (3, "", 30), (4, "", 20)] {
        note_compared(log, &response(&format!("s{number}"), "p", said), ours_ms, 1).await;
    }
    note(log, &response("s5", "p", ANSWER)).await;
    let found = summary(log, Wanted::default()).await;
    assert_eq!(found.verdicts, [(Verdict::Same, 3), (Verdict::Different, 1)].into());
    assert_eq!(found.by_kind, [(Kind::Missing, 1)].into());
    assert_eq!((found.agreement_average, found.ours_p50_ms), (Some(0.75), Some(20)));
    assert_eq!(found.legacy_p50_ms, Some(100));
    let same = summary(log, Wanted { verdict: Some(Verdict::Same), ..Wanted::default() }).await;
    assert_eq!((same.verdicts, same.by_kind), ([(Verdict::Same, 3)].into(), [].into()));
    assert_eq!((same.agreement_average, same.ours_p50_ms), (Some(1.0), Some(30)));
    let one =
        summary(log, Wanted { session: Some(id("s2")), kind: Some(Kind::Extra), ..Wanted::default() }).await;
    assert_eq!((one.by_kind, one.ours_p50_ms), ([(Kind::Missing, 1)].into(), Some(10)), "any kind");
}

pub async fn what_was_forgotten_is_gone(log: &impl ShadowLog) {
    note_compared(log, &response("s", "p", ANSWER), 1, 1).await;
    note_compared(log, &response("t", "p", ANSWER), 1, 1).await;
    let waiting = note(log, &response("s", "q", ANSWER)).await;
    log.forget(&session_key("s")).await.unwrap();
    assert_eq!(all(log).await, [format!("t {ANSWER}")]);
    assert_eq!(log.waiting(0, 10).await.unwrap(), []);
    assert!(!log.settle(&waiting, &compared(&waiting, 1), Timestamp(1)).await.unwrap());
    assert_eq!(summary(log, Wanted::default()).await.verdicts.values().sum::<u64>(), 1);
    log.forget(&session_key("nobody")).await.unwrap();
}

/// The most that a comparison can have goes in at once.
pub async fn many_discrepancies_are_stored_together(log: &impl ShadowLog) {
    let said: String = (0..500).map(|n| format!("Sentence w{n} is about x{n} and y{n}.\n\n")).collect();
    let sources: Vec<String> = (0..500).map(|n| format!("https://a.example/{n}")).collect();
    let body = serde_json::json!({ "answer": said, "sources": sources }).to_string();
    let comparison =
        note_compared(log, &NotedResponse { body: body.into(), ..response("s", "p", "") }, 1, 1).await;
    let found = page(log, &Wanted { limit: 2_000, ..Wanted::default() }).await;
    assert_eq!(found.len(), 1_000);
    assert!(found.iter().map(|one| &one.discrepancy).eq(comparison.discrepancies()), "in their order");
}
