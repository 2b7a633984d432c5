//! No secret of the configuration stands in anything that the service says, whatever goes wrong.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::attacker::{attack, attacker, calling, ok};
use crate::harness::{Folder, PATIENCE, TestApp, eventually};
use crate::otlp_receiver::OtlpReceiver;

/// A value that nothing else says, with characters that are written in other ways in addresses.
fn secret(name: &str) -> String {
    format!("canary+{name}/5f0c")
}

const NAMES: [&str; 9] =
    ["redis", "postgres", "token", "webhook", "model", "fallback", "judge", "collector", "jwt"];

/// The ways in which a secret may be written.
fn forms(secret: &str) -> Vec<String> {
    let mut hex = String::new();
    secret.bytes().for_each(|byte| write!(hex, "{byte:02x}").unwrap());
    let percent = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
    // The middle is the same wherever it begins in a longer text, if the beginning is: `user:secret`.
    let basic = |user: &str| STANDARD.encode(format!("{user}:{secret}"));
    vec![
        secret.to_owned(),
        percent,
        STANDARD.encode(secret),
        URL_SAFE_NO_PAD.encode(secret),
        hex,
        basic("u"),
        basic(""),
    ]
}

fn assert_absent(place: &str, text: &str) {
    for name in NAMES {
        for form in forms(&secret(name)) {
            let found = text.find(&form);
            let around =
                found.map(|at| &text[text.floor_char_boundary(at.saturating_sub(300))..at + form.len()]);
            assert!(found.is_none(), "the secret `{name}` stands in {place}: {around:?}");
        }
    }
}

/// Nobody listens at port 1: every call fails, and is logged.
const NOWHERE: &str = "http://127.0.0.1:1";

#[tokio::test]
async fn no_secret_is_told_by_anything_that_fails() {
    let folder = Folder::new();
    let file = folder.0.join("tributary.toml");
    let headers = "headers = { authorization = \"secret:crm\" }";
    let text = format!(
        "[secrets]\ncrm = \"{}\"\n[subagents.voice]\nurl = \"{NOWHERE}/v\"\n{headers}\n",
        secret("token")
    );
    std::fs::write(&file, text).unwrap();
    let mut setup =
        TestApp::new().file(&file).env("LOG__LEVEL", "trace").env("AUTH__JWT_SECRET", secret("jwt"));
    setup = setup.env("INVOKE__ALLOWED_HOSTS", "127.0.0.1:1").env("INVOKE__ALLOW_PRIVATE", true);
    setup = setup
        .env("SAFETY__WEBHOOK_URL", format!("{NOWHERE}/hook"))
        .env("SAFETY__WEBHOOK_SECRET", secret("webhook"));
    for (section, name) in [("", "model"), ("FALLBACK__", "fallback"), ("JUDGE__", "judge")] {
        setup = setup.env(&format!("SYNTHESIS__{section}API_KEY"), secret(name));
    }
    setup = setup.env("SYNTHESIS__PROVIDER", "openai").env("SYNTHESIS__MODEL", "m");
    setup = setup.env("SYNTHESIS__BASE_URL", format!("{NOWHERE}/v1"));
    setup = setup.variable("OTEL_EXPORTER_OTLP_ENDPOINT", NOWHERE).variable("OTEL_BSP_SCHEDULE_DELAY", 50);
    setup = setup.variable("OTEL_EXPORTER_OTLP_HEADERS", format!("authorization={}", secret("collector")));
    let mut app = setup.start().await;
    let planner = app.planner("s");
    let invoked = json!({"plan_step_id": "p", "deadline_ms": 5_000, "expected_subagents": [
        {"key": "voice", "max_attempts": 1, "invoke": true}]});
    planner.post(&invoked).await.expect(201);
    let unsafe_answer = json!({"decision": "refuse", "policy": "x", "reason": "y"});
    app.post(planner.path("/safety")).json(&unsafe_answer).send().await;
    let over = || async {
        let page = planner.get("/events").send().await;
        (page.status == 200 && page.text().contains("plan_step_completed")).then(|| page.text().to_owned())
    };
    let page = eventually("the step to end", over).await;
    assert_absent("a page", &page);
    for path in
        ["/metrics", "/openapi.json", "/readyz", "/planner/sessions", "/planner/sessions/s", "/console"]
    {
        assert_absent(path, app.get(path).send().await.text());
    }
    app.signal("TERM");
    app.exited().await;
    let log = app.log_lines().join("\n");
    assert!(log.contains("\"TRACE\"") && log.contains("127.0.0.1:1"), "nothing was called: {log}");
    assert_absent("the log", &log);
}

#[tokio::test]
async fn no_secret_is_in_what_is_exported_or_archived_though_subagents_repeat_it() {
    let (otlp, folder) = (OtlpReceiver::start().await, Folder::new());
    let (known, token) = ("what everybody may know", secret("token"));
    let told = format!(
        "{{\"content\":\"{known}: {token}\",\"sources\":[{{\"url\":\"http://u:{token}@h.example\"}}]}}"
    );
    let length = format!("content-length: {}\r\n", told.len());
    let said = |status: &str, headers: &str| format!("HTTP/1.1 {status}\r\n{length}{headers}\r\n{told}");
    let partial = format!("data: {{\"status\":\"partial\",\"payload\":{told}}}\n\n");
    let error =
        format!("data: {{\"status\":\"error\",\"error\":{{\"code\":\"x\",\"message\":\"{token}\"}}}}\n\n");
    let elsewhere = format!("location: http://u:{token}@127.0.0.1:1/{token}\r\n");
    let answers = vec![
        attack("an answer", "json", said("200 OK", ""), "", &[]),
        attack("a refusal", "json", said("401 No", ""), "", &[]),
        attack("a redirect", "json", said("307 On", &elsewhere), "", &[]),
        attack("events", "sse", format!("{}{partial}{error}", ok("connection: close\r\n")), "", &[]),
    ];
    let address = attacker(Arc::new(answers)).await;
    let setup = calling(address).env("SECRETS__CRM", &token).env("ARCHIVE__URL", folder.url());
    let setup = setup.env("SAFETY__WEBHOOK_URL", format!("http://{address}/1"));
    let setup = setup.env("SAFETY__WEBHOOK_SECRET", secret("webhook"));
    let setup = setup.variable("OTEL_EXPORTER_OTLP_ENDPOINT", otlp.endpoint());
    let setup =
        setup.variable("OTEL_EXPORTER_OTLP_HEADERS", format!("authorization={}", secret("collector")));
    let setup = setup.variable("OTEL_BSP_SCHEDULE_DELAY", 50).variable("OTEL_METRIC_EXPORT_INTERVAL", 100);
    let mut app = setup.start().await;
    let call = |number: usize, protocol: &str| {
        let headers = json!({"authorization": "secret:crm"});
        let invoke =
            json!({"url": format!("http://{address}/{number}"), "protocol": protocol, "headers": headers});
        json!({"key": format!("a{number}"), "max_attempts": 1, "invoke": invoke})
    };
    let expected = json!([call(0, "json"), call(1, "json"), call(2, "json"), call(3, "sse")]);
    let planner = app.planner("s");
    let directive = json!({"plan_step_id": "p", "deadline_ms": 10_000, "expected_subagents": expected});
    planner.post(&directive).await.expect(201);
    let unsafe_answer = json!({"decision": "escalate", "policy": "x", "reason": "y"});
    app.post(planner.path("/safety")).json(&unsafe_answer).send().await.expect(200);
    let over = || async {
        let page = planner.get("/events").send().await;
        page.text().contains("plan_step_completed").then(|| page.text().to_owned())
    };
    let page = eventually("the step to end", over).await;
    let received =
        otlp.until("spans of calls", |seen| seen.all_spans().len() > 8 && !seen.metrics.is_empty());
    let received = received.await;
    app.signal("TERM");
    app.exited().await;
    let files =
        std::fs::read_dir(&folder.0).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let archived = String::from_utf8_lossy(&files.collect::<Vec<_>>().concat()).into_owned();
    for (place, text) in [("a page", &page), ("the archive", &archived)] {
        assert!(text.contains(known), "nothing is in {place}");
    }
    let exported = format!("{:?} {:?}", received.spans, received.metrics);
    let log = app.log_lines().join("\n");
    for (place, text) in
        [("a page", page), ("the archive", archived), ("what is exported", exported), ("the log", log)]
    {
        assert_absent(place, &text);
    }
}

/// What the program says of these variables until it ends, or finds that nobody is there.
fn said_at_start(command: &str, variables: &[(&str, String)]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tributary"));
    program.arg(command).env("TRIBUTARY_LOG__LEVEL", "trace").env("TRIBUTARY_SERVER__LISTEN", "127.0.0.1:0");
    program.envs(variables.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value)));
    let mut child =
        program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (sender, lines) = mpsc::channel();
    let out: Box<dyn Read + Send> = Box::new(child.stdout.take().unwrap());
    let err: Box<dyn Read + Send> = Box::new(child.stderr.take().unwrap());
    for pipe in [out, err] {
        let sender = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(pipe).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
    }
    drop(sender);
    let (begin, mut said) = (Instant::now(), String::new());
    // The pipes end with the process.
    while let Ok(line) = lines.recv_timeout(PATIENCE) {
        let enough = line.contains("refused") || begin.elapsed() > PATIENCE;
        said.push_str(&line);
        said.push('\n');
        if enough {
            let _ = child.kill();
        }
    }
    let _ = child.kill();
    child.wait().unwrap();
    assert!(!said.is_empty(), "{command} said nothing of {variables:?}");
    said
}

#[test]
fn passwords_of_stores_are_not_told_where_they_are_wrong_or_nobody_is_there() {
    let password = |name: &str| utf8_percent_encode(&secret(name), NON_ALPHANUMERIC).to_string();
    let (redis, postgres) = (password("redis"), password("postgres"));
    for command in ["check", "serve"] {
        for variables in [
            vec![
                ("CACHE__BACKEND", "redis".to_owned()),
                ("CACHE__REDIS_URL", format!("redis://u:{redis}@127.0.0.1:1")),
            ],
            vec![
                ("CACHE__BACKEND", "redis".to_owned()),
                ("CACHE__REDIS_URL", format!("redis://u:{redis}@127.0.0.1:99999")),
            ],
            vec![("ARCHIVE__URL", format!("postgres://u:{postgres}@127.0.0.1:1/x"))],
            vec![("ARCHIVE__URL", format!("postgres://u:{postgres}@127.0.0.1:99999/x"))],
            vec![("ARCHIVE__URL", format!("mysql://u:{postgres}@127.0.0.1/x"))],
        ] {
            let said = said_at_start(command, &variables);
            assert_absent(&format!("what `{command}` says of {}", variables[0].0), &said);
        }
    }
}

#[test]
fn password_of_an_address_is_not_told_by_the_wrong_key_that_it_stands_in() {
    let address = format!("redis://u:{}@h.example:6379", secret("redis"));
    for (key, value) in [
        ("CACHE__BACKEND", address.clone()),
        ("SERVER__LISTEN", address.clone()),
        ("AUTH__MODE", address.clone()),
        ("LOG__LEVEL", address.clone()),
        ("LIMITS__READERS_PER_SESSION", address.clone()),
        ("CORS__ALLOWED_ORIGINS", format!("https://a.example,{address}")),
        ("INVOKE__ALLOWED_HOSTS", address.clone()),
        ("SAFETY__WEBHOOK_URL", address.clone()),
        ("AUTH__JWKS", address.clone()),
        ("NOWHERE__KEY", address.clone()),
        ("SERVER__TLS_CERTIFICATE_FILE", address.clone()),
    ] {
        let said = said_at_start("check", &[(key, value)]);
        assert!(said.contains("error: "), "{key} was taken: {said}");
        assert_absent(&format!("what is said of {key}"), &said);
    }
}
