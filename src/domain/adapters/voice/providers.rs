//! Transcripts inside of what speech services answer with. Everything is copied: the answer stays as it is.
//!
//! | service | where | final |
//! |---|---|---|
//! | Deepgram, live | `channel.alternatives[0]` | the document's own |
//! | Deepgram, recorded | `results.channels[0].alternatives[0]`; `results.utterances` | yes |
//! | Google | `results[].alternatives[0]`, joined | each `isFinal`; a result with `stability` and no `isFinal` isn't |
//! | Amazon, batch | `results.transcripts[].transcript` | the document's own |
//! | Amazon, live | `Transcript.Results[].Alternatives[0].Transcript` | each `IsPartial` |
//! | Azure | `NBest[0]` | the document's own |

use super::super::shape::{Member, is_array, is_object, is_text, members};
use super::super::values::{below, boolean, find, first_below, items, number, plain, reads_as_number};

/// What a service heard.
#[derive(Default)]
pub(super) struct Heard<'a> {
    pub transcript: Option<String>,
    pub confidence: Option<&'a str>,
    pub segments: Option<&'a str>,
    pub is_final: Option<bool>,
}

/// What stands in the members `rest` of an answer.
pub(super) fn heard<'a>(rest: &[Member<'a>]) -> Heard<'a> {
    let alternative = first_below(
        rest,
        &[
            &["channel", "alternatives", "0"],
            &["results", "channels", "0", "alternatives", "0"],
            &["NBest", "0"],
        ],
    );
    if let Some(alternative) = alternative.filter(|value| is_object(value)) {
        let mut heard = one(alternative);
        let utterances = first_below(rest, &[&["results", "utterances"]]).filter(|list| is_array(list));
        heard.segments = utterances.or(heard.segments);
        return heard;
    }
    let parts = first_below(rest, &[&["Transcript", "Results"], &["results", "transcripts"], &["results"]]);
    parts.and_then(items).map_or_else(Heard::default, |parts| joined(&parts))
}

/// One alternative of whichever service.
fn one(alternative: &str) -> Heard<'_> {
    let members = members(alternative).unwrap_or_default();
    let first = |names: &[&str], fits: fn(&str) -> bool| {
        names.iter().find_map(|name| find(&members, name).filter(|value| fits(value)))
    };
    let words = first(&["transcript", "Transcript", "Display", "content"], is_text);
    Heard {
        transcript: words.map(|words| plain(words).into_owned()),
        confidence: first(&["confidence", "Confidence"], reads_as_number),
        segments: first(&["words"], is_array),
        is_final: None,
    }
}

/// Consecutive parts as one transcript: the least confidence, and final where each of them is.
fn joined<'a>(parts: &[&'a str]) -> Heard<'a> {
    let mut heard = Heard::default();
    let mut transcript: Vec<String> = Vec::new();
    for part in parts {
        let alternative = ["alternatives", "Alternatives"].iter().find_map(|name| below(part, &[name, "0"]));
        let one = one(alternative.unwrap_or(part));
        transcript.extend(one.transcript.map(|words| words.trim().to_owned()));
        let weaker = |new: &&str| heard.confidence.is_none_or(|least| number(new) < number(least));
        heard.confidence = one.confidence.filter(weaker).or(heard.confidence);
        heard.segments = if parts.len() == 1 { one.segments } else { None };
        heard.is_final = match (heard.is_final, part_is_final(part)) {
            (Some(all), Some(this)) => Some(all && this),
            (known, this) => this.or(known),
        };
    }
    heard.transcript = (!transcript.is_empty()).then(|| transcript.join(" "));
    heard
}

fn part_is_final(part: &str) -> Option<bool> {
    let members = members(part)?;
    let flag = |name: &str| find(&members, name).and_then(boolean);
    let own = flag("isFinal").or_else(|| flag("is_final")).or_else(|| flag("IsPartial").map(|open| !open));
    own.or_else(|| find(&members, "stability").map(|_| false))
}
