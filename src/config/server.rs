//! `[server]`: the address and the bounds of connections.

use std::net::SocketAddr;

use serde::{Deserialize, Deserializer};

use super::check::Checks;

/// Where and how connections are taken; each key is documented in `config/default.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Server {
    #[serde(deserialize_with = "address")]
    pub listen: SocketAddr,
    pub header_read_timeout_ms: u64,
    pub connections_max: usize,
    pub send_buffer_bytes: usize,
    pub tcp_user_timeout_ms: u64,
    pub read_buffer_bytes: usize,
    pub http2_streams_max: u32,
    pub tls_certificate_file: String,
    pub tls_key_file: String,
    pub drain_window_ms: u64,
    pub worker_threads: usize,
}

impl Server {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.range("server.header_read_timeout_ms", self.header_read_timeout_ms, 100..=600_000);
        checks.range("server.connections_max", self.connections_max as u64, 1..=1_000_000);
        checks.zero_or_range("server.send_buffer_bytes", self.send_buffer_bytes as u64, 4_096..=16_777_216);
        checks.zero_or_range("server.tcp_user_timeout_ms", self.tcp_user_timeout_ms, 1_000..=600_000);
        checks.range("server.read_buffer_bytes", self.read_buffer_bytes as u64, 8_192..=1_048_576);
        checks.range("server.http2_streams_max", self.http2_streams_max.into(), 1..=100_000);
        if self.tls_certificate_file.is_empty() != self.tls_key_file.is_empty() {
            let (set, other) = match self.tls_key_file.is_empty() {
                true => ("tls_certificate_file", "tls_key_file"),
                false => ("tls_key_file", "tls_certificate_file"),
            };
            checks.refuse(&format!("server.{set}"), format!("it needs server.{other} as well"));
        }
        checks.range("server.drain_window_ms", self.drain_window_ms, 0..=600_000);
        checks.range("server.worker_threads", self.worker_threads as u64, 0..=1_024);
    }
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        serde::de::Error::custom(format!("`{text}` is not an address and a port, such as 127.0.0.1:8080"))
    })
}
