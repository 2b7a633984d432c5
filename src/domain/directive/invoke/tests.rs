//! Which calls are refused, and as what.

use super::*;
use crate::domain::directive::Protocol;

fn call(url: &str, headers: &[(&str, &str)]) -> Invoke {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Invoke::Call(InvokeCall { url: url.to_owned(), protocol: Protocol::Json, headers, body: None })
}

fn rules(hosts: &[&str]) -> CallRules {
    CallRules {
        allowed_hosts: hosts.iter().map(|host| host.parse().unwrap()).collect(),
        secrets: ["crm_token".to_owned()].into(),
        ..CallRules::default()
    }
}

fn key() -> SubagentKey {
    "crm".parse().unwrap()
}

/// The code and the place of a refusal; `None` where there is none.
fn refused(invoke: &Invoke, rules: &CallRules) -> Option<(Code, String)> {
    let refusal = check(Some(invoke), &key(), "/invoke", rules).err()?;
    Some((refusal.code, refusal.issues[0].pointer.clone()))
}

#[test]
fn a_subagent_pushes_unless_it_is_said_how_it_is_called() {
    assert_eq!(check(None, &key(), "/invoke", &rules(&[])), Ok(()));
    assert_eq!(check(Some(&Invoke::Configured(false)), &key(), "/invoke", &rules(&[])), Ok(()));
    let unknown = refused(&Invoke::Configured(true), &rules(&[]));
    assert_eq!(unknown, Some((Code::InvalidEvent, "/invoke".to_owned())));
    let Invoke::Call(configured) = call("https://crm.test/", &[]) else { unreachable!() };
    let rules = CallRules { configured: [(key(), configured)].into(), ..rules(&["crm.test"]) };
    assert_eq!(refused(&Invoke::Configured(true), &rules), None);
}

#[test]
fn a_url_is_absolute_http_and_without_a_user() {
    for url in [
        "",
        "/path",
        "host/path",
        "ftp://host/",
        "file:///etc/passwd",
        "http://",
        "https://user@host/",
        "https://user:word@host/",
        "https://:word@host/",
        "https://@host/",
        "http://ho st/",
        "javascript:alert(1)",
    ] {
        let expected = Some((Code::InvalidEvent, "/invoke/url".to_owned()));
        assert_eq!(refused(&call(url, &[]), &rules(&["host"])), expected, "{url}");
    }
    assert_eq!(refused(&call("http://host/a@b?c=d@e", &[]), &rules(&["host"])), None);
}

#[test]
fn a_url_is_called_as_it_stands_or_refused() {
    for path in ["p1/../q1", "..", "a/.", "./a", "a/%2e%2E/b", ".%2e/b", "%2e/", "a\\..\\b"] {
        let expected = Some((Code::InvalidEvent, "/invoke/url".to_owned()));
        assert_eq!(
            refused(&call(&format!("http://host/{path}"), &[]), &rules(&["host"])),
            expected,
            "{path}"
        );
    }
    for path in ["a..b", ".well-known/agent", "...", "a?to=/../b", "a#/../b", "%2ea"] {
        assert_eq!(refused(&call(&format!("http://host/{path}"), &[]), &rules(&["host"])), None, "{path}");
    }
}

#[test]
fn only_a_configured_host_may_be_called() {
    for (url, rule, passes) in [
        ("https://crm.test/x", "crm.test", true),
        ("https://CRM.test/x", "Crm.Test", true),
        ("https://crm.test:8443/x", "crm.test", true),
        ("https://crm.test/x", "crm.test:443", true),
        ("http://crm.test/x", "crm.test:443", false),
        ("https://crm.test:8443/x", "crm.test:443", false),
        ("https://evil-crm.test/x", "crm.test", false),
        ("https://crm.test.evil/x", "crm.test", false),
        ("https://crm.test@evil.test/x", "crm.test", false),
    ] {
        assert_eq!(refused(&call(url, &[]), &rules(&[rule])).is_none(), passes, "{url} by {rule}");
    }
    let elsewhere = refused(&call("https://crm.test/x", &[]), &rules(&[]));
    assert_eq!(elsewhere, Some((Code::HostNotAllowed, "/invoke/url".to_owned())));
}

#[test]
fn a_private_address_is_called_only_where_those_may_be() {
    for url in ["http://127.0.0.1:9/", "http://10.1.2.3/", "http://[::1]/", "http://2130706433/"] {
        let mut rules = rules(&["127.0.0.1", "10.1.2.3", "[::1]"]);
        let expected = Some((Code::HostNotAllowed, "/invoke/url".to_owned()));
        assert_eq!(refused(&call(url, &[]), &rules), expected, "{url}");
        rules.allow_private = true;
        assert_eq!(refused(&call(url, &[]), &rules), None, "{url}");
    }
}

#[test]
fn a_credential_is_the_name_of_a_secret_that_is_there() {
    for (name, value, passes) in [
        ("authorization", "secret:crm_token", true),
        ("x-tenant", "secret:crm_token", true),
        ("x-tenant", "acme", true),
        ("authorization", "secret:other", false),
        ("x-tenant", "secret:other", false),
        ("x-tenant", "secret:", false),
        ("authorization", "Bearer abc", false),
        ("x-forwarded-authorization", "Bearer abc", false),
        ("x-forwarded-authorization", "basic dXNlcjpwYXNz", false),
        ("x-note", "bearer of bad news", true),
        ("x-api-key", "abc", false),
        ("my-session-token", "abc", false),
        ("bad name", "x", false),
        ("x-line", "a\nb", false),
    ] {
        let refusal = refused(&call("https://crm.test/", &[(name, value)]), &rules(&["crm.test"]));
        let place = format!("/invoke/headers/{name}");
        let expected = (!passes).then_some((Code::InvalidEvent, place));
        assert_eq!(refusal, expected, "{name}: {value}");
    }
}

#[test]
fn headers_of_the_service_are_its_own() {
    for name in [
        "Traceparent",
        "idempotency-key",
        "Host",
        "Content-Length",
        "tributary-attempt",
        "te",
        "expect",
        "proxy-authorization",
    ] {
        let refusal = refused(&call("https://crm.test/", &[(name, "x")]), &rules(&["crm.test"]));
        assert_eq!(refusal, Some((Code::InvalidEvent, format!("/invoke/headers/{name}"))), "{name}");
    }
}

#[test]
fn chats_need_a_body() {
    for (protocol, passes) in [
        (Protocol::Openai, false),
        (Protocol::Anthropic, false),
        (Protocol::Json, true),
        (Protocol::Ndjson, true),
        (Protocol::Sse, true),
        (Protocol::A2a, true),
    ] {
        let Invoke::Call(plain) = call("https://crm.test/", &[]) else { unreachable!() };
        let refusal = refused(&Invoke::Call(InvokeCall { protocol, ..plain }), &rules(&["crm.test"]));
        let expected = (!passes).then(|| (Code::InvalidEvent, "/invoke/body".to_owned()));
        assert_eq!(refusal, expected, "{protocol:?}");
    }
}

#[test]
fn a_body_alone_goes_where_it_is_configured() {
    let Invoke::Call(plain) = call("https://crm.test/", &[("authorization", "secret:crm_token")]) else {
        unreachable!()
    };
    let configured = InvokeCall { protocol: Protocol::Sse, ..plain };
    let rules = CallRules { configured: [(key(), configured.clone())].into(), ..rules(&["crm.test"]) };
    let read = |text: &str| serde_json::from_str::<Invoke>(text);
    let with = read(r#"{"body":{"q":1}}"#).unwrap();
    assert_eq!(refused(&with, &rules), None);
    assert_eq!(serde_json::to_string(&with).unwrap(), r#"{"body":{"q":1}}"#, "it is kept as it was sent");
    let directive = r#"{"plan_step_id":"p","query":"How?","expected_subagents":[{"key":"crm","invoke":{"body":{"q":1}}}]}"#;
    let directive: Directive = serde_json::from_str(directive).unwrap();
    let body = Some(serde_json::from_str(r#"{"q":1}"#).unwrap());
    let expected = Invoke::Call(InvokeCall { body, ..configured });
    assert_eq!(directive.with_calls(&rules).expected_subagents[0].invoke, Some(expected));
    // Nobody says where, or half of it is said.
    assert_eq!(refused(&with, &CallRules::default()), Some((Code::InvalidEvent, "/invoke".to_owned())));
    let literal = read(r#"{"body":{"api_key":"0123456789abcdef0123"}}"#).unwrap();
    assert_eq!(refused(&literal, &rules), Some((Code::InvalidEvent, "/invoke/body/api_key".to_owned())));
    for text in [
        r#"{"protocol":"sse","body":{}}"#,
        r#"{"headers":{"a":"b"},"body":{}}"#,
        r#"{"protocol":"json"}"#,
        "{}",
    ] {
        assert!(read(text).unwrap_err().to_string().starts_with("missing field `url`"), "{text}");
    }
}

#[test]
fn the_calls_that_are_made_are_spelt_out_in_what_is_stored() {
    let text = r#"{"plan_step_id":"p","expected_subagents":[
        {"key":"crm"},{"key":"crm","result_key":"b","invoke":false},{"key":"crm","result_key":"c","invoke":true},
        {"key":"other"},{"key":"crm","result_key":"d","invoke":{"url":"https://own.test/","protocol":"sse"}}]}"#;
    let Invoke::Call(configured) = call("https://crm.test/", &[]) else { unreachable!() };
    let rules = CallRules { configured: [(key(), configured)].into(), ..rules(&["crm.test", "own.test"]) };
    let directive: Directive = serde_json::from_str(text).unwrap();
    let urls: Vec<_> = directive
        .with_calls(&rules)
        .expected_subagents
        .iter()
        .map(|expected| match &expected.invoke {
            Some(Invoke::Call(call)) => Some(call.url.clone()),
            Some(Invoke::Configured(_) | Invoke::With(_)) | None => None,
        })
        .collect();
    let url = |text: &str| Some(text.to_owned());
    let (crm, own) = (url("https://crm.test/"), url("https://own.test/"));
    assert_eq!(urls, [crm.clone(), None, crm, None, own]);
}
