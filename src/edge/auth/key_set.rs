//! A set of public keys (RFC 7517), and what it takes to be used.
//!
//! A key is for the one algorithm that follows from its type (RFC 7518, section 6; RFC 8037): RSA for RS256, P-256 for ES256,
//! Ed25519 for EdDSA. Symmetric keys are left out: what is published is no secret. A key that can't be used is left out
//! alone, so that a new kind of key doesn't take the others with it.

use jsonwebtoken::DecodingKey;
use serde::Deserialize;
use serde_json::Value;

use super::digest::from_base64url;

/// Keys of a set that are looked at; the rest is left out.
const KEYS_MAX: usize = 64;
/// Bits of an RSA key: fewer can be broken (NIST SP 800-131A), more only cost time.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;

/// How a signature is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Hs256,
    Rs256,
    Es256,
    EdDsa,
}

impl Algorithm {
    /// As `alg` names it (RFC 7518, section 3.1; RFC 8037; `Ed25519` since RFC 9864). `none` has no place here.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "HS256" => Some(Self::Hs256),
            "RS256" => Some(Self::Rs256),
            "ES256" => Some(Self::Es256),
            "EdDSA" | "Ed25519" => Some(Self::EdDsa),
            _ => None,
        }
    }

    pub(super) fn of_library(self) -> jsonwebtoken::Algorithm {
        match self {
            Self::Hs256 => jsonwebtoken::Algorithm::HS256,
            Self::Rs256 => jsonwebtoken::Algorithm::RS256,
            Self::Es256 => jsonwebtoken::Algorithm::ES256,
            Self::EdDsa => jsonwebtoken::Algorithm::EdDSA,
        }
    }
}

/// A key, and what it is for.
pub(super) struct Key {
    pub(super) id: Option<String>,
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

/// The keys that can be used.
#[derive(Default)]
pub(super) struct KeySet {
    pub(super) keys: Vec<Key>,
}

/// Why bytes aren't a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not a JSON Web Key Set")]
pub(super) struct NotASet;

impl KeySet {
    /// Reads a set; also says why keys were left out. A set without keys is one: then nobody's signature counts.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Vec<&'static str>), NotASet> {
        #[derive(Deserialize)]
        struct Document {
            keys: Vec<Value>,
        }
        let document: Document = serde_json::from_slice(bytes).map_err(|_| NotASet)?;
        let (mut keys, mut left_out) = (Vec::new(), Vec::new());
        if document.keys.len() > KEYS_MAX {
            left_out.push("there are more than 64 keys");
        }
        for value in document.keys.into_iter().take(KEYS_MAX) {
            match usable(value) {
                Ok(key) => keys.push(key),
                Err(why) => left_out.push(why),
            }
        }
        Ok((Self { keys }, left_out))
    }

    /// The keys that a token may be checked with.
    pub(super) fn candidates(&self, algorithm: Algorithm, id: Option<&str>) -> impl Iterator<Item = &Key> {
        let fits = move |key: &&Key| key.algorithm == algorithm && (id.is_none() || key.id.as_deref() == id);
        self.keys.iter().filter(fits)
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.keys.iter().any(|key| key.id.as_deref() == Some(id))
    }
}

/// The members that count (RFC 7517, section 4; RFC 7518, section 6).
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    alg: Option<String>,
    kid: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

fn usable(value: Value) -> Result<Key, &'static str> {
    let jwk: Jwk = serde_json::from_value(value).map_err(|_| "it can't be read")?;
    if jwk.usage.as_deref().is_some_and(|usage| usage != "sig") {
        return Err("its use is not sig");
    }
    if jwk.key_ops.as_ref().is_some_and(|all| !all.iter().any(|one| one == "verify")) {
        return Err("its key_ops lack verify");
    }
    let (algorithm, key) = match (&*jwk.kty, jwk.crv.as_deref()) {
        ("RSA", _) => (Algorithm::Rs256, rsa(&jwk)?),
        ("EC", Some("P-256")) => (Algorithm::Es256, p256(&jwk)?),
        ("OKP", Some("Ed25519")) => (Algorithm::EdDsa, ed25519(&jwk)?),
        _ => return Err("its type is none of RSA, P-256, Ed25519"),
    };
    if jwk.alg.is_some_and(|name| Algorithm::named(&name) != Some(algorithm)) {
        return Err("its alg is none that is used, or not that of its type");
    }
    Ok(Key { id: jwk.kid, algorithm, key })
}

fn bytes(member: &Option<String>) -> Result<Vec<u8>, &'static str> {
    member.as_deref().and_then(from_base64url).ok_or("a member of it is missing or not base64url")
}

fn rsa(jwk: &Jwk) -> Result<DecodingKey, &'static str> {
    let (modulus, exponent) = (bytes(&jwk.n)?, bytes(&jwk.e)?);
    let zeros = modulus.iter().take_while(|byte| **byte == 0).count();
    let modulus = &modulus[zeros..];
    let unused = modulus.first().map_or(0, |first| first.leading_zeros() as usize);
    if !RSA_BITS.contains(&(modulus.len() * 8 - unused)) {
        return Err("it has fewer than 2048 bits, or more than 8192");
    }
    Ok(DecodingKey::from_rsa_raw_components(modulus, &exponent))
}

fn p256(jwk: &Jwk) -> Result<DecodingKey, &'static str> {
    let (x, y) = (bytes(&jwk.x)?, bytes(&jwk.y)?);
    if x.len() != 32 || y.len() != 32 {
        return Err("its point doesn't have 32 bytes twice");
    }
    // SEC 1, section 2.3.3: a point that isn't compressed.
    Ok(DecodingKey::from_ec_der(&[&[4], &*x, &*y].concat()))
}

fn ed25519(jwk: &Jwk) -> Result<DecodingKey, &'static str> {
    let x = bytes(&jwk.x)?;
    if x.len() == 32 { Ok(DecodingKey::from_ed_der(&x)) } else { Err("it doesn't have 32 bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::auth::digest::base64url;

    fn read_one(key: Value) -> Result<Algorithm, &'static str> {
        let set = serde_json::json!({ "keys": [key] }).to_string();
        let (set, left_out) = KeySet::read(set.as_bytes()).unwrap();
        set.keys.first().map(|key| key.algorithm).ok_or_else(|| left_out[0])
    }

    fn with(base: &Value, member: &str, value: impl Into<Value>) -> Value {
        let mut key = base.clone();
        key[member] = value.into();
        key
    }

    #[test]
    fn algorithm_of_a_key_follows_from_its_type() {
        let rsa = serde_json::json!({"kty": "RSA", "n": base64url(&[200; 256]), "e": "AQAB", "kid": "r"});
        let ec = serde_json::json!({"kty": "EC", "crv": "P-256", "x": base64url(&[1; 32]), "y": base64url(&[2; 32])});
        let ed = serde_json::json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(&[3; 32])});
        let short = "it has fewer than 2048 bits, or more than 8192";
        let kind = "its type is none of RSA, P-256, Ed25519";
        let other = "its alg is none that is used, or not that of its type";
        let member = "a member of it is missing or not base64url";
        for (key, expected) in [
            (rsa.clone(), Ok(Algorithm::Rs256)),
            (ec.clone(), Ok(Algorithm::Es256)),
            (ed.clone(), Ok(Algorithm::EdDsa)),
            (with(&rsa, "use", "sig"), Ok(Algorithm::Rs256)),
            (with(&rsa, "use", "enc"), Err("its use is not sig")),
            (with(&rsa, "use", "SIG"), Err("its use is not sig")),
            (with(&rsa, "use", 7), Err("it can't be read")),
            (with(&rsa, "key_ops", vec!["verify"]), Ok(Algorithm::Rs256)),
            (with(&rsa, "key_ops", vec!["encrypt"]), Err("its key_ops lack verify")),
            (with(&rsa, "alg", "RS256"), Ok(Algorithm::Rs256)),
            (with(&rsa, "alg", "RS512"), Err(other)),
            (with(&rsa, "alg", "HS256"), Err(other)),
            (with(&rsa, "alg", "none"), Err(other)),
            (with(&ec, "alg", "RS256"), Err(other)),
            (with(&ed, "alg", "Ed25519"), Ok(Algorithm::EdDsa)),
            (with(&ed, "crv", "Ed448"), Err(kind)),
            (with(&ed, "crv", "X25519"), Err(kind)),
            (with(&ec, "crv", "P-384"), Err(kind)),
            (with(&ec, "kty", "EC2"), Err(kind)),
            (serde_json::json!({"kty": "oct", "k": base64url(&[9; 32]), "alg": "HS256"}), Err(kind)),
            (with(&rsa, "n", base64url(&[200; 128])), Err(short)),
            (with(&rsa, "n", base64url(&[&[0; 200][..], &[200; 100]].concat())), Err(short)),
            (with(&rsa, "n", base64url(&[&[0][..], &[200; 256]].concat())), Ok(Algorithm::Rs256)),
            (with(&rsa, "n", base64url(&[127; 256])), Err(short)),
            (with(&rsa, "n", base64url(&[200; 1_025])), Err(short)),
            (with(&rsa, "n", ""), Err(short)),
            (with(&rsa, "n", "not base64"), Err(member)),
            (with(&rsa, "e", Value::Null), Err(member)),
            (with(&ec, "x", base64url(&[1; 31])), Err("its point doesn't have 32 bytes twice")),
            (with(&ed, "x", base64url(&[1; 33])), Err("it doesn't have 32 bytes")),
            (Value::Null, Err("it can't be read")),
            (serde_json::json!([1]), Err("it can't be read")),
            (serde_json::json!({}), Err("it can't be read")),
        ] {
            assert_eq!(read_one(key.clone()), expected, "{key}");
        }
    }

    #[test]
    fn key_that_cannot_be_used_leaves_the_others() {
        let ed = |id: usize| serde_json::json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(&[3; 32]), "kid": id.to_string()});
        let keys: Vec<Value> = (0..100).map(|n| if n % 2 == 0 { ed(n) } else { Value::Bool(true) }).collect();
        let (set, left_out) =
            KeySet::read(serde_json::json!({ "keys": keys }).to_string().as_bytes()).unwrap();
        assert_eq!((set.keys.len(), left_out.len()), (32, 33));
        assert_eq!(set.candidates(Algorithm::EdDsa, Some("4")).count(), 1);
        assert_eq!(set.candidates(Algorithm::Rs256, Some("4")).count(), 0);
        assert_eq!(set.candidates(Algorithm::EdDsa, None).count(), 32);
        assert!(set.has("62") && !set.has("64") && !set.has("1"));
    }

    #[test]
    fn what_is_no_set_is_not_taken_for_an_empty_one() {
        for bad in
            ["", "null", "[]", "{}", "<html>", r#"{"keys": {}}"#, r#"{"keys": null}"#, r#"{"keys": []"#]
        {
            assert!(KeySet::read(bad.as_bytes()).is_err(), "{bad}");
        }
        assert_eq!(KeySet::read(br#"{"keys": []}"#).unwrap().0.keys.len(), 0);
    }
}
