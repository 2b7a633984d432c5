//! Why a store didn't do what it was asked.

use std::borrow::Cow;

/// Why a store didn't do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It can't be reached; nothing was stored. Worth another try.
    #[error("the store can't be reached: {0}")]
    Unavailable(String),
    /// It didn't answer in time; it may have stored the entries.
    #[error("the store didn't answer in time")]
    TimedOut,
    /// There is no room, and nothing that could be let go.
    #[error("the store is full: {0}")]
    Full(String),
    /// What it gave back can't be read.
    #[error("the store holds what can't be read: {0}")]
    Corrupt(String),
    /// A newer version of this service wrote it: another replica can read it, this one never will. Nothing was stored.
    #[error("{0}")]
    Newer(String),
    /// There is no room until the archive has caught up. Nothing was stored.
    #[error("the archive is too far behind: {0}")]
    Backlog(String),
}

impl StoreError {
    /// What a caller is told: what can be done. What the store itself said is for who runs the service, and is logged.
    pub fn told(&self) -> Cow<'static, str> {
        match self {
            Self::Unavailable(_) => "the store can't answer just now: try again in a moment".into(),
            Self::TimedOut => "the store didn't answer in time: try again in a moment".into(),
            Self::Corrupt(_) => {
                "what is stored of it can't be read: no other try helps, whoever runs the service has to look"
                    .into()
            }
            Self::Newer(_) | Self::Full(_) | Self::Backlog(_) => self.to_string().into(),
        }
    }

    /// A short name for counting.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::TimedOut => "timed_out",
            Self::Full(_) => "full",
            Self::Corrupt(_) => "corrupt",
            Self::Newer(_) => "newer_format",
            Self::Backlog(_) => "archive_backlog",
        }
    }
}
