//! Tells a test whether what writes texts anew takes time in proportion to them, whatever stands in them.

use std::time::{Duration, Instant};

/// What is written of a text; `None` where nothing is to write.
type Write = fn(&str) -> Option<String>;

/// Fails where ten times the text takes much more than ten times as long, or what is written is longer than `bytes_max` allows of
/// a text. `hostile` makes texts of about so many bytes, each of a shape that something could be quadratic in.
pub(in crate::domain::aggregate::take_in) fn assert_linear(
    hostile: fn(usize) -> Vec<String>,
    written: Write,
    bytes_max: fn(usize) -> usize,
) {
    const SHORT: Duration = Duration::from_millis(6);
    for (short, long) in hostile(20_000).iter().zip(hostile(200_000)) {
        // A busy machine is slow now and then, quadratic work is always.
        let is_slow = (0..5).all(|_| time(&long, written) > time(short, written).max(SHORT) * 50);
        assert!(!is_slow, "{}", &short[..40]);
        if let Some(written) = written(&long) {
            assert!(written.len() <= bytes_max(long.len()), "{}", &short[..40]);
        }
    }
}

fn time(text: &str, written: Write) -> Duration {
    let begin = Instant::now();
    std::hint::black_box(written(text));
    begin.elapsed()
}
