//! What pays for calls: the budget of one answer, and with it the account of its session.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::domain::ids::SessionKey;
use crate::domain::synthesis::budget::{
    Account, Allowance, Budget, Exhausted, Price, Reservation, Spent, Tokens,
};
use crate::domain::time::Timestamp;
use crate::engine::telemetry::Meters;

/// A purse that several pay from.
pub type SharedBudget = Arc<Purse>;

type SharedAccount = Arc<Mutex<Account>>;

/// The budget of an answer. Of its session's bounds it can spend what the answers beside it haven't taken.
///
/// The account is locked before the budget, always, and neither while anything is waited for.
#[derive(Debug)]
pub struct Purse {
    own: Arc<Mutex<Budget>>,
    session: Option<SharedAccount>,
    /// Where what is spent is counted, whatever becomes of the answer.
    meters: Option<Arc<Meters>>,
    /// What was spent by way of this purse, and not of others that it is a part of.
    paid: Mutex<Spent>,
    is_part: bool,
}

impl Purse {
    /// A purse that nobody else's answer touches.
    pub fn new(budget: Budget) -> Self {
        Self::with(budget, None)
    }

    fn of_session(budget: Budget, account: SharedAccount) -> Self {
        Self::with(budget, Some(account))
    }

    fn with(budget: Budget, session: Option<SharedAccount>) -> Self {
        let own = Arc::new(Mutex::new(budget));
        Self { own, session, meters: None, paid: Mutex::default(), is_part: false }
    }

    /// The same purse for one question, which knows what that alone costs.
    pub(super) fn part(&self) -> Self {
        let (own, session, meters) = (self.own.clone(), self.session.clone(), self.meters.clone());
        Self { own, session, meters, paid: Mutex::default(), is_part: true }
    }

    /// What was spent by way of this purse.
    pub(super) fn paid(&self) -> Spent {
        *self.paid.lock()
    }

    /// The same, counted.
    pub(super) fn counted_by(mut self, meters: Arc<Meters>) -> Self {
        self.meters = Some(meters);
        self
    }

    /// From this time on nothing is worth a call.
    pub fn until(&self) -> Timestamp {
        self.own.lock().until()
    }

    /// What this answer has spent. Calls under way aren't in it.
    pub fn spent(&self) -> Spent {
        self.own.lock().spent()
    }

    /// The same, with what its calls under way come to where they are given up now ([`Budget::so_far`]).
    pub fn so_far(&self) -> Spent {
        self.own.lock().so_far()
    }

    /// What is held back for its calls under way.
    pub fn held(&self) -> Spent {
        self.own.lock().held()
    }

    /// Holds back what a call may cost ([`Budget::reserve`]).
    pub(super) fn reserve(
        &self,
        now: Timestamp,
        input_tokens: u64,
        output_tokens_max: u32,
        price: Price,
    ) -> Result<Reservation, Exhausted> {
        match &self.session {
            Some(account) => {
                let mut account = account.lock();
                account.reserve(&mut self.own.lock(), now, input_tokens, output_tokens_max, price)
            }
            None => self.own.lock().reserve(now, input_tokens, output_tokens_max, price),
        }
    }

    /// So much of a call's answer is there ([`Budget::wrote`]).
    pub(super) fn wrote(&self, reservation: &mut Reservation, tokens: u64) {
        self.own.lock().wrote(reservation, tokens);
    }

    /// Counts a call that was answered ([`Budget::settle`]).
    pub(super) fn settle(&self, held: Reservation, usage: Option<Tokens>) -> Spent {
        self.counted(match &self.session {
            Some(account) => account.lock().settle(&mut self.own.lock(), held, usage),
            None => self.own.lock().settle(held, usage),
        })
    }

    /// Counts a call that failed ([`Budget::fail`]).
    pub(super) fn fail(&self, held: Reservation, written: Option<u64>) -> Spent {
        self.counted(match &self.session {
            Some(account) => account.lock().fail(&mut self.own.lock(), held, written),
            None => self.own.lock().fail(held, written),
        })
    }

    fn counted(&self, spent: Spent) -> Spent {
        let mut paid = self.paid.lock();
        *paid = paid.plus(spent);
        if let Some(meters) = &self.meters {
            meters.model_spent((spent.tokens.input, spent.tokens.output), spent.micros);
        }
        spent
    }
}

impl Drop for Purse {
    fn drop(&mut self) {
        if let Some(account) = self.session.as_ref().filter(|_| !self.is_part) {
            account.lock().end(self.own.lock().spent());
        }
    }
}

/// The accounts of sessions of which answers are written here.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    open: Mutex<HashMap<SessionKey, Weak<Mutex<Account>>>>,
}

impl Accounts {
    /// A purse for an answer of a session that may spend `limit`, and of which the log says that `logged` is spent.
    pub(super) fn purse(&self, key: &SessionKey, limit: Allowance, logged: Spent, budget: Budget) -> Purse {
        if limit == Allowance::default() {
            return Purse::new(budget);
        }
        let mut open = self.open.lock();
        if let Some(account) = open.get(key).and_then(Weak::upgrade) {
            account.lock().join(logged);
            return Purse::of_session(budget, account);
        }
        // Nobody writes for these any more: the next one begins with what the log says.
        open.retain(|_, account| account.strong_count() > 0);
        let account = Arc::new(Mutex::new(Account::new(limit, logged)));
        open.insert(key.clone(), Arc::downgrade(&account));
        Purse::of_session(budget, account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::TenantId;

    const PRICE: Price = Price { input_micros: 0, output_micros: 0 };

    fn key(session: &str) -> SessionKey {
        SessionKey { tenant: TenantId::default_tenant(), session: session.parse().unwrap() }
    }

    #[test]
    fn a_session_has_one_account_as_long_as_any_of_its_answers_is_written() {
        let accounts = Accounts::default();
        let limit = Allowance { calls: 2, ..Allowance::default() };
        let purse = |session: &str| {
            let budget = Budget::new(Allowance::default(), Allowance::default(), Timestamp(10));
            accounts.purse(&key(session), limit, Spent::default(), budget)
        };
        let call = |purse: &Purse| purse.reserve(Timestamp(0), 1, 1, PRICE);
        let (one, other, foreign) = (purse("s"), purse("s"), purse("t"));
        let (first, second) = (call(&one).unwrap(), call(&other).unwrap());
        assert!(call(&one).is_err() && call(&other).is_err());
        let elsewhere = call(&foreign).unwrap();
        one.settle(first, None);
        other.fail(second, None);
        // What has ended is remembered, as long as somebody writes.
        drop(one);
        let third = call(&other).unwrap();
        assert!(call(&purse("s")).is_err());
        other.fail(third, None);
        foreign.fail(elsewhere, None);
        drop(other);
        // Then the log is what counts.
        let (fresh, held) = (purse("s"), |purse: &Purse| call(purse).is_ok());
        assert!(held(&fresh) && held(&fresh) && !held(&fresh));
        assert_eq!(accounts.open.lock().len(), 2);
        drop((fresh, foreign));
        drop(purse("u"));
        assert_eq!(accounts.open.lock().len(), 1);
    }
}
