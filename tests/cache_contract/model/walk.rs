//! Whatever the port can be asked, by chance: writers that know of each other only by conflicts, a log that is trimmed, archived,
//! forgotten, brought back, and loses keys. So each of the service's scripts is run with what it is run with in earnest.

use std::sync::Arc;

use fastrand::Rng;
use tributary::domain::event::SenderStatus;
use tributary::domain::session::{Command, SessionState};
use tributary::domain::time::Timestamp;
use tributary::engine::ports::result_cache::{Appended, Presence, Restored, ResultCache};
use tributary::engine::ports::wake_index::{WakeIndex, Work};

use super::Model;
use super::twins::Twins;
use crate::bench::{Bench, Bounds};
use crate::fixtures::{id, post, say};
use crate::redis::keys_of;
use crate::redis_server::RedisServer;
use crate::writer::Writer;

const WALKS: u64 = 6;
const STEPS: usize = 90;

/// One session, and who writes it.
struct Walk {
    rng: Rng,
    bench: Model,
    writers: [Writer; 2],
    /// How many steps were begun.
    begun: u64,
    stored: usize,
    conflicts: usize,
    restored: usize,
    completed: usize,
}

impl Walk {
    async fn new(seed: u64, server: Arc<RedisServer>) -> Self {
        let mut rng = Rng::with_seed(seed);
        // The writers' own random numbers are this generator's.
        fastrand::seed(seed);
        let bounds = Bounds {
            ring_entries: rng.usize(3..12),
            ring_bytes: rng.usize(4..40) << 10,
            backlog_bytes: rng.bool().then_some(80 << 10),
            ..Bounds::default()
        };
        let bench = Model::over(Twins::on(server).await, bounds);
        let writers = [Writer::new("s"), Writer::new("s")];
        Self { rng, bench, writers, begun: 0, stored: 0, conflicts: 0, restored: 0, completed: 0 }
    }

    /// Something that the state allows.
    fn command(&mut self, writer: usize) -> Command {
        let state = self.writers[writer].state.clone();
        match state.steps.iter().find(|step| step.ended.is_none()) {
            Some(step) if self.rng.u8(..5) > 0 => {
                say(step.id().as_str(), "crm", SenderStatus::Partial).command()
            }
            Some(step) => say(step.id().as_str(), "crm", SenderStatus::Success).command(),
            None => {
                self.begun += 1;
                post(&format!("p{}", self.begun)).expects("crm", "r").with("more_steps", true).command()
            }
        }
    }

    async fn append(&mut self, writer: usize) {
        // Who writes after what was put back waits for half a second: of a clock that stands still that would be for ever.
        self.bench.tick(501);
        let commands: Vec<_> = std::iter::once(self.command(writer)).collect();
        match self.writers[writer].tries(&self.bench.cache, &commands).await {
            Ok(Appended::Stored { .. }) => self.stored += 1,
            // Half of the time it doesn't learn from that, and is in another's way again.
            Ok(Appended::Conflict(_)) => {
                self.conflicts += 1;
                if self.rng.bool() {
                    self.learn(writer).await;
                }
            }
            // No room until the archive has caught up.
            Err(_) => self.archive(writer).await,
        }
    }

    async fn learn(&mut self, writer: usize) {
        let (key, session) = (self.writers[writer].key.clone(), id("s"));
        let fresh = |position| Arc::new(SessionState::new(session, position));
        // What a key that was lost leaves unreadable stays what it is.
        let Ok(loaded) = self.bench.cache.load(&key).await else { return };
        self.writers[writer].state = match loaded.presence {
            Presence::Unknown => Writer::new("s").state,
            Presence::Expired(position) => fresh(position),
            Presence::Live(state) | Presence::Archived(state) => state,
        };
    }

    async fn archive(&mut self, writer: usize) {
        let known = self.writers[writer].log.len();
        let place = match self.rng.usize(..known + 2).checked_sub(1) {
            Some(at) if at < known => {
                self.writers[writer].log[at].position(self.writers[writer].position().epoch)
            }
            _ => self.writers[writer].position(),
        };
        let _ = self.bench.cache.archived(&self.writers[writer].key, place).await;
    }

    /// Brings back what a writer knows, whether or not that can be.
    async fn restore(&mut self, writer: usize) {
        let Writer { key, state, log } = &self.writers[writer];
        let cache = &self.bench.cache;
        match self.rng.u8(..6) {
            // After that it can't.
            0 => drop(cache.forget(key).await),
            1 | 2 => {
                for lost in &keys_of("s") {
                    self.bench.twins.ask(&["DEL", lost]).await;
                }
            }
            _ => {}
        }
        let done = if self.rng.bool() {
            cache.remember(key, state.position, state.is_ended()).await
        } else {
            let latest = log.iter().rev().take(3).rev().cloned().collect();
            cache.restore(key, &Restored { state: state.clone(), latest, left: state.position }).await
        };
        self.restored += usize::from(done == Ok(true));
    }

    async fn step(&mut self) {
        let (writer, key) = (self.rng.usize(..2), self.writers[0].key.clone());
        let cache = self.bench.cache.clone();
        // Whatever is answered: what counts is that both answer it.
        match self.rng.u8(..60) {
            0..32 => self.append(writer).await,
            32..36 => self.learn(writer).await,
            36 => drop(cache.confirm(&key, self.writers[writer].position()).await),
            37..39 => drop(cache.read(&key, self.writers[writer].position().sequence.previous(), 9).await),
            39..41 => drop(cache.snapshot(&key).await),
            41 => {
                let named = self.writers[writer].state.steps.first();
                if let Some(known) = named.and_then(|step| step.subagents.first().cloned()) {
                    drop(cache.note_late(&key, known.output.clone()).await);
                }
            }
            42 => drop(cache.sessions(&key.tenant, None, 5).await),
            43 => drop(cache.forget(&key).await),
            44..48 => self.archive(writer).await,
            48..51 => self.restore(writer).await,
            51..54 => self.pass().await,
            54 => drop(cache.wake_by(&key, Work::Deadline, Timestamp(5)).await),
            55 => drop(cache.due(Work::Deadline).await),
            56 => drop(cache.follow(&key).await),
            57 => {
                let lost = &keys_of("s")[self.rng.usize(..3)];
                self.bench.twins.ask(&["DEL", lost]).await;
            }
            58 => self.complete(writer).await,
            _ => self.bench.twins.hold_the_same().await,
        }
    }

    /// A log that was put back without its beginning goes on, and a writer puts what it knows in front.
    async fn complete(&mut self, writer: usize) {
        for lost in &keys_of("s") {
            self.bench.twins.ask(&["DEL", lost]).await;
        }
        let Writer { key, state, .. } = &self.writers[writer];
        let (key, restored) =
            (key.clone(), Restored { state: state.clone(), latest: Vec::new(), left: state.position });
        drop(self.bench.cache.restore(&key, &restored).await);
        self.append(writer).await;
        self.bench.twins.ask(&["HSET", &keys_of("s")[0], "torn", "1 0"]).await;
        let put = self.bench.cache.put_in_front(&key, &self.writers[writer].log).await;
        self.completed += usize::from(put == Ok(true));
    }

    /// Also past the time of the data, and past that of the mark that it leaves.
    async fn pass(&mut self) {
        let ms = [500, 40_000, 70_000, 900_000][self.rng.usize(..4)];
        self.bench.pass(ms).await;
    }
}

#[tokio::test]
async fn the_model_runs_the_services_scripts_as_a_redis_does() {
    let server = Arc::new(RedisServer::start());
    let (mut stored, mut conflicts, mut restored, mut completed) = (0, 0, 0, 0);
    for seed in 0..WALKS {
        let mut walk = Walk::new(seed, server.clone()).await;
        for _ in 0..STEPS {
            walk.step().await;
        }
        walk.bench.twins.hold_the_same().await;
        walk.bench.twins.agreed();
        (stored, conflicts) = (stored + walk.stored, conflicts + walk.conflicts);
        (restored, completed) = (restored + walk.restored, completed + walk.completed);
    }
    assert!(stored > 50 && conflicts > 20 && restored > 3, "{stored} {conflicts} {restored}");
    assert!(completed > 1, "{completed}");
}
