//! Where an answer ends: whole, or broken off, which is tried again and never a success.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tributary::simulate::Script;

use crate::hosts::PlainAgent;
use crate::protocols::{WAYS, documents, said};
use crate::scene::{Scene, calling, ended, simulator, statuses};

#[tokio::test]
async fn answer_that_breaks_off_is_tried_again_and_is_never_a_success() {
    let scene = Scene::new().await;
    let (mut outputs, mut script) = (Vec::new(), json!({}));
    for (key, way) in WAYS {
        for (how, first) in
            [("cut", json!({"garbage": "truncated"})), ("open", json!({"status_event": "partial"}))]
        {
            let key = format!("{key}_{how}");
            outputs.push(documents(&scene, &key, &format!("/documentation/{way}&chunks=4&name={key}")));
            script[format!("name={key}")] = json!([first, {}]);
        }
    }
    outputs.push(documents(&scene, "whole", "/documentation/json"));
    scene.agents.set_script(Script::read(&script.to_string()).unwrap());
    let planner = scene.plan(&outputs).await;
    let events = ended(&planner, "p").await;
    let whole = said(&events, "whole", "success", "/payload/answer");
    for output in &outputs[..outputs.len() - 1] {
        let key = output["key"].as_str().unwrap();
        let mut firm = statuses(&events, key);
        firm.retain(|status| !matches!(&**status, "partial" | "pending"));
        firm.dedup();
        assert_eq!(said(&events, key, "success", "/payload/answer"), whole, "{key}");
        if key == "openai_cut" {
            // Its last piece has the reason, and is whole: only what would follow that is cut.
            assert_eq!(firm, ["in_progress", "success"], "{key}");
            continue;
        }
        assert_eq!(firm, ["in_progress", "retry", "in_progress", "success"], "{key}");
        let error = &said(&events, key, "retry", "/error")[0];
        let codes: &[_] =
            if key.ends_with("_cut") { &["broken_answer"] } else { &["ended_early", "truncated_answer"] };
        assert!(codes.contains(&error["code"].as_str().unwrap()), "{key}: {error}");
        assert_eq!(error["retryable"], true, "{key}");
    }
}

/// An agent that answers each connection so, and keeps it open.
async fn holding(answer: String) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 4096]).await;
            let _ = socket.write_all(answer.as_bytes()).await;
            open.push(socket);
        }
    });
    addr
}

/// What has its mark is whole: a connection that breaks behind it, or that a proxy keeps open, takes nothing from it.
#[tokio::test]
async fn answer_of_a_model_ends_with_its_reason_whatever_the_connection_does() {
    const BODY: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Trains leave at nine.\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    // More is promised than comes.
    let (head, length) = ("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n", BODY.len() + 10);
    let answer = format!("{head}content-length: {length}\r\n\r\n{BODY}");
    let addr = holding(answer.clone()).await;
    let agent = PlainAgent::start(move |_| answer.clone()).await;
    let scene = Scene { agents: simulator().await, app: calling("127.0.0.1").start().await };
    let outputs = [("broken", agent.addr), ("open", addr)].map(|(key, addr)| {
        let body = json!({"model": "m", "messages": []});
        let invoke = json!({"url": format!("http://{addr}/"), "protocol": "openai", "body": body});
        json!({"key": key, "max_attempts": 1, "invoke": invoke})
    });
    let events = ended(&scene.plan(&outputs).await, "p").await;
    for key in ["broken", "open"] {
        assert_eq!(
            said(&events, key, "success", "/payload/content"),
            ["Trains leave at nine."],
            "{key}: {events:?}"
        );
    }
}

#[tokio::test]
async fn last_event_of_an_answer_needs_no_empty_line_and_what_ends_the_stream_is_no_answer() {
    const DRAFT: &str = "data: {\"answer\":\"It is 5.\"}\n\n";
    let agent = PlainAgent::start(|request| {
        let body = match request.split(' ').nth(1) {
            Some("/unended") => format!("{DRAFT}data: {{\"answer\":\"It is 7.\"}}\n"),
            Some("/bare") => format!("{DRAFT}data: {{\"answer\":\"It is 7.\"}}"),
            Some("/named") => {
                format!("{DRAFT}data: {{\"answer\":\"It is 7.\"}}\n\nevent: end\ndata: {{}}\n\n")
            }
            Some("/cut") => format!("{DRAFT}data: {{\"answer\":\"It is"),
            _ => format!("{DRAFT}data: It is 7"),
        };
        PlainAgent::answer("200 OK", "text/event-stream", &body)
    })
    .await;
    let scene = Scene { agents: simulator().await, app: calling(agent.addr).start().await };
    let keys = ["unended", "bare", "named", "cut", "text"];
    let outputs = keys.map(|key| {
        let mut output = agent.called(key, &format!("/{key}"), "sse");
        output["max_attempts"] = json!(1);
        output
    });
    let events = ended(&scene.plan(&outputs).await, "p").await;
    for key in keys {
        let answers = said(&events, key, "success", "/payload/answer");
        if matches!(key, "cut" | "text") {
            assert_eq!(statuses(&events, key).last().unwrap(), "error", "{key}");
            assert_eq!(said(&events, key, "error", "/error/code"), ["malformed_answer"], "{key}");
        } else {
            assert_eq!(answers, ["It is 7."], "{key}: {events:?}");
        }
    }
}
