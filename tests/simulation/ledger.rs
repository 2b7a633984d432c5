//! Everything that was ever stored, by its chain: what readers are shown is compared with it, also of branches that a store
//! has lost since.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::time::Instant;
use tributary::domain::entry::Entry;
use tributary::domain::position::{AppendId, Chain, Epoch, Position, Sequence};
use tributary::domain::record::Record;

/// Bytes before an entry's record: sequence, append, chain before, chain, length of the record.
const HEAD: usize = 36;

/// The entries.
#[derive(Default)]
pub struct Ledger {
    entries: BTreeMap<u64, Arc<Entry>>,
    /// The last of each stream.
    tails: BTreeMap<Vec<u8>, Arc<Entry>>,
    /// Whether the store has lost something: what follows need not continue what was.
    lost: bool,
    /// When a session's step ended, first.
    ended: BTreeMap<(String, String), Instant>,
    /// What mustn't be, as soon as it was seen.
    pub violations: Vec<String>,
}

impl Ledger {
    /// Takes what an append added: it continues what is there, without a hole, and each entry's bytes make its chain.
    pub fn take(&mut self, added: &[(Vec<u8>, Vec<u8>)]) {
        for (key, bytes) in added {
            let entry = read(bytes);
            if let Some(tail) = self.tails.get(key)
                && !self.lost
                && entry.previous_chain != tail.chain
                && entry.sequence <= tail.sequence
            {
                let (new, old) = (entry.sequence, tail.sequence);
                self.violations
                    .push(format!("{new} was stored after {old}, though the store had lost nothing"));
            }
            if let Record::StepEnded { step } = &entry.record {
                let place = (session_of(key), step.to_string());
                self.ended.entry(place).or_insert_with(Instant::now);
            }
            let entry = Arc::new(entry);
            self.tails.insert(key.clone(), entry.clone());
            self.entries.insert(entry.chain.0, entry);
        }
    }

    /// The store has lost data.
    pub fn data_lost(&mut self) {
        self.lost = true;
    }

    /// When a step ended, first.
    pub fn ended(&self, session: &str, step: &str) -> Option<Instant> {
        self.ended.get(&(session.to_owned(), step.to_owned())).copied()
    }

    /// Whether it ever has.
    pub fn has_lost_data(&self) -> bool {
        self.lost
    }

    /// The entries after `from` up to the place with that chain, oldest first. `None` where the chain wasn't stored, or is
    /// broken before `from`.
    pub fn back_to(&self, from: Sequence, to: Position) -> Option<Vec<Arc<Entry>>> {
        let mut found = Vec::new();
        let (mut sequence, mut chain) = (to.sequence, to.chain);
        while sequence > from {
            let entry = self.entries.get(&chain.0).filter(|entry| entry.sequence == sequence)?;
            found.push(entry.clone());
            (sequence, chain) = (sequence.previous(), entry.previous_chain);
        }
        found.reverse();
        Some(found)
    }

    /// The entries up to that place as far back as their chain leads, oldest first, and whether that is to the beginning.
    pub fn up_to(&self, at: Position) -> (Vec<Arc<Entry>>, bool) {
        let mut found = Vec::new();
        let (mut sequence, mut chain) = (at.sequence, at.chain);
        while let Some(entry) = self.entries.get(&chain.0).filter(|entry| entry.sequence == sequence) {
            found.push(entry.clone());
            (sequence, chain) = (sequence.previous(), entry.previous_chain);
        }
        found.reverse();
        (found, sequence == Sequence(0))
    }

    /// Whether an event was ever stored as that, not after `at`.
    pub fn has_stored(&self, sequence: u64, event: &[u8], at: Position) -> bool {
        let mut stored = self.entries.values().filter(|entry| entry.sequence == Sequence(sequence));
        sequence <= at.sequence.0 && stored.any(|entry| entry.wire() == Some(event))
    }
}

/// The session of a key such as `tributary:{default/s0}:log`.
fn session_of(key: &[u8]) -> String {
    let key = String::from_utf8_lossy(key);
    let named = key.split_once('/').and_then(|(_, rest)| rest.split_once('}'));
    named.expect("a log's key names its session").0.to_owned()
}

/// An entry as it lies in the log.
pub fn read(bytes: &[u8]) -> Entry {
    let number = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap());
    let record = u32::from_be_bytes(bytes[32..HEAD].try_into().unwrap()) as usize;
    let (record, wire) = bytes[HEAD..].split_at(record);
    let previous = Position {
        epoch: Epoch::from_random(0),
        sequence: Sequence(number(0)).previous(),
        chain: Chain(number(16)),
    };
    Entry::restore(previous, AppendId(number(8)), Chain(number(24)), record, wire)
        .expect("what is stored can be read, and its chain is that of its bytes")
}
