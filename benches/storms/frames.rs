//! What is in a frame of events, found out once for all readers that get the same bytes.

use std::collections::HashMap;
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64;

use crate::event::{MARK, read_mark};
use crate::truth::{Segment, Truth};

/// How many frames are remembered.
const FRAMES: usize = 4_096;

/// The `data` of a frame of events.
#[derive(Deserialize)]
struct Frame<'a> {
    from: u64,
    to: u64,
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
    #[serde(default)]
    coalesced: Vec<u64>,
    complete: Option<bool>,
}

/// What of a frame matters to every reader that gets it.
pub struct Known {
    pub segment: Segment,
    pub is_complete: bool,
    /// When its events were sent, where they say so.
    pub sent_ns: Vec<u64>,
}

/// Frames by stream and hash.
#[derive(Default)]
pub struct Frames {
    known: HashMap<(usize, u64), Rc<Known>>,
}

impl Frames {
    /// Reads a frame, and tells `truth` of its events, unless somebody had the same before.
    pub fn look_into(&mut self, stream: usize, data: &str, truth: &mut Truth) -> Result<Rc<Known>> {
        let key = (stream, xxh3_64(data.as_bytes()));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let frame: Frame<'_> = serde_json::from_str(data).context("reading a frame")?;
        let from = frame.from.checked_sub(1).context("a frame from 0")?;
        let mut segment = Segment { from, to: frame.to, coalesced: frame.coalesced, ..Segment::default() };
        let (mut sent_ns, mut last) = (Vec::new(), from);
        for event in frame.events {
            let bytes = event.get().as_bytes();
            let (sequence, digest) = truth.see(stream, event.get())?;
            ensure!(sequence > last && sequence <= frame.to, "event {sequence} after {last} in a frame");
            last = sequence;
            segment.events += 1;
            segment.sum = segment.sum.wrapping_add(digest);
            if let Some(at) = memmem::find(bytes, MARK) {
                sent_ns.push(read_mark(&bytes[at..])?.sent_ns);
            }
        }
        let known = Rc::new(Known { segment, is_complete: frame.complete == Some(true), sent_ns });
        if self.known.len() >= FRAMES {
            self.known.clear();
        }
        self.known.insert(key, known.clone());
        Ok(known)
    }
}
