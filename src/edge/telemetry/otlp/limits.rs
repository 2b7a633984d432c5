//! How much of a span is sent: the limits of the specification
//! (<https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#attribute-limits>).
//!
//! The SDK applies its own where it makes spans; ours are values that it never made. What is beyond a limit is left out
//! and counted in the span, a text is cut. Our spans have no events, and our links no attributes: the limits of those
//! (`OTEL_SPAN_EVENT_COUNT_LIMIT`, `OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT`, `OTEL_LINK_ATTRIBUTE_COUNT_LIMIT`) are checked, and
//! there is nothing that they cut.

use opentelemetry::Value;
use opentelemetry_sdk::trace::SpanData;

use super::error::TelemetryError;
use super::variables::Variables;

const COUNT: u64 = 128;
/// The variables speak of integers without saying how long they are.
const MOST: u64 = i32::MAX as u64;

/// The limits of spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SpanLimits {
    /// `OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT`, else `OTEL_ATTRIBUTE_COUNT_LIMIT`.
    pub attributes: usize,
    /// `OTEL_SPAN_LINK_COUNT_LIMIT`.
    pub links: usize,
    /// `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`, else `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT`, in characters; none where
    /// texts are as long as they are.
    pub value_chars: Option<usize>,
}

impl SpanLimits {
    pub fn read(variables: &Variables<'_>) -> Result<Self, TelemetryError> {
        let count = |name: &str, default| variables.number(name, 0..=MOST, default);
        for without_meaning in ["SPAN_EVENT_COUNT", "EVENT_ATTRIBUTE_COUNT", "LINK_ATTRIBUTE_COUNT"]
            .map(|it| format!("OTEL_{it}_LIMIT"))
        {
            count(&without_meaning, COUNT)?;
        }
        let attributes = count("OTEL_ATTRIBUTE_COUNT_LIMIT", COUNT)?;
        let value = ["OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"];
        let value = value.into_iter().find_map(|name| variables.get(name));
        Ok(Self {
            attributes: count("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", attributes)? as usize,
            links: count("OTEL_SPAN_LINK_COUNT_LIMIT", COUNT)? as usize,
            value_chars: value.map(|given| given.number(0..=MOST)).transpose()?.map(|chars| chars as usize),
        })
    }

    /// Leaves out of `span` what is beyond them: the last attributes and links.
    pub fn apply(&self, span: &mut SpanData) {
        let beyond = |has: usize, most: usize| u32::try_from(has.saturating_sub(most)).unwrap_or(u32::MAX);
        span.dropped_attributes_count += beyond(span.attributes.len(), self.attributes);
        span.attributes.truncate(self.attributes);
        span.links.dropped_count += beyond(span.links.links.len(), self.links);
        span.links.links.truncate(self.links);
        let Some(most) = self.value_chars else { return };
        for pair in &mut span.attributes {
            if let Value::String(text) = &pair.value
                && let Some((end, _)) = text.as_str().char_indices().nth(most)
            {
                pair.value = text.as_str()[..end].to_owned().into();
            }
        }
    }
}
