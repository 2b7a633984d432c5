//! API keys in the configuration.

use super::*;

#[test]
fn every_mistake_in_an_api_key_is_told_with_its_place_and_no_other() {
    let wrong = complaint(with_variables(&[
        ("TRIBUTARY_AUTH__KEYS__P__SCOPES", "read,root"),
        ("TRIBUTARY_AUTH__KEYS__P__HASH", "trb_hunter2"),
        ("TRIBUTARY_AUTH__KEYS__P__EXPIRES", "soon"),
        ("TRIBUTARY_AUTH__JWT_SECRET", "hunter2"),
    ]));
    let told = |key: &str, name: &str| {
        let place = format!("(set in the environment variable TRIBUTARY_AUTH__{name})");
        wrong.lines().any(|line| line.trim_start().starts_with(key) && line.ends_with(&place))
    };
    assert!(told("auth.keys.p.scopes[1]: ", "KEYS__P__SCOPES"), "{wrong}");
    assert!(told("auth.keys.p.hash: the hash of a key is `sha256:`", "KEYS__P__HASH"), "{wrong}");
    assert!(told("auth.keys.p.expires: `soon` is no RFC 3339 time", "KEYS__P__EXPIRES"), "{wrong}");
    assert!(told("auth.jwt_secret: it is too short: at least 8 bytes", "JWT_SECRET"), "{wrong}");
    assert!(!wrong.contains("hunter2") && !wrong.contains("missing field"), "{wrong}");
    assert_eq!(wrong.lines().count(), 5, "{wrong}");
    let lacking = complaint(with_file("[auth.keys.p]\nscopes = []"));
    assert_names(&lacking, &["auth.keys.p: missing field `hash`", "the file "]);
}

#[test]
fn api_keys_have_names_that_are_labels_and_hashes_of_their_own() {
    let hash = format!("sha256:{}", "0a".repeat(32));
    let key =
        |name: &str, hash: &str| format!("[auth.keys.{name}]\nhash = \"{hash}\"\nscopes = [\"read\"]\n");
    let keys = [
        key("\"a b\"", &format!("sha256:{}", "1b".repeat(32))),
        key("one", &hash),
        key("two", &hash.to_uppercase().replace("SHA", "sha")),
    ];
    let wrong = complaint(with_file(&keys.concat()));
    let told = [
        "auth.keys.a b: a key's name is 1 to 128",
        "auth.keys.two.hash: it is the same as `auth.keys.one.hash`",
    ];
    assert_names(&wrong, &told);
    assert!(wrong.lines().count() == 3 && wrong.matches("(set in the file ").count() == 2, "{wrong}");
}

#[test]
fn a_key_that_lacks_something_is_looked_at_all_the_same() {
    let required = ("TRIBUTARY_AUTH__MODE", "required");
    let wrong = complaint(with_variables(&[required, ("TRIBUTARY_AUTH__KEYS__P__HASH", "abc")]));
    assert_names(&wrong, &["auth.keys.p: missing field `scopes`", "auth.keys.p.hash: the hash of a key is"]);
    assert_eq!(wrong.lines().count(), 3, "nothing else is wrong: {wrong}");
    let wrong = complaint(with_file("[auth.keys.p]\nexpires = \"soon\"\n[auth.keys.q]\ntenant = \"t\""));
    for part in [
        "p: missing field `hash`",
        "p: missing field `scopes`",
        "q: missing field `hash`",
        "q: missing field `scopes`",
        "p.expires: ",
    ] {
        assert_names(&wrong, &[&format!("auth.keys.{part}")]);
    }
    assert_eq!(wrong.lines().count(), 6, "{wrong}");
}
