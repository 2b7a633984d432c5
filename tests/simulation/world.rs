//! The replicas of a run, and what is done to them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tributary::domain::ids::SessionKey;
use tributary::domain::limits::SessionLimits;
use tributary::edge::cache::{PIECE_BYTES, RedisAddress, RedisCache, RedisSettings};
use tributary::engine::coordinator::{AggregationCoordinator, CoordinatorSettings};
use tributary::engine::mux::{MuxSettings, StreamMux};
use tributary::engine::ports::result_cache::Presence;
use tributary::engine::telemetry::{Meters, Telemetry};

use crate::fixtures::session_key;
use crate::history::History;
use crate::redis::{Client, ModelRedis};
use crate::snapshot::Past;

/// How long Redis may take for an answer, and for a connection.
const ANSWERS_IN: Duration = Duration::from_millis(300);

/// How long a replica that reaches the store again may take until it has put back what that had lost: a sweep looks each three
/// seconds, and again where it wasn't answered.
const PUTS_BACK_IN: Duration = Duration::from_secs(6);

/// One replica, as long as it lives.
#[derive(Clone)]
pub struct Replica {
    pub coordinator: AggregationCoordinator,
    pub mux: StreamMux,
    client: Client,
    upkeep: Arc<JoinHandle<()>>,
}

impl Replica {
    fn start(client: Client, ring: usize) -> Self {
        let cache = RedisCache::over(Arc::new(client.clone()), redis_settings(ring));
        let port = Arc::new(cache.clone());
        let coordinator = AggregationCoordinator::new(
            port.clone(),
            Some(port.clone()),
            coordinator_settings(),
            (None, None),
            Telemetry::off(),
        );
        let mux = StreamMux::new(port, mux_settings(), Telemetry::off());
        let looking = coordinator.clone();
        let upkeep = tokio::spawn(async move {
            for turn in 0_u64.. {
                tokio::time::sleep(Duration::from_secs(1)).await;
                cache.sweep(turn % 3 == 2).await;
                // A store that doesn't answer is asked again.
                let _ = looking.wake_due().await;
            }
        });
        Self { coordinator, mux, client, upkeep: Arc::new(upkeep) }
    }

    /// Nothing that it still tries happens any more, and nobody hears of it.
    fn kill(self) {
        self.client.weather.dead.store(true, Ordering::Relaxed);
        self.upkeep.abort();
        self.coordinator.drain();
    }
}

/// What a run is about.
pub struct World {
    pub server: Arc<ModelRedis>,
    history: History,
    /// When everything worked again, in the end.
    healed: Mutex<Option<Instant>>,
    replicas: Mutex<Vec<Option<Replica>>>,
    /// Who wants to know when a replica dies, in the order in which they came. A `watch` would wake them in an order of its own.
    mourners: Mutex<Vec<oneshot::Sender<()>>>,
    trace: Mutex<Vec<String>>,
    ticks: AtomicU64,
}

impl World {
    pub fn new(history: &History) -> Arc<Self> {
        let server = ModelRedis::new(history.seed);
        let world = Self {
            server,
            history: history.clone(),
            healed: Mutex::default(),
            replicas: Mutex::new(vec![None; history.replicas]),
            mourners: Mutex::default(),
            trace: Mutex::default(),
            ticks: AtomicU64::default(),
        };
        for replica in 0..history.replicas {
            world.start(replica, history.delay_ms);
        }
        Arc::new(world)
    }

    /// Starts a replica that doesn't run.
    pub fn start(&self, replica: usize, delay_ms: u64) {
        let mut replicas = self.replicas.lock();
        if replicas[replica].is_none() {
            let client = Client { server: self.server.clone(), replica, weather: Arc::default() };
            client.weather.delay_ms.store(delay_ms, Ordering::Relaxed);
            replicas[replica] = Some(Replica::start(client, self.history.ring));
        }
    }

    pub fn kill(&self, replica: usize) {
        if let Some(killed) = self.replicas.lock()[replica].take() {
            self.server.note("a replica killed");
            killed.kill();
            self.server.break_subscriptions(Some(replica));
            for mourner in std::mem::take(&mut *self.mourners.lock()) {
                // Who hung up meanwhile doesn't want to know.
                let _ = mourner.send(());
            }
        }
    }

    /// The replica by that number, where it runs.
    pub fn replica(&self, number: usize) -> Option<Replica> {
        let replicas = self.replicas.lock();
        replicas[number % replicas.len()].clone()
    }

    /// What is wrong on the way of a replica that runs.
    pub fn weather(&self, replica: usize) -> Option<Arc<crate::redis::Weather>> {
        self.replica(replica).map(|replica| replica.client.weather)
    }

    /// Done when the next replica dies.
    pub fn death(&self) -> oneshot::Receiver<()> {
        let (mourner, told) = oneshot::channel();
        let mut mourners = self.mourners.lock();
        mourners.retain(|mourner| !mourner.is_closed());
        mourners.push(mourner);
        told
    }

    /// All runs, and nothing goes wrong any more.
    pub fn heal(&self, delay_ms: u64) {
        *self.healed.lock() = Some(Instant::now());
        let replicas = self.replicas.lock().len();
        for number in 0..replicas {
            self.start(number, delay_ms);
            if let Some(weather) = self.weather(number) {
                weather.clear();
            }
        }
    }

    /// Whether something that was said of a step may be gone: its time was over, or the store lost data and no replica that
    /// holds it could put it back before the step ended.
    pub fn may_have_lost(&self, session: usize, step: &str) -> bool {
        let (ledger, healed) = (self.server.ledger.lock(), *self.healed.lock());
        let ended = ledger.ended(&name(session), step).zip(healed);
        let is_late = ended.is_none_or(|(ended, healed)| ended < healed + PUTS_BACK_IN);
        let was_cut_off = self.history.cuts_off() && is_late;
        let is_held = !self.history.trims() && !self.history.kills() && !was_cut_off;
        self.history.expires() || ledger.has_lost_data() && !is_held
    }

    /// What may have become of what was stored.
    pub fn past(&self) -> Past {
        match (self.server.ledger.lock().has_lost_data(), self.history.expires()) {
            (true, _) => Past::Lost,
            (false, true) => Past::Expired,
            (false, false) => Past::Whole,
        }
    }

    /// Counts moments: what comes later has a larger number.
    pub fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::Relaxed)
    }

    /// Writes down what was seen: two runs of one seed must see the same.
    pub fn saw(&self, what: impl FnOnce() -> String) {
        let line = format!("{} {}", self.server.now(), what());
        self.trace.lock().push(line);
    }

    pub fn trace(&self) -> Vec<String> {
        self.trace.lock().clone()
    }

    /// A session as the store has it, asked of some replica that runs; `None` where none can say.
    pub async fn session(&self, number: usize) -> Option<Presence> {
        for replica in (0..3).filter_map(|number| self.replica(number)) {
            if let Ok(loaded) = replica.coordinator.session(&key(number)).await {
                return Some(loaded.presence);
            }
        }
        None
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.replicas.get_mut().drain(..).flatten().for_each(Replica::kill);
    }
}

/// The session by that number.
pub fn key(session: usize) -> SessionKey {
    session_key(&name(session))
}

pub fn name(session: usize) -> String {
    format!("s{session}")
}

fn redis_settings(ring: usize) -> RedisSettings {
    RedisSettings {
        address: RedisAddress {
            url: String::new(),
            ca_certificates: None,
            response_timeout: ANSWERS_IN,
            connection_timeout: ANSWERS_IN,
        },
        ring_entries: ring,
        ring_bytes: 16 << 20,
        ring_bytes_hard: 32 << 20,
        bytes_max: 1 << 30,
        // Every eighth history reads its snapshots in pieces.
        piece_bytes: if ring % 2 == 1 { 1_000 } else { PIECE_BYTES },
        ttl_ms: 1_800_000,
        tombstone_ms: 86_400_000,
        is_gated: false,
        meters: Meters::unread(),
    }
}

fn coordinator_settings() -> CoordinatorSettings {
    CoordinatorSettings {
        limits: SessionLimits::default(),
        inbox: 16,
        batch_entries: 16,
        batch_bytes: 256 << 10,
        idle: Duration::from_secs(10),
        fresh: Duration::from_secs(900),
        kept: Duration::from_secs(1_800),
        append_timeout: Duration::from_secs(5),
    }
}

fn mux_settings() -> MuxSettings {
    MuxSettings {
        batch_events: 5,
        heartbeat_ms: 5_000,
        connection_age_ms: 600_000,
        retry_ms: 100,
        unknown_patience_ms: 30_000,
        coalesce_backlog: 3,
        chunk_bytes: 4_096,
        readers_per_session: 1_000,
        readers: 1_000,
        drain_spread_ms: 100,
        problem: |code, detail| {
            format!("{{\"code\":\"{}\",\"detail\":{detail:?}}}", code.as_str()).into_bytes()
        },
    }
}
