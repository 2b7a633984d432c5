//! An answer while it arrives.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{BoxStream, StreamExt};
use tokio::time::{Instant, timeout, timeout_at};

use super::failure;
use super::options::{ModelOptions, Provider};
use crate::domain::protocols::{Bounds, CompletionReader};
use crate::engine::ports::language_model::{ModelEnd, ModelError, ModelSaid};
use crate::engine::ports::subagent::{Answer, CallError};

/// How long the usage is waited for, once the answer is whole: there are servers that never end their streams.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// How long the end of the body is waited for behind its last message: a connection that was read to its end can be used
/// again, and mostly the end came along.
const LEAVING: Duration = Duration::from_millis(20);

/// A body that is being read. Dropping it ends the call.
pub(super) struct Reading {
    body: BoxStream<'static, Result<Bytes, CallError>>,
    reader: CompletionReader,
    bytes: usize,
    bytes_max: usize,
    text_bytes_max: usize,
    /// Until when more is waited for, once the answer is whole.
    until: Option<Instant>,
    /// The end, once the body has been read.
    end: Option<ModelEnd>,
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// What the content type says of a body.
enum Media {
    Json,
    /// A stream, or nothing: the first byte tells.
    Stream,
    Page,
}

impl Reading {
    /// Begins to read; a page of HTML is no answer.
    pub fn new(answer: Answer, options: &ModelOptions) -> Result<Self, ModelError> {
        let is_json = match media(answer.content_type.as_deref()) {
            Media::Json => true,
            Media::Stream => false,
            Media::Page => return Err(ModelError::Malformed),
        };
        let text_bytes_max = options.text_bytes_max;
        let bounds = Bounds { event_bytes: text_bytes_max, text_bytes: text_bytes_max };
        let reader = match options.provider {
            Provider::OpenAi => CompletionReader::openai(is_json, bounds),
            Provider::Anthropic => CompletionReader::anthropic(is_json, bounds),
        };
        let (body, bytes_max) = (answer.body, options.answer_bytes_max);
        Ok(Self { body, reader, bytes: 0, bytes_max, text_bytes_max, until: None, end: None })
    }

    /// The next of what is said. Not to be asked again after the end.
    pub async fn next(&mut self) -> Result<ModelSaid, ModelError> {
        loop {
            if let Some(text) = self.reader.new_text() {
                return Ok(ModelSaid::Text(text.to_owned()));
            }
            if let Some(end) = self.end.take() {
                return Ok(ModelSaid::Done(end));
            }
            match self.chunk().await? {
                Some(chunk) => self.take(&chunk)?,
                None => {
                    let end = self.reader.finish();
                    self.end = Some(end.map_err(|fault| failure::of_answer(fault, self.text_bytes_max))?);
                }
            }
        }
    }

    /// The next bytes; `None` where no more are needed, or none come. Whatever happens to a body whose answer is whole
    /// already takes nothing from it.
    async fn chunk(&mut self) -> Result<Option<Bytes>, ModelError> {
        if self.reader.is_over() {
            // Whatever comes makes no difference, nor does it that nothing comes.
            let _ = timeout(LEAVING, self.body.next()).await;
            return Ok(None);
        }
        if !self.reader.is_whole() {
            return self.body.next().await.transpose().map_err(failure::of_body);
        }
        let until = *self.until.get_or_insert_with(|| Instant::now() + AFTERWARDS);
        let chunk = timeout_at(until, self.body.next()).await;
        Ok(chunk.ok().flatten().and_then(Result::ok))
    }

    fn take(&mut self, chunk: &[u8]) -> Result<(), ModelError> {
        self.bytes = self.bytes.saturating_add(chunk.len());
        if self.bytes > self.bytes_max && !self.reader.is_whole() {
            return Err(ModelError::TooLarge { limit: self.bytes_max });
        }
        self.reader.feed(chunk).map_err(|fault| failure::of_answer(fault, self.text_bytes_max))
    }
}

fn media(content_type: Option<&str>) -> Media {
    let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    match essence.as_str() {
        "application/json" | "text/json" => Media::Json,
        "text/html" | "application/xhtml+xml" | "text/xml" | "application/xml" => Media::Page,
        other if other.ends_with("+json") => Media::Json,
        _ => Media::Stream,
    }
}
