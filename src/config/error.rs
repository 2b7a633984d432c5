//! What is wrong with a configuration, told so that an operator can mend it: the key, the fault, the place.

use std::fmt;
use std::path::PathBuf;

use super::hidden::without_credentials;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The key, as `section.key`.
    pub key: String,
    /// What is wrong with its value.
    pub detail: String,
    /// Where it was set.
    pub origin: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, detail, origin } = self;
        write!(f, "{}: {} (set in {origin})", without_credentials(key), without_credentials(detail))
    }
}

/// Why the service can't start with this configuration. Its text holds no secret.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("can't read the configuration file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file isn't TOML. Only the place and the fault: the line itself may hold a secret.
    #[error("{origin} is not valid TOML: {}", without_credentials(detail))]
    Syntax {
        /// The file.
        origin: String,
        /// Line, column and fault.
        detail: String,
    },
    /// Keys with wrong names or values, at least one.
    #[error("the configuration is wrong:{}", lines(.0))]
    Wrong(Vec<Finding>),
}

fn lines(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("\n  {finding}")).collect()
}
