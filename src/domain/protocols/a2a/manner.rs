//! In which manner an Agent2Agent agent is asked: in which version, and whether for a stream.
//!
//! Which an agent knows stands in its card, which isn't read: it says so itself, at the cost of a round trip.
//!
//! | it refuses with | asked next, once each |
//! |---|---|
//! | `VersionNotSupportedError` (-32009) | in the other version |
//! | a method that it doesn't know (-32601) | for a stream in the other version, then without a stream |
//! | `UnsupportedOperationError` (-32004): it doesn't stream (its card has `capabilities.streaming: false`) | without a stream |
//!
//! By such a refusal nothing was done yet. A body that shows its version is asked in that alone, and one that is a whole request
//! of JSON-RPC as it stands.

use super::failure;
use super::request::A2aVersion;
use super::shapes::Envelope;
use crate::domain::protocols::Failure;

/// A way to ask an agent. The first choice is a stream in 1.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct A2aManner {
    /// The version of the request.
    pub version: A2aVersion,
    /// Whether one answer is asked for (`SendMessage`, `message/send`) rather than a stream.
    pub is_whole: bool,
}

/// What of a request the configured body leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum A2aChoice {
    /// Nothing: it is a request.
    Nothing,
    /// Whether it asks for a stream: it shows its version.
    Stream,
    /// The version, too.
    All,
}

/// The manners in which one agent was asked in vain.
#[derive(Debug, Default)]
pub struct A2aTried(Vec<A2aManner>);

impl A2aTried {
    /// How to ask again an agent that was asked in `manner` and refused with `failure`; `None` where another manner wouldn't
    /// help, or all were tried.
    pub fn next(&mut self, manner: A2aManner, choice: A2aChoice, failure: &Failure) -> Option<A2aManner> {
        self.0.push(manner);
        let other = A2aManner { version: manner.version.other(), ..manner };
        let whole = A2aManner { is_whole: true, ..manner };
        let both = A2aManner { is_whole: true, ..other };
        let others: &[A2aManner] = match &*failure.code {
            "version_not_supported" => &[other, both],
            "rpc_method_not_found" => &[other, whole, both],
            "unsupported_operation" => &[whole],
            _ => &[],
        };
        let is_open = |next: &&A2aManner| match choice {
            A2aChoice::Nothing => false,
            A2aChoice::Stream => next.version == manner.version,
            A2aChoice::All => true,
        };
        others.iter().filter(is_open).find(|next| !self.0.contains(next)).copied()
    }
}

/// The refusal in the body of an answer whose status is an error's: some agents send their JSON-RPC errors so.
pub fn read_refusal(body: &str) -> Option<Failure> {
    let envelope: Envelope<'_> = serde_json::from_str(body).ok()?;
    let refusal = failure::of_error(envelope.error.filter(|_| envelope.jsonrpc.is_some())?);
    let is_of_manner =
        ["version_not_supported", "rpc_method_not_found", "unsupported_operation"].contains(&&*refusal.code);
    is_of_manner.then_some(refusal)
}
