//! Requests a second, by token and by address.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;

use super::harness::{Answer, Incoming, TestApp, assert_problem, eventually, within};
use super::scene::{ALL, Holder, claims, events, published, signed, token, with};
use serde_json::json;

/// What an answer says of the rate with this name: how many a second, and how many are left.
#[track_caller]
fn told(answer: &Answer, name: &str) -> (u64, u64) {
    let find = |header: &str, key: &str| {
        let lines = answer.headers.get_all(header).into_iter().map(|line| line.to_str().unwrap());
        let line = lines.into_iter().find(|line| line.starts_with(&format!("\"{name}\";")));
        let line = line.unwrap_or_else(|| panic!("no {header} of {name}: {:?}", answer.headers));
        let value = line.split(';').find_map(|part| part.strip_prefix(key)).unwrap();
        value.parse().unwrap()
    };
    (find("ratelimit-policy", "q="), find("ratelimit", "r="))
}

#[track_caller]
fn assert_too_many(answer: &Answer, name: &str) {
    assert_problem(answer, 429, "rate_limited");
    assert_eq!(told(answer, name).1, 0);
}

fn of_subject(app: &TestApp, subject: &str) -> Holder {
    Holder::new(app.client(), token(&with(claims(&ALL), &json!({"sub": subject}))))
}

async fn used_up(holder: &Holder) -> Answer {
    eventually("the rate to be used up", || async {
        let answer = holder.get("/planner/sessions").send().await;
        (answer.status == 429).then_some(answer)
    })
    .await
}

#[tokio::test]
async fn each_token_has_a_rate_of_its_own() {
    let app = signed().env("LIMITS__TOKEN_REQUESTS_PER_SECOND", 5).start().await;
    let (one, two) = (of_subject(&app, "one"), of_subject(&app, "two"));
    let first = one.get("/planner/sessions").send().await;
    assert_eq!((first.status, told(&first, "token")), (200, (5, 4)));
    assert_too_many(&used_up(&one).await, "token");
    let other = two.get("/planner/sessions").send().await;
    assert_eq!((other.status, told(&other, "token")), (200, (5, 4)), "somebody else's haste is not felt");
    // Another token of the same subject has no rate of its own: each is new here, and asks once. One of another tenant has.
    let number = AtomicUsize::new(0);
    eventually("another token of the subject to be refused", || async {
        used_up(&one).await;
        let jti = number.fetch_add(1, Ordering::Relaxed).to_string();
        let another = token(&with(claims(&["plan"]), &json!({"sub": "one", "jti": jti})));
        let answer = Holder::new(app.client(), another).get("/planner/sessions").send().await;
        (answer.status == 429).then_some(())
    })
    .await;
    let elsewhere = token(&with(claims(&ALL), &json!({"sub": "one", "tenant": "other"})));
    let elsewhere = Holder::new(app.client(), elsewhere).get("/planner/sessions").send().await;
    assert_eq!(elsewhere.status, 200);
    // What comes in past the usual way without rates is counted with them.
    let publisher = of_subject(&app, "publisher");
    let refused = eventually("an event too many", || async {
        let answer = publisher.post(published("s"), &json!({"status": "partial"})).await;
        (answer.status == 429).then_some(answer)
    });
    assert_too_many(&refused.await, "token");
}

#[tokio::test]
async fn rate_is_told_in_every_answer_of_who_has_one() {
    let setup = signed().env("LIMITS__TOKEN_REQUESTS_PER_SECOND", 100);
    let app = setup.env("LIMITS__REQUESTS_PER_SECOND", 1_000).start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    for (request, status) in [
        (holder.get(events("s")), 200),
        (holder.get("/planner/sessions/lacking"), 404),
        (holder.get("/metrics"), 200),
        (holder.request("POST", "/tickets").json(&json!({})), 422),
        (holder.request("POST", published("s")).json(&json!({"status": "partial"})), 200),
    ] {
        let answer = request.clone().send().await;
        assert_eq!(answer.status, status, "{request:?}: {}", answer.text());
        assert_eq!((told(&answer, "token").0, told(&answer, "address").0), (100, 1_000), "{request:?}");
    }
    // Who isn't known has an address all the same.
    for request in [app.get(events("s")), app.get("/nowhere"), app.get("/openapi.json")] {
        let answer = request.send().await;
        assert_eq!(told(&answer, "address").0, 1_000);
        assert_eq!(answer.headers.get_all("ratelimit").iter().count(), 1);
    }
}

#[tokio::test]
async fn wrong_tokens_use_up_the_rate_of_their_address_only() {
    let setup = signed().env("LIMITS__REQUESTS_PER_SECOND", 3).env("LIMITS__TOKEN_REQUESTS_PER_SECOND", 50);
    let app = setup.start().await;
    let refused = eventually("a guess too many", || async {
        let answer = Holder::new(app.client(), "a.b.c").get(events("s")).send().await;
        (answer.status == 429).then_some(answer)
    });
    assert_too_many(&refused.await, "address");
    for path in ["/healthz", "/readyz"].repeat(6) {
        let answer = app.get(path).send().await;
        assert_eq!((answer.status, answer.header("ratelimit")), (200, None), "health isn't counted");
    }
    // The same service, from another address of this machine.
    let from_elsewhere = async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, 2], 0))).unwrap();
        let mut stream = socket.connect(app.client().address).await.unwrap();
        let token = Holder::of_all(app.client()).token;
        let head = format!(
            "GET /planner/sessions HTTP/1.1\r\nhost: t\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        Incoming::read_head(stream).await.unwrap().whole().await.unwrap()
    };
    let answer = within("an answer", from_elsewhere).await;
    assert_eq!((answer.status, told(&answer, "address")), (200, (3, 2)));
}

#[tokio::test]
async fn without_rates_nothing_is_said_of_them() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    for _ in 0..50 {
        let answer = holder.get("/planner/sessions").send().await;
        assert_eq!(
            (answer.status, answer.header("ratelimit"), answer.header("ratelimit-policy")),
            (200, None, None)
        );
    }
}
