//! Which pages may call: what a browser is told, before and with each answer (Fetch standard, CORS protocol).

use super::harness::{Answer, TestApp, assert_problem};
use super::scene::{Holder, events, published, signed};
use super::sockets::Socket;

const PAGE: &str = "https://app.example.com";
const OTHER: &str = "https://evil.example";

fn allowed(answer: &Answer) -> Option<&str> {
    answer.header("access-control-allow-origin")
}

async fn preflight(app: &TestApp, path: &str, origin: &str, method: &str, headers: &str) -> Answer {
    let request = app.request("OPTIONS", path).header("origin", origin);
    let request = request.header("access-control-request-method", method);
    request.header("access-control-request-headers", headers).send().await
}

#[tokio::test]
async fn page_of_an_allowed_origin_may_send_what_the_interface_takes() {
    let app = signed().env("CORS__ALLOWED_ORIGINS", PAGE).start().await;
    for (path, method, headers) in [
        ("/planner/sessions/s/steps", "POST", "authorization,content-type,idempotency-key,traceparent"),
        ("/planner/sessions/s/events", "GET", "authorization,last-event-id,cache-control"),
        ("/planner/sessions/s", "DELETE", "authorization"),
        ("/bridges/durable-streams/sessions/s", "GET", "authorization,if-none-match"),
        ("/bridges/a2a/sessions/s", "POST", "authorization,content-type,a2a-version"),
        ("/tickets", "POST", "authorization,content-type"),
        (&published("s"), "POST", "authorization,content-type,idempotency-key"),
    ] {
        let answer = preflight(&app, path, PAGE, method, headers).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert_eq!(allowed(&answer), Some(PAGE), "{path}");
        assert_eq!(answer.header("access-control-allow-credentials"), Some("true"), "{path}");
        assert!(answer.header("access-control-allow-methods").unwrap().contains(method), "{path}");
        let taken = answer.header("access-control-allow-headers").unwrap().to_lowercase();
        for header in headers.split(',') {
            assert!(taken.split(',').any(|one| one.trim() == header), "{path}: {header} isn't in {taken}");
        }
        assert!(answer.header("access-control-max-age").is_some());
        let refused = preflight(&app, path, OTHER, method, headers).await;
        assert_eq!(allowed(&refused), None, "{path}");
    }
}

#[tokio::test]
async fn every_answer_says_whose_pages_may_read_it() {
    let app = signed().env("CORS__ALLOWED_ORIGINS", PAGE).env("LIMITS__EVENT_BYTES", 1_024).start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let event = r#"{"status": "partial"}"#;
    let requests = [
        (holder.get(events("s")), 200),
        (holder.get("/planner/sessions/lacking"), 404),
        (app.get(events("s")), 401),
        (app.get("/nowhere"), 404),
        (app.request("PUT", "/planner/sessions"), 405),
        (app.get("/healthz"), 200),
        (holder.request("POST", published("s")).body("application/json", event), 200),
        (holder.request("POST", published("s")).body("application/json", "{"), 400),
        (holder.request("POST", published("s")).body("application/json", "x".repeat(2_000)), 413),
    ];
    for (request, status) in requests {
        let answer = request.clone().header("origin", PAGE).send().await;
        assert_eq!((answer.status, allowed(&answer)), (status, Some(PAGE)), "{request:?}");
        let exposed = answer.header("access-control-expose-headers").unwrap().to_lowercase();
        for header in ["location", "retry-after", "ratelimit", "ratelimit-policy", "stream-next-offset"] {
            assert!(exposed.contains(header), "{header} isn't in {exposed}");
        }
        let varies = answer
            .headers
            .get_all("vary")
            .iter()
            .any(|by| by.to_str().unwrap().to_lowercase().contains("origin"));
        assert!(varies, "{request:?}");
        let answer = request.clone().header("origin", OTHER).send().await;
        assert_eq!((answer.status, allowed(&answer)), (status, None), "{request:?}");
        let answer = request.clone().send().await;
        assert_eq!((answer.status, allowed(&answer)), (status, None), "{request:?}");
    }
    let request = holder.get(events("s")).header("origin", PAGE).header("accept", "text/event-stream");
    let stream = request.open().await.unwrap();
    assert_eq!((stream.status, stream.headers["access-control-allow-origin"].to_str().unwrap()), (200, PAGE));
}

#[tokio::test]
async fn refusals_for_too_many_requests_can_be_read_by_pages_too() {
    let setup = signed().env("CORS__ALLOWED_ORIGINS", PAGE).env("LIMITS__REQUESTS_PER_SECOND", 1);
    let app = setup.start().await;
    let refused = super::harness::eventually("a request too many", || async {
        let answer = app.get("/planner/sessions").header("origin", PAGE).send().await;
        (answer.status == 429).then_some(answer)
    });
    let refused = refused.await;
    assert_problem(&refused, 429, "rate_limited");
    assert_eq!(allowed(&refused), Some(PAGE));
    // A preflight isn't counted: a browser would take its refusal for a ban.
    for _ in 0..5 {
        assert_eq!(preflight(&app, "/planner/sessions", PAGE, "GET", "authorization").await.status, 200);
    }
}

#[tokio::test]
async fn any_origin_is_without_cookies() {
    let app = signed().env("CORS__ALLOWED_ORIGINS", "*").start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let answer = holder.get(events("s")).header("origin", OTHER).send().await;
    assert_eq!((answer.status, allowed(&answer)), (200, Some("*")));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    let opened = app.get(format!("{}?ticket={}", events("s"), holder.ticket("s").await)).send().await;
    assert!(opened.header("set-cookie").unwrap().contains("SameSite=Lax"));
    let cookie = super::scene::cookie_of(&opened.headers).unwrap();
    let answer = app.get(events("s")).header("origin", OTHER).header("cookie", &cookie).send().await;
    assert_problem(&answer, 403, "forbidden");
    let headers = [("origin", OTHER), ("cookie", cookie.as_str())];
    assert_eq!(Socket::open(&app, &events("s"), &headers).await.err(), Some(403));
}

#[tokio::test]
async fn without_origins_only_our_own_pages_may_call() {
    let app = signed().start().await;
    for path in ["/planner/sessions", "/openapi.json", "/tickets"] {
        let answer = preflight(&app, path, PAGE, "GET", "authorization").await;
        assert_eq!(allowed(&answer), None, "{path}");
    }
    let answer = Holder::of_all(app.client()).get("/planner/sessions").header("origin", PAGE).send().await;
    assert_eq!((answer.status, allowed(&answer)), (200, None));
}
