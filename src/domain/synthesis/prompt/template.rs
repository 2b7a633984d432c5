//! A text with placeholders: read once, filled in one pass.
//!
//! A template is a list of texts and places. What is filled in is written out and never looked at again, so a
//! placeholder in somebody's question stays the letters that it is.

use std::fmt;

/// What a placeholder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placeholder {
    /// What was asked, a JSON string or `null`.
    Query,
    /// What the step is for, likewise.
    Goal,
    /// How the result should be made, likewise.
    Instructions,
    /// The document that the result becomes a part of, likewise.
    DocumentContext,
    /// The name of a language, in English.
    Language,
    /// How long, in words.
    Length,
    /// What the output's form asks for.
    Format,
    /// The material, in its fence.
    Material,
    /// The items to correct, in their fence.
    Items,
    /// The text to judge, in its fence.
    Text,
}

impl Placeholder {
    /// All of them, in the order in which messages list them.
    pub const ALL: [Self; 10] = [
        Self::Query,
        Self::Goal,
        Self::Instructions,
        Self::DocumentContext,
        Self::Language,
        Self::Length,
        Self::Format,
        Self::Material,
        Self::Items,
        Self::Text,
    ];

    /// Its name between the braces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Goal => "goal",
            Self::Instructions => "instructions",
            Self::DocumentContext => "document_context",
            Self::Language => "language",
            Self::Length => "length",
            Self::Format => "format",
            Self::Material => "material",
            Self::Items => "items",
            Self::Text => "text",
        }
    }

    /// Whether it brings in what users, planners or subagents wrote: that has no place in a system message.
    pub const fn is_foreign(self) -> bool {
        match self {
            Self::Language | Self::Length | Self::Format => false,
            Self::Query
            | Self::Goal
            | Self::Instructions
            | Self::DocumentContext
            | Self::Material
            | Self::Items
            | Self::Text => true,
        }
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{{{}}}}}", self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Place(Placeholder),
}

/// A text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// What is wrong with a template, and in which of its lines, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub line: usize,
    pub why: String,
}

impl Template {
    /// Reads a text. `{{` always begins a placeholder.
    pub(super) fn read(text: &str) -> Result<Self, Wrong> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = text[at..].find("{{").map(|place| at + place) {
            let wrong = |why| Wrong { line: text[..open].matches('\n').count(), why };
            let rest = &text[open + 2..];
            let line = rest.lines().next().unwrap_or_default();
            let Some(close) = line.find("}}") else {
                return Err(wrong("`{{` without `}}` in its line: close the placeholder".to_owned()));
            };
            let name = rest[..close].trim();
            let Some(found) = Placeholder::ALL.into_iter().find(|known| known.name() == name) else {
                let known = Placeholder::ALL.map(|known| known.to_string()).join(", ");
                return Err(wrong(format!("unknown placeholder `{{{{{name}}}}}`: use one of {known}")));
            };
            if open > at {
                parts.push(Part::Text(text[at..open].to_owned()));
            }
            parts.push(Part::Place(found));
            at = open + 2 + close + 2;
        }
        if at < text.len() {
            parts.push(Part::Text(text[at..].to_owned()));
        }
        Ok(Self { parts })
    }

    /// The placeholders, in the text's order.
    pub fn placeholders(&self) -> impl Iterator<Item = Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Place(place) => Some(*place),
        })
    }

    /// The text, each placeholder replaced by what `value` says. O(n).
    pub fn fill<'v>(&self, mut value: impl FnMut(Placeholder) -> &'v str) -> String {
        let mut out = String::new();
        for part in &self.parts {
            out.push_str(match part {
                Part::Text(text) => text,
                Part::Place(place) => value(*place),
            });
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_never_filled_again() {
        let template = Template::read("Q: {{query}} {{ goal }}\n{\"a\":{\"b\":1}} {{query}}").unwrap();
        let value = |place| if place == Placeholder::Query { "{{goal}}{{" } else { "query}}" };
        let filled = template.fill(value);
        assert_eq!(filled, "Q: {{goal}}{{ query}}\n{\"a\":{\"b\":1}} {{goal}}{{");
        assert_eq!(template.placeholders().count(), 3);
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, line, why) in [
            ("a\n{{qurey}}", 1, "unknown placeholder `{{qurey}}`"),
            ("{{query\n}}", 0, "without `}}`"),
            ("{{query}}\n\n{{}}", 2, "unknown placeholder `{{}}`"),
            ("{{{query}}}", 0, "unknown placeholder `{{{query}}`"),
        ] {
            let wrong = Template::read(text).unwrap_err();
            assert_eq!(wrong.line, line, "{text}");
            assert!(wrong.why.contains(why), "{text}: {}", wrong.why);
        }
    }
}
