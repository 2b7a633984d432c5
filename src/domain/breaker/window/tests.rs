//! The window against a list of everything that happened.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Slots and failures of all outcomes, without any limit but the window's.
#[derive(Default)]
struct Everything(Vec<(i64, bool)>);

impl Everything {
    fn record(&mut self, failed: bool, slot: i64) {
        self.0.iter_mut().for_each(|outcome| outcome.0 = outcome.0.min(slot));
        self.0.push((slot, failed));
        self.0.retain(|outcome| outcome.0 > slot - 10);
    }

    fn counts(&self, slot: i64) -> Counts {
        let held = || self.0.iter().filter(|outcome| outcome.0 > slot - 10);
        Counts { calls: held().count() as u64, failures: held().filter(|outcome| outcome.1).count() as u64 }
    }
}

#[test]
fn outcomes_count_until_nine_tenths_of_the_window_have_passed_and_no_longer_than_all_of_it() {
    for (at, last_that_counts) in [(0, 99), (5, 99), (9, 99), (10, 109)] {
        let mut window = Window::new(100, Timestamp(at));
        window.record(true, 100, Timestamp(at));
        assert_eq!(window.counts(Timestamp(last_that_counts)), Counts { calls: 1, failures: 1 }, "{at}");
        assert_eq!(window.counts(Timestamp(last_that_counts + 1)), Counts::default(), "{at}");
    }
}

#[test]
fn outcomes_from_before_the_clock_was_set_back_count_as_of_now() {
    let mut window = Window::new(100, Timestamp(5_000));
    window.record(true, 100, Timestamp(5_000));
    window.record(true, 100, Timestamp(5_050));
    assert_eq!(window.record(false, 100, Timestamp(1_000)), Counts { calls: 3, failures: 2 });
    assert_eq!(window.counts(Timestamp(1_099)), Counts { calls: 3, failures: 2 });
    assert_eq!(window.counts(Timestamp(1_100)), Counts::default());
}

#[test]
fn a_window_of_another_length_begins_empty() {
    let mut window = Window::new(100, Timestamp(0));
    window.record(true, 100, Timestamp(0));
    assert_eq!(window.record(false, 200, Timestamp(0)), Counts { calls: 1, failures: 0 });
}

#[test]
fn the_rate_of_no_calls_is_zero() {
    assert_eq!(Counts::default().failure_rate(), 0.0);
    assert_eq!(Counts { calls: 4, failures: 3 }.failure_rate(), 0.75);
}

proptest! {
    #[test]
    fn the_window_holds_what_a_list_of_all_outcomes_holds(
        start in -10_000..10_000_i64,
        steps in vec((prop_oneof![0..12_i64, -30..30_i64, -500..500_i64], any::<bool>(), any::<bool>()), 0..200),
    ) {
        let (mut now, mut everything) = (start, Everything::default());
        let mut window = Window::new(100, Timestamp(now));
        for (step, is_recorded, failed) in steps {
            now += step;
            let slot = now.div_euclid(10);
            if is_recorded {
                everything.record(failed, slot);
                prop_assert_eq!(window.record(failed, 100, Timestamp(now)), everything.counts(slot));
            }
            prop_assert_eq!(window.counts(Timestamp(now)), everything.counts(slot));
            prop_assert!(window.newest <= slot || !is_recorded);
        }
    }

    #[test]
    fn no_time_and_no_length_make_it_panic(
        steps in vec((prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX)], any::<u64>()), 0..20),
        window_ms in prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)],
    ) {
        let mut window = Window::new(window_ms, Timestamp(0));
        for (now, other) in steps {
            prop_assert!(window.record(true, window_ms, Timestamp(now)).calls >= 1);
            let _ = window.counts(Timestamp(other.cast_signed()));
        }
    }
}
