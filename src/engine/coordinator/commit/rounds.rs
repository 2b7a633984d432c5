//! How often what waits is decided again because others wrote meanwhile: at once as long as that is rare, then after
//! pauses, and not for ever. Whatever keeps a store and a writer from agreeing, it costs neither of them all their time.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::super::task::SessionTask;
use super::{BACKOFF_FIRST, BACKOFF_MOST};
use crate::engine::clock::jittered;
use crate::engine::ports::result_cache::StoreError;

/// Rounds without a pause. A store keeps the next append for who was too late three times in a row, so few need more.
const AT_ONCE: u32 = 16;

/// The rounds since something was answered last.
pub(super) struct Rounds {
    count: u32,
    since: Instant,
    pause: Duration,
}

impl Rounds {
    pub(super) fn from(since: Instant) -> Self {
        Self { count: 0, since, pause: BACKOFF_FIRST }
    }

    /// How long to wait before another round; `None` where it isn't tried any more.
    fn next_pause(&mut self, bound: Duration) -> Option<Duration> {
        self.count += 1;
        if self.count <= AT_ONCE {
            return Some(Duration::ZERO);
        }
        let pause = self.pause;
        self.pause = (pause * 2).min(BACKOFF_MOST);
        (self.since.elapsed() + pause < bound).then_some(pause)
    }
}

impl SessionTask {
    /// Whether what waits is decided once more, after a pause where that was often. Otherwise its senders have been told, unless
    /// the service stops: then they are told that by the task's end.
    pub(super) async fn goes_on(&mut self, rounds: &mut Rounds) -> bool {
        if self.shared.has_stopped() {
            return false;
        }
        match rounds.next_pause(self.shared.settings.append_timeout) {
            Some(Duration::ZERO) => true,
            Some(pause) => {
                sleep(jittered(pause)).await;
                !self.shared.has_stopped()
            }
            None => {
                let error = StoreError::Unavailable(
                    "the session's log changes faster than something can be decided".into(),
                );
                self.shared.telemetry.meters.not_stored(error.name());
                self.give_up(&error.into());
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn rounds_come_at_once_then_after_pauses_and_end_at_the_bound() {
        let (begun, bound) = (Instant::now(), Duration::from_secs(5));
        let mut rounds = Rounds::from(begun);
        for _ in 0..AT_ONCE {
            assert_eq!(rounds.next_pause(bound), Some(Duration::ZERO));
        }
        let (mut count, mut last) = (0, Duration::ZERO);
        while let Some(pause) = rounds.next_pause(bound) {
            assert!(pause >= last && pause <= BACKOFF_MOST, "{pause:?} after {last:?}");
            sleep(pause).await;
            (count, last) = (count + 1, pause);
        }
        assert!(begun.elapsed() < bound && begun.elapsed() + BACKOFF_MOST >= bound, "{:?}", begun.elapsed());
        assert!((10..30).contains(&count), "{count} rounds in that time");
    }
}
