//! Reading in every mode, from a store of test builds and from a scripted stream.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::response::Response;
use http_body_util::BodyExt;
use parking_lot::Mutex;
use proptest::prelude::*;
use tokio::time::Instant;

use super::answer::{StreamSettings, get, head};
use super::source::{News, StreamSource, StreamTail};
use super::test_store::stream::{Config, Log, Stream};
use crate::domain::bridges::durable_streams::{Batch, Offset, Start};
use crate::domain::position::{Chain, Position, Sequence};
use crate::edge::http::problem::Problem;

const SETTINGS: StreamSettings = StreamSettings { long_poll_ms: 20_000, connection_ms: 60_000, items: 3 };

fn stream(content_type: &str, items: &[&str]) -> Arc<Stream> {
    let mut log = Log::new();
    append(&mut log, items);
    Arc::new(Stream::new(Config { content_type: content_type.to_owned(), ..Config::default() }, log))
}

fn append(log: &mut Log, items: &[&str]) {
    let items: Vec<Bytes> = items.iter().map(|item| Bytes::copy_from_slice(item.as_bytes())).collect();
    assert!(log.append(&items));
}

async fn ask<S: StreamSource>(source: S, query: &str) -> Response {
    get(Ok(source), query, &HeaderMap::new(), SETTINGS).await
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().unwrap())
}

async fn text(body: Body) -> String {
    String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

/// The data and the offsets of the events of a text.
fn events(text: &str) -> Vec<(Option<String>, String)> {
    let (mut events, mut data) = (Vec::new(), None);
    for event in text.split_terminator("\n\n").filter(|event| *event != ":") {
        let (name, payload) = event.split_once("\ndata:").unwrap();
        if name == "event: data" {
            data = Some(payload.replace("\ndata:", "\n"));
        } else {
            let control: serde_json::Value = serde_json::from_str(payload).unwrap();
            events.push((data.take(), control["streamNextOffset"].as_str().unwrap().to_owned()));
        }
    }
    assert_eq!(data, None, "an event without a place after it");
    events
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap().block_on(future)
}

fn values(body: &str) -> Vec<u32> {
    serde_json::from_str(body).unwrap()
}

proptest! {
    #[test]
    fn pages_from_anywhere_give_what_follows(count in 0u32..12, from in 0usize..12, closed: bool) {
        run(async {
            let items: Vec<String> = (0..count).map(|n| n.to_string()).collect();
            let texts: Vec<&str> = items.iter().map(String::as_str).collect();
            let log = stream("application/json", &texts);
            log.log.lock().closed = closed;
            let from = from.min(texts.len());
            let start = log.read(Start::Beginning, from).await.unwrap();
            let mut offset = if from == 0 { "-1".to_owned() } else { start.next.to_string() };
            let mut read = Vec::new();
            loop {
                let page = ask(log.clone(), &format!("offset={offset}")).await;
                let next = header(&page, "stream-next-offset").unwrap().to_owned();
                let (up_to_date, says_closed) = (header(&page, "stream-up-to-date").is_some(), header(&page, "stream-closed").is_some());
                read.extend(values(&text(page.into_body()).await));
                assert_eq!(says_closed, up_to_date && closed);
                if up_to_date {
                    break;
                }
                assert!(next > offset);
                offset = next;
            }
            assert_eq!(read, (from as u32..count).collect::<Vec<_>>());
        });
    }

    #[test]
    fn an_event_stream_that_is_cut_anywhere_goes_on_there(count in 0u32..12, cut in 0usize..400) {
        run(async {
            let items: Vec<String> = (0..count).map(|n| n.to_string()).collect();
            let texts: Vec<&str> = items.iter().map(String::as_str).collect();
            let log = stream("application/json", &texts);
            log.log.lock().closed = true;
            let whole = text(ask(log.clone(), "offset=-1&live=sse").await.into_body()).await;
            assert!(whole.ends_with("\"upToDate\":true,\"streamClosed\":true}\n\n"));
            // A reader that is cut knows what it got whole, with a place behind it.
            let complete = |text: &str| match text.rmatch_indices("event: control").find(|(at, _)| text[*at..].contains("\n\n")) {
                Some((at, _)) => at + text[at..].find("\n\n").unwrap() + 2,
                None => 0,
            };
            let cut = &whole[..cut.min(whole.len())];
            let first = events(&cut[..complete(cut)]);
            let place = first.last().map_or("-1", |(_, offset)| offset);
            let rest = text(ask(log.clone(), &format!("offset={place}&live=sse")).await.into_body()).await;
            let data = first.iter().cloned().chain(events(&rest)).filter_map(|(data, _)| data);
            let read: Vec<u32> = data.flat_map(|data| values(&data)).collect();
            assert_eq!(read, (0..count).collect::<Vec<_>>());
        });
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_poll_waits_its_time_and_says_where_the_stream_ends() {
    let (log, began) = (stream("text/plain", &["a"]), Instant::now());
    let response = ask(log.clone(), "offset=now&live=long-poll").await;
    assert_eq!((response.status().as_u16(), began.elapsed().as_millis() / 100), (204, 200));
    let tail = Offset(log.log.lock().tail()).to_string();
    assert_eq!(header(&response, "stream-next-offset"), Some(tail.as_str()));
    assert_eq!(header(&response, "stream-up-to-date"), Some("true"));
    assert!(header(&response, "stream-cursor").is_some() && header(&response, "etag").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_long_poll_is_answered_with_all_that_came() {
    let log = stream("text/plain", &["a"]);
    let waiting = tokio::spawn(ask(log.clone(), "offset=now&live=long-poll"));
    tokio::task::yield_now().await;
    append(&mut log.log.lock(), &["b", "c", "d", "e"]);
    log.wake();
    let response = waiting.await.unwrap();
    // A page's worth, and that it isn't all.
    assert_eq!(header(&response, "stream-up-to-date"), None);
    assert_eq!(text(response.into_body()).await, "bcd");
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_at_the_end_of_a_closed_stream() {
    let (log, began) = (stream("text/plain", &["a"]), Instant::now());
    log.log.lock().closed = true;
    for (query, status, body) in [
        ("offset=now", 200, String::new()),
        ("offset=now&live=long-poll", 204, String::new()),
        ("offset=-1&live=long-poll", 200, "a".to_owned()),
    ] {
        let response = ask(log.clone(), query).await;
        assert_eq!(
            (response.status().as_u16(), header(&response, "stream-closed")),
            (status, Some("true")),
            "{query}"
        );
        assert_eq!(text(response.into_body()).await, body);
    }
    let sse = text(ask(log.clone(), "offset=now&live=sse").await.into_body()).await;
    assert!(sse.starts_with("event: control\n") && sse.contains("\"streamClosed\":true"), "{sse}");
    assert_eq!(began.elapsed().as_millis(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_event_stream_ends_after_its_time_so_that_its_reader_comes_again() {
    let (log, began) = (stream("text/plain", &["a"]), Instant::now());
    let sse = text(ask(log, "offset=-1&live=sse").await.into_body()).await;
    assert_eq!((events(&sse).len(), began.elapsed().as_secs()), (1, 60));
}

#[tokio::test]
async fn what_cant_be_read_is_refused_with_the_headers_of_every_answer() {
    let log = stream("text/plain", &["a"]);
    let tail = log.log.lock().tail();
    let other = Offset(Position { chain: Chain(!tail.chain.0), ..tail });
    let ahead = Offset(Position { sequence: Sequence(2), ..tail });
    for (query, status) in [
        ("offset=x".to_owned(), 400),
        ("offset=-1&offset=-1".to_owned(), 400),
        ("live=sse".to_owned(), 400),
        ("offset=-1&live=yes".to_owned(), 400),
        (format!("offset={other}"), 410),
        (format!("offset={ahead}"), 410),
        (format!("offset={ahead}&live=sse"), 410),
        (format!("offset={ahead}&live=long-poll"), 410),
    ] {
        let response = ask(log.clone(), &query).await;
        assert_eq!(response.status().as_u16(), status, "{query}");
        let names = ["x-content-type-options", "cross-origin-resource-policy", "cache-control"];
        assert_eq!(
            names.map(|name| header(&response, name)),
            [Some("nosniff"), Some("same-origin"), Some("no-store")]
        );
    }
}

#[tokio::test]
async fn what_is_known_isnt_sent_again_until_the_stream_ends() {
    let log = stream("text/plain", &["a"]);
    let tag = ask(log.clone(), "").await.headers()["etag"].clone();
    let again = HeaderMap::from_iter([(http::header::IF_NONE_MATCH, tag)]);
    let answer = async || get(Ok(log.clone()), "", &again, SETTINGS).await;
    let same = answer().await;
    assert_eq!((same.status().as_u16(), header(&same, "stream-up-to-date")), (304, Some("true")));
    assert_eq!(text(same.into_body()).await, "");
    log.log.lock().closed = true;
    assert_eq!(answer().await.status().as_u16(), 200);
}

#[tokio::test]
async fn the_head_names_the_end_and_isnt_kept() {
    let log = stream("image/png", &["a", "b"]);
    let response = head(Ok(log.clone())).await;
    let tail = Offset(log.log.lock().tail()).to_string();
    let names = ["stream-next-offset", "content-type", "cache-control", "stream-closed", "stream-up-to-date"];
    let expected = [Some(tail.as_str()), Some("image/png"), Some("no-store"), None, None];
    assert_eq!(names.map(|name| header(&response, name)), expected);
}

/// A stream whose end tells what it was given to tell.
struct Scripted(Batch, Mutex<Vec<News>>);

impl StreamSource for Scripted {
    type Tail = std::vec::IntoIter<News>;

    fn content_type(&self) -> &str {
        "application/json"
    }

    async fn read(&self, _: Start, _: usize) -> Result<Batch, Problem> {
        Ok(self.0.clone())
    }

    async fn follow(&self, _: Offset) -> Result<Self::Tail, Problem> {
        Ok(std::mem::take(&mut *self.1.lock()).into_iter())
    }
}

impl StreamTail for std::vec::IntoIter<News> {
    async fn next(&mut self) -> News {
        match Iterator::next(self) {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }
}

fn at(sequence: u64, items: &[&'static str]) -> Batch {
    let place = Position { epoch: "7f3a91".parse().unwrap(), sequence: Sequence(sequence), chain: Chain(7) };
    let items = items.iter().map(|item| Bytes::from_static(item.as_bytes())).collect();
    Batch {
        start: Start::Beginning,
        items,
        next: Offset(place),
        up_to_date: true,
        closed: false,
        trimmed_before: None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_place_that_only_moves_is_told_when_the_wait_is_over() {
    let behind = Batch { up_to_date: false, ..at(4, &[]) };
    for last in [vec![], vec![News::Over]] {
        let news = [vec![News::Quiet, News::More(at(9, &[]))], last].concat();
        let response = ask(Scripted(behind.clone(), Mutex::new(news)), "offset=-1&live=long-poll").await;
        let next = header(&response, "stream-next-offset").unwrap();
        assert!(response.status() == 204 && next.starts_with("00000000000000000009_"), "{next}");
        assert_eq!(header(&response, "stream-up-to-date"), Some("true"));
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_stream_tells_what_its_source_tells() {
    let news = vec![News::Quiet, News::More(at(6, &["1", "2"])), News::More(at(7, &[])), News::Over];
    let sse = text(ask(Scripted(at(4, &[]), Mutex::new(news)), "offset=-1&live=sse").await.into_body()).await;
    let told: Vec<(Option<String>, String)> = events(&sse);
    let data: Vec<Option<&str>> = told.iter().map(|(data, _)| data.as_deref()).collect();
    assert_eq!(data, [None, Some("[1,2]"), None]);
    assert!(sse.contains("\n\n:\n\nevent: data\n"), "{sse}");
}

#[tokio::test(start_paused = true)]
async fn a_part_that_leads_nowhere_ends_the_event_stream() {
    let stuck = Batch { start: Start::After(at(4, &[]).next), up_to_date: false, ..at(4, &[]) };
    let sse = text(ask(Scripted(stuck, Mutex::default()), "offset=-1&live=sse").await.into_body()).await;
    assert_eq!(events(&sse).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_beginning_that_was_let_go_is_told_in_every_mode() {
    let trimmed = Batch { trimmed_before: Some(Sequence(5)), ..at(6, &["1"]) };
    for query in ["", "offset=-1&live=long-poll", "offset=-1&live=sse"] {
        let response = ask(Scripted(trimmed.clone(), Mutex::default()), query).await;
        assert_eq!(header(&response, "stream-trimmed-before"), Some("5"), "{query}");
    }
}

#[tokio::test(start_paused = true)]
async fn binary_streams_are_told_as_base64() {
    for (content_type, encoding, data) in
        [("image/png", Some("base64"), "aGk="), ("text/css", None, "hi"), ("application/json", None, "[hi]")]
    {
        let response = ask(stream(content_type, &["hi"]), "offset=-1&live=sse").await;
        assert_eq!(header(&response, "stream-sse-data-encoding"), encoding);
        assert_eq!(events(&text(response.into_body()).await)[0].0.as_deref(), Some(data));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_awaited_or_told_behind_an_end() {
    let end = Batch { closed: true, ..at(6, &[]) };
    let began = Instant::now();
    let response = ask(Scripted(end.clone(), Mutex::default()), "offset=-1&live=long-poll").await;
    assert_eq!((response.status().as_u16(), header(&response, "stream-closed")), (204, Some("true")));
    let news = vec![News::More(end), News::More(at(7, &["1"]))];
    let sse = text(ask(Scripted(at(4, &[]), Mutex::new(news)), "offset=-1&live=sse").await.into_body()).await;
    assert_eq!((events(&sse).len(), began.elapsed().as_secs()), (2, 0), "{sse}");
}
