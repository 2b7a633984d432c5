//! What a whole answer is worth: an output, or a failure that came as one.

use crate::domain::adapters::Adapter;
use crate::domain::event::RawJson;
use crate::domain::protocols::{Failure, failed_answer};

/// The output, where its adapter reads something in it and it doesn't say that it failed.
pub(super) fn checked(adapter: Adapter, raw: RawJson) -> Result<RawJson, Failure> {
    if adapter.misses(&raw) {
        // A model may well write it on the next attempt.
        let text = "the model's text holds nothing that its adapter reads";
        return Err(Failure::malformed(format!("{text}: `{}` asks for JSON", adapter.name())));
    }
    failed_answer(adapter, &raw).map_or(Ok(raw), Err)
}
