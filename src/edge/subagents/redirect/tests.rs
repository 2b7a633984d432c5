//! Every way to be sent elsewhere.

use super::*;

fn sent(status: u16, locations: &[&[u8]]) -> Result<String, String> {
    let from = Url::parse("https://crm.test/a/b?key=hidden").unwrap();
    let rules = ["crm.test", "other.test:8443"].map(|rule| rule.parse().unwrap());
    let mut headers = HeaderMap::new();
    for location in locations {
        headers.append(header::LOCATION, http::HeaderValue::from_bytes(location).unwrap());
    }
    let status = StatusCode::from_u16(status).unwrap();
    target(&from, status, &headers, &rules).map(String::from)
}

#[test]
fn a_post_is_repeated_at_an_allowed_place() {
    for (location, expected) in [
        ("c", "https://crm.test/a/c"),
        ("/c?d", "https://crm.test/c?d"),
        ("//crm.test/c", "https://crm.test/c"),
        ("https://CRM.test:8/", "https://crm.test:8/"),
        ("https://other.test:8443/c", "https://other.test:8443/c"),
    ] {
        for status in [307, 308] {
            assert_eq!(sent(status, &[location.as_bytes()]).unwrap(), expected);
        }
    }
}

#[test]
fn no_other_status_is_followed() {
    for status in [300, 301, 302, 303, 305, 306, 309] {
        assert_eq!(sent(status, &[b"/c"]).unwrap_err(), format!("status {status} doesn't repeat a POST"));
    }
}

#[test]
fn no_other_place_is_followed() {
    for location in [
        "https://evil.test/",
        "https://other.test/",
        "https://crm.test.evil.test/",
        "//evil.test/",
        "/\\evil.test/",
        "\\\\evil.test/",
        "https:\\\\evil.test",
        "https://crm.test@evil.test/",
        "https://user:word@crm.test/",
        "http://crm.test/",
        "ftp://crm.test/",
        "file:///etc/passwd",
        "data:,a",
        "https://",
        "https://[::1",
    ] {
        let error = sent(307, &[location.as_bytes()]).unwrap_err();
        assert!(!error.contains("hidden") && !error.contains("passwd"), "{error}");
    }
}

#[test]
fn a_place_that_is_missing_doubled_or_unreadable_is_not_followed() {
    for locations in [&[] as &[&[u8]], &[b"/a", b"/b"], &[b"\xff\xfe"]] {
        sent(307, locations).unwrap_err();
    }
}

#[test]
fn credentials_stay_with_host_and_port() {
    for (from, to, expected) in [
        ("https://a.test/", "https://a.test/b", true),
        ("https://a.test/", "https://a.test:443/b", true),
        ("https://a.test/", "https://b.test/", false),
        ("https://a.test/", "https://a.test:8443/", false),
        ("http://a.test/", "https://a.test/", false),
        ("http://a.test:8/", "https://a.test:8/", true),
    ] {
        assert_eq!(is_same_place(&from.parse().unwrap(), &to.parse().unwrap()), expected, "{from} {to}");
    }
}
