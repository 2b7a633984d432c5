//! An issuer of tokens with a key of each kind, made when it is first needed. It signs with the library underneath, not with
//! the one that is tested.

use std::sync::LazyLock;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tributary::domain::time::Timestamp;
use tributary::edge::auth::{AuthSettings, Authenticator};

/// The time in all tests.
pub const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// The secret of HS256.
pub const SECRET: &[u8] = b"a secret of thirty-two bytes or so";

pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Something that signs.
pub enum Signer {
    Hs256(Vec<u8>),
    Rs256(Box<RsaKeyPair>),
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
}

impl Signer {
    pub fn rsa() -> Self {
        Self::Rs256(Box::new(RsaKeyPair::generate(KeySize::Rsa2048).unwrap()))
    }

    pub fn ec() -> Self {
        Self::Es256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    pub fn ed() -> Self {
        Self::EdDsa(Ed25519KeyPair::generate().unwrap())
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Hs256(_) => "HS256",
            Self::Rs256(_) => "RS256",
            Self::Es256(_) => "ES256",
            Self::EdDsa(_) => "EdDSA",
        }
    }

    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Self::Hs256(secret) => {
                hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message).as_ref().to_vec()
            }
            Self::Rs256(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
            Self::Es256(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::EdDsa(key) => key.sign(message).as_ref().to_vec(),
        }
    }

    /// The public key, as a set has it.
    pub fn jwk(&self, id: Option<&str>) -> Value {
        let mut jwk = match self {
            Self::Hs256(secret) => json!({"kty": "oct", "k": encode(secret)}),
            Self::Rs256(key) => {
                let (n, e) = (key.public_key().modulus(), key.public_key().exponent());
                let (n, e) = (n.big_endian_without_leading_zero(), e.big_endian_without_leading_zero());
                json!({"kty": "RSA", "n": encode(n), "e": encode(e)})
            }
            Self::Es256(key) => {
                let point = key.public_key().as_ref();
                json!({"kty": "EC", "crv": "P-256", "x": encode(&point[1..33]), "y": encode(&point[33..])})
            }
            Self::EdDsa(key) => json!({"kty": "OKP", "crv": "Ed25519", "x": encode(key.public_key())}),
        };
        if let Some(id) = id {
            jwk["kid"] = id.into();
        }
        jwk
    }

    /// The public key as DER and as it stands in PEM: what an attacker would use as a secret.
    pub fn public_texts(&self) -> Vec<Vec<u8>> {
        let Self::Rs256(key) = self else { panic!("an RSA key is expected") };
        let der = AsDer::<aws_lc_rs::encoding::PublicKeyX509Der<'_>>::as_der(key.public_key()).unwrap();
        let body = base64::engine::general_purpose::STANDARD.encode(der.as_ref());
        let lines: Vec<&str> =
            body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let pem = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"));
        let modulus = key.public_key().modulus().big_endian_without_leading_zero().to_vec();
        vec![
            der.as_ref().to_vec(),
            key.public_key().as_ref().to_vec(),
            pem.trim_end().into(),
            pem.into(),
            modulus,
        ]
    }

    /// A token with this header and these claims, whatever they say.
    pub fn token(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", encode(header), encode(claims));
        let signature = encode(self.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    /// A usual token.
    pub fn usual(&self, id: Option<&str>, claims: &Value) -> String {
        let mut header = json!({"typ": "JWT", "alg": self.name()});
        if let Some(id) = id {
            header["kid"] = id.into();
        }
        self.token(&header.to_string(), &claims.to_string())
    }
}

/// One of each kind, by the id in the set.
pub static RSA: LazyLock<Signer> = LazyLock::new(Signer::rsa);
pub static EC: LazyLock<Signer> = LazyLock::new(Signer::ec);
pub static ED: LazyLock<Signer> = LazyLock::new(Signer::ed);
pub static HMAC: LazyLock<Signer> = LazyLock::new(|| Signer::Hs256(SECRET.to_vec()));

/// Claims that open something, for a minute.
pub fn claims() -> Value {
    json!({"exp": NOW.0 / 1_000 + 60, "tenant": "acme", "scopes": ["read"], "sessions": ["a*"], "sub": "u-1"})
}

/// The set of the three keys.
pub fn key_set() -> Value {
    json!({"keys": [RSA.jwk(Some("rsa")), EC.jwk(Some("ec")), ED.jwk(Some("ed"))]})
}

/// A folder that goes with its owner.
pub struct Folder(std::path::PathBuf);

impl Folder {
    pub fn new() -> Self {
        let name = format!("tributary-auth-{}-{}", std::process::id(), fastrand::u64(..));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str, content: &str) -> std::path::PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// One that knows the secret and the set.
pub fn authenticator() -> (Authenticator, Folder) {
    use tributary::edge::auth::{JwksSettings, JwksSource};
    let folder = Folder::new();
    let file = folder.file("jwks.json", &key_set().to_string());
    let jwks = Some(JwksSettings::new(JwksSource::File(file)));
    let settings = AuthSettings { jwt_secret: Some(SECRET.to_vec()), jwks, ..AuthSettings::default() };
    (Authenticator::new(settings).unwrap(), folder)
}
