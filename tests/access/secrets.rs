//! Nothing that opens something stands anywhere afterwards: logs, metrics, traces, refusals.

use serde_json::json;

use super::harness::{Folder, TestApp};
use super::issuer::Signer;
use super::keys::{configured, new_key};
use super::otlp_receiver::OtlpReceiver;
use super::scene::{ALL, Holder, SECRET, claims, cookie_of, events, in_seconds, published, token, with};
use super::sockets::Socket;

const EVERYTHING: &str = "plan\", \"publish\", \"read\", \"admin";

/// What is looked for, and where it was found.
#[derive(Default)]
struct Secrets {
    texts: Vec<(String, String)>,
    answers: String,
}

impl Secrets {
    fn add(&mut self, name: &str, text: &str) {
        assert!(text.len() >= 16, "{name} would be found by chance");
        self.texts.push((name.to_owned(), text.to_owned()));
    }

    /// A token: its signature counts, as what stands before it is no secret; of other texts all.
    fn add_token(&mut self, name: &str, token: &str) {
        self.add(name, token.rsplit('.').next().unwrap());
        self.add(name, token);
    }

    fn assert_absent(&self, place: &str, text: &str) {
        for (name, secret) in &self.texts {
            let found = text.find(secret.as_str());
            let around = found.map(|at| &text[text.floor_char_boundary(at.saturating_sub(300))..at]);
            assert!(found.is_none(), "{name} stands in {place} after {around:?}");
        }
    }
}

/// Asks with everything that may be shown, in the right places and in wrong ones.
async fn ask_all(app: &TestApp, key: &str) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add("the secret", SECRET);
    secrets.add("the key", key);
    let good = token(&claims(&ALL));
    let expired = token(&with(claims(&ALL), &json!({"exp": in_seconds(-1.0)})));
    let narrow = token(&with(claims(&ALL), &json!({"sessions": ["else"]})));
    let forged =
        Signer::secret("another secret, which is as long as the right one is").token(None, &claims(&ALL));
    let tokens = [
        ("a token", &good),
        ("an expired one", &expired),
        ("a narrow one", &narrow),
        ("a forged one", &forged),
    ];
    for (name, token) in tokens {
        secrets.add_token(name, token);
    }
    let holder = Holder::new(app.client(), &good);
    holder.start("s").await;
    let mut texts = Vec::new();
    for token in [&good, &expired, &narrow, &forged, &format!("{good}x"), &key.to_owned()] {
        for request in [
            app.get(events("s")).header("authorization", format!("Bearer {token}")),
            app.post(published("s"))
                .json(&json!({"status": "partial"}))
                .header("authorization", format!("bearer {token}")),
            app.get(events("s")).header("authorization", format!("Basic {token}")),
            app.get(events("s")).header("authorization", token),
            app.get(events("s")).header("x-api-key", token),
            app.get(format!("{}?access_token={token}", events("s"))),
            app.get(format!("{}?ticket={token}", events("s"))),
            app.get(events("s")).header("cookie", format!("tributary_reader={token}")),
            app.post("/tickets").json(&json!({"session_id": "s", "token": token})),
            app.post(format!("/tickets?token={token}")).json(&json!({"session_id": "s"})),
            app.get(format!("/nowhere?access_token={token}")),
            app.request("PATCH", format!("/planner/sessions?access_token={token}")),
        ] {
            texts.push(request.send().await.text().to_owned());
        }
    }
    let asked = app.post("/tickets?x=1").header("authorization", format!("Bearer {key}"));
    let by_key = asked.json(&json!({"session_id": "s"})).send().await.expect(201);
    for ticket in [holder.ticket("s").await, by_key["ticket"].as_str().unwrap().to_owned()] {
        secrets.add("a ticket", &ticket);
        let path = format!("{}?ticket={ticket}", events("s"));
        let opened = app.get(&path).send().await;
        let cookie = cookie_of(&opened.headers).unwrap();
        secrets.add("a cookie", cookie.split_once('=').unwrap().1);
        texts.push(app.get(&path).send().await.text().to_owned());
        texts.push(app.get(&path).header("cookie", &cookie).send().await.text().to_owned());
        texts.push(app.get(events("t")).header("cookie", &cookie).send().await.text().to_owned());
        let origin = ("origin", "https://evil.example");
        texts.push(
            app.get(&path)
                .header("cookie", &cookie)
                .header(origin.0, origin.1)
                .send()
                .await
                .text()
                .to_owned(),
        );
        assert!(Socket::open(app, &path, &[("cookie", &cookie)]).await.is_ok());
        assert_eq!(Socket::open(app, &path, &[("cookie", &cookie), origin]).await.err(), Some(403));
        let mut stream = app.get(&path).header("cookie", &cookie).sse().await;
        texts.push(stream.open().await.0.to_string());
    }
    let stream = holder.ticket("s").await;
    secrets.add("a ticket of a stream", &stream);
    let mut stream = app.get(format!("{}?ticket={stream}", events("s"))).sse().await;
    stream.open().await;
    secrets.answers = texts.join("\n");
    secrets
}

#[tokio::test]
async fn nothing_that_opens_something_is_told_again() {
    let otlp = OtlpReceiver::start().await;
    let (folder, (key, hash)) = (Folder::new(), new_key());
    let scopes = format!("tenant = \"acme\"\nscopes = [\"{EVERYTHING}\"]");
    let setup = configured(&folder, &[("one", &hash, &scopes)]);
    let setup = setup.env("AUTH__JWT_SECRET", SECRET).env("LOG__LEVEL", "trace").env("LOG__FORMAT", "json");
    let setup = setup.env("ARCHIVE__URL", folder.url());
    let setup = setup.variable("OTEL_EXPORTER_OTLP_ENDPOINT", otlp.endpoint());
    let app = setup.variable("OTEL_BSP_SCHEDULE_DELAY", 50).start().await;
    let secrets = ask_all(&app, &key).await;
    let by_key = app.get("/metrics").header("authorization", format!("Bearer {key}")).send().await;
    let metrics = by_key.text();
    assert!(metrics.contains("http_server_request"), "{metrics}");
    let received = otlp.until("spans of tickets", |received| {
        received.all_spans().iter().any(|span| span.name == "POST /tickets")
    });
    let received = format!("{:?}", received.await);
    app.signal("TERM");
    let mut app = app;
    app.exited().await;
    let log = app.log_lines().join("\n");
    assert!(log.contains("\"TRACE\"") && log.lines().count() > 100, "{} lines", log.lines().count());
    // Of what opens something nothing is archived; the file of keys that lies beside has hashes.
    let files =
        std::fs::read_dir(&folder.0).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let archived = String::from_utf8_lossy(&files.collect::<Vec<_>>().concat()).into_owned();
    assert!(archived.contains("expected_subagents"), "nothing is archived");
    for (place, text) in [
        ("the log", &*log),
        ("the archive", &archived),
        ("the metrics", metrics),
        ("the traces", &received),
        ("an answer", &secrets.answers),
    ] {
        secrets.assert_absent(place, text);
    }
}
