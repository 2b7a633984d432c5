//! Writes JSON as models do that don't quite know JSON.

use serde_json::Value;

/// How something is written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) null: &'static str,
    /// Between items, and behind the last one if there is something in `last`.
    pub(super) comma: &'static str,
    pub(super) last: &'static str,
    pub(super) bare_keys: bool,
    pub(super) raw_newlines: bool,
    pub(super) raw_quotes: bool,
    pub(super) ascii: bool,
    pub(super) key: fn(&str) -> String,
    pub(super) number: fn(&str) -> String,
}

/// JSON.
pub(super) const JSON: Style = Style {
    open: "\"",
    close: "\"",
    null: "null",
    comma: ", ",
    last: "",
    bare_keys: false,
    raw_newlines: false,
    raw_quotes: false,
    ascii: false,
    key: str::to_owned,
    number: str::to_owned,
};

impl Style {
    pub(super) fn write(&self, value: &Value) -> String {
        let list = |items: Vec<String>, open: &str, close: &str| {
            let last = if items.is_empty() { "" } else { self.last };
            format!("{open}{}{last}{close}", items.join(self.comma))
        };
        match value {
            Value::Null => self.null.to_owned(),
            Value::Number(number) => (self.number)(&number.to_string()),
            Value::String(text) => self.string(text),
            Value::Array(items) => list(items.iter().map(|item| self.write(item)).collect(), "[", "]"),
            Value::Object(fields) => {
                let field =
                    |(key, value): (&String, &Value)| format!("{}: {}", self.key(key), self.write(value));
                list(fields.iter().map(field).collect(), "{", "}")
            }
            Value::Bool(is) => is.to_string(),
        }
    }

    fn key(&self, key: &str) -> String {
        let key = (self.key)(key);
        if self.bare_keys { key } else { format!("{}{key}{}", self.open, self.close) }
    }

    fn string(&self, text: &str) -> String {
        let mut out = self.open.to_owned();
        for c in text.chars() {
            match c {
                '\n' if !self.raw_newlines => out.push_str("\\n"),
                '\\' => out.push_str("\\\\"),
                c if !self.raw_quotes && self.close.starts_with(c) => out.extend(['\\', c]),
                c if self.ascii && !c.is_ascii() => {
                    c.encode_utf16(&mut [0; 2])
                        .iter()
                        .for_each(|unit| out.push_str(&format!("\\u{unit:04X}")));
                }
                c => out.push(c),
            }
        }
        out + self.close
    }
}
