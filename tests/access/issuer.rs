//! Whoever signs tokens: with a secret, or with a key of each kind, which `openssl` makes.

use std::path::Path;
use std::process::Command;

use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::harness::Folder;

/// A key, and how it signs.
pub struct Signer {
    algorithm: Algorithm,
    key: EncodingKey,
}

impl Signer {
    pub fn secret(secret: &str) -> Self {
        Self { algorithm: Algorithm::HS256, key: EncodingKey::from_secret(secret.as_bytes()) }
    }

    pub fn rsa(folder: &Folder) -> Self {
        let pem = made(&folder.0, &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]);
        Self { algorithm: Algorithm::RS256, key: EncodingKey::from_rsa_pem(&pem).unwrap() }
    }

    pub fn ec(folder: &Folder) -> Self {
        let pem = made(&folder.0, &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
        Self { algorithm: Algorithm::ES256, key: EncodingKey::from_ec_pem(&pem).unwrap() }
    }

    pub fn ed(folder: &Folder) -> Self {
        let pem = made(&folder.0, &["-algorithm", "ED25519"]);
        Self { algorithm: Algorithm::EdDSA, key: EncodingKey::from_ed_pem(&pem).unwrap() }
    }

    /// A token with the key's id, where it has one.
    pub fn token(&self, id: Option<&str>, claims: &Value) -> String {
        let mut header = Header::new(self.algorithm);
        header.kid = id.map(str::to_owned);
        encode(&header, claims, &self.key).unwrap()
    }

    /// The public key, as a set has it.
    fn public(&self, id: &str) -> Value {
        let mut jwk = json!(Jwk::from_encoding_key(&self.key, self.algorithm).unwrap());
        jwk["kid"] = id.into();
        jwk["use"] = "sig".into();
        jwk
    }
}

/// The set of these keys (RFC 7517).
pub fn key_set(keys: &[(&str, &Signer)]) -> String {
    let keys: Vec<Value> = keys.iter().map(|(id, signer)| signer.public(id)).collect();
    json!({"keys": keys}).to_string()
}

/// A new key, as PEM.
fn made(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let file = folder.join(format!("{:x}.pem", fastrand::u64(..)));
    let mut command = Command::new("openssl");
    let output = command.arg("genpkey").args(arguments).arg("-out").arg(&file).output();
    let output = output.expect("openssl is installed (Debian: openssl)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(file).unwrap()
}
