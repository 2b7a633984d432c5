//! `[log]`: what is said on standard error.

use serde::Deserialize;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::check::Checks;

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// An object a line.
    Json,
    /// For people.
    Text,
}

/// The log.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Log {
    pub format: LogFormat,
    pub level: String,
}

impl Log {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        // The filter would take a misspelt level for the name of a target, and be silent about everything else.
        let is_bare = |part: &&str| !part.contains(['=', '[']);
        let misspelt =
            self.level.split(',').map(str::trim).filter(is_bare).find(|part| level(part).is_none());
        if let Some(part) = misspelt {
            checks
                .refuse("log.level", format!("`{part}` is not one of off, error, warn, info, debug, trace"));
        } else if let Err(error) = EnvFilter::builder().parse(&self.level) {
            checks.refuse("log.level", format!("`{}` can't be read: {error}", self.level));
        }
    }
}

fn level(text: &str) -> Option<LevelFilter> {
    text.parse().ok()
}
