//! The first moments after Redis was started anew, was emptied, or another server took its place: it may have lost what others hold, and they
//! put that back as soon as they have noticed. Whoever went on before that would do so from an earlier place, and fork the log, or be told that
//! there is no such step.
//!
//! It is noticed when the line of the subscription is new, with each sweep, before anybody is told that a session is unknown, and, of a
//! cluster, where a node didn't answer: an append asks nothing but a flag. Who has just started can't notice it, and asks the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::Shared;
use super::servers::{Server, Servers};
use crate::engine::ports::result_cache::Lack;

/// How long others are given, from when the line is up. A subscription is tried again after half a second at most, and who holds only the end
/// of a session waits for as long again before it puts that back (`whole_first`).
pub(super) const SETTLES: Duration = Duration::from_millis(1_500);
/// How long a line that is down is waited for, and how often it is looked at: commands may come through before it is known whether the
/// server is the same.
const LINE_DOWN: Duration = Duration::from_millis(500);
const LOOK: Duration = Duration::from_millis(10);
/// How long who has just started waits to be told that something was lost: who was there before is back within that time, as a subscription is
/// tried again after half a second at most.
const ASKS: Duration = Duration::from_millis(500);
/// How long after a loss somebody who was frozen, or is far away, may still put something back.
const AWAITED: Duration = Duration::from_millis(Lack::AWAITED_MS);

/// Which servers there were last, and since when one may have lost something.
#[derive(Default)]
pub(super) struct Settling {
    /// Whether somebody may have to wait: as a rule not, and that costs no more than to read this.
    alert: AtomicBool,
    has_asked: AtomicBool,
    seen: Mutex<Seen>,
    losses: AtomicU64,
    /// How often a node hadn't answered when all were looked at last.
    stumbles: AtomicU64,
    /// When the last look at the servers began.
    looked: tokio::sync::Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Seen {
    servers: Servers,
    /// When somebody first found the line down, or a node without an answer.
    down: Option<Instant>,
    since: Option<Instant>,
    /// When this replica, having just started, asked the others whether something was lost.
    asked: Option<Instant>,
}

impl Settling {
    /// All servers are reached. Whether one of them may have lost something.
    fn reached(&self, servers: &[Server]) -> bool {
        let mut seen = self.seen.lock();
        seen.down = None;
        let has_lost = seen.servers.note(servers) && !mutant!("restart-not-noticed");
        if has_lost {
            seen.since = Some(Instant::now());
            self.alert.store(true, Ordering::Release);
            self.losses.fetch_add(1, Ordering::Release);
        }
        has_lost
    }

    /// The others are asked whether something was lost.
    pub(super) fn ask(&self) {
        self.seen.lock().asked = Some(Instant::now());
        self.has_asked.store(true, Ordering::Release);
        self.alert.store(true, Ordering::Release);
    }

    /// Somebody says that something was lost: who asked a moment ago couldn't have noticed it.
    pub(super) fn hear_of_loss(&self) {
        let mut seen = self.seen.lock();
        if seen.since.is_none() && seen.asked.is_some_and(|asked| asked.elapsed() < AWAITED) {
            seen.since = Some(Instant::now());
            self.alert.store(true, Ordering::Release);
            self.losses.fetch_add(1, Ordering::Release);
        }
    }

    /// How often something may have been lost.
    pub(super) fn losses(&self) -> u64 {
        self.losses.load(Ordering::Acquire)
    }

    /// Until when it is waited for who is down.
    fn gives_up(&self) -> Instant {
        *self.seen.lock().down.get_or_insert_with(Instant::now) + LINE_DOWN
    }

    /// Until when others are waited for. `None` where nobody has to wait any more.
    fn settles_at(&self) -> Option<Instant> {
        let seen = self.seen.lock();
        let until = seen.since.map(|since| since + SETTLES).max(seen.asked.map(|asked| asked + ASKS));
        let until = until.filter(|until| Instant::now() < *until);
        self.alert.store(until.is_some(), Ordering::Release);
        until
    }

    /// Whether a loss was just noticed, so that all compare what they hold.
    pub(super) fn is_noticed(&self) -> bool {
        self.seen.lock().since.is_some_and(|since| since.elapsed() < SETTLES)
    }

    /// Whether somebody who was frozen, or is far away, may still put something back.
    pub(super) fn may_lack(&self) -> bool {
        let since = self.seen.lock().since;
        !mutant!("loss-not-remembered") && since.is_some_and(|since| since.elapsed() < AWAITED)
    }
}

impl Shared {
    /// Takes note of the servers before anything is asked of them in a new line; where a test simulates the server, whoever holds nothing goes
    /// on at once, which brings forks about. Whether one may have lost something.
    ///
    /// # Errors
    /// Where one doesn't answer, or the only one is still reading its file.
    pub(super) async fn note_servers(&self) -> Result<bool, String> {
        let stumbles = self.link.stumbles.load(Ordering::Acquire);
        let mut told = self.link.told_by_servers().await.map_err(|error| error.to_string())?;
        let count = told.len();
        told.retain(|server| !server.is_loading);
        if told.len() < count && !self.link.is_cluster() {
            return Err("it is reading its file".to_owned());
        }
        self.settling.stumbles.store(stumbles, Ordering::Release);
        Ok(self.settling.reached(&told))
    }

    /// Before anybody is told that the store knows nothing of a session: it may be what was just lost. Who is away by now isn't waited for.
    pub(super) async fn look_before_unknown(self: &Arc<Self>) {
        if !self.is_unsure() {
            // Where one doesn't answer, that is noticed by what comes next.
            let _ = self.look_at_servers(Instant::now()).await;
        }
    }

    /// The same with each sweep, which waits for no node that is away.
    pub(super) fn look_later(self: &Arc<Self>) {
        let (shared, asked) = (self.clone(), Instant::now());
        tokio::spawn(async move {
            if let Err(why) = shared.look_at_servers(asked).await {
                tracing::debug!(why, "whether a server was started anew isn't known");
            }
            shared.link.probe_nodes().await;
        });
    }

    /// Looks whether the servers have lost something, unless somebody began to since `asked`. Where the line is down, who makes it anew looks:
    /// what others are given begins when it is up.
    pub(super) async fn look_at_servers(self: &Arc<Self>, asked: Instant) -> Result<(), String> {
        if self.subscriptions.current() == 0 && self.link.is_one_server() {
            return Err("the line is down".to_owned());
        }
        let mut looked = self.settling.looked.lock().await;
        if looked.is_some_and(|began| began >= asked) {
            return Ok(());
        }
        *looked = Some(Instant::now());
        if self.note_servers().await? {
            self.compare_again();
            // No line was cut: the others wouldn't notice before their next look, and may hold more.
            self.tell_of_emptied().await.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Comes back when what was lost by a restart had its time to be put back: at once, as a rule. Whether it was waited for anything.
    pub(super) async fn settled(self: &Arc<Self>) -> bool {
        let mut has_waited = false;
        if self.is_unsure() {
            let give_up = self.settling.gives_up();
            while self.is_unsure() && Instant::now() < give_up {
                has_waited = true;
                let is_up = self.link.is_cluster()
                    && timeout_at(give_up, self.look_at_servers(Instant::now()))
                        .await
                        .is_ok_and(|look| look.is_ok());
                if !is_up || self.is_unsure() {
                    sleep(LOOK).await;
                }
            }
        }
        // Who waits to be told of a loss waits for longer where he is.
        while let Some(until) = self.settling.settles_at() {
            sleep_until(until).await;
            has_waited = true;
        }
        has_waited
    }

    /// Whether nobody has to wait: this is asked before each append.
    pub(super) fn is_calm(&self) -> bool {
        !self.settling.alert.load(Ordering::Acquire) && !self.is_unsure()
    }

    /// Whether it isn't known if a server is the one that it was.
    fn is_unsure(&self) -> bool {
        self.link.stumbles.load(Ordering::Acquire) != self.settling.stumbles.load(Ordering::Acquire)
            || (self.subscriptions.current() == 0 && self.link.is_one_server())
            || (self.link.is_cluster() && !self.settling.has_asked.load(Ordering::Acquire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(settling: &Settling, run_id: &str) -> bool {
        let server = Server { run_id: run_id.to_owned(), flushes: 0, is_loading: false };
        settling.reached(&[server])
    }

    #[tokio::test(start_paused = true)]
    async fn only_another_server_is_a_restart() {
        let settling = Settling::default();
        assert!(!reached(&settling, "a"), "nothing was known before");
        assert!(!reached(&settling, "a"), "the line was cut");
        assert!(!settling.reached(&[]), "it didn't say");
        assert!(!settling.alert.load(Ordering::Acquire), "an append has nothing to look at");
        assert!(reached(&settling, "b"));
        assert!(!reached(&settling, "b"));
        assert!(settling.alert.load(Ordering::Acquire));
        assert_eq!((settling.settles_at(), settling.losses()), (Some(Instant::now() + SETTLES), 1));
        tokio::time::advance(SETTLES).await;
        assert_eq!(settling.settles_at(), None);
        assert!(!settling.alert.load(Ordering::Acquire), "nor has it afterwards");
    }

    #[tokio::test(start_paused = true)]
    async fn something_may_be_lacking_for_ten_seconds_after_a_restart() {
        let settling = Settling::default();
        reached(&settling, "a");
        assert!(!settling.may_lack());
        reached(&settling, "b");
        assert!(settling.may_lack());
        tokio::time::advance(AWAITED).await;
        assert!(!settling.may_lack());
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_just_started_waits_half_a_second_to_be_told_of_a_loss_and_then_as_all_do() {
        let settling = Settling::default();
        settling.hear_of_loss();
        assert_eq!(settling.settles_at(), None, "who has noticed nothing himself looks");
        settling.ask();
        assert_eq!(settling.settles_at(), Some(Instant::now() + ASKS));
        assert!(!settling.may_lack(), "nobody has said so");
        tokio::time::advance(ASKS).await;
        assert_eq!(settling.settles_at(), None);
        assert!(!settling.alert.load(Ordering::Acquire));
        settling.hear_of_loss();
        settling.hear_of_loss();
        assert_eq!(settling.settles_at(), Some(Instant::now() + SETTLES));
        assert!(settling.alert.load(Ordering::Acquire) && settling.may_lack());
        assert_eq!(settling.losses(), 1, "what an archive has is looked after");
        tokio::time::advance(AWAITED).await;
        settling.hear_of_loss();
        assert_eq!(settling.settles_at(), None, "by now it has met the server itself");
    }
}
