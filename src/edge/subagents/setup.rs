//! The options of calls, and the client that they make.

use std::error::Error;
use std::time::Duration;

use reqwest::{Certificate, Client};

use super::resolver::GuardedResolver;
use super::secrets::Secrets;
use crate::domain::allowed_host::AllowedHost;

/// How long a connection waits for the next call. Node's and uvicorn's servers close theirs after 5 s; a call sent into that fails.
const IDLE_CONNECTION_TIMEOUT: Duration = Duration::from_secs(4);

/// What calls may do.
#[derive(Debug, Clone)]
pub struct CallOptions {
    /// The hosts that may be called. Empty: none.
    pub allowed_hosts: Vec<AllowedHost>,
    /// Whether an allowed host may be at a private address.
    pub allow_private: bool,
    /// What `secret:<name>` in a header stands for.
    pub secrets: Secrets,
    /// Root certificates (PEM) to trust besides the system's.
    pub ca_certificates: Option<Vec<u8>>,
    /// Calls that its callers make at once: so many connections are kept for the next ones.
    pub calls_max: usize,
    /// How long a connection may take, TLS and all.
    pub connect_timeout: Duration,
    /// How long an agent may say nothing, in an answer or before it.
    pub idle_timeout: Duration,
    /// The longest body of an answer.
    pub answer_bytes_max: usize,
}

/// The client can't be made; the text is for whoever configured it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("calls can't be made: {0}")]
pub struct CallSetupError(String);

/// The client of all calls. It adds nothing of its own: no proxy, no redirect, no retry, no decompression.
pub(super) fn client(options: &CallOptions, resolver: GuardedResolver) -> Result<Client, CallSetupError> {
    let mut builder = Client::builder()
        .user_agent(concat!("tributary/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .referer(false)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(options.connect_timeout)
        // All that were in use: after a burst of calls, closing most of them would delay the last answers, and the next
        // burst would begin with as many handshakes.
        .pool_max_idle_per_host(options.calls_max)
        .pool_idle_timeout(IDLE_CONNECTION_TIMEOUT)
        .dns_resolver(resolver);
    if let Some(pem) = &options.ca_certificates {
        let certificates = Certificate::from_pem_bundle(pem).map_err(|error| setup_error(&error))?;
        if certificates.is_empty() {
            return Err(CallSetupError("the file of root certificates holds none".into()));
        }
        builder = builder.tls_certs_merge(certificates);
    } else if options.allowed_hosts.is_empty() {
        // Nobody is called: a machine without root certificates is no reason not to start.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| setup_error(&error))
}

fn setup_error(error: &reqwest::Error) -> CallSetupError {
    let innermost = std::iter::successors(error.source(), |&cause| cause.source()).take(16).last();
    CallSetupError(innermost.map_or_else(|| error.to_string(), ToString::to_string))
}
