//! The members in which some services say what they found.

use super::super::super::shape::{is_array, is_object, is_text, members};
use super::super::super::values::{boolean, find, items, number, plain, word};
use super::{DEPTH_MAX, Evidence, NAMES_MAX};
use crate::domain::policy::PolicyDecision;

impl Evidence {
    /// Checks by name; those that object name the policy.
    pub(super) fn checks(&mut self, value: &str, depth: u8) {
        for check in members(value).unwrap_or_default() {
            let mut found = Self::default();
            found.look(check.value, depth);
            let passed = find(&members(check.value).unwrap_or_default(), "status").and_then(word);
            if passed.as_deref() == Some("success") {
                found.says(PolicyDecision::Allow);
            }
            if let Some(decision) = found.decision {
                self.says(decision);
                if decision != PolicyDecision::Allow {
                    self.names(&check.key.0);
                    self.severity = self.severity.take().or(found.severity);
                }
            }
        }
    }

    pub(super) fn categories(&mut self, value: &str) {
        for category in members(value).unwrap_or_default() {
            if boolean(category.value) == Some(true) {
                self.says(PolicyDecision::Refuse);
                self.names(&category.key.0);
            }
        }
        let listed = items(value).unwrap_or_default();
        listed.into_iter().filter(|name| is_text(name)).for_each(|name| self.names(&plain(name)));
    }

    pub(super) fn azure(&mut self, value: &str) {
        let mut worst = None;
        for category in items(value).unwrap_or_default() {
            let members = members(category).unwrap_or_default();
            let Some(severity) = find(&members, "severity").and_then(number) else { continue };
            self.says(match severity {
                ..1.0 => PolicyDecision::Allow,
                1.0..4.0 => PolicyDecision::Escalate,
                _ => PolicyDecision::Refuse,
            });
            if severity >= 1.0 {
                find(&members, "category").into_iter().for_each(|name| self.names(&plain(name)));
                worst = Some(worst.map_or(severity, |worst: f64| worst.max(severity)));
            }
        }
        self.severity = worst.map(|worst| worst.to_string()).or(self.severity.take());
    }

    pub(super) fn violations(&mut self, value: &str, none_allows: bool) {
        let Some(list) = items(value) else { return };
        if !list.is_empty() {
            self.says(PolicyDecision::Refuse);
        } else if none_allows {
            self.says(PolicyDecision::Allow);
        }
        for violation in list.into_iter().take(NAMES_MAX) {
            let members = members(violation).unwrap_or_default();
            let names = ["policy", "category", "name", "type", "rule", "blocklistName"];
            let name = names.iter().find_map(|name| find(&members, name)).unwrap_or(violation);
            if is_text(name) {
                self.names(&plain(name));
            }
        }
    }

    pub(super) fn rails(&mut self, value: &str) {
        for rail in items(value).unwrap_or_default() {
            let members = members(rail).unwrap_or_default();
            match find(&members, "stop").and_then(boolean) {
                Some(true) => {
                    self.says(PolicyDecision::Refuse);
                    find(&members, "name").into_iter().for_each(|name| self.names(&plain(name)));
                }
                Some(false) => self.says(PolicyDecision::Allow),
                None => {}
            }
        }
    }

    /// Bedrock's assessments: whatever was blocked or masked has a `name` or a `type`.
    pub(super) fn assessments(&mut self, value: &str, depth: u8) {
        if depth >= DEPTH_MAX {
            return;
        }
        for item in items(value).unwrap_or_default() {
            self.assessments(item, depth + 1);
        }
        let members = members(value).unwrap_or_default();
        if find(&members, "action").and_then(word).is_some_and(|action| action != "none") {
            let name = find(&members, "name").or_else(|| find(&members, "type"));
            name.into_iter().for_each(|name| self.names(&plain(name)));
            let confidence = find(&members, "confidence").filter(|value| is_text(value));
            self.severity = self.severity.take().or(confidence.map(|value| plain(value).into_owned()));
        }
        for member in members.iter().filter(|member| is_object(member.value) || is_array(member.value)) {
            self.assessments(member.value, depth + 1);
        }
    }
}
