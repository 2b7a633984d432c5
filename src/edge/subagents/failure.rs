//! What went wrong, in the port's words.

use std::error::Error;
use std::time::Duration;

use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use super::resolver::OnlyPrivate;
use super::secrets::{ResolvedHeaders, printable};
use crate::domain::retry_after::requested_delay_ms;
use crate::engine::clock::wall_clock;
use crate::engine::ports::subagent::CallError;

/// How much of a refusal's body is told.
const DETAIL_BYTES_MAX: usize = 512;
/// How much of it is read, since a secret in it may take room.
const DETAIL_READ_BYTES: usize = 4_096;
/// How long it is waited for.
const DETAIL_PATIENCE: Duration = Duration::from_secs(1);
/// How long the text of a failure may be.
const TEXT_BYTES_MAX: usize = 256;

/// Why no head of an answer came.
pub(super) fn no_answer(error: &reqwest::Error) -> CallError {
    if let Some(private) = causes(error).find_map(|cause| cause.downcast_ref::<OnlyPrivate>()) {
        return CallError::NotAllowed(private.to_string());
    }
    if error.is_builder() {
        return CallError::NotAllowed(text(error));
    }
    if error.is_timeout() {
        return CallError::Unreachable("no connection in time".into());
    }
    let isnt_http = |cause: &hyper::Error| cause.is_parse();
    if causes(error).filter_map(|cause| cause.downcast_ref()).any(isnt_http) {
        return CallError::Broken(text(error));
    }
    match error.is_connect() {
        true => CallError::Unreachable(text(error)),
        // There was a connection, and with it somebody who may have heard all of the call.
        false => CallError::HungUp(text(error)),
    }
}

/// Why an answer's body didn't go on.
pub(super) fn broken(error: &reqwest::Error) -> CallError {
    CallError::Broken(text(error))
}

/// A status that isn't a success, with what the answer says of it, read up to `deadline`.
pub(super) async fn refused(mut answer: Response, sent: &ResolvedHeaders, deadline: Instant) -> CallError {
    let status = answer.status().as_u16();
    let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
    // A date is by the other's clock, which is as right as ours.
    let retry_after_ms = requested_delay_ms(header("retry-after-ms"), header("retry-after"), wall_clock());
    let until = deadline.min(Instant::now() + DETAIL_PATIENCE);
    let mut read = Vec::new();
    let mut is_whole = false;
    while read.len() < DETAIL_READ_BYTES {
        match timeout_at(until, answer.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                read.extend_from_slice(&chunk[..chunk.len().min(DETAIL_READ_BYTES - read.len())])
            }
            Ok(Ok(None)) => {
                is_whole = true;
                break;
            }
            // The status is the failure; that its explanation broke off isn't another one.
            Ok(Err(_)) | Err(_) => break,
        }
    }
    CallError::Status { status, retry_after_ms, detail: sent.scrub(&read, !is_whole, DETAIL_BYTES_MAX) }
}

/// The innermost cause: the outer ones name the URL, and say that something went wrong.
fn text(error: &reqwest::Error) -> String {
    let innermost = causes(error).last().map(ToString::to_string).unwrap_or_default();
    printable(innermost.as_bytes(), TEXT_BYTES_MAX)
}

/// What is under an error, outermost first; at most a few, should one be its own cause.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source()).take(16)
}
