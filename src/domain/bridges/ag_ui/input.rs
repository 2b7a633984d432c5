//! What a client of AG-UI asks for.

use serde::Deserialize;

/// Characters of an id at most: they are repeated in every event.
const ID_CHARS_MAX: usize = 256;

/// AG-UI's `RunAgentInput`, as far as it matters for following a step: what the run is called. The rest (messages, tools,
/// context, state) asks an agent to work; here the planner did that.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunInput {
    /// The conversation, by the client's name.
    pub thread_id: String,
    /// The run, by the client's name. Another one for each time.
    pub run_id: String,
}

impl RunInput {
    /// Whether its ids can be repeated in every event.
    ///
    /// # Errors
    /// The field that is wrong and what it must be.
    pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let what = "an id is 1 to 256 characters";
        for (field, id) in [("/threadId", &self.thread_id), ("/runId", &self.run_id)] {
            if id.is_empty() || id.chars().count() > ID_CHARS_MAX {
                return Err((field, what));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_called_what_its_client_calls_it() {
        let text = r#"{"threadId":"t ü","runId":"r","protocolVersion":"1.0","state":{},"messages":[],"tools":[],
            "context":[],"forwardedProps":{}}"#;
        let input: RunInput = serde_json::from_str(text).unwrap();
        assert_eq!(input, RunInput { thread_id: "t ü".to_owned(), run_id: "r".to_owned() });
        assert_eq!(input.check(), Ok(()));
    }

    #[test]
    fn ids_are_bounded() {
        let input = |thread: &str, run: String| RunInput { thread_id: thread.to_owned(), run_id: run };
        assert!(input("", "r".to_owned()).check().is_err());
        assert!(input("t", "r".repeat(257)).check().is_err());
        assert!(input("t", "ü".repeat(256)).check().is_ok());
        assert!(serde_json::from_str::<RunInput>(r#"{"threadId":"t"}"#).is_err());
    }
}
