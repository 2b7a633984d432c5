//! Whether a reader has seen everything once: what any client can check by `open.from` and each frame's `from` and `to`.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A frame's data.
#[derive(Debug, Deserialize)]
pub struct Frame<'a> {
    /// The first sequence that it covers.
    pub from: u64,
    /// The last one.
    pub to: u64,
    /// The events, byte for byte.
    #[serde(borrow)]
    pub events: Vec<&'a RawValue>,
}

/// What was covered so far, and the events.
#[derive(Debug, Default)]
pub struct Coverage {
    covered: Option<u64>,
    events: Vec<Box<RawValue>>,
}

/// Why a reader hasn't seen everything once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Something is missing.
    #[error("a hole: {0} was expected next, {1} came")]
    Hole(u64, u64),
    /// Something came again.
    #[error("a double: {0} was expected next, {1} came again")]
    Double(u64, u64),
    /// A frame before `open`, or one that ends before it begins.
    #[error("no sequence of frames: {0}")]
    Disorder(&'static str),
    /// A page that differs from the stream.
    #[error("the page differs from the stream: {0}")]
    Differs(String),
}

/// What was found in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    /// Events.
    pub events: usize,
    /// The first sequence.
    pub from: u64,
    /// The last one.
    pub to: u64,
}

#[derive(Deserialize)]
struct Numbered {
    sequence: u64,
}

impl Coverage {
    /// The last sequence that is covered.
    pub fn covered(&self) -> u64 {
        self.covered.unwrap_or(0)
    }

    /// An `open`: where the stream goes on after.
    pub fn open(&mut self, from: u64) -> Result<(), Fault> {
        if let Some(covered) = self.covered {
            follows(covered + 1, from + 1)?;
        }
        self.covered = Some(from);
        Ok(())
    }

    /// A frame. A sequence in it without an event is an entry that is for no reader, such as who makes a call; that
    /// nothing else is missing is for [`compare`].
    pub fn frame(&mut self, frame: &Frame<'_>) -> Result<(), Fault> {
        let covered = self.covered.ok_or(Fault::Disorder("a frame before `open`"))?;
        follows(covered + 1, frame.from)?;
        if frame.to < frame.from {
            return Err(Fault::Disorder("a frame that ends before it begins"));
        }
        let mut next = frame.from;
        for event in &frame.events {
            let sequence = sequence_of(event);
            if sequence < next {
                return Err(Fault::Double(next, sequence));
            }
            if sequence > frame.to {
                return Err(Fault::Disorder("an event beyond its frame"));
            }
            self.events.push((*event).to_owned());
            next = sequence + 1;
        }
        self.covered = Some(frame.to);
        Ok(())
    }
}

fn sequence_of(event: &RawValue) -> u64 {
    serde_json::from_str(event.get()).map_or(0, |Numbered { sequence }| sequence)
}

fn follows(expected: u64, came: u64) -> Result<(), Fault> {
    match came {
        came if came > expected => Err(Fault::Hole(expected, came)),
        came if came < expected => Err(Fault::Double(expected, came)),
        _ => Ok(()),
    }
}

/// Compares what a stream brought with the page of the same events, which the service reads anew.
pub fn compare(seen: &Coverage, page: &str) -> Result<Whole, Fault> {
    let page: Frame<'_> = serde_json::from_str(page).map_err(|error| Fault::Differs(error.to_string()))?;
    let (ours, theirs) = (seen.events.len(), page.events.len());
    if ours != theirs {
        return Err(Fault::Differs(format!("{theirs} events, not {ours}")));
    }
    for (ours, theirs) in seen.events.iter().zip(&page.events) {
        if ours.get() != theirs.get() {
            return Err(Fault::Differs(format!("the event {} has other bytes", sequence_of(theirs))));
        }
    }
    follows(seen.covered() + 1, page.to + 1)?;
    Ok(Whole { events: ours, from: page.from, to: page.to })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame<'_> {
        serde_json::from_str(text).unwrap()
    }

    /// A reader that has seen 1 to 3, 2 among them as replaced.
    fn seen() -> Coverage {
        let mut seen = Coverage::default();
        seen.open(0).unwrap();
        let text = r#"{"from":1,"to":3,"events":[{"sequence":1},{"sequence":3}],"coalesced":[2]}"#;
        seen.frame(&frame(text)).unwrap();
        seen
    }

    #[test]
    fn holes_and_doubles_are_noticed_wherever_they_are() {
        assert_eq!(seen().open(2), Err(Fault::Double(4, 3)));
        assert_eq!(seen().open(4), Err(Fault::Hole(4, 5)));
        for (text, fault) in [
            (r#"{"from":5,"to":5,"events":[{"sequence":5}]}"#, Fault::Hole(4, 5)),
            (r#"{"from":3,"to":4,"events":[{"sequence":3},{"sequence":4}]}"#, Fault::Double(4, 3)),
            (r#"{"from":4,"to":5,"events":[{"sequence":4},{"sequence":4}]}"#, Fault::Double(5, 4)),
            (r#"{"from":4,"to":5,"events":[{"sequence":6}]}"#, Fault::Disorder("an event beyond its frame")),
        ] {
            assert_eq!(seen().frame(&frame(text)), Err(fault), "{text}");
        }
        assert!(Coverage::default().frame(&frame(r#"{"from":1,"to":1,"events":[]}"#)).is_err());
    }

    #[test]
    fn a_stream_and_its_page_are_compared_byte_by_byte() {
        let mut seen = seen();
        seen.open(3).unwrap();
        seen.frame(&frame(r#"{"from":4,"to":4,"events":[{"sequence":4}]}"#)).unwrap();
        let same = r#"{"from":1,"to":4,"events":[{"sequence":1},{"sequence":3},{"sequence":4}]}"#;
        assert_eq!(compare(&seen, same), Ok(Whole { events: 3, from: 1, to: 4 }));
        for other in [
            r#"{"from":1,"to":4,"events":[{"sequence":1},{"sequence":3}]}"#,
            r#"{"from":1,"to":4,"events":[{"sequence":1},{"sequence":3},{"sequence": 4}]}"#,
            r#"{"from":1,"to":5,"events":[{"sequence":1},{"sequence":3},{"sequence":4}]}"#,
        ] {
            assert!(compare(&seen, other).is_err(), "{other}");
        }
    }
}
