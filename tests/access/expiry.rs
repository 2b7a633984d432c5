//! What a token opened ends with it: not later, and not earlier.

use serde_json::{Value, json};

use super::harness::{Client, Incoming, SseClient, TestApp, assert_problem, eventually, within};
use super::scene::{
    ALL, Holder, claims, events, in_seconds, published, signed, token, whole_second_in, with,
};
use super::sockets::Socket;

/// Long enough for a busy machine to open what is to be opened.
const LIVES: f64 = 4.0;

/// A session that goes on, and whoever's token ends soon; when that is.
async fn scene(session: &str) -> (TestApp, Holder, Holder, f64) {
    let app = signed().start().await;
    let lasting = Holder::of_all(app.client());
    lasting.start(session).await;
    let (short, end) = short_lived(app.client());
    (app, lasting, short, end)
}

fn short_lived(client: Client) -> (Holder, f64) {
    let end = whole_second_in(LIVES);
    (Holder::new(client, token(&with(claims(&ALL), &json!({"exp": end})))), end)
}

#[track_caller]
fn assert_ended(document: &Value, end: f64) {
    assert_eq!((document["code"].as_str(), &document["status"]), (Some("token_expired"), &json!(401)));
    let late = in_seconds(0.0) - end;
    assert!(late >= -0.002, "it ended {} s before the token", -late);
    assert!(late < 10.0, "it ended {late} s after the token");
}

#[tokio::test]
async fn event_stream_ends_with_its_token() {
    let (_app, lasting, short, end) = scene("s").await;
    let path = events("s");
    let mut stream = short.get(&path).sse().await;
    let (open, mut coverage) = stream.open().await;
    let tail = open["tail"].as_u64().unwrap();
    stream.cover(&mut coverage, tail).await;
    lasting.say("s", "partial", "while it holds").await.expect(200);
    stream.cover(&mut coverage, tail + 1).await;
    let events = stream.until("error").await;
    assert_ended(&events.last().unwrap().json(), end);
    assert!(stream.next().await.is_none());
    let again = short.get(path).header("accept", "text/event-stream");
    let again = again.header("last-event-id", stream.last_id.unwrap()).send().await;
    assert_problem(&again, 401, "token_expired");
}

#[tokio::test]
async fn stream_for_a_step_that_never_comes_ends_with_its_token_too() {
    let (_app, _lasting, short, end) = scene("s").await;
    let mut stream = short.get(events("lacking")).sse().await;
    assert_eq!(stream.open().await.0["reason"], "unknown");
    let events = stream.until("error").await;
    assert_ended(&events.last().unwrap().json(), end);
}

#[tokio::test]
async fn lines_and_web_sockets_end_with_their_token() {
    let (app, _lasting, short, end) = scene("s").await;
    let authorization = format!("Bearer {}", short.token);
    let opened = Socket::open(&app, &events("s"), &[("authorization", &authorization)]).await;
    let mut socket = opened.unwrap_or_else(|status| panic!("{status}"));
    let lines = short.get(events("s")).header("accept", "application/x-ndjson").open().await.unwrap();
    let whole = within("the end of the lines", lines.whole()).await.unwrap();
    let last: Value = serde_json::from_str(whole.text().lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "error");
    assert_ended(&last["data"], end);
    let mut told = Value::Null;
    let code = loop {
        match socket.next().await {
            Ok(message) => told = message,
            Err(code) => break code,
        }
    };
    assert_eq!((code, &told["event"]), (1008, &json!("error")));
    assert_eq!(told["data"]["code"], "token_expired");
    let again = Socket::open(&app, &events("s"), &[("authorization", &authorization)]).await;
    assert_eq!(again.err(), Some(401));
}

#[tokio::test]
async fn stream_that_a_cookie_opened_ends_with_the_token_behind_it() {
    let (app, _lasting, short, end) = scene("s").await;
    let path = format!("{}?ticket={}", events("s"), short.ticket("s").await);
    let mut stream = app.get(&path).sse().await;
    let events = stream.until("error").await;
    assert_ended(&events.last().unwrap().json(), end);
}

/// A reader that is far behind and takes its time gets what was on its way, and no more.
#[tokio::test]
async fn slow_reader_is_not_served_beyond_its_token() {
    let app = signed().start().await;
    let lasting = Holder::of_all(app.client());
    lasting.start("s").await;
    const LARGE: usize = 60_000;
    let events_of_one: Vec<Value> = (0..10)
        .map(|n| json!({"status": "partial", "payload": format!("{n}{}", "x".repeat(LARGE))}))
        .collect();
    for _ in 0..8 {
        lasting.post(published("s"), &json!(events_of_one)).await.expect(200);
    }
    let (short, _) = short_lived(app.client());
    let request = short.get(format!("{}?coalesce=never", events("s"))).receive_buffer(4_096);
    let opened: Incoming = request.header("accept", "text/event-stream").open().await.unwrap();
    assert_eq!(opened.status, 200);
    eventually("the end of the token", || async {
        (short.get(events("lacking")).send().await.status == 401).then_some(())
    })
    .await;
    let mut stream = SseClient::new(opened);
    let all = stream.rest().await;
    assert_eq!(all.last().unwrap().name, "error");
    assert_eq!(all.last().unwrap().json()["code"], "token_expired");
    let read: usize = all.iter().map(|event| event.text.len()).sum();
    assert!(read < 40 * LARGE, "{read} of {} bytes after the end", 80 * LARGE);
}

#[tokio::test]
async fn long_upload_ends_with_its_token_and_tells_what_was_stored() {
    for media in ["application/x-ndjson", "text/event-stream"] {
        let (_app, lasting, short, end) = scene("s").await;
        let mut upload = short.request("POST", published("s")).upload(media).await;
        for n in 1..=3_u64 {
            let event = json!({"status": "partial", "revision": n});
            let text = if media == "text/event-stream" {
                format!("data: {event}\n\n")
            } else {
                format!("{event}\n")
            };
            upload.send(&text).await;
            eventually("the event to be stored", || async {
                let page = lasting.get(events("s")).send().await.expect(200);
                (page["tail"].as_u64().unwrap() >= 2 + n).then_some(())
            })
            .await;
        }
        let answer = upload.answer().await;
        let problem = assert_problem(&answer, 401, "token_expired");
        assert_ended(&problem, end);
        let verdicts = problem["results"].as_array().unwrap().iter().map(|item| &item["verdict"]);
        assert_eq!(verdicts.collect::<Vec<_>>(), ["accepted"; 3], "{problem}");
        assert_eq!(problem["accepted"], 3);
        assert!(problem["cursor"].is_string());
        assert!(answer.header("www-authenticate").is_some());
        // Another token goes on where this one ended.
        let event = json!({"status": "success", "revision": 4});
        lasting.post(published("s"), &event).await.expect(200);
    }
}
