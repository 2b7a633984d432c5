//! What the answers of one session that are written at once may spend together.

use super::amounts::{Allowance, Price, Spent, Tokens};
use super::{Budget, Exhausted, Reservation};
use crate::domain::time::Timestamp;

/// A session's account while answers of it are written. Each has a [`Budget`] of its own; whatever one holds back or has
/// spent, the others can't spend.
///
/// What was spent before comes from the session's log, which hears of an answer's cost when that ends. So what ended here
/// may or may not be in a later reading of the log: it is counted once, by whichever is more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    limit: Allowance,
    /// What the log had when the account was opened, and what others have added to it since.
    before: Spent,
    /// What was spent by way of this account.
    spent: Spent,
    /// Of that, what has ended and so may be in the log.
    ended: Spent,
    held: Spent,
}

impl Account {
    /// The account of a session that may spend so much, and has spent `logged`.
    pub fn new(limit: Allowance, logged: Spent) -> Self {
        let nothing = Spent::default();
        Self { limit, before: whole(logged), spent: nothing, ended: nothing, held: nothing }
    }

    /// Another answer begins; `logged` is what the log says now.
    pub fn join(&mut self, logged: Spent) {
        self.before = self.before.most(whole(logged).minus(self.ended));
    }

    /// An answer has ended with this cost, which the log hears of.
    pub fn end(&mut self, cost: Spent) {
        self.ended = self.ended.plus(whole(cost));
    }

    /// Holds back what a call may cost ([`Budget::reserve`]), of the answer's own budget and of the session's.
    ///
    /// # Errors
    /// What there isn't enough of. Nothing is held back then.
    pub fn reserve(
        &mut self,
        budget: &mut Budget,
        now: Timestamp,
        input_tokens: u64,
        output_tokens_max: u32,
        price: Price,
    ) -> Result<Reservation, Exhausted> {
        budget.session = self.left_to(whole(budget.spent.plus(budget.held)));
        let reservation = budget.reserve(now, input_tokens, output_tokens_max, price)?;
        self.held = self.held.plus(whole(reservation.held));
        Ok(reservation)
    }

    /// Counts a call that was answered ([`Budget::settle`]).
    pub fn settle(&mut self, budget: &mut Budget, reservation: Reservation, usage: Option<Tokens>) -> Spent {
        let held = reservation.held;
        let real = budget.settle(reservation, usage);
        self.close(held, real)
    }

    /// Counts a call that failed ([`Budget::fail`]).
    pub fn fail(&mut self, budget: &mut Budget, reservation: Reservation, written: Option<u64>) -> Spent {
        let held = reservation.held;
        let real = budget.fail(reservation, written);
        self.close(held, real)
    }

    fn close(&mut self, held: Spent, real: Spent) -> Spent {
        self.held = self.held.minus(whole(held));
        self.spent = self.spent.plus(whole(real));
        real
    }

    /// The bounds of an answer that has taken `own` itself.
    fn left_to(&self, own: Spent) -> Allowance {
        let others = self.before.plus(self.spent).plus(self.held).minus(own);
        Allowance {
            tokens: self.limit.tokens.saturating_sub(others.tokens.sum()),
            calls: self.limit.calls.saturating_sub(others.calls),
            micros: self.limit.micros.saturating_sub(others.micros),
        }
    }
}

/// The log counts tokens together, read and written: so does an account, all as read.
fn whole(spent: Spent) -> Spent {
    Spent { tokens: Tokens { input: spent.tokens.sum(), output: 0 }, ..spent }
}
