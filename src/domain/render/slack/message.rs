//! A message in Slack's Block Kit that keeps every limit.
//!
//! Documented (docs.slack.dev, "Block Kit" reference): 50 blocks; 150 characters in a header, 3,000 in a section's
//! text, 10 fields of 2,000, 10 elements in a context, 12,000 in all `markdown` blocks together; `text` is best below
//! 4,000. Not documented: `chat.postMessage` refuses all blocks together with `msg_blocks_too_long` at about 13,200
//! characters with the containers (slackapi/bolt-js#2509), once at 11,341 of text (#2867). Hence [`TEXT_MAX`].

use serde_json::{Value, json};

use super::super::cut;

/// All texts of a message together, in UTF-16 units.
pub(super) const TEXT_MAX: usize = 10_000;
/// The text of a section.
pub(super) const SECTION_MAX: usize = 3_000;
const BLOCKS_MAX: usize = 50;
const HEADER_MAX: usize = 150;
const FIELD_MAX: usize = 2_000;
const FIELDS_MAX: usize = 10;
const ELEMENTS_MAX: usize = 10;

/// Blocks, and the room for more. What doesn't fit isn't taken; texts are cut by whoever writes them.
pub(super) struct Message {
    blocks: Vec<Value>,
    room: usize,
}

impl Message {
    pub(super) fn new() -> Self {
        Self { blocks: Vec::new(), room: TEXT_MAX }
    }

    /// What is left for texts, in UTF-16 units.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    pub(super) fn header(&mut self, text: &str) {
        let text = cut::shorten(text, HEADER_MAX);
        let block =
            json!({ "type": "header", "text": { "type": "plain_text", "text": text, "emoji": false } });
        self.push(cut::units(&text), block);
    }

    /// Short texts in two columns.
    pub(super) fn fields(&mut self, fields: &[String]) {
        let fields: Vec<&String> =
            fields.iter().filter(|field| cut::units(field) <= FIELD_MAX).take(FIELDS_MAX).collect();
        let length = fields.iter().map(|field| cut::units(field)).sum();
        let fields: Vec<Value> = fields.into_iter().map(|field| mrkdwn(field)).collect();
        if !fields.is_empty() {
            self.push(length, json!({ "type": "section", "fields": fields }));
        }
    }

    pub(super) fn section(&mut self, text: &str) {
        let length = cut::units(text);
        if !text.trim().is_empty() && length <= SECTION_MAX {
            self.push(length, json!({ "type": "section", "text": mrkdwn(text) }));
        }
    }

    pub(super) fn markdown(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.push(cut::units(text), json!({ "type": "markdown", "text": text }));
        }
    }

    /// Small print, in as many blocks as it takes.
    pub(super) fn context(&mut self, elements: &[String]) {
        for chunk in elements.chunks(ELEMENTS_MAX) {
            let length = chunk.iter().map(|element| cut::units(element)).sum();
            let elements: Vec<Value> = chunk.iter().map(|element| mrkdwn(element)).collect();
            self.push(length, json!({ "type": "context", "elements": elements }));
        }
    }

    pub(super) fn finish(self) -> Vec<Value> {
        self.blocks
    }

    fn push(&mut self, length: usize, block: Value) {
        if length <= self.room && self.blocks.len() < BLOCKS_MAX {
            self.room -= length;
            self.blocks.push(block);
        }
    }
}

/// A text in Slack's dialect; `verbatim` keeps Slack from looking for names and addresses in it.
fn mrkdwn(text: &str) -> Value {
    json!({ "type": "mrkdwn", "text": text, "verbatim": true })
}
