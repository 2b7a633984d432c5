//! What all connections share: the script, the counts, the log, and who waits for them to change.
//!
//! One short lock. A call in flight is a [`InFlight`]: whatever drops it unfinished, be it a connection that closed or the
//! simulator's end, has ended the call, so that no call is forgotten.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::behaviour::Behaviour;
use super::calls::{Asked, Calls, Ended, Log};
use super::names::Names;
use super::script::Script;

/// Shared by all connections.
#[derive(Debug)]
pub struct State {
    begun: Instant,
    begun_at_unix: Duration,
    stopping: AtomicBool,
    ledger: Mutex<Ledger>,
    /// Raised at every change of the ledger.
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Ledger {
    script: Script,
    names: Names,
    log: Log,
}

impl State {
    /// Nothing has happened yet.
    pub fn new() -> Arc<Self> {
        let begun_at_unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Arc::new(Self {
            begun: Instant::now(),
            begun_at_unix,
            stopping: AtomicBool::new(false),
            ledger: Mutex::default(),
            changes: watch::Sender::new(0),
        })
    }

    /// Milliseconds since the start.
    pub fn now_ms(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * 1_000.0
    }

    /// From here on, calls that are dropped are stopped rather than left.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// A call begins. Returns it, and what the script says to do with it.
    pub fn begin(self: &Arc<Self>, asked: Asked, started_ms: f64) -> (InFlight, Behaviour) {
        let asked = Arc::new(asked);
        let mut ledger = self.ledger.lock();
        let scripted = ledger.script.take(&asked.path, &asked.name);
        let attempt = ledger.names.begin(&asked.name);
        let id = ledger.log.begin(asked.clone(), attempt, started_ms);
        drop(ledger);
        self.changed();
        (InFlight { state: self.clone(), name: asked.name.clone(), id, attempt, open: true }, scripted)
    }

    /// Puts a script in the place of the one before; its lists begin at their beginning.
    pub fn set_script(&self, script: Script) {
        self.ledger.lock().script = script;
    }

    /// Forgets calls and attempts. Calls in flight go on and stay counted.
    pub fn reset(&self) {
        let mut ledger = self.ledger.lock();
        ledger.log.reset();
        ledger.names.reset();
        drop(ledger);
        self.changed();
    }

    /// Everything that is remembered.
    pub fn calls(&self) -> Calls {
        let ledger = self.ledger.lock();
        let (in_flight, max_in_flight) = ledger.names.in_flight();
        Calls {
            started_at_unix_ms: self.begun_at_unix.as_secs_f64() * 1_000.0,
            total: ledger.log.total(),
            in_flight,
            max_in_flight,
            names: ledger.names.by_name(),
            calls: ledger.log.calls(),
        }
    }

    /// Tells of every change from here on.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn end(&self, call: &InFlight, ended: Ended) {
        let now_ms = self.now_ms();
        let mut ledger = self.ledger.lock();
        ledger.names.end(&call.name);
        ledger.log.end(call.id, ended, now_ms);
        drop(ledger);
        self.changed();
    }
}

/// A call that hasn't ended yet. Dropped unfinished, its peer has gone.
#[derive(Debug)]
pub struct InFlight {
    state: Arc<State>,
    name: Arc<str>,
    id: u64,
    attempt: u64,
    open: bool,
}

impl InFlight {
    /// Which call of its name it is, from 1.
    pub fn attempt(&self) -> u64 {
        self.attempt
    }

    /// It is answered with that status.
    pub fn status(&self, status: u16) {
        self.state.ledger.lock().log.status(self.id, status);
    }

    /// It has ended. Only the first end counts.
    pub fn end(&mut self, ended: Ended) {
        if std::mem::take(&mut self.open) {
            self.state.end(self, ended);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let stopped = self.state.stopping.load(Ordering::Relaxed);
        self.end(if stopped { Ended::Stopped } else { Ended::PeerGone });
    }
}
