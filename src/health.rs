//! Asks the service that runs beside it whether it lives: `tributary health`, for a container's health check, whose image
//! has no other program to ask with.
//!
//! One question, without a token, answered or given up within [`PATIENCE`].

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::Client;
use url::Url;

use crate::config::{Config, Server};

/// Below the 3 s that the image's health check grants.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks `url`, or where there is none the address that is configured; at `/healthz` where it has no path. Says what was
/// asked and answered.
///
/// # Errors
/// Where the answer isn't 200, or doesn't come in time; the text says why.
pub async fn ask(config: &Config, url: Option<&str>) -> anyhow::Result<String> {
    let (url, is_own) = match url {
        Some(url) => (asked_at(url.parse().with_context(|| format!("--url: `{url}` is no address"))?), false),
        None => (own_url(&config.server)?, true),
    };
    let answer = client(&url, is_own)?.get(url.clone()).send().await;
    let answer = answer.map_err(|error| anyhow::anyhow!("{url} doesn't answer: {}", innermost(&error)))?;
    let status = answer.status();
    ensure!(status == 200, "{url} answers {status}");
    Ok(format!("{url} answers {status}"))
}

/// Nothing answers at the root.
fn asked_at(mut url: Url) -> Url {
    if url.path() == "/" {
        url.set_path("/healthz");
    }
    url
}

/// Whoever listens on every address listens on loopback.
fn own_url(server: &Server) -> anyhow::Result<Url> {
    let loopback = match server.listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    let port = server.listen.port();
    ensure!(port != 0, "server.listen has port 0, which is another at each start: say which with --url");
    let scheme = if server.tls_certificate_file.is_empty() { "http" } else { "https" };
    let url = format!("{scheme}://{}/healthz", SocketAddr::new(loopback, port));
    url.parse().with_context(|| format!("server.listen makes the address `{url}`"))
}

/// A certificate names the host that callers use, never this machine's loopback, so our own isn't held against it: nothing
/// secret is sent, and of the answer only the status is believed.
fn client(url: &Url, is_own: bool) -> anyhow::Result<Client> {
    let mut builder = Client::builder()
        .user_agent(concat!("tributary-health/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .timeout(PATIENCE);
    if url.scheme() == "http" {
        // An image without root certificates is no reason not to ask.
        builder = builder.tls_certs_only([]);
    } else if is_own {
        builder = builder.tls_danger_accept_invalid_certs(true);
    }
    builder.build().context("can't ask")
}

fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("not within {PATIENCE:?}");
    }
    let innermost = std::iter::successors(error.source(), |&cause| cause.source()).take(16).last();
    innermost.map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::config::ConfigArgs;

    fn own(listen: &str, certificate: &str) -> Result<String, String> {
        let variables = [
            ("TRIBUTARY_AUTH__MODE", "required"),
            ("TRIBUTARY_AUTH__JWT_SECRET", "0123456789abcdef0123456789abcdef"),
            ("TRIBUTARY_SERVER__TLS_CERTIFICATE_FILE", certificate),
            ("TRIBUTARY_SERVER__TLS_KEY_FILE", certificate),
        ];
        let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let args = ConfigArgs { file: None, listen: Some(listen.to_owned()) };
        let config = Config::load_with(&args, variables).unwrap();
        own_url(&config.server).map(String::from).map_err(|error| error.to_string())
    }

    #[test]
    fn the_address_is_the_one_that_is_configured() {
        for (listen, certificate, url) in [
            ("127.0.0.1:8080", "", "http://127.0.0.1:8080/healthz"),
            ("0.0.0.0:8080", "", "http://127.0.0.1:8080/healthz"),
            ("[::]:81", "a.pem", "https://[::1]:81/healthz"),
            ("10.1.2.3:443", "a.pem", "https://10.1.2.3/healthz"),
        ] {
            assert_eq!(own(listen, certificate), Ok(url.to_owned()));
        }
        assert!(own("127.0.0.1:0", "").unwrap_err().contains("--url"));
    }
}
