//! Producers that say which of their writes a request is, so that a repeat does nothing (section 5.2.1).

use std::collections::HashMap;

use axum::http::HeaderMap;

/// Who writes, and which of its writes this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub id: String,
    pub epoch: u64,
    pub seq: u64,
}

/// What a write is, seen from what was written before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    New,
    Duplicate,
    StaleEpoch(u64),
    /// Another sequence was expected.
    Gap(u64),
}

/// The last write of each.
#[derive(Debug, Clone, Default)]
pub struct Producers(HashMap<String, (u64, u64)>);

impl Write {
    /// Reads the three headers; `Err` where only some are there, or one is malformed.
    pub fn of(headers: &HeaderMap) -> Result<Option<Self>, ()> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let (id, epoch, seq) = (text("producer-id"), text("producer-epoch"), text("producer-seq"));
        match (id, epoch, seq) {
            (None, None, None) => Ok(None),
            (Some(id), Some(epoch), Some(seq)) if !id.is_empty() => Ok(Some(Self {
                id: id.to_owned(),
                epoch: epoch.parse().map_err(drop)?,
                seq: seq.parse().map_err(drop)?,
            })),
            _ => Err(()),
        }
    }
}

impl Producers {
    /// Judges a write.
    pub fn judge(&self, write: &Write) -> Judged {
        match self.0.get(&write.id) {
            Some((epoch, _)) if write.epoch < *epoch => Judged::StaleEpoch(*epoch),
            Some((epoch, seq)) if write.epoch == *epoch && write.seq <= *seq => Judged::Duplicate,
            Some((epoch, seq)) if write.epoch == *epoch && write.seq == *seq + 1 => Judged::New,
            Some((epoch, seq)) if write.epoch == *epoch => Judged::Gap(*seq + 1),
            Some(_) | None if write.seq == 0 => Judged::New,
            Some(_) | None => Judged::Gap(0),
        }
    }

    /// Notes a write that was done.
    pub fn done(&mut self, write: &Write) {
        self.0.insert(write.id.clone(), (write.epoch, write.seq));
    }
}
