//! Why a token opens nothing.

use crate::domain::verdict::Code;

/// What is wrong with a token. No text holds the token or a part of it, so each may be logged and answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// There is none.
    #[error("a token is needed")]
    Missing,
    /// It can't be read: what about it.
    #[error("the token can't be read: {0}")]
    Malformed(&'static str),
    /// It isn't a token of this service, or not any more.
    #[error("the token is not known")]
    Unknown,
    /// It names an algorithm that isn't accepted, or that no key is for.
    #[error("no key of this service is for the token's algorithm")]
    Algorithm,
    /// It names a key that isn't in the set.
    #[error("the token names a key that is not known")]
    UnknownKey,
    /// The signature isn't that of the key.
    #[error("the token's signature is wrong")]
    BadSignature,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
    /// Its time hasn't come.
    #[error("the token is not valid yet")]
    NotYet,
    /// Somebody else issued it.
    #[error("the token is from another issuer")]
    WrongIssuer,
    /// It is for another service.
    #[error("the token is for another audience")]
    WrongAudience,
    /// The keys to check it with can't be had now.
    #[error("the keys that tokens are checked with can't be had now")]
    NoKeys,
}

impl AuthError {
    /// The code of the answer: `unauthorized` and `token_expired` are 401, `store_unavailable` is 503.
    pub fn code(self) -> Code {
        match self {
            Self::Expired => Code::TokenExpired,
            Self::NoKeys => Code::StoreUnavailable,
            Self::Missing
            | Self::Malformed(_)
            | Self::Unknown
            | Self::Algorithm
            | Self::UnknownKey
            | Self::BadSignature
            | Self::NotYet
            | Self::WrongIssuer
            | Self::WrongAudience => Code::Unauthorized,
        }
    }
}
