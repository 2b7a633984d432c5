//! A Redis in this process, with a clock of its own and everything that goes wrong between it and a replica.

mod client;
mod data;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use redis::{Msg, Value};
use tokio::sync::mpsc;
use tokio::time::Instant;

pub use client::{Client, Weather};
use data::Database;
use script::Scripts;

use crate::ledger::Ledger;

/// When a run begins, in milliseconds since 1970.
const BEGINNING: i64 = 1_800_000_000_000;
/// Commands of a run at most: the longest of 500 runs had 19,000. With more a replica turns in a circle.
const COMMANDS_MOST: u64 = 200_000;

/// The server.
pub struct ModelRedis {
    database: Arc<Mutex<Database>>,
    scripts: Scripts,
    kept: Mutex<Option<Database>>,
    subscriptions: Mutex<Vec<Subscription>>,
    pub ledger: Mutex<Ledger>,
    rng: Mutex<fastrand::Rng>,
    begun: Instant,
    jumped_ms: AtomicI64,
    commands: AtomicU64,
    happened: Mutex<BTreeMap<&'static str, u64>>,
}

struct Subscription {
    replica: usize,
    number: u64,
    channels: BTreeSet<String>,
    heard: mpsc::UnboundedSender<Msg>,
    weather: Arc<client::Weather>,
}

impl ModelRedis {
    pub fn new(seed: u64) -> Arc<Self> {
        let database = Arc::new(Mutex::new(Database::default()));
        Arc::new(Self {
            scripts: Scripts::on(&database),
            database,
            kept: Mutex::default(),
            subscriptions: Mutex::default(),
            ledger: Mutex::default(),
            rng: Mutex::new(fastrand::Rng::with_seed(seed)),
            begun: Instant::now(),
            jumped_ms: AtomicI64::new(0),
            commands: AtomicU64::new(0),
            happened: Mutex::default(),
        })
    }

    /// A number up to `most`, by the seed.
    pub fn roll(&self, most: u64) -> u64 {
        self.rng.lock().u64(0..=most)
    }

    /// Notes that something happened that runs are about.
    pub fn note(&self, what: &'static str) {
        *self.happened.lock().entry(what).or_default() += 1;
    }

    /// What happened, and how often.
    pub fn happened(&self) -> BTreeMap<&'static str, u64> {
        self.happened.lock().clone()
    }

    /// The server's clock.
    pub fn now(&self) -> i64 {
        let passed = i64::try_from(self.begun.elapsed().as_millis()).unwrap();
        BEGINNING + passed + self.jumped_ms.load(Ordering::Relaxed)
    }

    /// Sets the clock forward, or back.
    pub fn jump(&self, ms: i64) {
        self.jumped_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// Loses everything, as a restart without a disk does: data, scripts, connections of subscribers.
    pub fn restart_empty(&self) {
        self.database.lock().clear();
        self.ledger.lock().data_lost();
        self.forget_scripts();
        self.break_subscriptions(None);
    }

    /// Keeps the data of this moment, for [`ModelRedis::roll_back`].
    pub fn keep(&self) {
        *self.kept.lock() = Some(self.database.lock().clone());
    }

    /// Comes back with the data that was kept, as an older dump or a replica that was behind. `false` where none was.
    pub fn roll_back(&self) -> bool {
        let Some(kept) = &*self.kept.lock() else { return false };
        self.database.lock().become_again(kept);
        self.ledger.lock().data_lost();
        self.forget_scripts();
        self.break_subscriptions(None);
        true
    }

    /// Lets go of one key of a session, as an eviction does. `false` where there was none.
    pub fn evict(&self, session: &str, what: &str) -> bool {
        let gone = self.database.lock().evict(format!("tributary:{{default/{session}}}:{what}").as_bytes());
        if gone {
            self.ledger.lock().data_lost();
        }
        gone
    }

    pub fn forget_scripts(&self) {
        self.scripts.forget();
    }

    /// Breaks the lines of subscribers: of one replica, or of all.
    pub fn break_subscriptions(&self, replica: Option<usize>) {
        self.subscriptions.lock().retain(|line| replica.is_some_and(|replica| line.replica != replica));
        self.count_listeners();
    }

    /// The log of a session as it lies there.
    pub fn log(&self, session: &str) -> Vec<Vec<u8>> {
        self.database.lock().stream(format!("tributary:{{default/{session}}}:log").as_bytes())
    }

    /// Counts a command. `false`: there were so many that the run would never end; it is a violation, and nobody is answered.
    fn may_run(&self) -> bool {
        let before = self.commands.fetch_add(1, Ordering::Relaxed);
        if before == COMMANDS_MOST {
            let words = format!("{COMMANDS_MOST} commands, and no end: somebody turns in a circle");
            self.ledger.lock().violations.push(words);
        }
        before < COMMANDS_MOST
    }

    fn execute(&self, words: &[Vec<u8>]) -> Option<Value> {
        self.database.lock().now = self.now();
        let answer = match &*words[0] {
            b"EVALSHA" => self.scripts.run(&words[1], &words[2..]),
            b"EVAL" => Some(self.scripts.run_text(&words[1], &words[2..])),
            _ => Some(self.database.lock().run(words)),
        };
        let (added, published) = {
            let mut database = self.database.lock();
            (std::mem::take(&mut database.added), std::mem::take(&mut database.published))
        };
        let is_of_a_log = |(key, _): &(Vec<u8>, Vec<u8>)| key.ends_with(b":log");
        self.ledger.lock().take(&added.into_iter().filter(is_of_a_log).collect::<Vec<_>>());
        published.into_iter().for_each(|(channel, payload)| self.publish(&channel, &payload));
        answer
    }

    fn publish(&self, channel: &[u8], payload: &[u8]) {
        let channel = std::str::from_utf8(channel).unwrap();
        for line in self.subscriptions.lock().iter().filter(|line| line.channels.contains(channel)) {
            let message = || {
                let words = [b"message".as_slice(), channel.as_bytes(), payload];
                Msg::from_owned_value(Value::Array(
                    words.map(|word| Value::BulkString(word.to_vec())).to_vec(),
                ))
                .unwrap()
            };
            let copies = line.weather.copies(self);
            for _ in 0..copies {
                let delay = line.weather.message_delay(self);
                if delay == 0 {
                    let _ = line.heard.send(message());
                    continue;
                }
                // Others may overtake it.
                let (heard, message) = (line.heard.clone(), message());
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(delay)).await;
                    let _ = heard.send(message);
                });
            }
        }
    }

    fn count_listeners(&self) {
        let mut counts: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
        for line in self.subscriptions.lock().iter() {
            line.channels.iter().for_each(|name| *counts.entry(name.clone().into_bytes()).or_default() += 1);
        }
        self.database.lock().listeners = counts;
    }
}
