//! What an answer of events and raw output has said so far, and what its end means then.

use std::collections::VecDeque;

use super::item::Item;
use super::{End, Failure, Said};
use crate::domain::event::{RawJson, SenderStatus};

/// Counts up what is said.
#[derive(Debug, Default)]
pub(super) struct Tally {
    output: Option<RawJson>,
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
        self.over.get_or_insert(Over::Done);
    }

    /// The end of a stream.
    ///
    /// The last raw output is the success where no terminal event was said. Without either: `ended_early` where there
    /// were events, else `empty_answer`.
    pub(super) fn finish(&mut self) -> Result<End, Failure> {
        match (self.over.take(), self.output.take()) {
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
