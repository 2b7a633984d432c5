//! What a synthesis by language models may cost: tokens, calls, money and time, for one request and for what is left of
//! its session.
//!
//! A call is estimated before it is made ([`Budget::reserve`]) and corrected by what the server counted
//! ([`Budget::settle`]). What is reserved is held back, so calls at once can't each spend the same rest, nor can the answers
//! of one session that are written at once ([`Account`]).
//!
//! Promises: nothing overflows or becomes negative. What is spent and reserved goes beyond a limit only by corrections,
//! where a server counts more than was reserved; from then on nothing more is reserved. Calls one after another go
//! beyond it by one correction at most.
//!
//! Pure: `now` comes in as an argument, by the same clock as the time limit. Money is in millionths of whatever the
//! prices are in.

use crate::domain::time::Timestamp;
pub use account::Account;
pub use amounts::{Allowance, Price, Spent, Tokens};

mod account;
mod amounts;
#[cfg(test)]
mod tests;

/// The fewest tokens of output that a call is still made for: with less no draft has a whole finding.
pub const USEFUL_OUTPUT_TOKENS: u32 = 256;

/// What there isn't enough of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Tokens.
    Tokens,
    /// Calls.
    Calls,
    /// Money.
    Money,
    /// Time.
    Time,
}

/// Whose limit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The request's own.
    Request,
    /// What was left of the session's when the request began.
    Session,
}

/// A call that can't be paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct Exhausted {
    /// What there isn't enough of.
    pub which: Resource,
    /// Whose limit it is: the narrower one. Time is the request's.
    pub of: Scope,
    /// The limit: tokens, calls, millionths of money; for time the end, in milliseconds since 1970.
    pub limit: u64,
}

impl Exhausted {
    /// A short code that never changes, for events, logs and metrics.
    pub fn code(&self) -> &'static str {
        match self.which {
            Resource::Tokens => "budget_tokens",
            Resource::Calls => "budget_calls",
            Resource::Money => "budget_money",
            Resource::Time => "deadline_exceeded",
        }
    }

    fn text(&self) -> String {
        let whose = match self.of {
            Scope::Request => "the request",
            Scope::Session => "the session",
        };
        let what = match self.which {
            Resource::Tokens => "tokens",
            Resource::Calls => "calls",
            Resource::Money => "millionths of money",
            Resource::Time => return "the time is over".to_owned(),
        };
        format!("of the {} {what} that {whose} may use too few are left", self.limit)
    }
}

/// What is held back for one call. Whoever has it gives it to [`Budget::settle`] or [`Budget::fail`]; it can't be copied.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "what is reserved stays held back until it is settled"]
pub struct Reservation {
    held: Spent,
    /// What it comes to where it is given up now.
    so_far: Spent,
    price: Price,
    output_tokens_max: u32,
}

impl Reservation {
    /// The most tokens that the model may write: what was asked for, or what is left.
    pub fn output_tokens_max(&self) -> u32 {
        self.output_tokens_max
    }

    /// What it comes to where it is given up after so many tokens were written, by our own count: the call itself, its
    /// input, and these.
    fn given_up(&self, written: u64) -> Spent {
        let tokens = Tokens { input: self.held.tokens.input, output: written };
        Spent { tokens, calls: 1, micros: self.price.of(tokens) }
    }
}

/// What one request may spend, and has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    request: Allowance,
    session: Allowance,
    until: Timestamp,
    spent: Spent,
    held: Spent,
    under_way: Spent,
}

impl Budget {
    /// A budget of which nothing is spent: the request's own limits, what is left of its session's, and when it ends.
    pub fn new(request: Allowance, session_left: Allowance, until: Timestamp) -> Self {
        let (spent, held, under_way) = Default::default();
        Self { request, session: session_left, until, spent, held, under_way }
    }

    /// From this time on nothing is worth a call.
    pub fn until(&self) -> Timestamp {
        self.until
    }

    /// What was spent, to be taken off the session's. Calls under way aren't in it.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// What was spent, and what calls under way come to where they are given up now.
    pub fn so_far(&self) -> Spent {
        self.spent.plus(self.under_way)
    }

    /// What is held back for calls under way.
    pub fn held(&self) -> Spent {
        self.held
    }

    /// Holds back what a call may cost: its input by an estimate, and `output_tokens_max`. Where less is left, less output
    /// is reserved, as long as that is of use: [`USEFUL_OUTPUT_TOKENS`], or what was asked for where that is less.
    ///
    /// # Errors
    /// What there isn't enough of. Nothing is held back then.
    pub fn reserve(
        &mut self,
        now: Timestamp,
        input_tokens: u64,
        output_tokens_max: u32,
        price: Price,
    ) -> Result<Reservation, Exhausted> {
        if now >= self.until {
            let limit = u64::try_from(self.until.0).unwrap_or(0);
            return Err(Exhausted { which: Resource::Time, of: Scope::Request, limit });
        }
        let taken = self.spent.plus(self.held);
        if taken.calls >= self.limit(Resource::Calls).1 {
            return Err(self.exhausted(Resource::Calls));
        }
        let useful = u64::from(USEFUL_OUTPUT_TOKENS.min(output_tokens_max));
        let tokens_left = self.limit(Resource::Tokens).1.checked_sub(taken.tokens.sum());
        let by_tokens = tokens_left.and_then(|left| left.checked_sub(input_tokens));
        let Some(by_tokens) = by_tokens.filter(|left| *left >= useful) else {
            return Err(self.exhausted(Resource::Tokens));
        };
        let by_money = self.output_paid_for(taken.micros, input_tokens, price);
        let Some(by_money) = by_money.filter(|left| *left >= useful) else {
            return Err(self.exhausted(Resource::Money));
        };
        let output = u64::from(output_tokens_max).min(by_tokens).min(by_money);
        let tokens = Tokens { input: input_tokens, output };
        let held = Spent { tokens, calls: 1, micros: price.of(tokens) };
        self.held = self.held.plus(held);
        let output_tokens_max = u32::try_from(output).unwrap_or(output_tokens_max);
        let mut reservation = Reservation { held, so_far: Spent::default(), price, output_tokens_max };
        self.wrote(&mut reservation, 0);
        Ok(reservation)
    }

    /// So many tokens of a call's answer are there, by our own count.
    pub fn wrote(&mut self, reservation: &mut Reservation, tokens: u64) {
        let now = reservation.given_up(tokens);
        let before = std::mem::replace(&mut reservation.so_far, now);
        self.under_way = self.under_way.minus(before).plus(now);
    }

    /// How many tokens of output the money that is left pays for; `None` where it doesn't even pay for the input.
    fn output_paid_for(&self, taken_micros: u64, input: u64, price: Price) -> Option<u64> {
        let left = self.limit(Resource::Money).1.checked_sub(taken_micros)?;
        (price.of(Tokens { input, output: 0 }) <= left).then(|| price.output_for(left, input))
    }

    /// Counts a call that was answered, by the server's own count where it gave one; else all that was reserved. Gives
    /// what it came to.
    pub fn settle(&mut self, reservation: Reservation, usage: Option<Tokens>) -> Spent {
        let Reservation { held, price, .. } = reservation;
        let real = |tokens| Spent { tokens, calls: 1, micros: price.of(tokens) };
        self.close(reservation, usage.map_or(held, real))
    }

    /// Counts a call that failed or was given up: the call itself, its input, and what was `written` until then, in tokens
    /// by our count. Whether it hung or began to answer makes no difference: the server may have worked on it all the
    /// while. Nothing at all where it can't have (`None`): it wasn't reached, or refused. Gives what it came to.
    pub fn fail(&mut self, reservation: Reservation, written: Option<u64>) -> Spent {
        let real = written.map(|output| reservation.given_up(output)).unwrap_or_default();
        self.close(reservation, real)
    }

    fn close(&mut self, Reservation { held, so_far, .. }: Reservation, real: Spent) -> Spent {
        self.under_way = self.under_way.minus(so_far);
        self.held = self.held.minus(held);
        self.spent = self.spent.plus(real);
        real
    }

    /// The narrower of the two limits, and whose it is.
    fn limit(&self, which: Resource) -> (Scope, u64) {
        let of = |allowance: &Allowance| match which {
            Resource::Tokens => allowance.tokens,
            Resource::Calls => allowance.calls,
            Resource::Money => allowance.micros,
            Resource::Time => u64::MAX,
        };
        let (request, session) = (of(&self.request), of(&self.session));
        if session < request { (Scope::Session, session) } else { (Scope::Request, request) }
    }

    fn exhausted(&self, which: Resource) -> Exhausted {
        let (of, limit) = self.limit(which);
        Exhausted { which, of, limit }
    }
}
