//! The outside of a JWT: three parts, a header, a signature (RFC 7515, compact serialization).
//!
//! Of the header only `alg`, `kid` and `crit` count; keys and addresses of keys in it (`jwk`, `jku`, `x5c`, `x5u`) are never
//! looked at. `alg` can only choose among the keys that are for that algorithm, never how a key is used.

use jsonwebtoken::DecodingKey;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::digest::from_base64url;
use super::error::AuthError;
use super::key_set::Algorithm;

/// The longest token, in bytes.
pub(super) const TOKEN_BYTES_MAX: usize = 8 * 1024;

/// A token taken apart; nothing of it is checked yet.
pub(super) struct Jws<'a> {
    /// What is signed.
    message: &'a str,
    payload: &'a str,
    signature: &'a str,
    pub(super) algorithm: Algorithm,
    pub(super) key_id: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    #[serde(default, deserialize_with = "is_there")]
    crit: bool,
}

fn is_there<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// A JSON object (RFC 7515, section 4; RFC 7519, section 7.2). An array is none, though serde reads the fields of a struct
/// out of one as well, by their order.
pub(super) fn read_object<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Option<T> {
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    serde_json::from_slice(bytes).ok()
}

impl<'a> Jws<'a> {
    pub(super) fn parse(token: &'a str) -> Result<Self, AuthError> {
        let parts = token.rsplit_once('.').and_then(|(message, signature)| {
            let (header, payload) = message.split_once('.')?;
            (!payload.contains('.')).then_some((message, header, payload, signature))
        });
        let (message, header, payload, signature) =
            parts.ok_or(AuthError::Malformed("it has not three parts"))?;
        let header = from_base64url(header).ok_or(AuthError::Malformed("its header is not base64url"))?;
        let header: Header =
            read_object(&header).ok_or(AuthError::Malformed("its header is not as it should be"))?;
        if header.crit {
            return Err(AuthError::Malformed("its header has crit"));
        }
        let algorithm = Algorithm::named(&header.alg).ok_or(AuthError::Algorithm)?;
        Ok(Self { message, payload, signature, algorithm, key_id: header.kid })
    }

    /// Whether the signature is of that key. The key is one for [`Self::algorithm`]; the caller chose it so.
    pub(super) fn is_signed_by(&self, key: &DecodingKey) -> bool {
        let algorithm = self.algorithm.of_library();
        jsonwebtoken::crypto::verify(self.signature, self.message.as_bytes(), key, algorithm).unwrap_or(false)
    }

    /// The claims as they stand there: only to be looked at once the signature is right.
    pub(super) fn claims(&self) -> Result<Vec<u8>, AuthError> {
        from_base64url(self.payload).ok_or(AuthError::Malformed("its claims are not base64url"))
    }
}
