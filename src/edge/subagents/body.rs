//! The body of an answer, bounded in bytes, in silence and in time.

use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use super::failure;
use super::scrubber::Scrubber;
use crate::engine::ports::subagent::CallError;

/// A body that is being read. Dropping it closes the connection, unless the body had come to its end.
pub(super) struct Reading {
    pub answer: Response,
    /// When the call is over.
    pub deadline: Instant,
    /// How long nothing may come.
    pub idle_timeout: Duration,
    /// How many bytes may come in all.
    pub bytes_max: usize,
    /// How many have come.
    pub bytes: usize,
    /// Takes what the call was signed with out of what is repeated of it.
    pub scrubber: Scrubber,
}

impl Reading {
    /// The chunks as they come; after an error none.
    pub fn into_stream(self) -> BoxStream<'static, Result<Bytes, CallError>> {
        let read = async |mut reading: Self| {
            let chunk = reading.next().await?;
            Ok(chunk.map(|chunk| (chunk, reading)))
        };
        stream::try_unfold(self, read).boxed()
    }

    async fn next(&mut self) -> Result<Option<Bytes>, CallError> {
        let now = Instant::now();
        if now >= self.deadline {
            return Err(CallError::TimedOut);
        }
        let until = self.deadline.min(now + self.idle_timeout);
        let chunk = timeout_at(until, self.answer.chunk()).await.map_err(|_| CallError::TimedOut)?;
        let Some(chunk) = chunk.map_err(|error| failure::broken(&error))? else {
            let held = self.scrubber.finish();
            return Ok((!held.is_empty()).then_some(held));
        };
        self.bytes = self.bytes.saturating_add(chunk.len());
        if self.bytes > self.bytes_max {
            return Err(CallError::TooLarge { limit: self.bytes_max });
        }
        Ok(Some(self.scrubber.feed(chunk)))
    }
}
