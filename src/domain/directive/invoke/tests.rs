//! Which calls are refused, and as what.

use super::*;
use crate::domain::directive::Protocol;

fn call(url: &str, headers: &[(&str, &str)]) -> Invoke {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Invoke::Call(InvokeCall { url: url.to_owned(), protocol: Protocol::Json, headers, body: None })
}

fn refused(invoke: &Invoke, hosts: &[&str]) -> (Code, String) {
    let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
    let refusal = check(Some(invoke), "/invoke", &hosts).unwrap_err();
    (refusal.code, refusal.issues[0].pointer.clone())
}

#[test]
fn a_subagent_that_pushes_is_fine_and_any_call_is_refused() {
    assert_eq!(check(None, "/invoke", &[]), Ok(()));
    assert_eq!(check(Some(&Invoke::Configured(false)), "/invoke", &[]), Ok(()));
    assert_eq!(refused(&Invoke::Configured(true), &[]), (Code::FeatureDisabled, "/invoke".to_owned()));
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
        assert_eq!(
            refused(&call(url, &[]), &["host"]),
            (Code::InvalidEvent, "/invoke/url".to_owned()),
            "{url}"
        );
    }
    assert_eq!(refused(&call("http://host/a@b?c=d@e", &[]), &["host"]).0, Code::FeatureDisabled);
}

#[test]
fn only_a_configured_host_passes_the_host_check() {
    for (url, rule, passes) in [
        ("https://crm.test/x", "crm.test", true),
        ("https://CRM.test/x", "Crm.Test", true),
        ("https://crm.test:8443/x", "crm.test", true),
        ("https://crm.test/x", "crm.test:443", true),
        ("http://crm.test/x", "crm.test:443", false),
        ("https://crm.test:8443/x", "crm.test:443", false),
        ("https://crm.test/x", "crm.test:", false),
        ("https://evil-crm.test/x", "crm.test", false),
        ("https://crm.test.evil/x", "crm.test", false),
        ("https://evil/crm.test", "crm.test", false),
        ("https://evil\\@crm.test/", "crm.test", false),
        ("https://crm.test./x", "crm.test", false),
        ("http://[::1]:80/", "[::1]", true),
        ("http://[::1]/", "[::1]:80", true),
        ("http://[::1]/", "[::2]", false),
        ("http://0x7f.1/", "127.0.0.1", true),
    ] {
        let expected = if passes { Code::FeatureDisabled } else { Code::HostNotAllowed };
        assert_eq!(refused(&call(url, &[]), &[rule]).0, expected, "{url} {rule}");
    }
    assert_eq!(
        refused(&call("https://crm.test/", &[]), &[]),
        (Code::HostNotAllowed, "/invoke/url".to_owned())
    );
}

#[test]
fn a_credential_is_the_name_of_a_secret() {
    for (name, value, passes) in [
        ("accept", "text/plain", true),
        ("authorization", "secret:crm_token", true),
        ("Authorization", "Bearer abc", false),
        ("authorization", "Bearer secret:crm_token", false),
        ("authorization", "secret:", false),
        ("authorization", "secret:a b", false),
        ("Cookie", "a=b", false),
        ("X-Api-Key", "abc", false),
        ("x-goog-api-key", "abc", false),
        ("x-crm-token", "abc", false),
        ("client-secret", "abc", false),
        ("x-password", "abc", false),
        ("bad name", "x", false),
        ("", "x", false),
        ("x", "a\r\nb: c", false),
        ("x", "ä", false),
    ] {
        let (code, pointer) = refused(&call("https://crm.test/", &[(name, value)]), &["crm.test"]);
        if passes {
            assert_eq!(code, Code::FeatureDisabled, "{name}: {value}");
        } else {
            assert_eq!(
                (code, pointer),
                (Code::InvalidEvent, format!("/invoke/headers/{name}")),
                "{name}: {value}"
            );
        }
    }
}
