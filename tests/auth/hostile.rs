//! Tokens that must open nothing, and what is said about them.

use serde_json::json;
use tributary::edge::auth::AuthError::{
    self, Algorithm, BadSignature, Expired, Missing, NotYet, Unknown, UnknownKey,
};

use crate::auth::issuer::{EC, ED, HMAC, NOW, RSA, SECRET, Signer, authenticator, claims, encode, key_set};

const HEADER: AuthError = AuthError::Malformed("its header is not as it should be");
const ENCODED: AuthError = AuthError::Malformed("its header is not base64url");
const PARTS: AuthError = AuthError::Malformed("it has not three parts");
const OBJECT: AuthError = AuthError::Malformed("its claims can't be read as a JSON object");
const TWICE: AuthError = AuthError::Malformed("one of its claims stands there twice");
const NO_EXP: AuthError = AuthError::Malformed("its claims lack `exp`");
const EXP: AuthError = AuthError::Malformed("its claim `exp` is no number");
const NBF: AuthError = AuthError::Malformed("its claim `nbf` is no number");
const TENANT: AuthError = AuthError::Malformed("its claim `tenant` is no tenant's name");
const SCOPES: AuthError = AuthError::Malformed("its claim `scopes` is no array of texts");
const SESSIONS: AuthError = AuthError::Malformed("its claim `sessions` is no array of session patterns");
const LONG: AuthError = AuthError::Malformed("it is longer than 8 KiB");
const CRIT: AuthError = AuthError::Malformed("its header has crit");
const MANY: AuthError = AuthError::Malformed("it has more than 64 sessions");
const INSTANT: AuthError = AuthError::Malformed("an instant of it is not one");

type Row = (&'static str, String, AuthError);

/// The token's parts, to put others together from.
fn parts(token: &str) -> [&str; 3] {
    let parts: Vec<&str> = token.split('.').collect();
    parts.try_into().unwrap()
}

fn headers() -> Vec<Row> {
    let claims = claims().to_string();
    let hs = |header: &str| HMAC.token(header, &claims);
    let unsigned = |header: &str| format!("{}.{}.", encode(header), encode(&claims));
    let own = Signer::rsa();
    let with_jwk = json!({"alg": "RS256", "kid": "rsa", "jwk": own.jwk(None)}).to_string();
    let unknown_jwk = json!({"alg": "RS256", "kid": "own", "jwk": own.jwk(Some("own"))}).to_string();
    let rs = |header: &str| own.token(header, &claims);
    vec![
        ("alg none, no signature", unsigned(r#"{"alg":"none"}"#), Algorithm),
        ("alg None, no signature", unsigned(r#"{"alg":"None"}"#), Algorithm),
        ("alg NONE, no signature", unsigned(r#"{"alg":"NONE","typ":"JWT"}"#), Algorithm),
        ("alg none, signed", hs(r#"{"alg":"none"}"#), Algorithm),
        ("alg of nothing", hs(r#"{"alg":""}"#), Algorithm),
        ("alg in small letters", hs(r#"{"alg":"hs256"}"#), Algorithm),
        ("alg HS512", hs(r#"{"alg":"HS512"}"#), Algorithm),
        ("alg PS256 with an RSA key", RSA.token(r#"{"alg":"PS256","kid":"rsa"}"#, &claims), Algorithm),
        ("alg is a list", hs(r#"{"alg":["HS256"]}"#), HEADER),
        ("alg is null", hs(r#"{"alg":null}"#), HEADER),
        ("no alg", hs(r#"{"typ":"JWT"}"#), HEADER),
        ("alg twice", hs(r#"{"alg":"none","alg":"HS256"}"#), HEADER),
        ("kid twice", hs(r#"{"alg":"HS256","kid":"a","kid":"b"}"#), HEADER),
        ("kid is a number", hs(r#"{"alg":"HS256","kid":7}"#), HEADER),
        ("kid is a path", rs(r#"{"alg":"RS256","kid":"../../dev/null"}"#), UnknownKey),
        ("kid is SQL", rs(r#"{"alg":"RS256","kid":"' OR 1=1 --"}"#), UnknownKey),
        ("kid with a NUL", rs("{\"alg\":\"RS256\",\"kid\":\"rsa\\u0000\"}"), UnknownKey),
        ("kid is empty", rs(r#"{"alg":"RS256","kid":""}"#), UnknownKey),
        ("crit", hs(r#"{"alg":"HS256","crit":["exp"]}"#), CRIT),
        ("crit of nothing", hs(r#"{"alg":"HS256","crit":[]}"#), CRIT),
        ("crit is null", hs(r#"{"alg":"HS256","crit":null}"#), CRIT),
        ("b64 false", hs(r#"{"alg":"HS256","b64":false,"crit":["b64"]}"#), CRIT),
        (
            "jku of the attacker",
            rs(r#"{"alg":"RS256","kid":"rsa","jku":"http://127.0.0.1:9/jwks"}"#),
            BadSignature,
        ),
        (
            "x5u of the attacker",
            rs(r#"{"alg":"RS256","kid":"rsa","x5u":"http://127.0.0.1:9/cert"}"#),
            BadSignature,
        ),
        ("x5c of the attacker", rs(r#"{"alg":"RS256","kid":"rsa","x5c":["MIIB"]}"#), BadSignature),
        ("jwk of the attacker", rs(&with_jwk), BadSignature),
        ("jwk of the attacker, with its id", rs(&unknown_jwk), UnknownKey),
        ("header is a list", hs(r#"["HS256"]"#), HEADER),
        ("header is a text", hs(r#""HS256""#), HEADER),
        ("header is nothing", hs(""), HEADER),
        ("header with a byte order mark", hs("\u{feff}{\"alg\":\"HS256\"}"), HEADER),
    ]
}

/// Algorithms and keys that don't belong together.
fn confusions() -> Vec<Row> {
    let claims = claims();
    let text = claims.to_string();
    let short = Signer::Hs256(SECRET[1..].to_vec());
    let mut rows: Vec<Row> = RSA
        .public_texts()
        .into_iter()
        .map(|public| Signer::Hs256(public).usual(Some("rsa"), &claims))
        .map(|token| ("HS256 with the RSA public key as secret", token, BadSignature))
        .collect();
    let set = key_set();
    for text_of_set in [set.to_string(), set["keys"][0].to_string(), set["keys"][0]["n"].to_string()] {
        let token = Signer::Hs256(text_of_set.into_bytes()).usual(Some("rsa"), &claims);
        rows.push(("HS256 with a text of the set as secret", token, BadSignature));
    }
    rows.extend([
        ("HS256 with the empty secret", Signer::Hs256(vec![]).usual(None, &claims), BadSignature),
        ("HS256 with another secret", short.usual(None, &claims), BadSignature),
        ("RS256 with another key", Signer::rsa().usual(Some("rsa"), &claims), BadSignature),
        ("RS256 with another key, no kid", Signer::rsa().usual(None, &claims), BadSignature),
        ("ES256 with another key", Signer::ec().usual(Some("ec"), &claims), BadSignature),
        ("EdDSA with another key", Signer::ed().usual(Some("ed"), &claims), BadSignature),
        ("kid of another kind of key", RSA.usual(Some("ec"), &claims), UnknownKey),
        ("kid of an unknown key", ED.usual(Some("gone"), &claims), UnknownKey),
        ("RS256 signed with the secret", HMAC.token(r#"{"alg":"RS256","kid":"rsa"}"#, &text), BadSignature),
        ("RS256 signed with P-256", EC.token(r#"{"alg":"RS256","kid":"rsa"}"#, &text), BadSignature),
        ("HS256 signed with RSA", RSA.token(r#"{"alg":"HS256","kid":"rsa"}"#, &text), BadSignature),
        ("EdDSA signed with P-256", EC.token(r#"{"alg":"EdDSA","kid":"ed"}"#, &text), BadSignature),
        ("ES256 of zeros", forged(r#"{"alg":"ES256","kid":"ec"}"#, &text, &[0; 64]), BadSignature),
        (
            "ES256 as DER",
            forged(r#"{"alg":"ES256","kid":"ec"}"#, &text, &[0x30, 6, 2, 1, 1, 2, 1, 1]),
            BadSignature,
        ),
        ("EdDSA of zeros", forged(r#"{"alg":"EdDSA","kid":"ed"}"#, &text, &[0; 64]), BadSignature),
        ("RS256 of ones", forged(r#"{"alg":"RS256","kid":"rsa"}"#, &text, &[0xff; 256]), BadSignature),
    ]);
    rows
}

fn forged(header: &str, claims: &str, signature: &[u8]) -> String {
    format!("{}.{}.{}", encode(header), encode(claims), encode(signature))
}

/// A good token, written otherwise.
fn shapes() -> Vec<Row> {
    let good = HMAC.usual(None, &claims());
    let [header, payload, signature] = parts(&good);
    let other = encode(r#"{"exp":9999999999,"scopes":["admin"]}"#);
    let long_kid = "k".repeat(9_000);
    // The last character of 32 bytes has two bits that say nothing.
    let last = if signature.ends_with('A') { 'B' } else { 'A' };
    let mut bits = signature[..42].to_owned();
    bits.push(last);
    vec![
        ("nothing", String::new(), Missing),
        ("a blank", " ".into(), Unknown),
        ("a dot", ".".into(), PARTS),
        ("two dots", "..".into(), HEADER),
        ("no signature", format!("{header}.{payload}."), BadSignature),
        ("no signature and no dot", format!("{header}.{payload}"), PARTS),
        ("no claims", format!("{header}..{signature}"), BadSignature),
        ("four parts", format!("{good}.{signature}"), PARTS),
        ("five parts, as if encrypted", format!("{header}.{payload}.{payload}.{payload}.{signature}"), PARTS),
        ("a dot more", format!("{good}."), PARTS),
        ("cut by one", good[..good.len() - 1].into(), BadSignature),
        ("one more", format!("{good}A"), BadSignature),
        ("other bits at the end", format!("{header}.{payload}.{bits}"), BadSignature),
        ("other claims", format!("{header}.{other}.{signature}"), BadSignature),
        ("padding behind the signature", format!("{good}="), BadSignature),
        ("padding behind the header", format!("{header}==.{payload}.{signature}"), ENCODED),
        ("a blank before", format!(" {good}"), ENCODED),
        ("a blank behind", format!("{good} "), BadSignature),
        ("a line end behind", format!("{good}\n"), BadSignature),
        ("a NUL behind", format!("{good}\0"), BadSignature),
        ("a NUL within", format!("{header}\0.{payload}.{signature}"), ENCODED),
        ("Bearer before", format!("Bearer {good}"), ENCODED),
        ("the other alphabet", format!("{header}.{payload}.+/{}", &signature[2..]), BadSignature),
        ("letters beyond ASCII", format!("{header}.{payload}.ä{signature}"), BadSignature),
        ("too long", HMAC.usual(Some(&long_kid), &claims()), LONG),
        ("very long", "a.".repeat(1_000_000), LONG),
        ("a key that isn't known", "trb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".into(), Unknown),
        ("JSON serialization", r#"{"payload":"e30","signatures":[]}"#.into(), Unknown),
    ]
}

/// Signed as it should be, for nothing.
fn claimed() -> Vec<Row> {
    let at = |seconds: i64| json!(NOW.0 / 1_000 + seconds);
    let with = |name: &str, value: serde_json::Value| {
        let mut claims = claims();
        claims[name] = value;
        HMAC.usual(None, &claims)
    };
    let text = |claims: &str| HMAC.token(r#"{"alg":"HS256"}"#, claims);
    let end = NOW.0 / 1_000 + 60;
    vec![
        ("expired by a second", with("exp", at(-1)), Expired),
        ("expired at this instant", with("exp", at(0)), Expired),
        ("expired at the beginning", with("exp", json!(0)), Expired),
        ("exp is a text", with("exp", json!(end.to_string())), EXP),
        ("exp is null", with("exp", json!(null)), EXP),
        ("exp is a list", with("exp", json!([end])), EXP),
        ("exp in milliseconds", with("exp", json!(end * 1_000)), INSTANT),
        ("exp is huge", text(r#"{"exp":1e308}"#), INSTANT),
        ("exp is no number any more", text(r#"{"exp":1e999}"#), OBJECT),
        ("no exp", text(r#"{"scopes":["admin"]}"#), NO_EXP),
        ("exp twice", text(&format!(r#"{{"exp":1,"exp":{end}}}"#)), TWICE),
        ("scopes twice", text(&format!(r#"{{"exp":{end},"scopes":[],"scopes":["admin"]}}"#)), TWICE),
        ("tenant twice", text(&format!(r#"{{"exp":{end},"tenant":"a","tenant":"b"}}"#)), TWICE),
        ("exp twice, once escaped", text(&format!(r#"{{"exp":1,"\u0065xp":{end}}}"#)), TWICE),
        ("nbf in a second", with("nbf", at(1)), NotYet),
        ("nbf is a text", with("nbf", json!("0")), NBF),
        ("tenant is null", with("tenant", json!(null)), TENANT),
        ("tenant with a slash", with("tenant", json!("acme/a")), TENANT),
        ("tenant with a NUL", with("tenant", json!("acme\0")), TENANT),
        ("sessions is null", with("sessions", json!(null)), SESSIONS),
        ("sessions is a text", with("sessions", json!("*")), SESSIONS),
        ("scopes is a text", with("scopes", json!("read")), SCOPES),
        ("many sessions", with("sessions", json!(vec!["a"; 65])), MANY),
        ("claims are a list", text("[]"), OBJECT),
        ("claims are nothing", text(""), OBJECT),
        ("claims are deep", text(&"[".repeat(3_000)), OBJECT),
        ("claims with something behind", text(&format!("{{\"exp\":{end}}}{{}}")), OBJECT),
    ]
}

#[tokio::test]
async fn no_hostile_token_opens_anything_and_none_is_repeated() {
    let (authenticator, _folder) = authenticator();
    let rows: Vec<Row> = [headers(), confusions(), shapes(), claimed()].concat();
    assert!(rows.len() > 100, "{}", rows.len());
    for (name, token, expected) in rows {
        let refused = authenticator.authenticate(&token, NOW).await.unwrap_err();
        assert_eq!(refused, expected, "{name}");
        let told = format!("{refused} {refused:?}");
        let is_told = token.split('.').any(|part| part.len() > 8 && told.contains(part));
        assert!(!is_told, "{name}: {told}");
        assert!(!matches!(authenticator.known(&token, NOW), Some(Ok(_))), "{name} is known afterwards");
    }
}

#[tokio::test]
async fn signature_counts_to_the_last_bit() {
    let (authenticator, _folder) = authenticator();
    for (signer, id) in [(&*HMAC, "any"), (&*RSA, "rsa"), (&*EC, "ec"), (&*ED, "ed")] {
        let claims = claims().to_string();
        let header = json!({"alg": signer.name(), "kid": id}).to_string();
        let message = format!("{}.{}", encode(&header), encode(&claims));
        let signature = signer.sign(message.as_bytes());
        assert!(authenticator.authenticate(&forged(&header, &claims, &signature), NOW).await.is_ok());
        for bit in (0..signature.len() * 8).step_by(7) {
            let mut other = signature.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            let token = forged(&header, &claims, &other);
            assert_eq!(authenticator.authenticate(&token, NOW).await, Err(BadSignature), "{id}, bit {bit}");
        }
        for length in [0, 1, 31, 63, signature.len() - 1] {
            let token = forged(&header, &claims, &signature[..length.min(signature.len() - 1)]);
            assert_eq!(
                authenticator.authenticate(&token, NOW).await,
                Err(BadSignature),
                "{id}, {length} bytes"
            );
        }
    }
}
