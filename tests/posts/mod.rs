//! Posts of events are read and answered past the HTTP library where they are plain. Nobody may be able to tell.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{TestApp, eventually, open_plan, within};

const PATH: &str = "/planner/sessions/s/steps/p/subagents/a/events";

fn event(revision: u64) -> String {
    format!(r#"{{"status":"partial","revision":{revision},"payload":{{"content":"{revision}"}}}}"#)
}

/// A post of `body` with further fields.
fn post(path: &str, fields: &str, body: &str) -> String {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nhost: t\r\ncontent-length: {length}\r\n{fields}\r\n{body}")
}

/// A connection that is asked for one thing after the other.
struct Line {
    socket: TcpStream,
    read: Vec<u8>,
}

/// Status, fields without the date, and body.
#[derive(Debug, PartialEq)]
struct Answer {
    status: String,
    fields: Vec<String>,
    body: String,
}

impl Line {
    async fn to(app: &TestApp) -> Self {
        let socket = app.connect().await;
        socket.set_nodelay(true).unwrap();
        Self { socket, read: Vec::new() }
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.socket.write_all(bytes).await.unwrap();
    }

    async fn ask(&mut self, request: &str) -> Answer {
        self.send(request.as_bytes()).await;
        self.answer().await
    }

    /// Reads until `found` finds something in what was read; `false` where the connection is over before.
    async fn read_until(&mut self, found: impl Fn(&[u8]) -> bool) -> bool {
        within("bytes of an answer", async {
            while !found(&self.read) {
                match self.socket.read_buf(&mut self.read).await {
                    Ok(1..) => {}
                    Ok(0) | Err(_) => return false,
                }
            }
            true
        })
        .await
    }

    /// The next answer, which has a length.
    async fn answer(&mut self) -> Answer {
        let end_of_head = |read: &[u8]| read.windows(4).position(|four| four == b"\r\n\r\n");
        assert!(self.read_until(|read| end_of_head(read).is_some()).await, "{:?}", self.read);
        let end = end_of_head(&self.read).unwrap();
        let head = String::from_utf8(self.read.drain(..end + 4).collect()).unwrap();
        let mut lines = head.trim_end().split("\r\n").map(str::to_ascii_lowercase);
        let status = lines.next().unwrap();
        let mut fields: Vec<String> = lines.collect();
        let length = fields.iter().find_map(|field| field.strip_prefix("content-length: ")).unwrap();
        let length: usize = length.parse().unwrap();
        assert!(self.read_until(|read| read.len() >= length).await);
        let body = String::from_utf8(self.read.drain(..length).collect()).unwrap();
        let dates = fields.extract_if(.., |field| field.starts_with("date: ")).count();
        assert_eq!(dates, 1, "{head}");
        fields.sort();
        Answer { status, fields, body }
    }

    /// Whether the connection is over, and nothing was said before.
    async fn is_over(&mut self) -> bool {
        !self.read_until(|read| !read.is_empty()).await
    }
}

#[tokio::test]
async fn plain_posts_are_answered_as_the_library_answers_others() {
    let app = TestApp::new().env("LIMITS__EVENT_BYTES", 2_000).start().await;
    let bodies = [
        event(1),
        event(1),
        r#"{"status":"partial","revision":1,"payload":2}"#.to_owned(),
        format!("[{},{}]", event(2), event(3)),
        format!("[{},{{}}]", event(4)),
        "[]".to_owned(),
        r#"{"status":"partial","payload":"no revision"}"#.to_owned(),
        "{".to_owned(),
        String::new(),
        r#"{"status":"partial","status":"partial"}"#.to_owned(),
        r#"{"status":"partial","more":1}"#.to_owned(),
        r#"{"payload":1}"#.to_owned(),
        format!(r#"{{"status":"partial","payload":"{}"}}"#, "x".repeat(2_000)),
        r#"{"status":"success","revision":9,"payload":"the end"}"#.to_owned(),
        r#"{"status":"success","revision":10,"payload":"late"}"#.to_owned(),
    ];
    let paths = [PATH.to_owned(), PATH.replace("/p/", "/q/"), PATH.replace("/a/", "/b/")];
    let mut lines = (Line::to(&app).await, Line::to(&app).await);
    // The sessions differ in their names alone; `te` is a field that the library is left to answer.
    for session in ["plain", "other"] {
        open_plan(app.client(), session, &["a", "c"]).await;
    }
    for (body, path) in bodies.iter().flat_map(|body| paths.iter().map(move |path| (body, path))) {
        let of = |session: &str| path.replace("/s/", &format!("/{session}/"));
        let plain = lines.0.ask(&post(&of("plain"), "content-type: application/json\r\n", body)).await;
        let other = lines.1.ask(&post(&of("other"), "te: trailers\r\n", body)).await;
        let known = |answer: Answer| {
            let body = answer.body.split(",\"cursor\"").next().unwrap().to_owned();
            let cut = |field: String| field.split(char::is_numeric).next().unwrap().to_owned();
            (answer.status, answer.fields.into_iter().map(cut).collect::<Vec<_>>(), body)
        };
        assert_eq!(known(plain), known(other), "{path}: {body}");
    }
    // All on the two connections that were opened at first.
    assert!(lines.0.ask(&post(PATH, "", &event(1))).await.status.contains("404"));
}

#[tokio::test]
async fn posts_may_come_in_pieces_and_before_the_answer_to_the_last() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut line = Line::to(&app).await;
    let text = post(PATH, "", &event(1));
    let mut revision = 1;
    for cut in (1..text.len()).step_by(7) {
        let text = post(PATH, "", &event(revision));
        let (first, second) = text.as_bytes().split_at(cut.min(text.len() - 1));
        line.send(first).await;
        // Long enough to be read on its own most times; the outcome must not depend on it.
        tokio::task::yield_now().await;
        line.send(second).await;
        let answer = line.answer().await;
        assert!(answer.body.contains("\"accepted\":1"), "{cut}: {answer:?}");
        revision += 1;
        if cut % 3 == 0 {
            // After a head in pieces the library has the connection; a new one begins again.
            line = Line::to(&app).await;
        }
    }
    let mut line = Line::to(&app).await;
    let many: String = (0..50).map(|more| post(PATH, "", &event(revision + more))).collect();
    line.send(many.as_bytes()).await;
    for _ in 0..50 {
        assert!(line.answer().await.body.contains("\"accepted\":1"));
    }
    let page = planner.page("/events?last=50").await;
    let revisions: Vec<u64> = page["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|event| event["content"]["revision"].as_u64())
        .collect();
    assert!(revisions.is_sorted() && revisions.last() == Some(&(revision + 49)), "{revisions:?}");
}

#[tokio::test]
async fn connection_that_posted_may_ask_for_anything_else() {
    let app = TestApp::new().start().await;
    open_plan(app.client(), "s", &["a"]).await;
    let mut line = Line::to(&app).await;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: t\r\n\r\n");
    assert!(line.ask(&post(PATH, "", &event(1))).await.status.contains("200"));
    assert!(line.ask(&get("/planner/sessions/s")).await.body.contains("\"s\""));
    assert!(line.ask(&post(PATH, "", &event(2))).await.body.contains("\"accepted\":1"));
    // Both in one piece: the post is answered first, then the stream leaves the library.
    let mut line = Line::to(&app).await;
    let stream = "GET /planner/sessions/s/events HTTP/1.1\r\nhost: t\r\naccept: text/event-stream\r\n\r\n";
    line.send(format!("{}{stream}", post(PATH, "", &event(3))).as_bytes()).await;
    assert!(line.answer().await.body.contains("\"accepted\":1"));
    let has =
        |text: &'static str| move |read: &[u8]| read.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(line.read_until(has("\"revision\":3")).await);
    // A body that is larger than what is read here, and one of lines.
    let mut line = Line::to(&app).await;
    let large = format!(r#"{{"status":"partial","revision":4,"payload":"{}"}}"#, "x".repeat(200_000));
    assert!(line.ask(&post(PATH, "", &large)).await.body.contains("\"accepted\":1"));
    let larger = format!(r#"{{"status":"partial","revision":5,"payload":"{}"}}"#, "x".repeat(240_000));
    assert!(line.ask(&post(PATH, "", &larger)).await.body.contains("\"accepted\":1"));
    let lines = format!("{}\n{}\n", event(6), event(7));
    let answer = line.ask(&post(PATH, "content-type: application/x-ndjson\r\n", &lines)).await;
    assert!(answer.body.contains("\"accepted\":2"), "{answer:?}");
}

#[tokio::test]
async fn wait_for_the_next_post_and_for_the_rest_of_one_has_an_end() {
    // Longer than a machine stands still.
    const WAIT: u64 = 3_000;
    let app =
        TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", WAIT).env("LIMITS__BODY_MS", WAIT).start().await;
    open_plan(app.client(), "s", &["a"]).await;
    let idle = async {
        let mut idle = Line::to(&app).await;
        assert!(idle.ask(&post(PATH, "", &event(1))).await.status.contains("200"));
        assert!(idle.is_over().await);
    };
    // The rest of a head that never comes, and of a body.
    let text = post(PATH, "", &event(2));
    let head = async {
        let mut head = Line::to(&app).await;
        head.send(&text.as_bytes()[..40]).await;
        let is_over = head.read_until(|_| false).await;
        assert!(is_over || head.read.is_empty() || head.read.starts_with(b"HTTP/1.1 408"));
    };
    let body = async {
        let mut body = Line::to(&app).await;
        body.send(&text.as_bytes()[..text.len() - 1]).await;
        let answer = body.answer().await;
        assert!(answer.status.contains("400") && answer.body.contains("invalid_json"), "{answer:?}");
    };
    // Whoever goes on posting is never late.
    let busy = async {
        let (mut busy, begun, mut revision) = (Line::to(&app).await, Instant::now(), 3);
        while begun.elapsed() < Duration::from_millis(WAIT + 1_000) {
            assert!(busy.ask(&post(PATH, "", &event(revision))).await.status.contains("200"));
            revision += 1;
        }
    };
    tokio::join!(idle, head, body, busy);
}

#[tokio::test]
async fn service_that_stops_answers_what_was_posted_and_closes_the_rest() {
    let mut app = TestApp::new().start().await;
    open_plan(app.client(), "s", &["a"]).await;
    let mut idle = Line::to(&app).await;
    assert!(idle.ask(&post(PATH, "", &event(1))).await.status.contains("200"));
    let mut half = Line::to(&app).await;
    let text = post(PATH, "", &event(2));
    half.send(&text.as_bytes()[..text.len() - 5]).await;
    // So that it is being read when the service stops.
    let counted = async || app.get("/readyz").send().await.status == 200;
    eventually("the service to be ready", || async { counted().await.then_some(()) }).await;
    app.signal("TERM");
    assert!(idle.is_over().await);
    half.send(&text.as_bytes()[text.len() - 5..]).await;
    let said = half.read_until(|read| read.starts_with(b"HTTP/1.1 ")).await;
    let answer = String::from_utf8_lossy(&half.read).into_owned();
    assert!(said && (answer.contains(" 200 ") || answer.contains(" 503 ")), "{answer}");
    assert!(app.exited().await.success());
}
