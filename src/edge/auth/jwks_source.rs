//! Where a key set comes from: a file, or an address.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, SystemTime};

use reqwest::{Client, StatusCode};
use url::Url;

use super::settings::{AuthSettingsError, JwksSettings, JwksSource};

/// The longest set, in bytes.
const SET_BYTES_MAX: usize = 256 * 1024;

/// What tells one state of a file from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileState {
    modified: Option<SystemTime>,
    bytes: u64,
}

/// What a look at the source brought.
pub(super) enum Looked {
    /// The set as it is now, and of a file its state.
    Read(Vec<u8>, Option<FileState>),
    /// The file is as it was.
    Unchanged,
}

/// The source, ready to be looked at.
pub(super) enum Source {
    File(Box<Path>),
    Url { url: Url, client: Client, timeout: Duration },
}

impl Source {
    pub(super) fn new(settings: &JwksSettings) -> Result<Self, AuthSettingsError> {
        let url = match &settings.source {
            JwksSource::File(path) => return Ok(Self::File(path.as_path().into())),
            JwksSource::Url(url) => url.clone(),
        };
        let mut builder = Client::builder()
            .user_agent(concat!("tributary/", env!("CARGO_PKG_VERSION")))
            .no_proxy()
            .referer(false)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .http1_only()
            // A look every few minutes: a connection that waits that long is only a broken one.
            .pool_max_idle_per_host(0)
            .connect_timeout(settings.timeout);
        if url.scheme() == "http" {
            // On this machine: root certificates that can't be found are no reason not to start.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| AuthSettingsError::Client(innermost(&error)))?;
        Ok(Self::Url { url, client, timeout: settings.timeout })
    }

    /// The time after which a look that still isn't done is one that nobody waited for; `None`: as long as the disk takes.
    pub(super) fn overdue_after(&self) -> Option<Duration> {
        match self {
            Self::File(_) => None,
            Self::Url { timeout, .. } => Some(*timeout),
        }
    }

    /// Looks, within the time; the error is for the log.
    pub(super) async fn look(&self, known: Option<FileState>) -> Result<Looked, String> {
        match self {
            Self::File(path) => {
                let path = path.clone();
                let read = tokio::task::spawn_blocking(move || read_file(&path, known.as_ref()));
                read.await.unwrap_or_else(|error| Err(error.to_string()))
            }
            Self::Url { url, client, timeout } => {
                let fetched = tokio::time::timeout(*timeout, fetch(client, url)).await;
                let fetched = fetched.unwrap_or_else(|_| Err("it didn't answer in time".into()));
                fetched.map(|bytes| Looked::Read(bytes, None))
            }
        }
    }
}

fn read_file(path: &Path, known: Option<&FileState>) -> Result<Looked, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    let state = FileState { modified: metadata.modified().ok(), bytes: metadata.len() };
    if known == Some(&state) {
        return Ok(Looked::Unchanged);
    }
    if !metadata.is_file() || state.bytes > SET_BYTES_MAX as u64 {
        return Err("it is not a file of at most 256 KiB".into());
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(Looked::Read(bytes, Some(state)))
}

async fn fetch(client: &Client, url: &Url) -> Result<Vec<u8>, String> {
    let answer = client.get(url.clone()).header("accept", "application/json").send().await;
    let mut answer = answer.map_err(|error| innermost(&error))?;
    if answer.status() != StatusCode::OK {
        return Err(format!("it answered {}", answer.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| innermost(&error))? {
        if bytes.len() + chunk.len() > SET_BYTES_MAX {
            return Err("it is longer than 256 KiB".into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The innermost cause: the outer ones name the address, which may have a password in it.
fn innermost(error: &reqwest::Error) -> String {
    let cause = std::iter::successors(error.source(), |&cause| cause.source()).take(16).last();
    cause.map_or_else(|| "it can't be fetched".to_owned(), ToString::to_string)
}
