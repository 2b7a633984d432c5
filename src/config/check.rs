//! Collects what is wrong with values that have the right type, and what was right instead.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::ops::RangeBounds;

use super::error::{ConfigError, Finding};
use super::layers::Origins;

/// The findings of one check of the whole configuration.
pub(super) struct Checks<'a> {
    origins: &'a Origins,
    findings: Vec<Finding>,
    ranges: BTreeMap<String, String>,
}

impl<'a> Checks<'a> {
    pub(super) fn new(origins: &'a Origins) -> Self {
        Self { origins, findings: Vec::new(), ranges: BTreeMap::new() }
    }

    /// `value` must lie in `range`.
    pub(super) fn range(&mut self, key: &str, value: u64, range: impl RangeBounds<u64>) {
        let possible = describe(&range);
        if !range.contains(&value) {
            self.refuse(key, format!("{value} is out of range, {possible} is possible"));
        }
        self.ranges.insert(key.into(), possible);
    }

    /// `value` must be 0, which switches something off, or lie in `range`.
    pub(super) fn zero_or_range(&mut self, key: &str, value: u64, range: impl RangeBounds<u64>) {
        let possible = format!("0 or {}", describe(&range));
        if value != 0 && !range.contains(&value) {
            self.refuse(key, format!("{value} is out of range, {possible} is possible"));
        }
        self.ranges.insert(key.into(), possible);
    }

    /// `value` must not exceed that of another key. Where only the other one was set, that is the one to be told of.
    pub(super) fn at_most(&mut self, key: &str, value: u64, other_key: &str, other: u64) {
        if value > other && self.origins.is_set(other_key) && !self.origins.is_set(key) {
            let detail =
                format!("{other} is less than {key}, which is {value} where it isn't set: set that, too");
            self.refuse(other_key, detail);
        } else if value > other {
            self.refuse(key, format!("{value} is more than {other_key}, which is {other}"));
        }
        let possible = self.ranges.entry(key.into()).or_default();
        let comma = if possible.is_empty() { "" } else { ", " };
        possible.push_str(&format!("{comma}at most `{other_key}`"));
    }

    /// `value` must be 0, which stands for a usual value, or not below that of another key.
    pub(super) fn zero_or_at_least(&mut self, key: &str, value: u64, other_key: &str, other: u64) {
        if value != 0 && value < other {
            self.refuse(key, format!("{value} is less than {other_key}, which is {other}; 0 is possible"));
        }
        self.ranges.insert(key.into(), format!("0 or at least `{other_key}`"));
    }

    /// Anything else that is wrong with a key.
    pub(super) fn refuse(&mut self, key: &str, detail: impl Into<String>) {
        let origin = self.origins.of(key);
        self.findings.push(Finding { key: key.into(), detail: detail.into(), origin });
    }

    /// Of each key that was checked, what is possible.
    pub(super) fn into_ranges(self) -> BTreeMap<String, String> {
        self.ranges
    }

    pub(super) fn finish(self) -> Result<(), ConfigError> {
        if self.findings.is_empty() { Ok(()) } else { Err(ConfigError::Wrong(self.findings)) }
    }
}

fn describe(range: &impl RangeBounds<u64>) -> String {
    let low = match range.start_bound() {
        Included(low) => *low,
        Excluded(low) => low.saturating_add(1),
        Unbounded => 0,
    };
    match range.end_bound() {
        Included(high) => format!("{low} to {high}"),
        Excluded(high) => format!("{low} to {}", high.saturating_sub(1)),
        Unbounded => format!("{low} or more"),
    }
}
