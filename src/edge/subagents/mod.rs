//! Calls of subagents and webhooks over HTTP/1.1: [`Subagents`] on `reqwest`.
//!
//! One client serves all calls, without proxies, cookies, decompression or redirects of its own: what may be called is
//! decided here for the URL and for each redirect, and by the resolver for each address.

use std::fmt;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use reqwest::{Client, Response};
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use self::body::Reading;
use self::redirect::REDIRECTS_MAX;
use self::resolver::{GuardedResolver, Lookup};
use self::secrets::ResolvedHeaders;
pub use self::secrets::Secrets;
pub use self::setup::{CallOptions, CallSetupError};
use crate::domain::allowed_host;
use crate::domain::private_address::is_private;
use crate::engine::ports::subagent::{Answer, CallError, OutboundCall, Subagents};

mod body;
mod failure;
mod redirect;
mod resolver;
mod scrubber;
mod secrets;
mod setup;
#[cfg(test)]
mod tests;

/// The longest wait that a clock is asked to add.
const PATIENCE_MAX: Duration = Duration::from_secs(366 * 86_400);
/// Bytes of a coding's name that are told.
const CODING_BYTES_MAX: usize = 64;
/// Longer than any sensible `content-type`.
const CONTENT_TYPE_BYTES_MAX: usize = 256;
/// What a call may not set: what frames the message or belongs to the connection (RFC 9110, section 7.6.1), what names
/// another host than the one that was checked, what asks for a coding that nobody undoes, and what the port sets itself.
const WITHHELD: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Calls subagents. See the [port](crate::engine::ports::subagent) for the contract.
pub struct HttpSubagents {
    client: Client,
    options: CallOptions,
}

impl fmt::Debug for HttpSubagents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSubagents")
            .field("allowed_hosts", &self.options.allowed_hosts)
            .finish_non_exhaustive()
    }
}

impl HttpSubagents {
    /// A client with these options and the system's resolver.
    ///
    /// # Errors
    ///
    /// Where `ca_certificates` holds none, or the system has no root certificates though a host may be called.
    pub fn new(options: CallOptions) -> Result<Self, CallSetupError> {
        Self::with_lookup(options, resolver::system_lookup())
    }

    fn with_lookup(options: CallOptions, lookup: Lookup) -> Result<Self, CallSetupError> {
        let client = setup::client(&options, GuardedResolver::new(lookup, options.allow_private))?;
        Ok(Self { client, options })
    }

    async fn call_by(&self, call: OutboundCall, deadline: Instant) -> Result<Answer, CallError> {
        self.check(&call.url)?;
        let sent = self.options.secrets.resolve(call.headers)?;
        let mut request = Request { url: call.url, headers: sent, accept: call.accept, body: call.body };
        let answer = self.send_along(&mut request, deadline).await?;
        let reading = Reading {
            deadline,
            idle_timeout: self.options.idle_timeout.min(PATIENCE_MAX),
            bytes_max: self.options.answer_bytes_max,
            bytes: 0,
            scrubber: request.headers.scrubber(),
            answer,
        };
        reading.into_answer(&request.headers)
    }

    /// Sends a request, and again wherever it is redirected to, until there is a success.
    async fn send_along(&self, request: &mut Request, deadline: Instant) -> Result<Response, CallError> {
        for _ in 0..=REDIRECTS_MAX {
            let answer = self.send(request).await?;
            let status = answer.status();
            if status.is_success() {
                return Ok(answer);
            }
            let is_redirect = status.is_redirection() && status.as_u16() != 304;
            if !is_redirect {
                return Err(failure::refused(answer, &request.headers, deadline).await);
            }
            let hidden =
                |text: String| CallError::Redirected(request.headers.scrub(text.as_bytes(), false, 256));
            let to = redirect::target(&request.url, status, answer.headers(), &self.options.allowed_hosts);
            let to = to.map_err(hidden)?;
            self.check(&to).map_err(|error| hidden(error.to_string()))?;
            if !redirect::is_same_place(&request.url, &to) {
                request.headers.drop_credentials();
            }
            request.url = to;
        }
        Err(CallError::Redirected(format!("more than {REDIRECTS_MAX} times")))
    }

    /// Sends a request, and waits for the head of its answer.
    async fn send(&self, request: &Request) -> Result<Response, CallError> {
        let until = Instant::now() + self.options.idle_timeout.min(PATIENCE_MAX);
        let post = self.client.post(request.url.clone()).headers(request.header_map()?);
        let sending = post.body(request.body.clone()).send();
        let answer = timeout_at(until, sending).await.map_err(|_| CallError::TimedOut)?;
        answer.map_err(|error| failure::no_answer(&error))
    }

    /// Whether a URL may be called. Addresses that stand in it never come by the resolver, so they are checked here.
    fn check(&self, url: &Url) -> Result<(), CallError> {
        if let Some(refusal) = allowed_host::refusal(url, &self.options.allowed_hosts) {
            return Err(CallError::NotAllowed(secrets::printable(refusal.as_bytes(), 256)));
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            Some(Host::Domain(_)) | None => None,
        };
        match address.filter(|address| !self.options.allow_private && is_private(*address)) {
            Some(address) => Err(CallError::NotAllowed(format!("`{address}` is a private address"))),
            None => Ok(()),
        }
    }
}

impl Subagents for HttpSubagents {
    fn call(&self, call: OutboundCall) -> BoxFuture<'_, Result<Answer, CallError>> {
        async move {
            if call.patience.is_zero() {
                return Err(CallError::TimedOut);
            }
            let deadline = Instant::now() + call.patience.min(PATIENCE_MAX);
            let called = timeout_at(deadline, self.call_by(call, deadline)).await;
            called.unwrap_or(Err(CallError::TimedOut))
        }
        .boxed()
    }
}

/// What is sent to each place of a call.
struct Request {
    url: Url,
    headers: ResolvedHeaders,
    accept: &'static str,
    body: bytes::Bytes,
}

impl Request {
    fn header_map(&self) -> Result<HeaderMap, CallError> {
        let mut map = HeaderMap::new();
        let accept = HeaderValue::from_str(self.accept);
        map.insert(header::ACCEPT, accept.unwrap_or(const { HeaderValue::from_static("*/*") }));
        for (name, value) in &self.headers.headers {
            if !WITHHELD.contains(&name.as_str()) {
                map.try_append(name, value.clone())
                    .map_err(|_| CallError::NotAllowed("it has too many headers".into()))?;
            }
        }
        Ok(map)
    }
}

impl Reading {
    /// The answer to what was `sent`, unless its head already tells that its body can't be used.
    fn into_answer(self, sent: &ResolvedHeaders) -> Result<Answer, CallError> {
        let limit = self.bytes_max;
        if self.answer.content_length().is_some_and(|length| length > limit as u64) {
            return Err(CallError::TooLarge { limit });
        }
        let text = |name: HeaderName| self.answer.headers().get(name).and_then(|value| value.to_str().ok());
        let coding = text(header::CONTENT_ENCODING).filter(|coding| !coding.eq_ignore_ascii_case("identity"));
        if let Some(coding) = coding {
            return Err(CallError::Compressed(sent.scrub(coding.as_bytes(), false, CODING_BYTES_MAX)));
        }
        let content_type = text(header::CONTENT_TYPE);
        let content_type =
            content_type.filter(|text| text.len() <= CONTENT_TYPE_BYTES_MAX).map(str::to_owned);
        let (status, hidden) = (self.answer.status().as_u16(), sent.hidden_in_answers());
        Ok(Answer { status, content_type, hidden, body: self.into_stream() })
    }
}
