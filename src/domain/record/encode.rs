//! Records as bytes: `{"at":…,"unseen"?:true,"record":{…}}`. That of a subagent's event is put together by hand, because it is made for
//! each event and ids need no escaping. The rest goes through serde, which is the oracle of the test and reads all.

use serde::Serialize;

use super::{Output, Record};
use crate::domain::json_text::{json, number, push, text};
use crate::domain::time::Timestamp;

/// A record and when it was decided, as stored.
#[derive(Serialize)]
struct RecordLine<'a> {
    at: Timestamp,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unseen: bool,
    record: &'a Record,
}

/// Adds a record, decided at `at`, to `out`. `unseen`: its event is kept, but no reader sees it.
pub fn encode_record(at: Timestamp, unseen: bool, record: &Record, out: &mut Vec<u8>) {
    if unseen || !subagent(at, record, out) {
        json(out, &RecordLine { at, unseen, record });
    }
}

/// Adds the record of a subagent's event. `false`: it is another one, or time has run backwards to before 1970.
fn subagent(at: Timestamp, record: &Record, out: &mut Vec<u8>) -> bool {
    let (
        Record::Subagent {
            output,
            status,
            revision,
            attempt,
            sender,
            context,
            latency_ms,
            card: None,
            sender_revision: None,
            retry_at: None,
            failed: None,
            original: None,
        },
        Ok(at),
    ) = (record, u64::try_from(at.0))
    else {
        return false;
    };
    let Output { step, stage, result_key } = output;
    number(out, "{\"at\":", at);
    text(out, ",\"record\":{\"subagent\":{\"output\":{\"step\":\"", step.as_str());
    text(out, "\",\"stage\":\"", stage.as_str());
    text(out, "\",\"result_key\":\"", result_key.as_str());
    text(out, "\"},\"status\":\"", status.as_str());
    number(out, "\",\"revision\":", *revision);
    number(out, ",\"attempt\":", u64::from(*attempt));
    if let Some(digest) = sender {
        let [high, low]: [u64; 2] = (*digest).into();
        number(out, ",\"sender\":[", high);
        number(out, ",", low);
        push(out, "]");
    }
    if let Some(context) = context {
        push(out, ",\"context\":");
        json(out, context);
    }
    if let Some(latency_ms) = latency_ms {
        number(out, ",\"latency_ms\":", *latency_ms);
    }
    push(out, "}}}");
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::adapters::{Card, CardState};
    use crate::domain::event::Digest;
    use crate::domain::record::SubagentStatus;
    use crate::domain::telemetry_context::TelemetryContext;

    #[test]
    fn every_record_is_the_bytes_that_serde_would_write() {
        let (step, stage) = ("p.2".parse().unwrap(), "crm".parse().unwrap());
        let output = Output { step, stage, result_key: "crm:x".parse().unwrap() };
        let context = TelemetryContext::of_request(None, None, None, 7, 9);
        let statuses = serde_json::from_str::<Vec<SubagentStatus>>(
            r#"["pending","in_progress","partial","retry","success","error","timeout","degraded","refused","cancelled"]"#,
        );
        for (bits, status) in (0..8_u8).flat_map(|bits| statuses.iter().flatten().map(move |s| (bits, *s))) {
            let on = |bit: u8| bits & (1 << bit) != 0;
            let record = Record::Subagent {
                output: output.clone(),
                status,
                revision: u64::MAX,
                attempt: u32::MAX,
                sender: on(0).then_some(Digest(u128::MAX - 1)),
                context: on(1).then(|| context.clone().into()),
                latency_ms: on(2).then_some(930),
                card: (on(0) && on(1)).then_some(Card {
                    state: CardState::Proposed,
                    requires_confirmation: true,
                    action: None,
                }),
                sender_revision: (on(0) && on(2)).then_some(7),
                retry_at: (on(1) && on(2)).then_some(Timestamp(5)),
                failed: (!on(1) && on(2)).then(std::sync::Arc::default),
                original: (on(0) && !on(1)).then(|| serde_json::from_str("{\"rows\": [1]}").unwrap()),
            };
            for (record, at) in [
                (&record, Timestamp(1_709_518_530_441)),
                (&record, Timestamp(-1)),
                (&Record::SubagentStarted { output: output.clone() }, Timestamp(0)),
            ] {
                for unseen in [false, true] {
                    let mut bytes = Vec::new();
                    encode_record(at, unseen, record, &mut bytes);
                    let serdes = serde_json::to_string(&RecordLine { at, unseen, record }).unwrap();
                    assert_eq!(String::from_utf8(bytes).unwrap(), serdes);
                }
            }
        }
    }
}
