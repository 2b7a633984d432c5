//! Transcripts: `{transcript, final, confidence?, segments: [{start_ms, end_ms, text}], call_status?}`.
//!
//! | sent | becomes |
//! |---|---|
//! | an object | `transcript` from `transcript`, `text`, `transcription`, `TranscriptionText`, `SpeechResult` (Twilio), `DisplayText` (Azure), `utterance`, `content` or `delta`; `final` from `final`, `is_final`, `isFinal`, `Final` or `end_of_turn`; `confidence` from `confidence` or `Confidence` (a text with a number in it too); `segments` from `segments`, `utterances`, `words`, `chunks` (Whisper in transformers), or `phrases`; `call_status` from `call_status`, `CallStatus`, `callStatus` or `call_state`, or from a `status` that only calls have (`ringing`, `busy`, `no-answer`, …); then all other fields as sent, in order |
//! | `channel.alternatives`, `results.channels` (Deepgram), `results: [{alternatives}]` (Google), `results.transcripts` and `Transcript.Results` (Amazon), `NBest` (Azure) | what is missing is copied from the best alternative of each part |
//! | a list of segments | `segments` |
//! | a text that holds such an object or list, fenced or not | as that |
//! | another text | its `transcript`, final |
//! | anything else | its `data` |
//!
//! And each segment, where its own `start_ms`, `end_ms` and `text` aren't there:
//!
//! | sent | becomes |
//! |---|---|
//! | `start_ms`, `startMs`, `start_time_ms`, `audio_start`, and so for the end | milliseconds |
//! | `start`, `start_time`, `startTime`, `StartTime`, `begin`, and so for the end: a number, `"1.3s"`, or `{seconds, nanos}` | seconds; milliseconds where the document has a name that AssemblyAI's have (`audio_duration`, `speech_model`, `turn_order`, …) |
//! | `timestamp: [from, to]` | seconds |
//! | `text`, `transcript`, `punctuated_word`, `word`, `content`, `display` | `text` |
//! | a text | its `text` |
//! | anything else | its `data` |
//!
//! Times become whole milliseconds. A missing start is the end of the segment before (0 for the first), a missing end
//! is the start. A missing `transcript` is the segments' texts with spaces between.
//!
//! A missing `final` follows from `type`, `message_type`, `event`, `status` and the parts' own marks: `partial`,
//! `interim`, `delta`, `processing` and the like make it false, and so does a part that isn't final. With no such sign
//! it is true: an output sent as a whole is one. But a message of a kind of its own (`SpeechStarted`, `Metadata`) in which nothing
//! was heard is a sign of life, and final only where it says so. A known name with a value of another type moves to
//! `unread` (`null` is left out).

use finality::Finality;
use segments::Segments;

use super::shape::{
    Field, Member, ObjectText, Picked, finished, is_array, is_number, is_text, members, pick, quoted,
};
use super::values::{boolean, embedded, find, is_boolean, numeric, reads_as_boolean, reads_as_number, word};
use crate::domain::event::RawJson;

mod finality;
mod providers;
mod segments;
#[cfg(test)]
mod tests;

const FIELDS: [Field; 5] = [
    Field {
        name: "transcript",
        aliases: &[
            "text",
            "transcription",
            "TranscriptionText",
            "SpeechResult",
            "DisplayText",
            "utterance",
            "content",
            "delta",
        ],
        fits: is_text,
    },
    Field {
        name: "final",
        aliases: &["is_final", "isFinal", "Final", "end_of_turn"],
        fits: reads_as_boolean,
    },
    Field { name: "confidence", aliases: &["Confidence"], fits: reads_as_number },
    Field { name: "segments", aliases: &["utterances", "words", "chunks", "phrases"], fits: is_array },
    Field { name: "call_status", aliases: &["CallStatus", "callStatus", "call_state"], fits: is_text },
];

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    if members(raw.get()).is_some_and(|members| is_regular(&pick(members, &FIELDS))) {
        return raw.clone();
    }
    let held = embedded(raw.get());
    let text = held.as_deref().unwrap_or(raw.get());
    let object = members(text);
    let is_list = is_array(text) && segments::are_segments(text);
    let is_data = object.is_none() && !is_text(text) && !is_list;
    let said = object.is_none() && is_text(text);
    let object = object.unwrap_or_default();
    let finality = Finality::of(&object);
    let picked = pick(object, &FIELDS);
    let [transcript, ends, confidence, list, call] = picked.values;
    let heard = providers::heard(&picked.rest);
    let in_ms = segments::in_milliseconds(&picked.rest);
    let list = list.or(heard.segments).or(is_list.then_some(text));
    let segments = list.map_or_else(Segments::default, |list| Segments::read(list, in_ms));
    let transcript = transcript.or(said.then_some(text)).map(str::to_owned);
    let transcript = transcript.or_else(|| heard.transcript.as_deref().map(quoted));
    let is_silent = transcript.is_none() && list.is_none();
    let ends = ends.and_then(boolean).or(finality.known).or(heard.is_final);
    let call = call.or_else(|| call_status(&picked.rest));
    let ends = ends.unwrap_or(!(is_silent && finality.has_kind && call.is_none()));
    let confidence = confidence.or(heard.confidence).and_then(numeric);

    let mut object = ObjectText::new(text.len() + 128);
    object.member("transcript", &transcript.unwrap_or_else(|| quoted(&segments.words())));
    object.member("final", if ends { "true" } else { "false" });
    if let Some(confidence) = confidence {
        object.member("confidence", &confidence);
    }
    object.member("segments", &segments.written(list));
    if let Some(call) = call {
        object.member("call_status", call);
    }
    object.members(&picked.rest);
    if is_data {
        object.member("data", text);
    }
    object.unread(&picked.unread, &picked.rest);
    finished(object.finish(), raw)
}

fn is_regular(picked: &Picked<'_, 5>) -> bool {
    let [transcript, ends, confidence, segments, _] = picked.values;
    picked.as_named
        && transcript.is_some()
        && ends.is_some_and(is_boolean)
        && confidence.is_none_or(is_number)
        && segments.is_some_and(segments::are_regular)
}

/// A status that only a call has; with a call's id beside it, any that calls have (Twilio's).
fn call_status<'a>(rest: &[Member<'a>]) -> Option<&'a str> {
    const OF_CALLS: [&str; 5] = ["ringing", "busy", "no_answer", "answered", "in_call"];
    let status = find(rest, "status").filter(|value| is_text(value))?;
    let has_call =
        ["CallSid", "call_sid", "callSid", "call_id"].iter().any(|name| find(rest, name).is_some());
    (has_call || OF_CALLS.contains(&word(status)?.as_str())).then_some(status)
}

/// Whether a message of a speech service tells of nothing that was heard: it is there to say that the service is.
pub(super) fn is_sign_of_life(raw: &RawJson) -> bool {
    let Some(members) = members(raw.get()) else { return false };
    let finality = Finality::of(&members);
    if !finality.has_kind || finality.known.is_some() {
        return false;
    }
    let regular = normalise(raw);
    let is_silent = !super::values::find(&self::members(regular.get()).unwrap_or_default(), "transcript")
        .is_some_and(super::values::says_something);
    is_silent && voice_is_final(&regular) == Some(false)
}

/// Whether a payload that this adapter made is a final transcript; `None` for a payload of another one. What isn't
/// final is a part: the next revision replaces it.
pub fn voice_is_final(normalised: &RawJson) -> Option<bool> {
    let members = members(normalised.get())?;
    find(&members, "transcript").filter(|value| is_text(value))?;
    find(&members, "final").filter(|value| is_boolean(value)).and_then(boolean)
}
