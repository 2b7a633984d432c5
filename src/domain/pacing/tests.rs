//! Rates over every second, and that nothing stays unseen.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const LONG: usize = LONG_TEXT_BYTES + 1;

#[test]
fn the_first_text_is_shown_at_once_however_long_it_is() {
    for text_len in [0, 1, LONG_TEXT_BYTES, LONG, usize::MAX] {
        let mut pacer = Pacer::new();
        assert_eq!((pacer.next_at(), pacer.is_holding_back()), (None, false));
        assert!(pacer.may_show(7, text_len));
        assert_eq!((pacer.next_at(), pacer.is_holding_back()), (None, false));
    }
}

#[test]
fn a_text_is_shown_again_after_the_gap_of_its_length() {
    for (text_len, gap_ms) in [(1, 40), (LONG_TEXT_BYTES, 40), (LONG, 500), (usize::MAX, 500)] {
        let mut pacer = Pacer::new();
        assert!(pacer.may_show(1_000, 1));
        assert!(!pacer.may_show(1_000 + gap_ms - 1, text_len));
        assert_eq!((pacer.next_at(), pacer.is_holding_back()), (Some(1_000 + gap_ms), true), "{text_len}");
        assert!(pacer.may_show(1_000 + gap_ms, text_len));
        assert_eq!((pacer.next_at(), pacer.is_holding_back()), (None, false), "{text_len}");
    }
}

#[test]
fn a_text_that_grew_long_while_held_back_waits_for_longer() {
    let mut pacer = Pacer::new();
    assert!(pacer.may_show(0, 1));
    assert!(!pacer.may_show(10, 100));
    assert_eq!(pacer.next_at(), Some(40));
    assert!(!pacer.may_show(20, LONG));
    assert_eq!(pacer.next_at(), Some(500));
}

#[test]
fn a_clock_that_goes_back_or_ends_shows_nothing_and_does_no_harm() {
    let mut pacer = Pacer::new();
    assert!(pacer.may_show(1_000, 1));
    assert!(!pacer.may_show(0, 2));
    assert_eq!(pacer.next_at(), Some(1_040));
    assert!(pacer.may_show(u64::MAX, 3));
    assert!(!pacer.may_show(1_041, 4));
    assert_eq!(pacer.next_at(), Some(u64::MAX));
    assert!(pacer.may_show(u64::MAX, 4));
}

/// The times and lengths that somebody shows who reads a text arriving like this: asks at each arrival and when what was
/// held back is due, and shows what is left at the end.
fn shown(arrivals: &[(u64, usize)]) -> (Vec<(u64, usize)>, Option<usize>) {
    let (mut pacer, mut shown) = (Pacer::new(), Vec::new());
    let (mut now, mut text_len) = (0, 0);
    for &(pause_ms, growth) in arrivals {
        let arrival = now + pause_ms;
        if let Some(due) = pacer.next_at().filter(|due| *due < arrival) {
            assert!(pacer.may_show(due, text_len), "due at {due}");
            shown.push((due, text_len));
        }
        (now, text_len) = (arrival, text_len + growth);
        if pacer.may_show(now, text_len) {
            shown.push((now, text_len));
        }
    }
    (shown, pacer.is_holding_back().then_some(text_len))
}

fn arrivals() -> impl Strategy<Value = Vec<(u64, usize)>> {
    let pause_ms = prop_oneof![4 => 0..10_u64, 2 => 0..60_u64, 1 => 0..1_500_u64];
    let growth = prop_oneof![8 => 0..200_usize, 1 => 0..3_000_usize];
    vec((pause_ms, growth), 1..200)
}

proptest! {
    #![proptest_config(crate::properties::cases(128))]

    #[test]
    fn no_second_has_more_than_25_revisions_or_2_long_ones(arrivals in arrivals()) {
        let (shown, _) = shown(&arrivals);
        for (first, &(from, _)) in shown.iter().enumerate() {
            let within = || shown[first..].iter().take_while(|(at, _)| *at < from + 1_000);
            prop_assert!(within().count() <= 25);
            prop_assert!(within().filter(|(_, text_len)| *text_len > LONG_TEXT_BYTES).count() <= 2);
        }
    }

    #[test]
    fn what_is_last_is_always_shown_by_whoever_ends_it(arrivals in arrivals()) {
        let (shown, at_the_end) = shown(&arrivals);
        let whole: usize = arrivals.iter().map(|(_, growth)| growth).sum();
        let last = at_the_end.or(shown.last().map(|(_, text_len)| *text_len));
        prop_assert_eq!(last, Some(whole));
        prop_assert_eq!(shown.first(), Some(&arrivals[0]));
    }

    #[test]
    fn what_was_held_back_is_shown_no_later_than_a_gap_after_the_last(arrivals in arrivals()) {
        let (shown, _) = shown(&arrivals);
        let mut now = 0;
        let times: Vec<u64> = arrivals.iter().map(|(pause_ms, _)| { now += pause_ms; now }).collect();
        for pair in shown.windows(2) {
            let waited_for_text = times.contains(&pair[1].0);
            let gap_ms = if pair[1].1 > LONG_TEXT_BYTES { LONG_TEXT_GAP_MS } else { GAP_MS };
            prop_assert!(waited_for_text || pair[1].0 - pair[0].0 == gap_ms);
        }
    }

    #[test]
    fn no_time_and_no_length_make_it_panic(calls in vec((any::<u64>(), any::<usize>()), 0..20)) {
        let mut pacer = Pacer::new();
        for (now_ms, text_len) in calls {
            prop_assert_eq!(pacer.may_show(now_ms, text_len), !pacer.is_holding_back());
            prop_assert_eq!(pacer.next_at().is_some(), pacer.is_holding_back());
        }
    }
}
