//! What `/metrics` says, as numbers.

use std::collections::BTreeMap;

use crate::harness::{TestApp, eventually};

/// A scrape.
#[derive(Debug)]
pub struct Figures(pub BTreeMap<String, f64>);

impl Figures {
    pub async fn of(app: &TestApp) -> Self {
        let answer = app.get("/metrics").send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let lines = answer.text().lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let series = lines.map(|line| line.rsplit_once(' ').unwrap());
        Self(series.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect())
    }

    /// A series by its name and labels, as it is written there.
    #[track_caller]
    pub fn get(&self, series: &str) -> f64 {
        *self.0.get(series).unwrap_or_else(|| panic!("no {series} in {self:#?}"))
    }

    /// A series, 0 where nothing of it has happened.
    pub fn count(&self, series: &str) -> f64 {
        self.0.get(series).copied().unwrap_or_default()
    }

    /// Waits until the service says so.
    pub async fn until(app: &TestApp, what: &str, reached: impl Fn(&Self) -> bool) -> Self {
        eventually(what, || async { Some(Self::of(app).await).filter(&reached) }).await
    }
}
