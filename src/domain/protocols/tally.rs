//! What an answer of events and raw output has said so far, and what its end means then.

use std::collections::VecDeque;

use super::item::Item;
use super::pieces::{Pieces, Taken};
use super::{Bounds, End, Failure, Said};
use crate::domain::event::{RawJson, SenderStatus};

/// Counts up what is said.
#[derive(Debug)]
pub(super) struct Tally {
    output: Option<RawJson>,
    pieces: Pieces,
    status: Option<SenderStatus>,
    over: Option<Over>,
}

/// Why nothing more counts.
#[derive(Debug)]
enum Over {
    /// A success or an error was said.
    Terminal,
    Failed(Failure),
    /// The stream said that it is done.
    Done,
}

impl Tally {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { output: None, pieces: Pieces::new(bounds.text_bytes), status: None, over: None }
    }

    /// The same as [`Self::take`] for a part of a stream, where an output may be a piece of one: `name` is that of its event, `raw` its
    /// data where that is a text.
    pub(super) fn take_part(
        &mut self,
        (name, raw): (&str, Option<&str>),
        item: Item,
        said: &mut VecDeque<Said>,
    ) -> Result<(), Failure> {
        let Item::Output(output) = &item else {
            self.take(item, said);
            return Ok(());
        };
        if self.is_over() {
            return Ok(());
        }
        match self.pieces.take(name, raw, output)? {
            Taken::Whole => self.take(item, said),
            Taken::Piece => {}
            Taken::End => self.done(),
            Taken::Failed(failure) => self.over = Some(Over::Failed(failure)),
        }
        Ok(())
    }

    /// Data of nothing but blanks.
    pub(super) fn take_blank(&mut self, blank: &str) -> Result<(), Failure> {
        self.pieces.take_blank(blank)
    }

    /// The text of all pieces, where it changed since it was last asked for.
    pub(super) fn so_far(&mut self) -> Option<RawJson> {
        self.pieces.so_far()
    }

    /// Bytes of that text.
    pub(super) fn text_len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether nothing more counts.
    pub(super) fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Takes what was read; what can be shown goes to `said`. After the end nothing is taken.
    pub(super) fn take(&mut self, item: Item, said: &mut VecDeque<Said>) {
        if self.is_over() {
            return;
        }
        match item {
            Item::Events(events) => {
                for event in events {
                    self.status = Some(event.status);
                    let is_terminal = matches!(event.status, SenderStatus::Success | SenderStatus::Error);
                    said.push_back(Said::Event(event));
                    if is_terminal {
                        self.over = Some(Over::Terminal);
                        return;
                    }
                }
            }
            Item::Output(output) => {
                said.push_back(Said::Output(output.clone()));
                self.output = Some(output);
            }
            Item::Failed(failure) => self.over = Some(Over::Failed(failure)),
        }
    }

    /// The stream says that nothing follows.
    pub(super) fn done(&mut self) {
        self.pieces.done();
        self.over.get_or_insert(Over::Done);
    }

    /// The end of a stream.
    ///
    /// What pieces come to is the success, else the last raw output, where no terminal event was said. Without either: `ended_early` where there
    /// were events, else `empty_answer`.
    pub(super) fn finish(&mut self) -> Result<End, Failure> {
        let joined = match self.over {
            Some(Over::Terminal | Over::Failed(_)) => None,
            Some(Over::Done) | None => self.pieces.end().transpose()?,
        };
        match (self.over.take(), joined.or(self.output.take())) {
            (Some(Over::Terminal), _) => Ok(End::Success(None)),
            (Some(Over::Failed(failure)), _) => Ok(End::Failed(failure)),
            (Some(Over::Done) | None, Some(output)) => Ok(End::Success(Some(output))),
            (Some(Over::Done) | None, None) => Err(match self.status {
                Some(_) => Failure::retryable("ended_early", "the answer ended before its result"),
                None => empty(),
            }),
        }
    }

    /// The end of a whole JSON answer: as that of a stream, but `pending` and `in_progress` say that more will be pushed.
    pub(super) fn finish_whole(&mut self) -> Result<End, Failure> {
        match (&self.over, &self.output, self.status) {
            (None, None, Some(SenderStatus::Pending | SenderStatus::InProgress)) => Ok(End::LeftOpen),
            _ => self.finish(),
        }
    }
}

/// `empty_answer`: nothing was said at all.
pub(super) fn empty() -> Failure {
    Failure::retryable("empty_answer", "the answer is empty")
}
