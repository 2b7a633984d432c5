//! What a language model was asked.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;

use super::Protocol;

/// One request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number, from 0.
    pub number: usize,
    /// The API.
    pub protocol: Protocol,
    /// Its headers, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Its body.
    pub body: Value,
    /// The same as it came.
    pub text: String,
    /// When it was there.
    pub at: Instant,
}

impl Asked {
    /// The model that is asked.
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap()
    }

    /// The system's message.
    pub fn system(&self) -> &str {
        match self.protocol {
            Protocol::OpenAi => self.message("system"),
            Protocol::Anthropic => self.body["system"].as_str().unwrap_or_default(),
        }
    }

    /// The user's message.
    pub fn user(&self) -> &str {
        self.message("user")
    }

    /// The most tokens that may be answered.
    pub fn output_tokens_max(&self) -> u64 {
        let limit = self.body.get("max_tokens").or(self.body.get("max_completion_tokens"));
        limit.and_then(Value::as_u64).unwrap()
    }

    /// The schema of the answer, where one is given.
    pub fn schema(&self) -> Option<&Value> {
        let schema = match self.protocol {
            Protocol::OpenAi => &self.body["response_format"]["json_schema"]["schema"],
            Protocol::Anthropic => &self.body["output_config"]["format"]["schema"],
        };
        Some(schema).filter(|schema| !schema.is_null())
    }

    /// The fence's tag: `data-5f3a…`.
    pub fn fence(&self) -> &str {
        self.tag("data-").unwrap_or_else(|| panic!("no fence in {}", self.user()))
    }

    /// What stands inside of the fence, as it stands there.
    pub fn fenced(&self) -> &str {
        self.block(self.fence())
    }

    /// The lines of the material.
    pub fn material(&self) -> Vec<Value> {
        lines(self.fenced())
    }

    /// The failing items of a repair; `None` where it is none.
    pub fn items(&self) -> Option<Vec<Value>> {
        self.tag("items-").map(|tag| lines(self.block(tag)))
    }

    fn message(&self, role: &str) -> &str {
        let messages = self.body["messages"].as_array().unwrap();
        let found = messages.iter().find(|message| message["role"] == role);
        found.and_then(|message| message["content"].as_str()).unwrap_or_default()
    }

    /// The tag of a block that begins on a line of its own.
    fn tag(&self, prefix: &str) -> Option<&str> {
        let opening = format!("<{prefix}");
        let line = self.user().lines().find(|line| line.starts_with(&opening) && line.ends_with('>'))?;
        Some(&line[1..line.len() - 1])
    }

    fn block(&self, tag: &str) -> &str {
        let (open, close) = (format!("<{tag}>\n"), format!("</{tag}>"));
        let from = self.user().find(&open).unwrap() + open.len();
        let length = self.user()[from..].find(&close).unwrap_or_else(|| panic!("the fence isn't closed"));
        &self.user()[from..from + length]
    }
}

fn lines(block: &str) -> Vec<Value> {
    let read = |line: &str| line.parse().unwrap_or_else(|error| panic!("{error} in {line}"));
    block.lines().map(read).collect()
}
