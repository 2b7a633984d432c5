//! The answer to events, and its bytes.

use serde::Serialize;
use utoipa::ToSchema;

use super::super::openapi::Cursor;
use crate::domain::position::{Position, Sequence};
use crate::domain::verdict::{Code, Decided, Verdict};

/// Bytes of an answer beside its items, at most.
const FRAME_BYTES: usize = 256;
/// Bytes of an item that was judged, at most.
const ITEM_BYTES: usize = 56;

/// The answer to events that were all decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventsAnswer {
    /// One for each event, in order.
    pub(super) results: Vec<ItemResult>,
    /// Whether there are more than are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) results_truncated: bool,
    pub(super) accepted: u64,
    pub(super) duplicate: u64,
    pub(super) stale: u64,
    pub(super) late: u64,
    pub(super) conflict: u64,
    /// The place after what was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Cursor>)]
    pub(super) cursor: Option<Position>,
}

/// What became of one event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ItemResult {
    /// Judged.
    Decided(Decided),
    /// Refused: see `code`.
    Invalid {
        #[schema(pattern = "^invalid$")]
        verdict: &'static str,
        #[schema(value_type = Code)]
        code: &'static str,
        detail: String,
    },
    /// Not decided: send it again.
    Undecided {
        #[schema(pattern = "^undecided$")]
        verdict: &'static str,
    },
}

impl EventsAnswer {
    /// The JSON that serde would write, put together by hand: it is written for every event that comes alone.
    pub fn to_json(&self) -> Vec<u8> {
        let Self { results, results_truncated, accepted, duplicate, stale, late, conflict, cursor } = self;
        let counts = [*accepted, *duplicate, *stale, *late, *conflict];
        to_json(results, *results_truncated, counts, cursor.as_ref())
    }

    /// The same of a single event that is done, without a list for it.
    pub fn json_of_one(decided: Decided, cursor: Position) -> Vec<u8> {
        let place = match decided.verdict {
            Verdict::Accepted => 0,
            Verdict::Duplicate => 1,
            Verdict::Stale => 2,
            Verdict::Late => 3,
            Verdict::Conflict => 4,
        };
        if let Decided { verdict: Verdict::Accepted, sequence: Some(sequence) } = decided {
            return accepted(sequence, cursor);
        }
        let mut counts = [0; 5];
        counts[place] = 1;
        to_json(&[ItemResult::Decided(decided)], false, counts, Some(&cursor))
    }
}

/// What nearly every event is answered, in as few pieces as it has.
fn accepted(sequence: Sequence, cursor: Position) -> Vec<u8> {
    let mut out = Vec::with_capacity(FRAME_BYTES);
    number(&mut out, r#"{"results":[{"verdict":"accepted","sequence":"#, sequence.0);
    out.extend_from_slice(br#"}],"accepted":1,"duplicate":0,"stale":0,"late":0,"conflict":0,"cursor":""#);
    cursor.write_to(&mut out);
    out.extend_from_slice(b"\"}");
    out
}

/// `counts` in the order of the fields.
fn to_json(results: &[ItemResult], truncated: bool, counts: [u64; 5], cursor: Option<&Position>) -> Vec<u8> {
    let mut out = Vec::with_capacity(FRAME_BYTES + results.len() * ITEM_BYTES);
    out.extend_from_slice(b"{\"results\":[");
    for (index, result) in results.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_result(&mut out, result);
    }
    out.push(b']');
    if truncated {
        out.extend_from_slice(b",\"results_truncated\":true");
    }
    let names = [",\"accepted\":", ",\"duplicate\":", ",\"stale\":", ",\"late\":", ",\"conflict\":"];
    for (name, count) in names.into_iter().zip(counts) {
        number(&mut out, name, count);
    }
    if let Some(cursor) = cursor {
        out.extend_from_slice(b",\"cursor\":\"");
        cursor.write_to(&mut out);
        out.push(b'"');
    }
    out.push(b'}');
    out
}

fn write_result(out: &mut Vec<u8>, result: &ItemResult) {
    let ItemResult::Decided(Decided { verdict, sequence }) = result else {
        return serde_json::to_writer(out, result).expect("texts always serialise");
    };
    out.extend_from_slice(match verdict {
        Verdict::Accepted => b"{\"verdict\":\"accepted\"",
        Verdict::Duplicate => b"{\"verdict\":\"duplicate\"",
        Verdict::Stale => b"{\"verdict\":\"stale\"",
        Verdict::Late => b"{\"verdict\":\"late\"",
        Verdict::Conflict => b"{\"verdict\":\"conflict\"",
    });
    if let Some(sequence) = sequence {
        number(out, ",\"sequence\":", sequence.0);
    }
    out.push(b'}');
}

fn number(out: &mut Vec<u8>, key: &str, value: u64) {
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_the_bytes_that_serde_would_write() {
        let verdicts =
            [Verdict::Accepted, Verdict::Duplicate, Verdict::Stale, Verdict::Late, Verdict::Conflict];
        let judged = verdicts.into_iter().enumerate().map(|(index, verdict)| {
            let sequence = (index % 2 == 0).then_some(Sequence(u64::MAX - index as u64));
            ItemResult::Decided(Decided { verdict, sequence })
        });
        let detail = "a \"detail\"\n".to_owned();
        let refused = ItemResult::Invalid { verdict: "invalid", code: "invalid_event", detail };
        let all: Vec<_> = judged.chain([refused, ItemResult::Undecided { verdict: "undecided" }]).collect();
        let cursor = Some("7f3a91_5_1d2e3f4a5b6c7d8e".parse().unwrap());
        for (results, results_truncated, cursor) in
            [(all, true, cursor), (Vec::new(), false, None), (Vec::new(), false, cursor)]
        {
            let (accepted, duplicate, stale, late, conflict) = (1, 20, 300, 4_000, u64::MAX);
            let answer = EventsAnswer {
                results,
                results_truncated,
                accepted,
                duplicate,
                stale,
                late,
                conflict,
                cursor,
            };
            let text = String::from_utf8(answer.to_json()).unwrap();
            assert_eq!(text, serde_json::to_string(&answer).unwrap());
        }
    }

    #[test]
    fn answer_to_one_event_is_that_of_a_list_with_one() {
        let cursor = "7f3a91_5_1d2e3f4a5b6c7d8e".parse().unwrap();
        for (place, verdict) in
            [Verdict::Accepted, Verdict::Duplicate, Verdict::Stale, Verdict::Late, Verdict::Conflict]
                .into_iter()
                .enumerate()
        {
            let decided = Decided { verdict, sequence: (place < 2).then_some(Sequence(7)) };
            let count = |at: usize| u64::from(at == place);
            let list = EventsAnswer {
                results: vec![ItemResult::Decided(decided)],
                results_truncated: false,
                accepted: count(0),
                duplicate: count(1),
                stale: count(2),
                late: count(3),
                conflict: count(4),
                cursor: Some(cursor),
            };
            assert_eq!(EventsAnswer::json_of_one(decided, cursor), list.to_json());
        }
    }
}
