//! Delays by table, and their bounds whatever the numbers.

use proptest::prelude::*;

use super::*;

const SETTINGS: BackoffSettings = BackoffSettings { base_ms: 200, most_ms: 1_000 };
const NOW: Timestamp = Timestamp(1_000_000);

#[test]
fn the_ceiling_doubles_with_each_attempt_up_to_the_maximum() {
    for (made, expected) in
        [(0, 200), (1, 200), (2, 400), (3, 800), (4, 1_000), (64, 1_000), (65, 1_000), (u32::MAX, 1_000)]
    {
        assert_eq!(ceiling_ms(made, &SETTINGS), expected, "{made}");
    }
    let none = BackoffSettings { base_ms: 0, most_ms: 1_000 };
    assert_eq!(ceiling_ms(u32::MAX, &none), 0);
}

#[test]
fn the_whole_delay_is_drawn_at_random() {
    for (random, expected) in
        [(0.0, 0), (0.25, 200), (0.5, 400), (0.999, 799), (1.0, 800), (7.0, 800), (-1.0, 0), (f64::NAN, 0)]
    {
        assert_eq!(delay_ms(3, &SETTINGS, random), expected, "{random}");
    }
}

#[test]
fn an_attempt_comes_after_the_delay_unless_there_is_none_left_or_no_time() {
    for (made, most, deadline_ms, retry_after_ms, random, expected_ms) in [
        (1, 3, 10_000, None, 0.5, Some(100)),
        (2, 3, 10_000, None, 0.5, Some(200)),
        (3, 3, 10_000, None, 0.5, None),
        (4, 3, 10_000, None, 0.5, None),
        (0, 0, 10_000, None, 0.5, None),
        // The deadline is too late.
        (1, 3, 101, None, 0.5, Some(100)),
        (1, 3, 100, None, 0.5, None),
        (1, 3, 0, None, 0.0, None),
        // A server's wish is a lower bound, with up to a tenth above it.
        (1, 3, 10_000, Some(3_000), 0.0, Some(3_000)),
        (1, 3, 10_000, Some(3_000), 0.5, Some(3_150)),
        (1, 3, 10_000, Some(10), 0.5, Some(100)),
        (1, 3, 10_000, Some(0), 0.5, Some(100)),
        (1, 3, 3_000, Some(3_000), 0.0, None),
        // What is added to it isn't worth to be too late for.
        (1, 3, 3_100, Some(3_000), 0.5, Some(3_000)),
        (2, 3, 120, Some(10), 0.5, Some(10)),
        (1, 3, 10_000, Some(u64::MAX), 0.5, None),
    ] {
        let attempts = Attempts { made, most, deadline: NOW.plus_ms(deadline_ms) };
        let expected = expected_ms.map(|ms| NOW.plus_ms(ms));
        let case = format!("{attempts:?} {retry_after_ms:?} {random}");
        assert_eq!(next_attempt(NOW, &attempts, retry_after_ms, &SETTINGS, random), expected, "{case}");
    }
}

/// Small numbers, and those at the ends.
fn milliseconds() -> impl Strategy<Value = u64> {
    prop_oneof![0..100_000_u64, any::<u64>(), Just(0), Just(u64::MAX)]
}

proptest! {
    #[test]
    fn a_delay_is_never_above_the_ceiling_nor_the_ceiling_above_the_maximum(
        made in any::<u32>(), base_ms in milliseconds(), most_ms in milliseconds(), random in any::<f64>(),
    ) {
        let settings = BackoffSettings { base_ms, most_ms };
        prop_assert!(delay_ms(made, &settings, random) <= ceiling_ms(made, &settings));
        prop_assert!(ceiling_ms(made, &settings) <= most_ms);
        prop_assert!(ceiling_ms(made, &settings) <= ceiling_ms(made.saturating_add(1), &settings));
    }

    #[test]
    fn an_attempt_is_before_the_deadline_and_never_earlier_than_the_server_asked(
        now in any::<i64>(), made in 0..6_u32, most in 0..6_u32, deadline in any::<i64>(),
        retry_after_ms in prop::option::of(milliseconds()), random in 0.0..1.0,
    ) {
        let (now, attempts) = (Timestamp(now), Attempts { made, most, deadline: Timestamp(deadline) });
        if let Some(at) = next_attempt(now, &attempts, retry_after_ms, &SETTINGS, random) {
            let asked_ms = retry_after_ms.unwrap_or(0);
            prop_assert!(made < most && at < attempts.deadline);
            prop_assert!(at >= now.plus_ms(asked_ms));
            prop_assert!(at.since_ms(now) <= ceiling_ms(made, &SETTINGS).max(asked_ms.saturating_add(asked_ms / 10)));
        }
    }

    #[test]
    fn there_is_an_attempt_wherever_the_longest_delay_would_still_be_in_time(
        made in 0..6_u32, most in 0..6_u32, left_ms in 0..10_000_u64,
        retry_after_ms in prop::option::of(0..10_000_u64), random in 0.0..1.0,
    ) {
        let attempts = Attempts { made, most, deadline: NOW.plus_ms(left_ms) };
        let asked_ms = retry_after_ms.unwrap_or(0);
        let longest_ms = ceiling_ms(made, &SETTINGS).max(asked_ms + asked_ms / 10);
        let next = next_attempt(NOW, &attempts, retry_after_ms, &SETTINGS, random);
        prop_assert!(next.is_some() || made >= most || longest_ms >= left_ms);
    }

    #[test]
    fn delays_are_spread_over_the_whole_range(tenth in 0..10_u32) {
        let delay = delay_ms(4, &SETTINGS, f64::from(tenth) / 10.0 + 0.05);
        prop_assert_eq!(delay / 100, u64::from(tenth));
    }
}
