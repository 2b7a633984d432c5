//! The reader of one answer: which protocol it is in, and what is kept beside it.

use std::collections::VecDeque;

use super::a2a::A2aReader;
use super::anthropic::Anthropic;
use super::json::JsonReader;
use super::model::ModelReader;
use super::ndjson::NdjsonReader;
use super::openai::Openai;
use super::sse::SseReader;
use super::{Bounds, End, Failure, ReadAnswer, Said};
use crate::domain::directive::Protocol;
use crate::domain::event::RawJson;
use crate::domain::hidden_words::{Extent, HiddenWords};

/// Reads the body of one answer. How it is used stands at the head of this module.
#[derive(Debug)]
pub struct AnswerReader {
    reader: Box<dyn ReadAnswer>,
    said: VecDeque<Said>,
    broken: Option<Failure>,
    /// Nonsense has come behind the mark of the end: wherever the body is cut, nothing behind that is read.
    has_strayed: bool,
    /// The type of the answer, where it is one of pages for people.
    page: Option<&'static str>,
    /// What nothing that is said may hold.
    hidden: HiddenWords,
}

/// What a content type tells of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Media {
    Json,
    Ndjson,
    EventStream,
    Other,
}

impl AnswerReader {
    /// A reader of one answer to a call in `protocol`.
    ///
    /// `content_type` is the answer's header. An answer of `json`, `ndjson` or `sse` is read as the one of these that
    /// it is labelled as, for an agent may choose (but lines labelled as JSON, as they often are, stay lines); one of
    /// `openai` or `anthropic` as a stream, unless it is labelled as JSON or begins with a `{`.
    pub fn new(protocol: Protocol, content_type: Option<&str>, bounds: Bounds) -> Self {
        let media = media(content_type);
        let is_json = media == Media::Json;
        let reader: Box<dyn ReadAnswer> = match (protocol, media) {
            (Protocol::Json, Media::Json | Media::Other) | (Protocol::Sse, Media::Json) => {
                Box::new(JsonReader::new(bounds))
            }
            (Protocol::Ndjson, Media::Json | Media::Ndjson | Media::Other)
            | (Protocol::Json | Protocol::Sse, Media::Ndjson) => Box::new(NdjsonReader::new(bounds)),
            (Protocol::Sse, Media::EventStream | Media::Other)
            | (Protocol::Json | Protocol::Ndjson, Media::EventStream) => Box::new(SseReader::new(bounds)),
            (Protocol::Openai, _) => Box::new(ModelReader::<Openai>::new(bounds, is_json)),
            (Protocol::Anthropic, _) => Box::new(ModelReader::<Anthropic>::new(bounds, is_json)),
            (Protocol::A2a, _) => Box::new(A2aReader::new(bounds, is_json)),
        };
        let hidden = HiddenWords::default();
        let (said, page) = (VecDeque::new(), page(content_type));
        Self { reader, said, broken: None, has_strayed: false, page, hidden }
    }

    /// The same, which takes those words out of all that it says: of what it put together of pieces, and unescaped.
    pub fn hiding(self, hidden: HiddenWords) -> Self {
        Self { hidden, ..self }
    }

    /// Takes the next bytes of the body.
    ///
    /// Fails with `malformed_answer` or `answer_too_large`; what was said before stays to be taken. Once it failed it
    /// fails again; once it [`Self::is_over`], bytes make no difference.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), Failure> {
        if let Some(failure) = &self.broken {
            return Err(failure.clone());
        }
        if self.is_over() {
            return Ok(());
        }
        match self.reader.feed(chunk, &mut self.said) {
            // What stands behind the end in the same chunk makes as little difference as in another.
            Err(_) if self.reader.is_over() => Ok(()),
            // Nor does nonsense behind its mark; what is too long may be more of the text.
            Err(failure) if self.takes_nothing_from_it(&failure) => {
                self.has_strayed = true;
                Ok(())
            }
            Err(failure) => {
                let failure = self.explained(failure);
                self.broken = Some(failure.clone());
                Err(failure)
            }
            Ok(()) => Ok(()),
        }
    }

    /// The next of what was said; each is complete. To be taken after every [`Self::feed`], and after
    /// [`Self::finish`].
    pub fn next_said(&mut self) -> Option<Said> {
        self.said.pop_front().map(|said| said.without(&self.hidden))
    }

    /// Whether all has been said (a terminal event, a failure, `[DONE]`): the rest of the body needn't be read.
    pub fn is_over(&self) -> bool {
        self.broken.is_some() || self.has_strayed || self.reader.is_over()
    }

    /// Whether the mark of its end has come: should the body break off from here on, or go on without an end, nothing but what
    /// the answer cost is lost.
    pub fn is_whole(&self) -> bool {
        self.broken.is_none() && self.reader.is_whole()
    }

    /// `{"content": "…"}` of a text that grows by deltas, where it changed since this was last asked for; an agent's
    /// may have more beside the text.
    ///
    /// Each answer costs its whole length, so it is for the caller to ask seldom.
    pub fn text_so_far(&mut self) -> Option<RawJson> {
        let so_far = self.reader.output_so_far()?;
        Some(self.hidden.taken_from_json(&so_far, Extent::Beginning))
    }

    /// Bytes of that text.
    pub fn text_len(&self) -> usize {
        self.reader.text_len()
    }

    /// The id of the agent's task, as soon as it has said it and for as long as the task hasn't ended: what would have to
    /// be cancelled, should nobody wait for the answer any more. Only A2A has such.
    pub fn open_task(&self) -> Option<&str> {
        self.reader.open_task()
    }

    /// The body ended cleanly, or otherwise though the answer [`Self::is_whole`]; to be called once. What the last bytes said is then to be taken with
    /// [`Self::next_said`], before the end is acted on.
    ///
    /// Fails as [`Self::feed`] does, and with `empty_answer`, `unexpected_content_type` (a web page), `ended_early` (events, but no result) or
    /// `truncated_answer` (a language model's that broke off), all retryable.
    pub fn finish(&mut self) -> Result<End, Failure> {
        match self.broken.take() {
            Some(failure) => Err(failure),
            None => {
                let end = self.reader.finish(&mut self.said).map_err(|failure| self.explained(failure))?;
                Ok(end.without(&self.hidden))
            }
        }
    }

    fn takes_nothing_from_it(&self, failure: &Failure) -> bool {
        self.reader.is_whole() && &*failure.code == "malformed_answer"
    }

    /// What can't be read of a page for people is that it is one: a sign-in, a proxy's error. Where it can be read after
    /// all, its type was wrong and makes no difference.
    fn explained(&self, failure: Failure) -> Failure {
        match self.page {
            Some(page) if matches!(&*failure.code, "malformed_answer" | "empty_answer") => {
                let text = format!("the answer is a page for people (`{page}`), not an agent's");
                Failure::retryable("unexpected_content_type", text)
            }
            _ => failure.without(&self.hidden),
        }
    }
}

fn essence(content_type: Option<&str>) -> String {
    let full = content_type.unwrap_or_default();
    full.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn page(content_type: Option<&str>) -> Option<&'static str> {
    let essence = essence(content_type);
    ["text/html", "application/xhtml+xml"].into_iter().find(|page| *page == essence)
}

fn media(content_type: Option<&str>) -> Media {
    match essence(content_type).as_str() {
        "application/json" | "text/json" => Media::Json,
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" | "application/x-jsonlines" => {
            Media::Ndjson
        }
        "text/event-stream" => Media::EventStream,
        other if other.ends_with("+json") => Media::Json,
        _ => Media::Other,
    }
}
