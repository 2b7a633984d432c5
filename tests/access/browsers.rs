//! Tickets: how a browser's `EventSource` and `WebSocket` sign in, and what a ticket doesn't open.

use futures::future::join_all;
use serde_json::json;

use super::harness::{TestApp, assert_problem};
use super::redis_server::RedisServer;
use super::scene::{
    ALL, Holder, SECRET, claims, cookie_of, events, in_seconds, signed, statuses, token, with,
};
use super::sockets::Socket;

fn with_ticket(session: &str, ticket: &str) -> String {
    format!("{}?ticket={ticket}", events(session))
}

#[tokio::test]
async fn ticket_is_given_for_a_session_that_the_token_reads() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    let answer = holder.post("/tickets", &json!({"session_id": "s"})).await;
    let given = answer.expect(201);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(given.as_object().unwrap().len(), 2, "{given}");
    assert_eq!(given["ticket"].as_str().unwrap().len(), 43);
    let ends: jiff::Timestamp = given["expires_at"].as_str().unwrap().parse().unwrap();
    let lives = ends.as_millisecond() as f64 / 1_000.0 - in_seconds(0.0);
    assert!((30.0..=60.0).contains(&lives), "{lives}");
    // Whoever signs in for less time than that gets no more.
    let soon = in_seconds(20.0);
    let short = Holder::new(app.client(), token(&with(claims(&ALL), &json!({"exp": soon}))));
    let given = short.post("/tickets", &json!({"session_id": "s"})).await.expect(201);
    let ends: jiff::Timestamp = given["expires_at"].as_str().unwrap().parse().unwrap();
    assert!(ends.as_millisecond() as f64 / 1_000.0 <= soon);
    for (body, status, code) in [
        (json!({}), 422, "invalid_event"),
        (json!({"session_id": "a b"}), 422, "invalid_event"),
        (json!({"session_id": "s", "scopes": ["plan"]}), 422, "unknown_field"),
    ] {
        let answer = holder.post("/tickets", &body).await;
        assert!(answer.status == status, "{body}: {}", answer.text());
        let found = answer.json()["code"].as_str().unwrap().to_owned();
        assert!(found == code || found == "invalid_id", "{body}: {found}");
    }
}

#[tokio::test]
async fn ticket_opens_once_and_the_cookie_lets_the_same_address_be_opened_again() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let path = with_ticket("s", &holder.ticket("s").await);
    let opened = app.get(&path).header("accept", "text/event-stream").open().await.unwrap();
    assert_eq!(opened.status, 200);
    let set = opened.headers["set-cookie"].to_str().unwrap().to_owned();
    let cookie = cookie_of(&opened.headers).unwrap();
    for part in ["; Path=/planner/sessions/s;", "; HttpOnly", "; SameSite=Lax", "; Max-Age="] {
        assert!(set.contains(part), "no {part} in {set}");
    }
    assert!(!set.contains("Secure") && !set.contains("Domain"), "{set}");
    assert!(
        !path.contains(cookie.split_once('=').unwrap().1),
        "the cookie is another secret than the ticket"
    );
    let mut stream = super::harness::SseClient::new(opened);
    let (open, mut coverage) = stream.open().await;
    stream.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;
    // Somebody who found the address can't open it.
    assert_problem(&app.get(&path).send().await, 401, "unauthorized");
    // The browser can, and goes on where it was.
    holder.say("s", "partial", "news").await.expect(200);
    let last = stream.last_id.clone().unwrap();
    drop(stream);
    let request = app.get(&path).header("cookie", format!("theme=dark; {cookie}; x=1"));
    let mut again = request.header("last-event-id", last).sse().await;
    let (open, _) = again.open().await;
    assert_eq!((&open["recovered"], &open["reason"]), (&json!(true), &json!("ok")));
    // Pages, and the step's own events, which lie below the cookie's path.
    for path in [events("s"), "/planner/sessions/s/steps/p/events".into()] {
        assert_eq!(app.get(path).header("cookie", &cookie).send().await.status, 200);
    }
}

#[tokio::test]
async fn ticket_and_cookie_read_their_session_and_nothing_else() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    for session in ["a", "b"] {
        holder.start(session).await;
    }
    let opened = app.get(with_ticket("a", &holder.ticket("a").await)).send().await;
    let cookie = cookie_of(&opened.headers).unwrap();
    let with_cookie = async |method, path: &str| {
        let request = app.request(method, path).header("cookie", &cookie);
        request.body("application/json", "{}").send().await
    };
    for (other, lacking) in [("b", "lacking")] {
        let refused = with_cookie("GET", &events(other)).await;
        assert_problem(&refused, 403, "forbidden");
        assert_eq!(refused.body, with_cookie("GET", &events(lacking)).await.body);
    }
    for path in ["/planner/sessions", "/planner/sessions/a", "/metrics", "/planner/sessions/a/steps/p/result"]
    {
        assert_problem(&with_cookie("GET", path).await, 403, "forbidden");
    }
    // Nothing that changes anything looks at what a browser sends by itself.
    for (method, path) in [
        ("POST", "/planner/sessions/a/steps"),
        ("POST", "/planner/sessions/a/close"),
        ("POST", "/planner/sessions/a/steps/p/subagents/a/events"),
        ("POST", "/tickets"),
        ("DELETE", "/planner/sessions/a"),
    ] {
        assert_problem(&with_cookie(method, path).await, 401, "unauthorized");
        let ticket = holder.ticket("a").await;
        let by_ticket = app.request(method, format!("{path}?ticket={ticket}")).json(&json!({})).send().await;
        assert_problem(&by_ticket, 401, "unauthorized");
    }
    // A ticket of one session opens no other one, a cookie is no ticket, and a ticket is no cookie or token.
    let ticket = holder.ticket("a").await;
    let elsewhere = app.get(with_ticket("b", &ticket)).send().await;
    assert_problem(&elsewhere, 403, "forbidden");
    assert_eq!(elsewhere.header("set-cookie"), None);
    assert_eq!(app.get(with_ticket("a", &ticket)).send().await.status, 200, "it wasn't spent");
    assert_problem(&app.get(with_ticket("a", &ticket)).send().await, 401, "unauthorized");
    // Nor is one spent by a place that it could never open.
    let ticket = holder.ticket("a").await;
    let state = app.get(format!("/planner/sessions/a?ticket={ticket}")).send().await;
    assert_problem(&state, 403, "forbidden");
    assert_eq!(app.get(with_ticket("a", &ticket)).send().await.status, 200, "it wasn't spent");
    let secret = cookie.split_once('=').unwrap().1;
    assert_problem(&app.get(with_ticket("a", secret)).send().await, 401, "unauthorized");
    let fresh = holder.ticket("a").await;
    let as_cookie = app.get(events("a")).header("cookie", format!("tributary_reader={fresh}")).send().await;
    assert_problem(&as_cookie, 401, "unauthorized");
    for secret in [secret, &fresh] {
        let as_token = Holder::new(app.client(), secret).get(events("a")).send().await;
        assert_problem(&as_token, 401, "unauthorized");
    }
    assert_eq!(app.get(with_ticket("a", &fresh)).send().await.status, 200, "nothing of that used it");
}

#[tokio::test]
async fn web_socket_opens_with_a_ticket_and_again_with_the_cookie() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let path = with_ticket("s", &holder.ticket("s").await);
    let mut socket = Socket::open(&app, &path, &[]).await.unwrap_or_else(|status| panic!("{status}"));
    assert_eq!(socket.next().await.unwrap()["event"], "open");
    let cookie = cookie_of(&socket.headers).unwrap();
    assert_eq!(Socket::open(&app, &path, &[]).await.err(), Some(401));
    let own = format!("http://{}", app.client().address);
    for origin in [None, Some(own.as_str())] {
        let mut headers = vec![("cookie", cookie.as_str())];
        headers.extend(origin.map(|origin| ("origin", origin)));
        let mut socket =
            Socket::open(&app, &path, &headers).await.unwrap_or_else(|status| panic!("{status}"));
        assert_eq!(socket.next().await.unwrap()["event"], "open");
    }
    // A page of somebody else's opens WebSockets with our cookies, if we let it.
    for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example"] {
        let headers = [("cookie", cookie.as_str()), ("origin", origin)];
        assert_eq!(Socket::open(&app, &events("s"), &headers).await.err(), Some(403), "{origin}");
        let page = app.get(events("s")).header("cookie", &cookie).header("origin", origin).send().await;
        assert_problem(&page, 403, "forbidden");
    }
    let authorization = format!("Bearer {}", holder.token);
    let headers = [("authorization", authorization.as_str()), ("origin", "https://evil.example")];
    assert!(Socket::open(&app, &events("s"), &headers).await.is_ok(), "a token isn't sent by itself");
}

#[tokio::test]
async fn where_nobody_signs_in_only_our_own_and_configured_pages_call() {
    const THEIRS: &str = "https://app.example.com";
    let app = TestApp::new().env("CORS__ALLOWED_ORIGINS", THEIRS).start().await;
    // Requests call the service `tributary`, sockets by its address.
    let own = format!("http://{}", app.client().address);
    let step = |name: &str| {
        let directive = format!(r#"{{"plan_step_id":"{name}","expected_subagents":[{{"key":"a"}}]}}"#);
        // Without a type, which is taken for JSON, a page may send it without asking first.
        app.request("POST", "/planner/sessions/s/steps").body("application/json", directive)
    };
    let event = |origin: &str| {
        let event = r#"{"status":"in_progress"}"#;
        let path = "/planner/sessions/s/steps/own/subagents/a/events";
        app.request("POST", path).header("origin", origin).body("application/json", event)
    };
    for (name, origin, of_socket) in [("own", "http://tributary", own.as_str()), ("theirs", THEIRS, THEIRS)] {
        step(name).header("origin", origin).send().await.expect(201);
        event(origin).send().await.expect(200);
        assert!(Socket::open(&app, &events("s"), &[("origin", of_socket)]).await.is_ok(), "{origin}");
    }
    for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example"] {
        assert_problem(&step("evil").header("origin", origin).send().await, 403, "forbidden");
        assert_problem(&event(origin).send().await, 403, "forbidden");
        assert_eq!(
            Socket::open(&app, &events("s"), &[("origin", origin)]).await.err(),
            Some(403),
            "{origin}"
        );
        // What it may not read its browser keeps from it.
        let page = app.get("/planner/sessions/s").header("origin", origin).send().await;
        assert_eq!((page.status, page.header("access-control-allow-origin")), (200, None));
    }
    step("tool").send().await.expect(201);
}

#[tokio::test]
async fn replicas_share_tickets_and_one_of_many_opens() {
    let redis = RedisServer::start();
    let replica = || async {
        let setup = TestApp::new().env("AUTH__MODE", "required").env("AUTH__JWT_SECRET", SECRET);
        setup.env("CACHE__BACKEND", "redis").env("CACHE__REDIS_URL", redis.url()).start().await
    };
    let (one, two) = (replica().await, replica().await);
    let holder = Holder::of_all(one.client());
    holder.start("s").await;
    for _ in 0..3 {
        let path = with_ticket("s", &holder.ticket("s").await);
        let asked = (0..20).map(|n| if n % 2 == 0 { one.get(&path) } else { two.get(&path) }.send());
        let answers = join_all(asked).await;
        let opened: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(opened.len(), 1, "{:?}", statuses(&answers));
        assert!(answers.iter().all(|answer| [200, 401].contains(&answer.status)), "{:?}", statuses(&answers));
        let cookie = cookie_of(&opened[0].headers).unwrap();
        for replica in [&one, &two] {
            assert_eq!(replica.get(&path).header("cookie", &cookie).send().await.status, 200);
        }
    }
    let ticket = holder.ticket("s").await;
    let keys = redis.raw(&["KEYS", "*"]);
    let keys = String::from_utf8_lossy(&keys);
    assert!(!keys.contains(&ticket) && keys.contains("ticket"), "the store knows digests alone: {keys}");
}
