//! `[archive]`: where entries go.

use serde::Deserialize;

use super::check::Checks;
use super::secret::Secret;

/// Where entries are kept for good.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Archive {
    pub url: Secret,
    pub batch_entries: usize,
    pub batch_bytes: usize,
    pub batch_wait_ms: u64,
    pub look_after_ms: u64,
    pub retention_days: u64,
}

impl Archive {
    /// Where it is; `None` where there is none.
    pub fn url(&self) -> Option<&str> {
        let url = self.url.expose();
        (self.url.is_set() && url != "none").then_some(url)
    }

    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        const SCHEMES: [&str; 3] = ["sqlite://", "postgres://", "postgresql://"];
        let fits =
            |url: &str| SCHEMES.iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
        if self.url().is_some_and(|url| !fits(url)) {
            checks.refuse("archive.url", "it is `none`, `sqlite://<path>` or `postgres://…`");
        }
        checks.range("archive.batch_entries", self.batch_entries as u64, 1..=100_000);
        checks.range("archive.batch_bytes", self.batch_bytes as u64, 65_536..=1 << 30);
        checks.range("archive.batch_wait_ms", self.batch_wait_ms, 0..=10_000);
        checks.range("archive.look_after_ms", self.look_after_ms, 100..=3_600_000);
        checks.range("archive.retention_days", self.retention_days, 1..=36_500);
    }
}
