//! Published vectors, and what a receiver must refuse.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Of the libraries of Standard Webhooks (`libraries/*`, the test of signing).
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const TIMESTAMP_S: i64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

fn secret() -> WebhookSecret {
    WebhookSecret::parse(SECRET).unwrap()
}

fn signature(secret: &WebhookSecret, id: &str, timestamp_s: i64, body: &[u8]) -> String {
    let [_, _, (_, signature)] = secret.headers(id, timestamp_s, body).unwrap();
    signature
}

#[test]
fn headers_are_those_of_the_libraries_of_standard_webhooks() {
    let expected = [
        ("webhook-id", ID.to_owned()),
        ("webhook-timestamp", "1614265330".to_owned()),
        ("webhook-signature", SIGNATURE.to_owned()),
    ];
    assert_eq!(secret().headers(ID, TIMESTAMP_S, BODY).unwrap(), expected);

    let other = WebhookSecret::parse("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").unwrap();
    let body = br#"{"email":"test@example.com","username":"test_user"}"#;
    let signed = signature(&other, "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553, body);
    assert_eq!(signed, "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
}

#[test]
fn a_secret_in_plain_text_is_its_own_key() {
    // As by another implementation of HMAC.
    let secret = WebhookSecret::parse("plain text").unwrap();
    let expected = "v1,ZcLfB14X3Fc88AQuz6xTNs/NBKXrgHlukIWbgM67I24=";
    assert_eq!(signature(&secret, "msg_1", 1_700_000_000, b"{}"), expected);
}

#[test]
fn codes_are_those_of_rfc_4231() {
    let counted: Vec<u8> = (1..=25).collect();
    let cases: [(&[u8], &[u8], &str); 6] = [
        (&[0x0b; 20], b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (&[0xaa; 20], &[0xdd; 50], "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (&counted, &[0xcd; 50], "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        (
            &[0xaa; 131],
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
        (
            &[0xaa; 131],
            b"This is a test using a larger than block-size key and a larger than block-size data. \
              The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        ),
    ];
    for (key, data, expected) in cases {
        let mut mac = keyed(key);
        mac.update(data);
        let code: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(code, expected);
    }
}

#[test]
fn a_secret_that_makes_no_key_is_refused() {
    for (text, expected) in [
        ("", SignatureError::TooShort),
        ("whsec_", SignatureError::TooShort),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaQ=", SignatureError::TooShort),
        ("whsec_not base64", SignatureError::NotBase64),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", SignatureError::NotBase64),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", SignatureError::NotBase64),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS_", SignatureError::NotBase64),
    ] {
        assert_eq!(WebhookSecret::parse(text).err(), Some(expected), "{text:?}");
    }
}

#[test]
fn an_id_that_could_be_mistaken_or_is_no_header_value_is_refused() {
    for id in ["", "a.b", "a b", "a\r\nb", "é", "a\0"] {
        assert_eq!(secret().headers(id, 0, BODY), Err(SignatureError::Id), "{id:?}");
    }
}

#[test]
fn one_good_signature_among_others_is_enough() {
    let bad = "v1,tFtCZ5RDCPxzWQRWXWPgrCgE2frDBe9gjpbWQxnVfsQ=";
    let asymmetric = SIGNATURE.replace("v1,", "v1a,");
    let unmarked = SIGNATURE.replace("v1,", "");
    let cut = SIGNATURE.get(..7).unwrap();
    for (signatures, expected) in [
        (SIGNATURE.to_owned(), true),
        (format!("{bad} {asymmetric} {SIGNATURE} {bad}"), true),
        (format!("  nonsense , {SIGNATURE}"), true),
        (bad.to_owned(), false),
        (asymmetric, false),
        (unmarked, false),
        (cut.to_owned(), false),
        ("v1,".to_owned(), false),
        (String::new(), false),
    ] {
        assert_eq!(secret().verifies(ID, TIMESTAMP_S, BODY, &signatures), expected, "{signatures:?}");
    }
}

#[test]
fn a_secret_is_not_shown() {
    assert_eq!(format!("{:?}", secret()), "WebhookSecret(..)");
}

proptest! {
    #[test]
    fn what_is_signed_is_verified_and_nothing_else(
        key in vec(any::<u8>(), 24..65), id in "[!-~&&[^.]]{1,40}", timestamp_s in any::<i64>(),
        body in vec(any::<u8>(), 0..200), flipped in any::<prop::sample::Index>(),
    ) {
        let secret = WebhookSecret::parse(&format!("whsec_{}", STANDARD.encode(&key))).unwrap();
        let signed = signature(&secret, &id, timestamp_s, &body);
        prop_assert!(secret.verifies(&id, timestamp_s, &body, &signed));

        let other_id = format!("{id}x");
        prop_assert!(!secret.verifies(&other_id, timestamp_s, &body, &signed));
        prop_assert!(!secret.verifies(&id, timestamp_s.wrapping_add(1), &body, &signed));
        prop_assert!(!secret.verifies(&id, timestamp_s, &[&body[..], b" "].concat(), &signed));
        let mut other_key = key.clone();
        other_key[flipped.index(key.len())] ^= 1;
        let other = WebhookSecret(keyed(&other_key));
        prop_assert!(!other.verifies(&id, timestamp_s, &body, &signed));
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), id in any::<String>(), timestamp_s in any::<i64>()) {
        let _ = WebhookSecret::parse(&text).map(|secret| secret.headers(&id, timestamp_s, text.as_bytes()));
        let _ = WebhookSecret::parse(&format!("whsec_{text}"));
        prop_assert!(!secret().verifies(&id, timestamp_s, text.as_bytes(), &text));
    }
}
