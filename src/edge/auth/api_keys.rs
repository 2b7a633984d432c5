//! API keys: random texts that the configuration knows by their SHA-256.
//!
//! A key has 256 random bits, so one round of a fast hash is enough: there is nothing to guess. Its digest is compared with
//! all that are configured, each in the same time, so how long it takes says neither how much fits nor which one.

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::digest::{base64url, from_hex, hex, sha256};
use super::error::AuthError;
use super::settings::AuthSettingsError;
use crate::domain::access::{Grant, Scopes, SessionPattern};
use crate::domain::ids::{SessionId, TenantId};
use crate::domain::time::Timestamp;

/// What every key begins with, so that one is recognised where it shouldn't be.
const KEY_PREFIX: &str = "trb_";
const HASH_PREFIX: &str = "sha256:";

/// Makes a key of 256 random bits: the key (`trb_` and base64url), which is shown once, and its hash (`sha256:` and 64
/// hexadecimal digits) for the configuration.
pub fn new_api_key(random: [u8; 32]) -> (String, String) {
    let key = format!("{KEY_PREFIX}{}", base64url(&random));
    let hash = format!("{HASH_PREFIX}{}", hex(&sha256(&[key.as_bytes()])));
    (key, hash)
}

/// The SHA-256 of a key, as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyHash([u8; 32]);

/// Why a text is not the hash of a key. It isn't quoted: it may be the key itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hash of a key is `sha256:` and 64 hexadecimal digits")]
pub struct InvalidHash;

impl FromStr for KeyHash {
    type Err = InvalidHash;

    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        text.strip_prefix(HASH_PREFIX).and_then(from_hex).map(Self).ok_or(InvalidHash)
    }
}

/// What a key is for.
#[derive(Clone)]
pub struct ApiKey {
    /// Of the key.
    pub hash: KeyHash,
    /// Whose sessions it opens.
    pub tenant: TenantId,
    /// What it is for.
    pub scopes: Scopes,
    /// Which sessions; absent: all of the tenant.
    pub sessions: Option<Vec<SessionPattern>>,
    /// The first instant at which it no longer holds; absent: none.
    pub expires: Option<Timestamp>,
}

/// A digest as it is compared: eight bytes at once.
type Words = [u64; 4];

fn words(digest: &[u8; 32]) -> Words {
    let mut words = [0; 4];
    let (eights, _) = digest.as_chunks::<8>();
    words.iter_mut().zip(eights).for_each(|(word, eight)| *word = u64::from_le_bytes(*eight));
    words
}

struct Known {
    words: Words,
    hash: KeyHash,
    grant: Arc<Grant>,
}

/// All that are configured.
pub(super) struct ApiKeys {
    keys: Vec<Known>,
    by_label: HashMap<Arc<str>, u32>,
}

impl ApiKeys {
    pub(super) fn new(configured: BTreeMap<String, ApiKey>) -> Result<Self, AuthSettingsError> {
        let mut keys: Vec<Known> = Vec::with_capacity(configured.len());
        let mut by_label = HashMap::with_capacity(configured.len());
        for (index, (name, key)) in (0..).zip(configured) {
            // The characters of ids are those that are safe in a label.
            name.parse::<SessionId>().map_err(|_| AuthSettingsError::KeyName)?;
            if let Some(same) = keys.iter().find(|other| other.hash == key.hash) {
                let same = same.grant.name.trim_start_matches(LABEL_PREFIX).to_owned();
                return Err(AuthSettingsError::SameKey(same, name));
            }
            let ApiKey { hash, tenant, scopes, sessions, expires } = key;
            let label: Arc<str> = format!("{LABEL_PREFIX}{name}").into();
            by_label.insert(label.clone(), index);
            keys.push(Known {
                words: words(&hash.0),
                hash,
                grant: Arc::new(Grant { tenant, scopes, sessions, expires_at: expires, name: label }),
            });
        }
        Ok(Self { keys, by_label })
    }

    /// The grant of the key with that digest.
    pub(super) fn check(&self, digest: &[u8; 32], now: Timestamp) -> Result<Arc<Grant>, AuthError> {
        let asked = words(digest);
        let (mut found, mut at) = (Choice::from(0), 0);
        for (index, key) in (0_u32..).zip(&self.keys) {
            let is_same = key.words[..].ct_eq(&asked[..]);
            at.conditional_assign(&index, is_same);
            found |= is_same;
        }
        let known = self.keys.get(at as usize).filter(|_| found.into()).ok_or(AuthError::Unknown)?;
        if known.grant.is_expired(now) { Err(AuthError::Expired) } else { Ok(known.grant.clone()) }
    }

    /// What stands for the key that a grant came from, unlike what stands for any other key that had its name; `None` where
    /// no key has that name now, or the grant isn't a key's.
    pub(super) fn fingerprint(&self, grant: &Grant) -> Option<String> {
        let known = self.named(grant)?;
        Some(hex(&sha256(&[b"fingerprint:", &known.hash.0])[..16]))
    }

    /// What a key grants now that had that grant's name.
    pub(super) fn current(&self, grant: &Grant) -> Option<&Arc<Grant>> {
        self.named(grant).map(|known| &known.grant)
    }

    fn named(&self, grant: &Grant) -> Option<&Known> {
        self.keys.get(*self.by_label.get(&grant.name)? as usize)
    }
}

const LABEL_PREFIX: &str = "key:";

/// Whether a grant is an API key's.
pub(super) fn is_of_a_key(grant: &Grant) -> bool {
    grant.name.starts_with(LABEL_PREFIX)
}
