//! The rules of a UI message stream, and the message that comes out, as the client puts it together.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What versions 5, 6 and 7 know, of what a step makes.
const KNOWN: &[&str] = &[
    "start",
    "start-step",
    "text-start",
    "text-delta",
    "text-end",
    "source-url",
    "source-document",
    "finish-step",
    "finish",
    "abort",
    "error",
];

/// What a client has of a message.
#[derive(Debug, Default)]
pub struct Checked {
    /// The parts, as they came.
    pub parts: Vec<Value>,
    /// Whole texts by id.
    pub texts: BTreeMap<String, String>,
    /// The last text of each output.
    pub last_text: BTreeMap<String, String>,
    /// `data-` parts by type and id, as they were at the end.
    pub data: BTreeMap<(String, String), Value>,
    open: BTreeSet<String>,
    in_step: bool,
    is_over: bool,
}

/// Reads a whole stream.
pub fn check(bytes: &[u8]) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let text = text.strip_suffix("data: [DONE]\n\n").ok_or("the stream doesn't end with its mark")?;
    let text = text.strip_suffix("\n\n").ok_or("the last part isn't whole")?;
    for block in text.split("\n\n").filter(|block| !block.starts_with(':')) {
        let data = block.strip_prefix("data: ").filter(|data| !data.contains(['\n', '\r']));
        let part = serde_json::from_str(data.ok_or(format!("{block:?} is no part"))?);
        let part: Value = part.map_err(|error| error.to_string())?;
        checked.take(&part).map_err(|why| format!("{why}: {part}"))?;
        checked.parts.push(part);
    }
    if checked.is_over { Ok(checked) } else { Err("there is no last part".to_owned()) }
}

impl Checked {
    fn take(&mut self, part: &Value) -> Result<(), &'static str> {
        let text = |name: &str| part[name].as_str().unwrap_or_default().to_owned();
        let kind = text("type");
        ensure(!self.is_over, "something follows the last part")?;
        ensure(self.parts.is_empty() == (kind == "start"), "the message starts first, and once")?;
        ensure(KNOWN.contains(&&*kind) || kind.starts_with("data-"), "an unknown type")?;
        ensure(!part.as_object().is_some_and(|all| all.values().any(Value::is_null)), "null for a field")?;
        ensure(
            self.in_step || matches!(&*kind, "start" | "start-step" | "finish" | "abort" | "error"),
            "outside",
        )?;
        match kind.as_str() {
            "start-step" => {
                ensure(!self.in_step, "the step has started")?;
                self.in_step = true;
            }
            "finish-step" => {
                ensure(self.open.is_empty(), "a text is open")?;
                self.in_step = false;
            }
            "text-start" => {
                let id = text("id");
                if let Some(key) = part["providerMetadata"]["tributary"]["result_key"].as_str() {
                    self.last_text.insert(key.to_owned(), id.clone());
                }
                ensure(self.texts.insert(id.clone(), String::new()).is_none(), "the text has started")?;
                self.open.insert(id);
            }
            "text-delta" => {
                ensure(self.open.contains(&text("id")), "no such text")?;
                self.texts.entry(text("id")).or_default().push_str(&text("delta"));
            }
            "text-end" => ensure(self.open.remove(&text("id")), "no such text")?,
            "finish" | "abort" | "error" => {
                ensure(!self.in_step && self.open.is_empty(), "something is open")?;
                self.is_over = true;
            }
            data if data.starts_with("data-") && part["transient"] != true => {
                self.data.insert((kind, text("id")), part["data"].clone());
            }
            _ => {}
        }
        Ok(())
    }
}

fn ensure(holds: bool, else_what: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(else_what) }
}
