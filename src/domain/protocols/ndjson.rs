//! `ndjson`: each line is a JSON text; the last one needs no line end. Pieces of a text are joined ([`pieces`](super::pieces)).

use std::collections::VecDeque;

use super::item::read;
use super::lines::Lines;
use super::part::malformed;
use super::tally::Tally;
use super::{Bounds, End, Failure, ReadAnswer, Said};
use crate::domain::event::RawJson;

/// Reads a body of lines.
#[derive(Debug)]
pub(super) struct NdjsonReader {
    lines: Lines,
    tally: Tally,
}

impl NdjsonReader {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { lines: Lines::new(bounds.event_bytes), tally: Tally::new(bounds) }
    }
}

fn take_line(line: &str, tally: &mut Tally, said: &mut VecDeque<Said>) -> Result<(), Failure> {
    if !tally.is_over() {
        return tally.take_part(("", None), read(line).map_err(|fault| malformed(&fault))?, said);
    }
    Ok(())
}

impl ReadAnswer for NdjsonReader {
    fn feed(&mut self, chunk: &[u8], said: &mut VecDeque<Said>) -> Result<(), Failure> {
        self.lines.feed(chunk, &mut |line| take_line(line, &mut self.tally, said))
    }

    fn is_over(&self) -> bool {
        self.tally.is_over()
    }

    fn finish(&mut self, said: &mut VecDeque<Said>) -> Result<End, Failure> {
        if !self.tally.is_over() {
            self.lines.finish(&mut |line| take_line(line, &mut self.tally, said))?;
        }
        self.tally.finish()
    }

    fn output_so_far(&mut self) -> Option<RawJson> {
        self.tally.so_far()
    }

    fn text_len(&self) -> usize {
        self.tally.text_len()
    }
}
