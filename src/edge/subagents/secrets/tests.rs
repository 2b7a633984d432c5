//! No secret shows, however it comes back.

use proptest::prelude::*;

use super::*;

fn resolved(secret: &str) -> ResolvedHeaders {
    let secrets = Secrets::new([("crm_token".to_owned(), secret.to_owned())]).unwrap();
    let headers = vec![
        (HeaderName::from_static("x-crm"), HeaderValue::from_static("secret:crm_token")),
        (HeaderName::from_static("authorization"), HeaderValue::from_static("literal")),
        (HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static("Bearer literal")),
        (HeaderName::from_static("idempotency-key"), HeaderValue::from_static("a")),
        (HeaderName::from_static("accept-language"), HeaderValue::from_static("en")),
    ];
    secrets.resolve(headers).unwrap()
}

#[test]
fn a_reference_becomes_the_secret_and_the_secret_is_marked() {
    let resolved = resolved("Bearer hunter22");
    assert_eq!(resolved.headers[0].1, "Bearer hunter22");
    assert!(!format!("{:?}", resolved.headers).contains("hunter22"));
}

#[test]
fn no_debug_shows_a_secret() {
    let secrets = Secrets::new([("crm_token".to_owned(), "hunter22".to_owned())]).unwrap();
    assert_eq!(format!("{secrets:?}"), r#"{"crm_token"}"#);
}

#[test]
fn a_secret_that_is_not_configured_is_told_by_its_name() {
    for (value, name) in [("secret:other", "other"), ("secret:", ""), ("secret:CRM_TOKEN", "CRM_TOKEN")] {
        let headers = vec![(HeaderName::from_static("x-crm"), HeaderValue::from_static(value))];
        let error = Secrets::default().resolve(headers).map(|_| ()).unwrap_err();
        assert_eq!(error, CallError::UnknownSecret(name.into()));
    }
}

#[test]
fn a_secret_that_no_header_can_hold_is_refused_by_its_name() {
    let error = Secrets::new([("crm_token".to_owned(), "hunter22\n".to_owned())]).unwrap_err();
    assert_eq!(error, "crm_token");
}

#[test]
fn another_host_gets_neither_secrets_nor_what_looks_like_one() {
    let mut resolved = resolved("hunter22");
    resolved.drop_credentials();
    let left: Vec<&str> = resolved.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(left, ["idempotency-key", "accept-language"]);
}

#[test]
fn a_quoted_secret_is_hidden_whole_in_part_and_cut_off() {
    let resolved = resolved("Bearer hunter22");
    for (text, is_cut, expected) in [
        ("you sent `Bearer hunter22`", false, "you sent `<secret>`"),
        ("wrong key: hunter22.", false, "wrong key: <secret>."),
        ("wrong key: hunt", true, "wrong key:"),
        ("wrong key: Bearer hunt", true, "wrong key:"),
        ("wrong key: hunt", false, "wrong key: hunt"),
        ("a\r\nb\u{0}\u{202e}c\td", false, "a b c d"),
    ] {
        assert_eq!(resolved.scrub(text.as_bytes(), is_cut, 512), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn a_scrubbed_text_is_short_printable_and_holds_no_secret(
        before in any::<Vec<u8>>(), after in any::<Vec<u8>>(), cut in 0_usize..900, bytes_max in 0_usize..600,
        secret in "[A-Z]{8,40}( [A-Z0-9]{6,200})?",
    ) {
        let mut text = before;
        text.extend(secret.bytes());
        text.extend(after);
        text.extend(secret.bytes());
        let is_cut = cut < text.len();
        text.truncate(cut);
        let shown = resolved(&secret).scrub(&text, is_cut, bytes_max);
        prop_assert!(shown.len() <= bytes_max);
        prop_assert!(!shown.chars().any(char::is_control));
        prop_assert!(!shown.contains(&secret), "{}", shown);
        let word = secret.split(' ').next_back().unwrap();
        prop_assert!(!shown.contains(word) , "{}", shown);
    }
}
