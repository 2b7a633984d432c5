//! How long the machine stood still while a test measured something.

use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(1);

/// How late a timer came at most while `work` went on: that long nobody got anywhere.
pub async fn stalled_during<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let mut work = std::pin::pin!(work);
    let (mut ticks, mut stalled) = (tokio::time::interval(TICK), Duration::ZERO);
    loop {
        let begun = Instant::now();
        tokio::select! {
            done = &mut work => return (done, stalled),
            _ = ticks.tick() => stalled = stalled.max(begun.elapsed().saturating_sub(TICK)),
        }
    }
}
