//! How long a cookie opens something, and how it is set.

use std::process::Command;

use super::harness::{Folder, assert_problem, eventually};
use super::keys::{configured, new_key};
use super::redis_server::RedisServer;
use super::scene::{
    ALL, Holder, claims, cookie_of, events, in_seconds, published, signed, token, whole_second_in, with,
};
use serde_json::json;

const SCOPES: &str = "tenant = \"acme\"\nscopes = [\"plan\", \"publish\", \"read\"]";

#[tokio::test]
async fn cookie_of_a_key_that_was_taken_out_opens_nothing() {
    let redis = RedisServer::start();
    let folder = Folder::new();
    let ((one, of_one), (two, of_two)) = (new_key(), new_key());
    let start = async |keys: &[(&str, &str, &str)]| {
        let setup = configured(&folder, keys).env("CACHE__BACKEND", "redis");
        setup.env("CACHE__REDIS_URL", redis.url()).start().await
    };
    let app = start(&[("one", &of_one, SCOPES), ("two", &of_two, SCOPES)]).await;
    Holder::new(app.client(), &one).start("s").await;
    let mut cookies = Vec::new();
    let mut tickets = Vec::new();
    for key in [&one, &two] {
        let holder = Holder::new(app.client(), key);
        let opened = app.get(format!("{}?ticket={}", events("s"), holder.ticket("s").await)).send().await;
        cookies.push(cookie_of(&opened.headers).unwrap());
        tickets.push(holder.ticket("s").await);
    }
    drop(app);
    // `one` goes; `two` has other scopes; the name `one` is given to another key.
    let (_, of_three) = new_key();
    let narrower = "tenant = \"acme\"\nscopes = [\"read\"]\nsessions = [\"s\"]";
    let app = start(&[("one", &of_three, SCOPES), ("two", &of_two, narrower)]).await;
    let by_cookie = async |cookie: &str| app.get(events("s")).header("cookie", cookie).send().await;
    assert_problem(&by_cookie(&cookies[0]).await, 401, "unauthorized");
    assert_eq!(by_cookie(&cookies[1]).await.status, 200);
    let by_ticket = async |ticket: &str| app.get(format!("{}?ticket={ticket}", events("s"))).send().await;
    assert_problem(&by_ticket(&tickets[0]).await, 401, "unauthorized");
    assert_eq!(by_ticket(&tickets[1]).await.status, 200);
    drop(app);
    // A key that may no longer read the session takes its cookies with it.
    let elsewhere = "tenant = \"acme\"\nscopes = [\"read\"]\nsessions = [\"t\"]";
    let app = start(&[("two", &of_two, elsewhere)]).await;
    let answer = app.get(events("s")).header("cookie", &cookies[1]).send().await;
    assert_problem(&answer, 401, "unauthorized");
}

#[tokio::test]
async fn cookie_ends_with_the_token() {
    let app = signed().start().await;
    Holder::of_all(app.client()).start("s").await;
    let end = whole_second_in(3.0);
    let holder = Holder::new(app.client(), token(&with(claims(&ALL), &json!({"exp": end}))));
    let path = format!("{}?ticket={}", events("s"), holder.ticket("s").await);
    let opened = app.get(&path).send().await;
    let set = opened.header("set-cookie").unwrap().to_owned();
    let age = set.split("Max-Age=").nth(1).unwrap().split(';').next().unwrap().parse::<u64>().unwrap();
    assert!(age <= 4, "{set}");
    let cookie = cookie_of(&opened.headers).unwrap();
    let refused = eventually("the end of the cookie", || async {
        let begun = in_seconds(0.0);
        let answer = app.get(&path).header("cookie", &cookie).send().await;
        assert!(answer.status == 401 || begun < end, "it opened after the end of the token");
        assert!(answer.status == 200 || in_seconds(0.0) >= end, "{}", answer.text());
        (answer.status == 401).then_some(answer)
    });
    assert_problem(&refused.await, 401, "unauthorized");
}

#[tokio::test]
async fn cookie_of_a_key_lives_as_configured() {
    let folder = Folder::new();
    let (key, hash) = new_key();
    let setup = configured(&folder, &[("one", &hash, SCOPES)]);
    let app = setup.env("AUTH__COOKIE_SECONDS", 90).env("AUTH__COOKIE_SECURE", true).start().await;
    let holder = Holder::new(app.client(), key);
    let opened = app.get(format!("{}?ticket={}", events("s"), holder.ticket("s").await)).send().await;
    let set = opened.header("set-cookie").unwrap();
    assert!(set.contains("Max-Age=90;") || set.contains("Max-Age=89;"), "{set}");
    assert!(set.ends_with("; Secure") && set.contains("SameSite=Lax"), "{set}");
}

/// A browser sends a cookie back to the paths that begin as its own does, letter by letter.
#[tokio::test]
async fn cookie_comes_back_however_the_path_writes_its_session() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    holder.start("user-7:1").await;
    for written in ["user-7%3A1", "user-7:1", "%75ser-7:1"] {
        let (path, ticket) = (events(written), holder.ticket("user-7:1").await);
        let opened = app.get(format!("{path}?ticket={ticket}")).send().await;
        let set = opened.header("set-cookie").unwrap_or_else(|| panic!("{}", opened.text()));
        let at = set.split("; ").find_map(|part| part.strip_prefix("Path=")).unwrap();
        assert_eq!(at, format!("/planner/sessions/{written}"));
        let cookie = cookie_of(&opened.headers).unwrap();
        app.get(path).header("cookie", cookie).send().await.expect(200);
    }
}

/// `HEAD` is `GET` without the body.
#[tokio::test]
async fn cookie_and_ticket_open_head_as_they_open_get() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let path = events("s");
    let opened = app.request("HEAD", format!("{path}?ticket={}", holder.ticket("s").await)).send().await;
    assert_eq!(opened.status, 200);
    let cookie = cookie_of(&opened.headers).unwrap();
    for method in ["GET", "HEAD"] {
        let answer = app.request(method, &path).header("cookie", &cookie).send().await;
        assert_eq!(answer.status, 200, "{method}");
    }
    let post = app.post(published("s")).header("cookie", &cookie).json(&json!({"status": "partial"}));
    assert_problem(&post.send().await, 401, "unauthorized");
}

#[tokio::test]
async fn one_of_two_tickets_opens_nothing_and_neither_is_spent() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let (one, two) = (holder.ticket("s").await, holder.ticket("s").await);
    let both = app.get(format!("{}?ticket={one}&ticket={two}", events("s"))).send().await;
    assert_problem(&both, 422, "invalid_event");
    for ticket in [one, two] {
        app.get(format!("{}?ticket={ticket}", events("s"))).send().await.expect(200);
    }
}

/// HTTP/2 has no `Host`, by which the service knows its own pages.
#[tokio::test]
async fn our_own_page_is_known_over_http2_too() {
    let app = signed().start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let opened = app.get(format!("{}?ticket={}", events("s"), holder.ticket("s").await)).send().await;
    let cookie = cookie_of(&opened.headers).unwrap();
    let own = format!("http://{}", app.client().address);
    for (origin, told) in [(own.as_str(), "2 200"), ("https://evil.example", "2 403")] {
        let output = Command::new("curl")
            .args(["--silent", "--max-time", "30", "--http2-prior-knowledge", "--output", "/dev/null"])
            .args(["--write-out", "%{http_version} %{http_code}", "--noproxy", "*"])
            .args(["--header", &format!("origin: {origin}"), "--cookie", &cookie])
            .arg(format!("{own}{}", events("s")))
            .output();
        let output = output.expect("curl is installed (Debian: curl)");
        assert_eq!(String::from_utf8_lossy(&output.stdout), told, "{origin}");
    }
}

#[tokio::test]
async fn cookie_for_pages_of_other_sites_says_so() {
    let app = signed().env("CORS__ALLOWED_ORIGINS", "https://app.example.com").start().await;
    let holder = Holder::of_all(app.client());
    holder.start("s").await;
    let opened = app.get(format!("{}?ticket={}", events("s"), holder.ticket("s").await)).send().await;
    let set = opened.header("set-cookie").unwrap();
    assert!(set.contains("; SameSite=None; Secure"), "{set}");
    let cookie = cookie_of(&opened.headers).unwrap();
    let from = async |origin: &str| {
        app.get(events("s")).header("cookie", &cookie).header("origin", origin).send().await
    };
    let page = from("https://app.example.com").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("access-control-allow-credentials"), Some("true"));
    assert_problem(&from("https://app.example.com.evil.example").await, 403, "forbidden");
    assert_problem(&from("http://app.example.com").await, 403, "forbidden");
}
