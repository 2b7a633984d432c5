//! What is said of an answer, without the credentials that its agent was called with.

use super::{End, Failure, Said};
use crate::domain::event::{ArcJson, EventError, SenderTelemetry, SubagentEvent};
use crate::domain::hidden_words::{Extent, HiddenWords};

impl Said {
    /// The same without these.
    pub(super) fn without(self, hidden: &HiddenWords) -> Self {
        match self {
            Self::Output(raw) => Self::Output(hidden.taken_from_json(&raw, Extent::Whole)),
            Self::Event(event) => Self::Event(SubagentEvent {
                payload: event.payload.map(|raw| hidden.taken_from_json(&raw, Extent::Whole)),
                error: event.error.map(|error| error_without(error, hidden)),
                telemetry: event.telemetry.map(|own| Box::new(telemetry_without(*own, hidden))),
                ..event
            }),
        }
    }
}

impl End {
    /// The same without these.
    pub(super) fn without(self, hidden: &HiddenWords) -> Self {
        match self {
            Self::Success(raw) => Self::Success(raw.map(|raw| hidden.taken_from_json(&raw, Extent::Whole))),
            Self::LeftOpen => Self::LeftOpen,
            Self::Failed(failure) => Self::Failed(failure.without(hidden)),
        }
    }
}

impl Failure {
    /// The same without these. It may be cut already, so its texts may end in the beginning of one.
    pub(super) fn without(self, hidden: &HiddenWords) -> Self {
        let is_cut = self.message.chars().count() >= super::MESSAGE_CHARS_MAX;
        let extent = if is_cut { Extent::Beginning } else { Extent::Whole };
        let message = hidden.taken_from(&self.message, extent).into_owned();
        let code = hidden.taken_from(&self.code, Extent::Whole).into_owned().into();
        Self { code, message, ..self }
    }
}

fn error_without(error: EventError, hidden: &HiddenWords) -> EventError {
    let shown = |text: String| hidden.taken_from(&text, Extent::Whole).into_owned();
    EventError { code: error.code.map(shown), message: error.message.map(shown), ..error }
}

fn telemetry_without(own: SenderTelemetry, hidden: &HiddenWords) -> SenderTelemetry {
    let shown = |text: std::sync::Arc<str>| hidden.taken_from(&text, Extent::Whole).into();
    SenderTelemetry {
        tracestate: own.tracestate.map(shown),
        correlation_id: own.correlation_id.map(shown),
        metrics: own.metrics.map(|ArcJson(raw)| ArcJson(hidden.taken_from_json(&raw, Extent::Whole))),
        ..own
    }
}
