//! Every trick with a host's name that is known to us.

use proptest::prelude::*;

use super::*;

fn allows(rule: &str, url: &str) -> bool {
    let rules = [rule.parse().unwrap()];
    refusal(&url.parse().unwrap(), &rules).is_none()
}

#[test]
fn a_host_is_allowed_as_a_whole_in_any_spelling_of_it() {
    for (rule, url) in [
        ("slack.com", "https://slack.com/a?b"),
        ("slack.com", "http://slack.com:8080/"),
        ("slack.com", "https://SLACK.com"),
        ("Slack.Com", "https://slack.com"),
        ("slack.com", "https://slack.com./"),
        ("slack.com.", "https://slack.com/"),
        ("slack.com", "https://sla%63k.com/"),
        ("slack.com", "https://ｓｌａｃｋ.com/"),
        ("slack.com:443", "https://slack.com/"),
        ("slack.com:80", "http://slack.com/"),
        ("slack.com:8443", "https://slack.com:8443/"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
        ("xn--bcher-kva.example", "https://BÜCHER.example/"),
        ("a_b.example", "http://a_b.example/"),
        ("127.0.0.1", "http://127.0.0.1:9/"),
        ("127.0.0.1", "http://0x7f.1/"),
        ("127.0.0.1", "http://2130706433/"),
        ("127.0.0.1", "http://127.1/"),
        ("127.0.0.1", "http://0177.0.0.1/"),
        ("127.1", "http://127.0.0.1/"),
        ("::1", "http://[::1]/"),
        ("[::1]", "http://[0:0:0:0:0:0:0:1]/"),
        ("[::1]:80", "http://[::1]/"),
        ("0:0::1", "http://[::1]/"),
        ("[::FFFF:1.2.3.4]", "http://[::ffff:102:304]/"),
    ] {
        assert!(allows(rule, url), "{rule} {url}");
    }
}

#[test]
fn nothing_else_is() {
    for (rule, url) in [
        ("slack.com", "https://slack.com.evil.org/"),
        ("slack.com", "https://evilslack.com/"),
        ("slack.com", "https://api.slack.com/"),
        ("slack.com", "https://evil.org/slack.com"),
        ("slack.com", "https://evil.org?slack.com"),
        ("slack.com", "https://evil.org#slack.com"),
        ("slack.com", "https://evil.org\\slack.com"),
        ("slack.com", "https://slack.com@evil.org/"),
        ("slack.com", "https://user@slack.com/"),
        ("slack.com", "https://user:word@slack.com/"),
        ("slack.com", "https://:word@slack.com/"),
        ("slack.com", "ftp://slack.com/"),
        ("slack.com", "file://slack.com/a"),
        ("slack.com", "https://slаck.com/"), // a Cyrillic letter
        ("slack.com:443", "http://slack.com/"),
        ("slack.com:443", "https://slack.com:8443/"),
        ("127.0.0.1", "http://[::ffff:127.0.0.1]/"),
        ("127.0.0.1", "http://127.0.0.2/"),
        ("127.0.0.1", "http://localhost/"),
        ("::1", "http://[::2]/"),
    ] {
        assert!(!allows(rule, url), "{rule} {url}");
    }
}

#[test]
fn without_a_rule_nothing_is_allowed_and_the_text_tells_the_host_alone() {
    let url: Url = "https://crm.test:8443/path?key=hidden".parse().unwrap();
    assert_eq!(
        refusal(&url, &[]).unwrap(),
        "`crm.test:8443` isn't among the hosts that may be called (`invoke.allowed_hosts`)"
    );
}

#[test]
fn a_rule_that_can_never_match_is_refused() {
    for text in [
        "",
        ".",
        "..",
        "a..",
        "a..b",
        ":80",
        "a:",
        "a:0",
        "a:+80",
        "a:80000",
        "a:b",
        "https://a.example/",
        "a/b",
        "a@b",
        "a b",
        "[::1",
        "[::1]80",
        "[::1]:",
        "[a]",
        "::1]",
        "*.slack.com",
        "*",
        "a?b",
        "a#b",
        "256.1.1.1",
        "1.2.3.4.5",
        "xn--a\u{0}",
    ] {
        assert!(text.parse::<AllowedHost>().is_err(), "{text}");
    }
}

#[test]
fn a_rule_is_shown_as_it_is_read() {
    for (text, shown) in [
        ("A.example:80", "a.example:80"),
        ("a.example.", "a.example"),
        ("::1", "[::1]"),
        ("[::1]:80", "[::1]:80"),
        ("10.0.0.7", "10.0.0.7"),
    ] {
        let rule: AllowedHost = text.parse().unwrap();
        assert_eq!(rule.to_string(), shown);
        assert_eq!(shown.parse(), Ok(rule));
    }
}

proptest! {
    #[test]
    fn any_text_is_a_rule_or_refused_and_a_rule_allows_its_own_host_alone(
        text in prop_oneof![any::<String>(), "[a-z0-9.:é_*\\[\\]-]{0,12}", "[0-9a-f:]{2,12}", "[0-9.]{1,12}"],
        other in prop_oneof![any::<String>(), "https?://[a-z@.:/]{0,4}slack\\.com[.:/a-z]{0,3}"],
    ) {
        if let Ok(rule) = text.parse::<AllowedHost>() {
            prop_assert_eq!(rule.to_string().parse(), Ok(rule.clone()));
            let url = Url::parse(&format!("http://{rule}/")).unwrap();
            prop_assert!(rule.allows(&url), "{}", url);
            let longer = Url::parse(&format!("http://{}.evil.org/", rule.host));
            prop_assert!(longer.map_or(true, |url| !rule.allows(&url)));
        }
        if let Ok(url) = Url::parse(&other) {
            let rule = AllowedHost { host: "slack.com".into(), port: None };
            prop_assert_eq!(rule.allows(&url), matches!(url.host_str(), Some("slack.com" | "slack.com.")));
        }
    }
}
