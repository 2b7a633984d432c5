//! The configuration, cut into the settings of parts.

use std::time::Duration;

use crate::config::{self, Config};
use crate::domain::directive::DirectiveRules;
use crate::edge::http::app::{BodyBounds, HttpSettings};
use crate::edge::http::bridges::durable_streams::StreamSettings;
use crate::edge::http::problem::Problem;
use crate::edge::http::serve::{ServeSettings, Tls};
use crate::engine::coordinator::CoordinatorSettings;
use crate::engine::mux::MuxSettings;
use crate::engine::synthesis::Synthesiser;

/// `connections_max` is what the system has room for.
pub(super) fn serve_settings(config: &Config, connections_max: usize, tls: Option<Tls>) -> ServeSettings {
    let config::Server {
        listen: _,
        header_read_timeout_ms,
        connections_max: _,
        send_buffer_bytes,
        tcp_user_timeout_ms,
        read_buffer_bytes,
        http2_streams_max,
        drain_window_ms: _,
        worker_threads: _,
        tls_certificate_file: _,
        tls_key_file: _,
    } = config.server.clone();
    ServeSettings {
        header_read_timeout: Duration::from_millis(header_read_timeout_ms),
        connections_max,
        send_buffer_bytes,
        tcp_user_timeout: Duration::from_millis(tcp_user_timeout_ms),
        read_buffer_bytes,
        retry: Duration::from_millis(config.streaming.retry_ms),
        http2_streams_max,
        http2_ping: Duration::from_millis(config.streaming.heartbeat_ms),
        tls,
    }
}

pub(super) fn coordinator_settings(config: &Config) -> CoordinatorSettings {
    let config::Coordinator { inbox, batch_entries, batch_bytes, idle_ms } = config.coordinator;
    CoordinatorSettings {
        limits: config.session_limits(),
        inbox,
        batch_entries,
        batch_bytes,
        idle: Duration::from_millis(idle_ms),
        fresh: Duration::from_secs(config.cache.ttl_seconds) / 2,
        kept: Duration::from_secs(config.cache.ttl_seconds),
        append_timeout: Duration::from_millis(config.cache.append_timeout_ms),
    }
}

pub(super) fn mux_settings(config: &Config) -> MuxSettings {
    let streaming = &config.streaming;
    MuxSettings {
        batch_events: streaming.batch_events,
        heartbeat_ms: streaming.heartbeat_ms,
        connection_age_ms: streaming.connection_age_ms,
        retry_ms: streaming.retry_ms,
        unknown_patience_ms: streaming.unknown_patience_ms,
        coalesce_backlog: streaming.coalesce_backlog as u64,
        chunk_bytes: streaming.chunk_bytes,
        readers_per_session: config.limits.readers_per_session,
        readers: config.limits.readers,
        // Calls may have taken half of the window; the last reader is gone before its end.
        drain_spread_ms: config.server.drain_window_ms / 4,
        problem: |code, detail| Problem::new(code, detail).to_json().into_bytes(),
    }
}

pub(super) fn http_settings(config: &Config, synthesiser: &Synthesiser) -> HttpSettings {
    let limits = &config.limits;
    let disabled = config.subagents.iter().filter(|(_, switch)| !switch.enabled);
    HttpSettings {
        body: BodyBounds { bytes: limits.body_bytes, time: Duration::from_millis(limits.body_ms) },
        event_bytes: limits.event_bytes,
        events_per_request: limits.events_per_request,
        figures_sessions: limits.figures_sessions,
        page_limit: config.streaming.page_limit,
        page_limit_max: config.streaming.page_limit_max,
        retry_ms: config.streaming.retry_ms,
        encrypted: !config.server.tls_certificate_file.is_empty(),
        heartbeat_ms: config.streaming.heartbeat_ms,
        enabled: config.rollout.aggregator_streaming,
        rules: DirectiveRules { prompts: synthesiser.prompt_names(false), ..config.directive_rules() },
        durable_streams: durable_streams(&config.bridges),
        disabled_subagents: disabled.map(|(key, _)| key.clone()).collect(),
    }
}

fn durable_streams(bridges: &config::Bridges) -> StreamSettings {
    let config::DurableStreams { long_poll_ms, connection_ms, items } = bridges.durable_streams;
    StreamSettings { long_poll_ms, connection_ms, items }
}
