//! What an agent has put out so far: its artifacts, folded by id, as one raw output.
//!
//! | what there is | raw output |
//! |---|---|
//! | one `data` part and nothing else | that data itself, so that an adapter reads a structured answer |
//! | anything else | `{"content": text, "sources"?: [{title, url, media_type?}], "data"?: [data…], "files"?: [{name, media_type?, bytes}]}` |
//!
//! Text parts of one artifact are joined as they stand: agents stream an artifact in parts, and a snapshot lists the
//! same parts. Artifacts are joined by an empty line, text parts of a message by a line break. `url` parts are sources;
//! of `raw` parts, which hold a file's bytes, name and size are noted and the bytes left out.
//!
//! An artifact that comes again replaces the one with its id, unless it is to be appended. Time is linear in what comes;
//! what is held is bounded, each part and artifact counted with an overhead, so that many empty ones aren't free.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::shapes::{Artifact, Part};
use crate::domain::canonical_json::{Text, one_line};
use crate::domain::event::RawJson;
use crate::domain::protocols::Failure;

/// What a part that isn't text, or an artifact, counts for besides its bytes.
const OVERHEAD_BYTES: usize = 64;

/// The artifacts of one task, in the order in which they first came.
#[derive(Debug)]
pub(super) struct Output {
    bytes_max: usize,
    bytes: usize,
    text_len: usize,
    artifacts: Vec<Content>,
    places: BTreeMap<Box<str>, usize>,
    changed: bool,
}

/// The content of one artifact or message.
#[derive(Debug, Default)]
struct Content {
    text: String,
    /// Members of the lists, each a JSON text on one line.
    sources: Vec<String>,
    data: Vec<String>,
    files: Vec<String>,
    bytes: usize,
}

impl Output {
    /// Nothing yet; at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        let (artifacts, places) = (Vec::new(), BTreeMap::new());
        Self { bytes_max, bytes: 0, text_len: 0, artifacts, places, changed: false }
    }

    /// Takes an artifact in. Over the bound, `answer_too_large`.
    pub fn artifact(&mut self, artifact: &Artifact<'_>, append: bool) -> Result<(), Failure> {
        let id = artifact.id.as_ref().map_or("", |Text(id)| id);
        let place = match self.places.get(id) {
            Some(place) => *place,
            None => {
                self.count(id.len() + OVERHEAD_BYTES)?;
                self.places.insert(id.into(), self.artifacts.len());
                self.artifacts.push(Content::default());
                self.artifacts.len() - 1
            }
        };
        if !append {
            self.clear(place);
        }
        self.parts(place, &artifact.parts, "")
    }

    /// Takes a message in as the whole output: an agent that answers with one has no artifacts.
    pub fn message(&mut self, parts: &[Part<'_>]) -> Result<(), Failure> {
        (self.bytes, self.text_len) = (0, 0);
        self.places.clear();
        self.artifacts.clear();
        self.artifacts.push(Content::default());
        self.parts(0, parts, "\n")
    }

    /// Whether nothing has been put out.
    pub fn is_empty(&self) -> bool {
        self.artifacts.iter().all(|content| content.bytes == 0)
    }

    /// Bytes of text so far.
    pub fn text_len(&self) -> usize {
        self.text_len
    }

    /// The raw output, where it changed since it was last taken.
    pub fn take_changed(&mut self) -> Option<RawJson> {
        (std::mem::take(&mut self.changed) && !self.is_empty()).then(|| self.raw()).flatten()
    }

    /// The raw output; `{"content":""}` where nothing has been put out.
    pub fn raw(&self) -> Option<RawJson> {
        let all = |list: fn(&Content) -> &Vec<String>| self.artifacts.iter().flat_map(list);
        let mut data = all(|content| &content.data);
        let others =
            self.text_len + all(|content| &content.sources).count() + all(|content| &content.files).count();
        if let (0, Some(only), None) = (others, data.next(), data.next()) {
            return json(only.clone());
        }
        let mut object = String::with_capacity(self.bytes + self.bytes / 8 + 64);
        object.push_str("{\"content\":");
        object.push_str(&quoted(&self.text()));
        push_list(&mut object, "sources", all(|content| &content.sources));
        push_list(&mut object, "data", all(|content| &content.data));
        push_list(&mut object, "files", all(|content| &content.files));
        object.push('}');
        json(object)
    }

    fn text(&self) -> String {
        let texts: Vec<&str> =
            self.artifacts.iter().map(|content| &*content.text).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n")
    }

    fn count(&mut self, bytes: usize) -> Result<(), Failure> {
        self.bytes += bytes;
        if self.bytes > self.bytes_max {
            return Err(Failure::too_large("an agent's output", self.bytes_max));
        }
        Ok(())
    }

    fn clear(&mut self, place: usize) {
        if let Some(content) = self.artifacts.get_mut(place) {
            self.bytes -= content.bytes;
            self.text_len -= content.text.len();
            self.changed |= content.bytes > 0;
            *content = Content::default();
        }
    }

    fn parts(&mut self, place: usize, parts: &[Part<'_>], between_texts: &str) -> Result<(), Failure> {
        for part in parts {
            let Some(content) = self.artifacts.get_mut(place) else { break };
            let text_before = content.text.len();
            let added = content.add(part, between_texts);
            self.text_len += content.text.len() - text_before;
            self.changed |= added > 0;
            self.count(added)?;
        }
        Ok(())
    }
}

impl Content {
    /// Takes a part in; how many bytes it counts for.
    fn add(&mut self, part: &Part<'_>, between_texts: &str) -> usize {
        let before = self.bytes;
        let name = part.filename.as_ref();
        let media_type = part.media_type.as_ref();
        if let Some(Text(text)) = &part.text {
            self.add_text(text, between_texts);
        }
        if let Some(data) = part.data {
            self.bytes += push(&mut self.data, one_line(data.get()).into_owned());
        }
        if let Some(url) = &part.url {
            self.bytes += push(&mut self.sources, source(url, name, media_type));
        }
        if let Some(raw) = &part.raw {
            self.bytes += push(&mut self.files, file(raw, name, media_type));
        }
        if let Some(old) = &part.file {
            if let Some(url) = &old.uri {
                self.bytes +=
                    push(&mut self.sources, source(url, old.name.as_ref(), old.media_type.as_ref()));
            } else if let Some(bytes) = &old.bytes {
                self.bytes += push(&mut self.files, file(bytes, old.name.as_ref(), old.media_type.as_ref()));
            }
        }
        self.bytes - before
    }

    fn add_text(&mut self, text: &str, between_texts: &str) {
        if text.is_empty() {
            return;
        }
        let before = self.text.len();
        if before > 0 {
            self.text.push_str(between_texts);
        }
        self.text.push_str(text);
        self.bytes += self.text.len() - before;
    }
}

fn push(list: &mut Vec<String>, json: String) -> usize {
    let bytes = json.len() + OVERHEAD_BYTES;
    list.push(json);
    bytes
}

fn source(url: &Text<'_>, name: Option<&Text<'_>>, media_type: Option<&Text<'_>>) -> String {
    let Text(url) = url;
    let title = name.map(|Text(name)| &**name).filter(|name| !name.is_empty()).unwrap_or(url);
    let mut object = format!("{{\"title\":{},\"url\":{}", quoted(title), quoted(url));
    push_member(&mut object, "media_type", media_type);
    object.push('}');
    object
}

/// `base64` isn't read: its length tells how large the file is.
fn file(base64: &Text<'_>, name: Option<&Text<'_>>, media_type: Option<&Text<'_>>) -> String {
    let digits = base64.0.trim_end_matches('=').len();
    let mut object = format!("{{\"bytes\":{}", digits / 4 * 3 + (digits % 4).saturating_sub(1));
    push_member(&mut object, "name", name);
    push_member(&mut object, "media_type", media_type);
    object.push('}');
    object
}

fn push_member(object: &mut String, key: &str, value: Option<&Text<'_>>) {
    if let Some(Text(value)) = value.filter(|Text(value)| !value.is_empty()) {
        object.push_str(&format!(",\"{key}\":{}", quoted(value)));
    }
}

/// A member that is a list; none where it would be empty.
fn push_list<'a>(object: &mut String, key: &str, mut items: impl Iterator<Item = &'a String>) {
    let Some(first) = items.next() else { return };
    object.push_str(&format!(",\"{key}\":[{first}"));
    for item in items {
        object.push(',');
        object.push_str(item);
    }
    object.push(']');
}

/// `text` as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text that was put together from JSON. Should it not be any, there is nothing to show.
fn json(text: String) -> Option<RawJson> {
    RawValue::from_string(text).ok().map(Arc::from)
}
