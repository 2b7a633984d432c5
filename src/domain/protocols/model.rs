//! What language models' protocols have in common: a text in deltas, calls of tools, and an end that has to be said.
//!
//! A [`Dialect`] reads the messages of one API; this file tells streams from whole answers and knows when one was cut
//! short. An object's `status` means nothing here: OpenAI's responses have a field of that name.

use std::collections::VecDeque;

use super::completion::ReadCompletion;
use super::form::Form;
use super::own_failure::told;
use super::sse::DONE;
use super::tally::empty;
use super::{Bounds, End, Failure, ReadAnswer, Said, SseEvent};
use crate::domain::event::RawJson;

mod answer;
pub(super) use answer::ModelAnswer;

/// The messages of one API.
pub(super) trait Dialect: std::fmt::Debug + Default + Send {
    /// Reads one message of a stream: the data of the event called `name`.
    fn message(&mut self, name: &str, data: &str, answer: &mut ModelAnswer) -> Result<(), Failure>;
    /// Reads an answer that isn't a stream.
    fn whole(&mut self, json: &str, answer: &mut ModelAnswer) -> Result<(), Failure>;
    /// Whether a stream is only whole with its last message, and not yet with the reason to stop.
    fn needs_done(&self) -> bool {
        false
    }
}

/// Reads the answer of a language model.
#[derive(Debug)]
pub(super) struct ModelReader<D> {
    dialect: D,
    answer: ModelAnswer,
    body: Form,
}

impl<D: Dialect> ModelReader<D> {
    /// A reader of one answer. `is_json`: its content type says that it is no stream.
    pub(super) fn new(bounds: Bounds, is_json: bool) -> Self {
        let (answer, body) = (ModelAnswer::new(bounds.text_bytes), Form::of(bounds, is_json));
        Self { dialect: D::default(), answer, body }
    }
}

fn take_event<D: Dialect>(
    event: SseEvent<'_>,
    dialect: &mut D,
    answer: &mut ModelAnswer,
) -> Result<(), Failure> {
    let data = event.data.trim();
    if answer.is_over() || data.is_empty() {
        return Ok(());
    }
    answer.begun = true;
    if data == DONE {
        answer.done = true;
        return Ok(());
    }
    if event.name == "error" {
        answer.failed = Some(told(data));
        return Ok(());
    }
    dialect.message(event.name, data, answer)
}

impl<D: Dialect> ReadCompletion for ModelReader<D> {
    fn answer(&self) -> &ModelAnswer {
        &self.answer
    }
}

impl<D: Dialect> ReadAnswer for ModelReader<D> {
    fn feed(&mut self, chunk: &[u8], _said: &mut VecDeque<Said>) -> Result<(), Failure> {
        let chunk = self.body.begin(chunk);
        match &mut self.body {
            Form::Unknown(_) => Ok(()),
            Form::Whole(body) => body.feed(chunk),
            Form::Stream(decoder) => {
                decoder.feed(chunk, &mut |event| take_event(event, &mut self.dialect, &mut self.answer))
            }
        }
    }

    fn is_over(&self) -> bool {
        self.answer.is_over()
    }

    fn is_whole(&self) -> bool {
        let (answer, needs_done) = (&self.answer, self.dialect.needs_done());
        let is_marked = answer.has_stopped() && (answer.done || !needs_done);
        // `[DONE]` alone is what a gateway sends for a model that it lost; a JSON text can't be cut unseen.
        let is_closed = answer.done && (needs_done || matches!(self.body, Form::Whole(_)));
        answer.failed.is_none() && (is_marked || (is_closed && answer.has_content()))
    }

    fn finish(&mut self, said: &mut VecDeque<Said>) -> Result<End, Failure> {
        // What can't be read broke off, which the end tells.
        if matches!(self.body, Form::Stream(_)) && !self.is_over() && self.feed(b"\n\n", said).is_err() {
            return self.answer.end(self.dialect.needs_done());
        }
        if let Form::Whole(body) = &self.body {
            let json = body.text()?;
            if json.is_empty() {
                return Err(empty());
            }
            self.dialect.whole(json, &mut self.answer)?;
            self.answer.done = true;
        }
        self.answer.end(self.dialect.needs_done())
    }

    fn output_so_far(&mut self) -> Option<RawJson> {
        self.answer.text.take_changed()
    }

    fn text_len(&self) -> usize {
        self.answer.text.as_str().len()
    }
}
