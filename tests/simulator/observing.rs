//! What the simulator tells of its calls.

use std::time::Duration;

use tributary::simulate::Ended;

use crate::client::{Open, PATIENCE, ask, call};
use crate::simulator;

#[tokio::test]
async fn calls_are_told_with_what_came_in_and_how_they_ended() {
    let simulator = simulator().await;
    let headers = "traceparent: 00-a-b-01\r\nIdempotency-Key: k1\r\n";
    call(&simulator, "POST", "/safety/json?latency_ms=5", headers, r#"{"query": "wäre?"}"#).await;
    call(&simulator, "POST", "/safety/json?fail=2", headers, &"x".repeat(10_000)).await;
    let told = call(&simulator, "GET", "/_calls", "", "").await.json();
    assert_eq!(
        (&told["total"], &told["in_flight"], &told["max_in_flight"]),
        (&2.into(), &0.into(), &1.into())
    );
    let first = &told["calls"][0];
    for (field, wanted) in [
        ("path", "/safety/json"),
        ("query", "latency_ms=5"),
        ("name", "k1"),
        ("body", r#"{"query": "wäre?"}"#),
        ("ended", "answered"),
    ] {
        assert_eq!(first[field], wanted, "{field}");
    }
    assert_eq!((&first["attempt"], &first["status"]), (&1.into(), &200.into()));
    assert_eq!(first["headers"]["traceparent"], "00-a-b-01");
    assert!(first["ended_ms"].as_f64().unwrap() - first["started_ms"].as_f64().unwrap() >= 5.0);
    let second = &told["calls"][1];
    assert_eq!((&second["attempt"], &second["status"]), (&2.into(), &503.into()));
    assert_eq!((second["body"].as_str().unwrap().len(), &second["body_bytes"]), (4096, &10_000.into()));
    assert_eq!(told["names"]["k1"]["calls"], 2);
    simulator.stop().await;
}

#[tokio::test]
async fn a_reset_forgets_calls_and_attempts_but_not_who_is_in_flight() {
    let simulator = simulator().await;
    let open = Open::begin(simulator.addr, "POST", "/voice/sse?hang=head&name=slow", "", "{}").await;
    assert_eq!(ask(&simulator, "/voice/json?fail=1&name=a").await.status, 503);
    simulator.until(PATIENCE, |calls| calls.names.len() == 2).await.unwrap();
    assert_eq!(call(&simulator, "DELETE", "/_calls", "", "").await.status, 204);
    let calls = simulator.calls();
    assert_eq!((calls.total, calls.calls.len(), calls.in_flight), (0, 0, 1));
    assert_eq!(ask(&simulator, "/voice/json?fail=1&name=a").await.status, 503, "the first again");
    drop(open);
    simulator.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap();
    simulator.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_calls_at_once_are_counted_and_answered() {
    let simulator = simulator().await;
    let mut open = Vec::new();
    for call in 0..500 {
        let path = format!("/documentation/sse?first_byte_ms=300&chunk_ms=5&name=n{}", call % 2);
        open.push(Open::begin(simulator.addr, "POST", &path, "", r#"{"query": "why?"}"#).await);
    }
    for answer in open {
        assert!(answer.finish().await.complete);
    }
    let calls = simulator.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap();
    assert!(calls.max_in_flight > 100, "{}", calls.max_in_flight);
    assert_eq!(calls.names.values().map(|name| name.calls).collect::<Vec<_>>(), [250, 250]);
    assert!(calls.calls.iter().all(|call| call.ended == Some(Ended::Answered)));
    simulator.stop().await;
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_refused_and_no_call() {
    let simulator = simulator().await;
    for (method, path, status) in [
        ("POST", "/generic/json?latency=1", 400),
        ("GET", "/generic/json", 405),
        ("POST", "/weather/json", 404),
        ("POST", "/generic/grpc", 404),
        ("POST", "/generic", 404),
        ("POST", "/_calls", 405),
        ("GET", "/_script", 405),
    ] {
        assert_eq!(call(&simulator, method, path, "", "{}").await.status, status, "{method} {path}");
    }
    assert_eq!(simulator.calls().total, 0);
    simulator.stop().await;
}

#[tokio::test]
async fn a_stop_closes_every_connection() {
    let simulator = simulator().await;
    let addr = simulator.addr;
    let open = Open::begin(addr, "POST", "/voice/sse?hang=body", "", "{}").await;
    simulator.until(PATIENCE, |calls| calls.in_flight == 1).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), simulator.stop()).await.expect("it stops");
    assert!(!open.finish().await.complete);
    assert!(tokio::net::TcpStream::connect(addr).await.is_err(), "the port is closed");
}
