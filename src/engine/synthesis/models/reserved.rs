//! What one call has reserved of its request's budget, given back whatever becomes of the call.
//!
//! A call that is given up isn't free: its server may have read all of it and written on, whoever hung up. So whatever
//! isn't known to cost nothing is counted, and nobody spends without end by calls that hang or are cancelled.

use super::answer::Progress;
use crate::domain::synthesis::budget::{Reservation, Spent, Tokens};
use crate::domain::text::tokens::Tokenizer;
use crate::engine::synthesis::purse::Purse;

/// A reservation that closes itself. Dropped, it counts as a call that was given up.
pub(super) struct Reserved<'a> {
    purse: &'a Purse,
    reservation: Option<Reservation>,
    tokenizer: &'a Tokenizer,
    /// How far the server has come with its answer.
    pub(super) progress: Progress,
}

impl<'a> Reserved<'a> {
    /// `tokenizer` counts what the model had written of an answer that nobody else counts any more.
    pub(super) fn new(purse: &'a Purse, reservation: Reservation, tokenizer: &'a Tokenizer) -> Self {
        Self { purse, reservation: Some(reservation), tokenizer, progress: Progress::default() }
    }

    /// The most tokens that the model may write.
    pub(super) fn output_tokens_max(&self) -> u32 {
        self.reservation.as_ref().map_or(0, Reservation::output_tokens_max)
    }

    /// So many tokens of the answer are there.
    pub(super) fn wrote(&mut self, tokens: u64) {
        if let Some(held) = &mut self.reservation {
            self.purse.wrote(held, tokens);
        }
    }

    /// The call was answered.
    pub(super) fn settle(mut self, usage: Option<Tokens>) -> Spent {
        let reservation = self.reservation.take();
        reservation.map_or_else(Spent::default, |held| self.purse.settle(held, usage))
    }

    /// The call failed; `may_cost` where its server may have worked on it.
    pub(super) fn fail(mut self, may_cost: bool) -> Spent {
        self.close(may_cost)
    }

    fn close(&mut self, may_cost: bool) -> Spent {
        let Some(held) = self.reservation.take() else { return Spent::default() };
        let Progress { had_begun, text } = &self.progress;
        let written = (*had_begun || may_cost).then(|| self.tokenizer.count(text) as u64);
        self.purse.fail(held, written)
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.close(true);
    }
}
