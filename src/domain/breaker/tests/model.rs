//! The breaker against a naive model that remembers everything, under arbitrary interleavings of calls.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::*;

const SETTINGS: BreakerSettings = BreakerSettings {
    window_ms: 100,
    minimum_calls: 3,
    failure_rate: 0.5,
    open_ms: 50,
    open_most_ms: 150,
    probe_ms: 80,
};

/// What callers and clocks may do.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// The clock moves, perhaps back.
    Move(i64),
    /// Somebody wants to call.
    Ask,
    /// One of the calls under way ends.
    Report(prop::sample::Index, Outcome),
    /// One of the calls under way is cancelled.
    Abandon(prop::sample::Index),
}

fn act() -> impl Strategy<Value = Act> {
    let outcome = prop_oneof![1 => Just(Outcome::Success), 2 => Just(Outcome::Failure)];
    prop_oneof![
        2 => (0..40_i64).prop_map(Act::Move),
        1 => (-60..200_i64).prop_map(Act::Move),
        4 => Just(Act::Ask),
        4 => (any::<prop::sample::Index>(), outcome).prop_map(|(which, outcome)| Act::Report(which, outcome)),
        1 => any::<prop::sample::Index>().prop_map(Act::Abandon),
    ]
}

/// A call under way.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Call {
    /// Began when the breaker had opened so many times.
    Plain { openings: usize },
    /// The so-and-so-many-eth probe.
    Probe { number: usize },
}

/// A wait or a probe: from when, for how long.
#[derive(Debug, Clone, Copy)]
struct Span(i64, i64);

impl Span {
    fn is_over(self, now: i64) -> bool {
        // Over, too, when the clock was set back by more than the span.
        (now - self.0 < 0 && self.0 - now > self.1) || (now - self.0 >= self.1)
    }
}

#[derive(Debug, Clone, Copy)]
enum State {
    Closed,
    Open { since: i64, wait: Span },
    Half { since: i64, last_wait_ms: i64, probe: Option<(usize, Span)> },
}

/// All outcomes with the slots of ten milliseconds that they fell into, and what follows from them.
struct Model {
    state: State,
    outcomes: Vec<(i64, Outcome)>,
    openings: usize,
    probes: usize,
}

#[derive(Debug, PartialEq)]
enum May {
    Call,
    Probe,
    Nothing,
}

impl Model {
    fn may(&self, now: i64) -> May {
        match self.state {
            State::Closed => May::Call,
            State::Open { wait, .. } if !wait.is_over(now) => May::Nothing,
            State::Half { probe: Some((_, span)), .. } if !span.is_over(now) => May::Nothing,
            State::Open { .. } | State::Half { .. } => May::Probe,
        }
    }

    fn start_probe(&mut self, now: i64) -> Call {
        let (since, last_wait_ms) = match self.state {
            State::Closed => panic!("no probe while closed"),
            State::Open { since, wait } => (since, wait.1),
            State::Half { since, last_wait_ms, .. } => (since, last_wait_ms),
        };
        self.probes += 1;
        self.state = State::Half { since, last_wait_ms, probe: Some((self.probes, Span(now, 80))) };
        Call::Probe { number: self.probes }
    }

    fn report(&mut self, call: Call, outcome: Outcome, now: i64) -> Option<Transition> {
        match (self.state, call) {
            (State::Closed, Call::Plain { openings }) if openings == self.openings => {
                self.count(outcome, now.div_euclid(10));
                let failures =
                    self.outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Failure).count();
                if self.outcomes.len() < 3 || failures * 2 < self.outcomes.len() {
                    return None;
                }
                self.openings += 1;
                self.state = State::Open { since: now, wait: Span(now, 50) };
                Some(Transition::Opened { retry_at: Timestamp(now + 50) })
            }
            (State::Half { since, last_wait_ms, probe: Some((running, _)) }, Call::Probe { number })
                if number == running =>
            {
                if outcome == Outcome::Success {
                    self.outcomes.clear();
                    self.state = State::Closed;
                    return Some(Transition::Closed { since: Timestamp(since) });
                }
                let wait_ms = (last_wait_ms * 2).min(150);
                self.state = State::Open { since, wait: Span(now, wait_ms) };
                Some(Transition::Reopened { retry_at: Timestamp(now + wait_ms) })
            }
            (_, Call::Plain { .. } | Call::Probe { .. }) => None,
        }
    }

    fn count(&mut self, outcome: Outcome, slot: i64) {
        self.outcomes.iter_mut().for_each(|old| old.0 = old.0.min(slot));
        self.outcomes.retain(|old| old.0 > slot - 10);
        self.outcomes.push((slot, outcome));
    }

    fn abandon(&mut self, call: Call) {
        if let (State::Half { since, last_wait_ms, probe: Some((running, _)) }, Call::Probe { number }) =
            (self.state, call)
            && running == number
        {
            self.state = State::Half { since, last_wait_ms, probe: None };
        }
    }

    fn shown(&self, now: i64) -> (BreakerState, Option<Timestamp>, u64) {
        let slot = now.div_euclid(10);
        let calls = self.outcomes.iter().filter(|outcome| outcome.0 > slot - 10).count() as u64;
        match self.state {
            State::Closed => (BreakerState::Closed, None, calls),
            State::Open { since, wait } if !wait.is_over(now) => {
                (BreakerState::Open, Some(Timestamp(since)), calls)
            }
            State::Open { since, .. } | State::Half { since, .. } => {
                (BreakerState::HalfOpen, Some(Timestamp(since)), calls)
            }
        }
    }
}

/// Asks both; the tickets that they give for the same call, if they let it through.
fn ask(breaker: &mut Breaker, model: &mut Model, now: i64) -> Option<(Ticket, Call)> {
    match breaker.gate(Timestamp(now)) {
        Gate::Closed(ticket) => {
            assert_eq!(model.may(now), May::Call);
            Some((ticket, Call::Plain { openings: model.openings }))
        }
        Gate::ProbeDue { .. } => {
            assert_eq!(model.may(now), May::Probe);
            let ticket = breaker.probe_started(Timestamp(now), &SETTINGS).expect("a probe is due");
            Some((ticket, model.start_probe(now)))
        }
        Gate::Open { retry_at, .. } => {
            assert_eq!(model.may(now), May::Nothing);
            assert_eq!(breaker.probe_started(Timestamp(now), &SETTINGS), None);
            assert!(retry_at > Timestamp(now));
            assert_ne!(model.may(retry_at.0), May::Nothing, "asking at {retry_at} is of use");
            None
        }
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(96))]

    #[test]
    fn the_breaker_does_what_the_model_does(acts in vec(act(), 0..200)) {
        let mut now = 0_i64;
        let mut breaker = Breaker::new();
        let mut model = Model { state: State::Closed, outcomes: Vec::new(), openings: 0, probes: 0 };
        let mut under_way: Vec<(Ticket, Call)> = Vec::new();
        for act in acts {
            match act {
                Act::Move(ms) => now += ms,
                Act::Ask => under_way.extend(ask(&mut breaker, &mut model, now)),
                Act::Report(..) | Act::Abandon(_) if under_way.is_empty() => {}
                Act::Report(which, outcome) => {
                    let (ticket, call) = under_way.swap_remove(which.index(under_way.len()));
                    let transition = breaker.record(ticket, outcome, Timestamp(now), &SETTINGS);
                    prop_assert_eq!(transition, model.report(call, outcome, now));
                }
                Act::Abandon(which) => {
                    let (ticket, call) = under_way.swap_remove(which.index(under_way.len()));
                    breaker.abandon(ticket);
                    model.abandon(call);
                }
            }
            let view = breaker.view(Timestamp(now));
            prop_assert_eq!((view.state, view.since, view.calls), model.shown(now));
            prop_assert!((0.0..=1.0).contains(&view.failure_rate));
            prop_assert_eq!(view.reason.is_some(), view.since.is_some());
        }
    }

    #[test]
    fn while_open_no_call_is_let_through_and_half_open_one_probe_at_a_time(
        acts in vec((0..30_u64, any::<bool>(), any::<bool>()), 0..300),
    ) {
        // Only what callers see: the times that transitions announce, and who holds a ticket.
        let (mut now, mut closed_until) = (Timestamp(0), None);
        let (mut breaker, mut probe) = (Breaker::new(), None::<(Ticket, Timestamp)>);
        for (ms, asks, succeeds) in acts {
            now = now.plus_ms(ms);
            let outcome = if succeeds { Outcome::Success } else { Outcome::Failure };
            let gate = breaker.gate(now);
            if let Some(retry_at) = closed_until && now < retry_at {
                let is_open = matches!(gate, Gate::Open { .. });
                prop_assert!(is_open, "{:?} at {}, open until {}", gate, now, retry_at);
            }
            let transition = match (asks, gate) {
                (true, Gate::Closed(ticket)) => breaker.record(ticket, outcome, now, &SETTINGS),
                (true, Gate::ProbeDue { .. }) => {
                    let is_free = probe.as_ref().is_none_or(|(_, started)| now.since_ms(*started) >= 80);
                    prop_assert!(is_free, "a second probe at {}", now);
                    probe = breaker.probe_started(now, &SETTINGS).map(|ticket| (ticket, now));
                    None
                }
                (true, Gate::Open { .. }) => None,
                (false, _) => probe.take().and_then(|(ticket, _)| breaker.record(ticket, outcome, now, &SETTINGS)),
            };
            match transition {
                Some(Transition::Opened { retry_at } | Transition::Reopened { retry_at }) => {
                    closed_until = Some(retry_at);
                }
                Some(Transition::Closed { .. }) => closed_until = None,
                None => {}
            }
        }
    }

    #[test]
    fn no_settings_and_no_time_make_it_panic(
        numbers in prop::array::uniform5(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..100_u64]),
        failure_rate in any::<f64>(),
        acts in vec((prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX)], any::<bool>()), 0..60),
    ) {
        let [window_ms, minimum_calls, open_ms, open_most_ms, probe_ms] = numbers;
        let settings =
            BreakerSettings { window_ms, minimum_calls, failure_rate, open_ms, open_most_ms, probe_ms };
        let mut breaker = Breaker::new();
        for (now, succeeds) in acts {
            let now = Timestamp(now);
            let ticket = match breaker.gate(now) {
                Gate::Closed(ticket) => Some(ticket),
                Gate::ProbeDue { .. } => breaker.probe_started(now, &settings),
                Gate::Open { .. } => None,
            };
            let outcome = if succeeds { Outcome::Success } else { Outcome::Failure };
            let _ = ticket.and_then(|ticket| breaker.record(ticket, outcome, now, &settings));
            let _ = breaker.view(now);
        }
    }
}
