//! `json`: the whole body is one JSON text.

use std::collections::VecDeque;

use super::item::{Item, read};
use super::lines::Body;
use super::part::malformed;
use super::tally::{Tally, empty};
use super::{Bounds, End, Failure, ReadAnswer, Said};

/// Reads a JSON body, once it is whole.
#[derive(Debug)]
pub(super) struct JsonReader {
    body: Body,
    tally: Tally,
}

impl JsonReader {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { body: Body::new(bounds.event_bytes), tally: Tally::new(bounds) }
    }
}

impl ReadAnswer for JsonReader {
    fn feed(&mut self, chunk: &[u8], _said: &mut VecDeque<Said>) -> Result<(), Failure> {
        self.body.feed(chunk)
    }

    /// Never before its end: a body that goes on after its JSON is broken.
    fn is_over(&self) -> bool {
        false
    }

    fn finish(&mut self, said: &mut VecDeque<Said>) -> Result<End, Failure> {
        let json = self.body.text()?;
        if json.is_empty() {
            return Err(empty());
        }
        match read(json).map_err(|fault| malformed(&fault))? {
            // Pushed, it would be no output either.
            Item::Output(output) if output.get() == "null" => Err(empty()),
            // It is the success itself, and was never a part of anything.
            Item::Output(output) => Ok(End::Success(Some(output))),
            item @ (Item::Events(_) | Item::Failed(_)) => {
                self.tally.take(item, said);
                self.tally.finish_whole()
            }
        }
    }
}
