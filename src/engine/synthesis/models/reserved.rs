//! What one call has reserved of its request's budget, given back whatever becomes of the call.

use parking_lot::Mutex;

use crate::domain::synthesis::budget::{Budget, Reservation, Spent, Tokens};

/// A reservation that closes itself. Dropped, it counts as a call that was given up.
pub(super) struct Reserved<'a> {
    budget: &'a Mutex<Budget>,
    reservation: Option<Reservation>,
    /// Whether the server has begun to answer.
    pub(super) had_begun: bool,
}

impl<'a> Reserved<'a> {
    pub(super) fn new(budget: &'a Mutex<Budget>, reservation: Reservation) -> Self {
        Self { budget, reservation: Some(reservation), had_begun: false }
    }

    /// The most tokens that the model may write.
    pub(super) fn output_tokens_max(&self) -> u32 {
        self.reservation.as_ref().map_or(0, Reservation::output_tokens_max)
    }

    /// The call was answered.
    pub(super) fn settle(mut self, usage: Option<Tokens>) -> Spent {
        let reservation = self.reservation.take();
        reservation.map_or_else(Spent::default, |held| self.budget.lock().settle(held, usage))
    }

    /// The call failed.
    pub(super) fn fail(mut self) -> Spent {
        self.close()
    }

    fn close(&mut self) -> Spent {
        let reservation = self.reservation.take();
        reservation.map_or_else(Spent::default, |held| self.budget.lock().fail(held, self.had_begun))
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
