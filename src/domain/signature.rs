//! Signatures of webhooks, as Standard Webhooks 1.0.0 describes them (`spec/standard-webhooks.md`, "Signature scheme" and
//! "Webhook headers"), so that any of its libraries can check what is sent here.
//!
//! The signature is HMAC-SHA256 (RFC 2104) over `id.timestamp.body`, in base64 and marked `v1`. The id stays the same for
//! every attempt to deliver one event; the timestamp, in seconds, is the attempt's. Receivers refuse old timestamps.
//!
//! A secret is never shown: its `Debug` says nothing, and no error quotes it.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

#[cfg(test)]
mod tests;

/// What marks a secret whose key is the base64 after it.
const SECRET_PREFIX: &str = "whsec_";

/// What marks a symmetric signature.
const VERSION: &str = "v1";

/// The least length of a key in base64, in bytes.
const KEY_BYTES_LEAST: usize = 24;

/// Why nothing can be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The text after `whsec_` isn't padded standard base64.
    #[error("the secret after whsec_ is not base64")]
    NotBase64,
    /// The key is empty, or after `whsec_` shorter than the specification wants.
    #[error("the secret is too short: at least 24 bytes in base64 after whsec_, or any text")]
    TooShort,
    /// The id is empty, or has a full stop or something else than visible ASCII. A full stop would let one message's
    /// signature be another's.
    #[error("the webhook's id must be visible ASCII without a full stop")]
    Id,
}

/// The key that the sender and the receiver of webhooks share.
#[derive(Clone)]
pub struct WebhookSecret(Hmac<Sha256>);

impl WebhookSecret {
    /// The key from `whsec_<base64>`, or from any other text as its UTF-8 bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::NotBase64`], [`SignatureError::TooShort`].
    pub fn parse(text: &str) -> Result<Self, SignatureError> {
        let key = match text.strip_prefix(SECRET_PREFIX) {
            Some(encoded) => STANDARD.decode(encoded).map_err(|_| SignatureError::NotBase64)?,
            None => text.as_bytes().to_vec(),
        };
        let least = if text.starts_with(SECRET_PREFIX) { KEY_BYTES_LEAST } else { 1 };
        if key.len() < least {
            return Err(SignatureError::TooShort);
        }
        Ok(Self(keyed(&key)))
    }

    /// The header fields, names and values, that go with `body` when it's sent at `timestamp_s` (seconds since the epoch):
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature`.
    ///
    /// # Errors
    ///
    /// [`SignatureError::Id`].
    pub fn headers(
        &self,
        id: &str,
        timestamp_s: i64,
        body: &[u8],
    ) -> Result<[(&'static str, String); 3], SignatureError> {
        if id.is_empty() || id.bytes().any(|byte| byte == b'.' || !byte.is_ascii_graphic()) {
            return Err(SignatureError::Id);
        }
        let signature = STANDARD.encode(self.mac(id, timestamp_s, body).finalize().into_bytes());
        Ok([
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", timestamp_s.to_string()),
            ("webhook-signature", format!("{VERSION},{signature}")),
        ])
    }

    /// Whether one of the signatures, separated by spaces as in `webhook-signature`, is this key's for the message. Each is
    /// compared in constant time. Whether the timestamp is recent is for the receiver to check.
    pub fn verifies(&self, id: &str, timestamp_s: i64, body: &[u8], signatures: &str) -> bool {
        let mac = self.mac(id, timestamp_s, body);
        signatures
            .split(' ')
            .filter_map(|signature| signature.split_once(','))
            .filter(|(version, _)| *version == VERSION)
            .filter_map(|(_, encoded)| STANDARD.decode(encoded).ok())
            .any(|tag| mac.clone().verify_slice(&tag).is_ok())
    }

    fn mac(&self, id: &str, timestamp_s: i64, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(format!("{id}.{timestamp_s}.").as_bytes());
        mac.update(body);
        mac
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(..)")
    }
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}
