//! Each edge of the state machine by name.

use super::*;

mod model;

const SETTINGS: BreakerSettings = BreakerSettings {
    window_ms: 30_000,
    minimum_calls: 10,
    failure_rate: 0.5,
    open_ms: 5_000,
    open_most_ms: 18_000,
    probe_ms: 60_000,
};

const START: Timestamp = Timestamp(1_000_000);

fn after(ms: u64) -> Timestamp {
    START.plus_ms(ms)
}

/// One call that ends at once.
fn call(breaker: &mut Breaker, outcome: Outcome, now: Timestamp) -> Option<Transition> {
    let ticket = match breaker.gate(now) {
        Gate::Closed(ticket) => ticket,
        Gate::ProbeDue { .. } => breaker.probe_started(now, &SETTINGS).expect("a probe is due"),
        gate @ Gate::Open { .. } => panic!("{gate:?} at {now}"),
    };
    breaker.record(ticket, outcome, now, &SETTINGS)
}

/// Open since `START`, until five seconds later, for 7 failures of 10 calls.
fn opened() -> Breaker {
    let mut breaker = Breaker::new();
    for _ in 0..3 {
        assert_eq!(call(&mut breaker, Outcome::Success, START), None);
    }
    for _ in 0..6 {
        assert_eq!(call(&mut breaker, Outcome::Failure, START), None);
    }
    let transition = call(&mut breaker, Outcome::Failure, START);
    assert_eq!(transition, Some(Transition::Opened { retry_at: after(5_000) }));
    breaker
}

fn state(breaker: &Breaker, now: Timestamp) -> BreakerState {
    breaker.view(now).state
}

#[test]
fn closed_opens_when_enough_calls_failed_and_says_why() {
    let breaker = opened();
    assert_eq!(breaker.gate(after(4_999)), Gate::Open { since: START, retry_at: after(5_000) });
    let view = BreakerView {
        state: BreakerState::Open,
        since: Some(START),
        failure_rate: 0.7,
        calls: 10,
        reason: Some("7 of 10 calls failed within 30 s".to_owned()),
    };
    assert_eq!(breaker.view(START), view);
}

#[test]
fn closed_stays_closed_below_the_rate_or_the_minimum_or_without_a_failure() {
    use Outcome::{Failure, Success};
    let never = BreakerSettings { failure_rate: f64::NAN, ..SETTINGS };
    let at_any_rate = BreakerSettings { failure_rate: 0.0, minimum_calls: 0, ..SETTINGS };
    for (settings, outcomes) in [
        (SETTINGS, [vec![Success; 51], vec![Failure; 50]].concat()),
        (SETTINGS, vec![Failure; 9]),
        (never, vec![Failure; 100]),
        (at_any_rate, vec![Success; 100]),
    ] {
        let mut breaker = Breaker::new();
        for outcome in outcomes {
            let Gate::Closed(ticket) = breaker.gate(START) else { panic!("{settings:?}") };
            assert_eq!(breaker.record(ticket, outcome, START, &settings), None, "{settings:?}");
        }
        assert_eq!(state(&breaker, START), BreakerState::Closed);
    }
}

#[test]
fn closed_opens_at_exactly_the_rate_and_never_for_longer_than_the_maximum() {
    let settings = BreakerSettings { minimum_calls: 2, open_most_ms: 3_000, ..SETTINGS };
    let mut breaker = Breaker::new();
    let mut record = |outcome| match breaker.gate(START) {
        Gate::Closed(ticket) => breaker.record(ticket, outcome, START, &settings),
        gate @ (Gate::Open { .. } | Gate::ProbeDue { .. }) => panic!("{gate:?}"),
    };
    assert_eq!(record(Outcome::Success), None);
    assert_eq!(record(Outcome::Failure), Some(Transition::Opened { retry_at: after(3_000) }));
}

#[test]
fn closed_opens_at_a_success_that_makes_the_calls_enough() {
    let mut breaker = Breaker::new();
    for _ in 0..9 {
        assert_eq!(call(&mut breaker, Outcome::Failure, START), None);
    }
    let transition = call(&mut breaker, Outcome::Success, START);
    assert_eq!(transition, Some(Transition::Opened { retry_at: after(5_000) }));
}

#[test]
fn failures_that_left_the_window_open_nothing() {
    let mut breaker = Breaker::new();
    for second in 0..100 {
        // Never more than six within thirty seconds.
        assert_eq!(call(&mut breaker, Outcome::Failure, after(second * 5_000)), None);
    }
    assert_eq!(breaker.view(after(495_000)).calls, 6);
}

#[test]
fn open_becomes_half_open_when_its_time_is_over() {
    let mut breaker = opened();
    assert_eq!(state(&breaker, after(4_999)), BreakerState::Open);
    assert_eq!(breaker.probe_started(after(4_999), &SETTINGS), None);
    assert_eq!(state(&breaker, after(5_000)), BreakerState::HalfOpen);
    assert_eq!(breaker.gate(after(5_000)), Gate::ProbeDue { since: START });
}

#[test]
fn half_open_lets_one_probe_through_at_a_time() {
    let mut breaker = opened();
    let probe = breaker.probe_started(after(6_000), &SETTINGS);
    assert!(probe.is_some());
    assert_eq!(breaker.gate(after(6_000)), Gate::Open { since: START, retry_at: after(66_000) });
    assert_eq!(breaker.probe_started(after(6_000), &SETTINGS), None);
    assert_eq!(state(&breaker, after(6_000)), BreakerState::HalfOpen);
}

#[test]
fn half_open_closes_with_an_empty_window_when_the_probe_succeeds() {
    let mut breaker = opened();
    let transition = call(&mut breaker, Outcome::Success, after(5_000));
    assert_eq!(transition, Some(Transition::Closed { since: START }));
    let view =
        BreakerView { state: BreakerState::Closed, since: None, failure_rate: 0.0, calls: 0, reason: None };
    assert_eq!(breaker.view(after(5_000)), view);
}

#[test]
fn half_open_opens_for_twice_as_long_when_the_probe_fails_up_to_the_maximum() {
    let mut breaker = opened();
    let mut now = after(5_000);
    for (failed, wait_ms) in [10_000, 18_000, 18_000].into_iter().enumerate() {
        let retry_at = now.plus_ms(wait_ms);
        assert_eq!(call(&mut breaker, Outcome::Failure, now), Some(Transition::Reopened { retry_at }));
        assert_eq!(breaker.gate(now), Gate::Open { since: START, retry_at });
        let probes = if failed == 0 { "1 probe".to_owned() } else { format!("{} probes", failed + 1) };
        let reason = format!("7 of 10 calls failed within 30 s; {probes} failed since");
        assert_eq!(breaker.view(now).reason, Some(reason));
        now = retry_at;
    }
}

#[test]
fn a_breaker_that_closed_opens_for_the_shortest_time_again() {
    let mut breaker = opened();
    call(&mut breaker, Outcome::Failure, after(5_000));
    call(&mut breaker, Outcome::Success, after(15_000));
    let transitions: Vec<_> =
        (0..10).filter_map(|_| call(&mut breaker, Outcome::Failure, after(15_000))).collect();
    assert_eq!(transitions, [Transition::Opened { retry_at: after(20_000) }]);
}

#[test]
fn an_abandoned_probe_frees_its_place_at_once_and_says_nothing() {
    let mut breaker = opened();
    let probe = breaker.probe_started(after(5_000), &SETTINGS).unwrap();
    breaker.abandon(probe);
    for now in [after(5_000), after(1), START, Timestamp(0)] {
        assert_eq!(breaker.gate(now), Gate::ProbeDue { since: START });
    }
    assert_eq!(breaker.view(after(5_000)).reason.unwrap(), "7 of 10 calls failed within 30 s");
}

#[test]
fn a_probe_that_never_reports_frees_its_place_when_it_lapses() {
    let mut breaker = opened();
    let silent = breaker.probe_started(after(5_000), &SETTINGS).unwrap();
    assert_eq!(breaker.gate(after(64_999)), Gate::Open { since: START, retry_at: after(65_000) });
    assert_eq!(breaker.gate(after(65_000)), Gate::ProbeDue { since: START });
    let second = breaker.probe_started(after(65_000), &SETTINGS).unwrap();
    assert_eq!(breaker.record(silent, Outcome::Success, after(65_001), &SETTINGS), None);
    assert_eq!(state(&breaker, after(65_001)), BreakerState::HalfOpen);
    let transition = breaker.record(second, Outcome::Success, after(65_002), &SETTINGS);
    assert_eq!(transition, Some(Transition::Closed { since: START }));
}

#[test]
fn a_lapsed_probe_that_nobody_replaced_may_still_report() {
    let mut breaker = opened();
    let late = breaker.probe_started(after(5_000), &SETTINGS).unwrap();
    let transition = breaker.record(late, Outcome::Success, after(90_000), &SETTINGS);
    assert_eq!(transition, Some(Transition::Closed { since: START }));
}

#[test]
fn calls_that_began_before_it_opened_count_neither_against_the_probe_nor_later() {
    let mut breaker = Breaker::new();
    let mut early: Vec<Ticket> = (0..4)
        .map(|_| match breaker.gate(START) {
            Gate::Closed(ticket) => ticket,
            gate @ (Gate::Open { .. } | Gate::ProbeDue { .. }) => panic!("{gate:?}"),
        })
        .collect();
    let mut report = |breaker: &mut Breaker, outcome, now| {
        assert_eq!(breaker.record(early.pop().unwrap(), outcome, now, &SETTINGS), None);
    };
    while call(&mut breaker, Outcome::Failure, START).is_none() {}

    report(&mut breaker, Outcome::Success, after(1));
    assert_eq!(state(&breaker, after(1)), BreakerState::Open);
    let probe = breaker.probe_started(after(5_000), &SETTINGS).unwrap();
    report(&mut breaker, Outcome::Failure, after(5_001));
    report(&mut breaker, Outcome::Success, after(5_001));
    assert_eq!(breaker.gate(after(5_001)), Gate::Open { since: START, retry_at: after(65_000) });
    let transition = breaker.record(probe, Outcome::Success, after(5_002), &SETTINGS);
    assert_eq!(transition, Some(Transition::Closed { since: START }));
    report(&mut breaker, Outcome::Failure, after(5_003));
    assert_eq!(breaker.view(after(5_003)).calls, 0);
}

#[test]
fn a_clock_set_back_by_more_than_the_wait_does_not_keep_the_subagent_out() {
    let mut breaker = opened();
    let back = |ms: i64| Timestamp(START.0 - ms);
    assert_eq!(breaker.gate(back(5_000)), Gate::Open { since: START, retry_at: after(5_000) });
    assert_eq!(breaker.gate(back(5_001)), Gate::ProbeDue { since: START });
    let probe = breaker.probe_started(back(5_001), &SETTINGS);
    assert!(probe.is_some());
    assert_eq!(breaker.probe_started(back(5_001), &SETTINGS), None);
}

#[test]
fn a_breaker_is_small_and_refers_to_nothing() {
    // No heap: it would be dropped specially.
    assert!(size_of::<Breaker>() < 320 && !std::mem::needs_drop::<Breaker>());
}

#[test]
fn the_reason_names_the_window_in_seconds_or_milliseconds() {
    for (window_ms, expected) in
        [(30_000, "1 of 1 calls failed within 30 s"), (1_500, "1 of 1 calls failed within 1500 ms")]
    {
        let settings = BreakerSettings { window_ms, minimum_calls: 1, ..SETTINGS };
        let mut breaker = Breaker::new();
        let Gate::Closed(ticket) = breaker.gate(START) else { panic!("a new breaker is closed") };
        assert!(breaker.record(ticket, Outcome::Failure, START, &settings).is_some());
        assert_eq!(breaker.view(START).reason.unwrap(), expected);
    }
}
