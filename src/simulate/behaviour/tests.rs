//! What can be asked for, and what can't.

use super::*;

#[test]
fn a_query_sets_the_fields_that_it_names() {
    let read = Behaviour::from_query(
        "name=docs&latency_ms=20&hang=body&garbage=huge&bytes=9&decision=refuse&subagent=crm%20search\
         &retry_after=2&retryable=false&usage=77&status_event=partial&version=1.0",
    );
    let wanted = Behaviour {
        latency_ms: Some(20),
        hang: Some(Hang::Body),
        garbage: Some(Garbage::Huge),
        bytes: Some(9),
        decision: Some(Decision::Refuse),
        subagent: Some("crm search".into()),
        retry_after: Some("2".into()),
        retryable: Some(false),
        usage: Some(Usage::Tokens(77)),
        status_event: Some(StatusEvent::Partial),
        version: Some("1.0".into()),
        ..Behaviour::default()
    };
    assert_eq!(read, Ok(wanted));
    assert_eq!(Behaviour::from_query(""), Ok(Behaviour::default()));
}

#[test]
fn a_mistake_is_told_with_the_name_of_its_field() {
    for (query, named) in [
        ("latency=1", "latency"),
        ("latency_ms=-1", "latency_ms"),
        ("latency_ms=1.5", "latency_ms"),
        ("latency_ms=3600001", "latency_ms"),
        ("latency_ms=99999999999999999999", "latency_ms"),
        ("chunks=0", "chunks"),
        ("status=100", "status"),
        ("status=600", "status"),
        ("redirect_status=200", "redirect_status"),
        ("hang=tail", "hang"),
        ("garbage=", "garbage"),
        ("decision=maybe", "decision"),
        ("retryable=yes", "retryable"),
        ("usage=much", "usage"),
        ("version=2.0", "version"),
        ("retry_after=1%0a2", "retry_after"),
        ("fail=1&fail=2", "fail"),
    ] {
        let error = Behaviour::from_query(query).unwrap_err().to_string();
        assert!(error.contains(named), "{query}: {error}");
    }
}

#[test]
fn a_field_of_the_upper_goes_before_the_same_of_the_lower() {
    let upper = Behaviour { status: Some(503), fail: Some(1), ..Behaviour::default() };
    let lower = Behaviour { status: Some(200), latency_ms: Some(5), ..Behaviour::default() };
    let both = Behaviour { status: Some(503), fail: Some(1), latency_ms: Some(5), ..Behaviour::default() };
    assert_eq!(upper.over(lower), both);
}
