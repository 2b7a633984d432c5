//! A transcript's segments.

use super::super::shape::{
    Field, Member, ObjectText, is_array, is_number, is_object, is_text, members, pick,
};
use super::super::values::{find, items, number, plain};

const FIELDS: [Field; 3] = [
    Field {
        name: "start_ms",
        aliases: &["startMs", "start_time_ms", "audio_start", "begin_ms"],
        fits: is_number,
    },
    Field { name: "end_ms", aliases: &["endMs", "end_time_ms", "audio_end"], fits: is_number },
    Field {
        name: "text",
        aliases: &["transcript", "punctuated_word", "word", "content", "display"],
        fits: is_text,
    },
];

/// Names of a start and an end in seconds (or, in some documents, in milliseconds).
const STARTS: [&str; 6] = ["start", "start_time", "startTime", "StartTime", "begin", "startOffset"];
const ENDS: [&str; 5] = ["end", "end_time", "endTime", "EndTime", "endOffset"];

/// Latest time that is one, in milliseconds: integers of a double are exact below.
const MS_MAX: f64 = 9_007_199_254_740_992.0;

/// Whether a document counts `start` and `end` in milliseconds: AssemblyAI's do.
pub(super) fn in_milliseconds(document: &[Member<'_>]) -> bool {
    let names =
        ["audio_duration", "speech_model", "speech_models", "acoustic_model", "language_model", "turn_order"];
    document.iter().any(|member| names.contains(&member.key.0.as_ref()))
}

/// Whether an array can be read as segments: it has some, and each is an object with a text.
pub(super) fn are_segments(array: &str) -> bool {
    let has_text =
        |item: &&str| members(item).is_some_and(|members| pick(members, &FIELDS).values[2].is_some());
    items(array).is_some_and(|items| !items.is_empty() && items.iter().all(has_text))
}

/// Whether the segments can go on as they were sent.
pub(super) fn are_regular(array: &str) -> bool {
    let is_regular = |item: &str| {
        members(item).is_some_and(|members| {
            let picked = pick(members, &FIELDS);
            picked.as_named && picked.values.iter().all(Option::is_some)
        })
    };
    items(array).is_some_and(|items| items.into_iter().all(is_regular))
}

/// Segments that have been read.
#[derive(Default)]
pub(super) struct Segments {
    list: Vec<String>,
    texts: Vec<String>,
    is_regular: bool,
}

impl Segments {
    /// Reads the segments in `array`; `in_ms`: whether times without a unit are milliseconds.
    pub(super) fn read(array: &str, in_ms: bool) -> Self {
        let (mut segments, mut last) = (Self { is_regular: are_regular(array), ..Self::default() }, 0.0);
        for item in items(array).unwrap_or_default() {
            segments.push(item, in_ms, &mut last);
        }
        segments
    }

    /// All texts, with spaces between.
    pub(super) fn words(&self) -> String {
        let texts = self.texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(" ")
    }

    /// The array, which was sent as `sent`.
    pub(super) fn written(&self, sent: Option<&str>) -> String {
        match sent {
            Some(sent) if self.is_regular => sent.to_owned(),
            Some(_) | None => format!("[{}]", self.list.join(",")),
        }
    }

    fn push(&mut self, item: &str, in_ms: bool, last: &mut f64) {
        let members = members(item);
        let is_data = members.is_none() && !is_text(item);
        let mut picked = pick(members.unwrap_or_default(), &FIELDS);
        let [start, end, text] = picked.values;
        let (start_read, end_read) = seconds(&mut picked.rest, start, end, in_ms);
        let from = start.map_or_else(|| whole(start_read.unwrap_or(*last)), str::to_owned);
        let begin = number(&from).unwrap_or(*last);
        let to = end.map_or_else(|| whole(end_read.unwrap_or(begin)), str::to_owned);
        *last = number(&to).unwrap_or(begin);
        let text = text.or(is_text(item).then_some(item)).unwrap_or("\"\"");
        self.texts.push(plain(text).into_owned());

        let mut object = ObjectText::new(item.len() + 48);
        object.member("start_ms", &from);
        object.member("end_ms", &to);
        object.member("text", text);
        object.members(&picked.rest);
        if is_data {
            object.member("data", item);
        }
        object.unread(&picked.unread, &picked.rest);
        self.list.push(object.finish());
    }
}

fn whole(ms: f64) -> String {
    format!("{:.0}", if ms.abs() < 0.5 { 0.0 } else { ms })
}

/// Takes the times that aren't in milliseconds yet out of `rest`; in milliseconds.
fn seconds(
    rest: &mut Vec<Member<'_>>,
    start: Option<&str>,
    end: Option<&str>,
    in_ms: bool,
) -> (Option<f64>, Option<f64>) {
    let unit = if in_ms { 1.0 } else { 1_000.0 };
    let stamp = rest.iter().position(|member| member.key.0 == "timestamp" && is_array(member.value));
    if let (Some(place), None, None) = (stamp, start, end) {
        let times = items(rest[place].value).unwrap_or_default();
        if let [from, to] = times.as_slice()
            && let Some(from) = time(from, unit)
        {
            let to = time(to, unit);
            rest.remove(place);
            return (Some(from), to);
        }
    }
    let mut take = |names: &[&str], known: Option<&str>| {
        let is_time = |member: &Member<'_>| {
            names.contains(&member.key.0.as_ref()) && time(member.value, unit).is_some()
        };
        let place = rest.iter().position(|member| known.is_none() && is_time(member))?;
        time(rest.remove(place).value, unit)
    };
    (take(&STARTS, start), take(&ENDS, end))
}

/// A number, `"1.3s"`, or `{seconds, nanos}`, times `unit`.
fn time(value: &str, unit: f64) -> Option<f64> {
    let ms = if is_object(value) {
        let members = members(value)?;
        let part = |name: &str| find(&members, name).and_then(number);
        let (seconds, nanos) = (part("seconds"), part("nanos"));
        seconds.or(nanos)?;
        seconds.unwrap_or(0.0) * 1e3 + nanos.unwrap_or(0.0) / 1e6
    } else if let Some(seconds) =
        is_text(value).then(|| plain(value)).as_deref().and_then(|text| text.strip_suffix('s'))
    {
        number(seconds)? * 1e3
    } else {
        number(value)? * unit
    };
    (ms.abs() < MS_MAX).then_some(ms)
}
