//! Operations: is it alive, is it ready.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::app::{App, ArchiveParts};
use super::openapi::{HealthProblems, ReadinessProblems};
use super::problem::{Document, RETRY_AFTER_SECONDS};

/// That the process answers.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    status: &'static str,
    /// The service's version.
    version: &'static str,
}

/// Whether the service takes traffic, and of each dependency why not.
#[derive(Serialize, ToSchema)]
pub struct Readiness {
    ready: bool,
    dependencies: Dependencies,
}

#[derive(Serialize, ToSchema)]
struct Dependencies {
    cache: CacheReadiness,
    /// Absent where none is configured, and while the service stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<ArchiveReadiness>,
    /// Absent where no tokens are taken that others sign (`auth.jwks`).
    #[serde(skip_serializing_if = "Option::is_none")]
    sign_in: Option<SignInReadiness>,
    service: ServiceReadiness,
}

/// Whether the store of sessions answers.
#[derive(Serialize, ToSchema)]
struct CacheReadiness {
    ready: bool,
    backend: &'static str,
    /// Why it isn't ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Whether the archive answers. While it doesn't, the cache keeps what it hasn't got, and the service takes traffic.
#[derive(Serialize, ToSchema)]
struct ArchiveReadiness {
    ready: bool,
    backend: &'static str,
    /// Why it isn't ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Sessions with entries that it hasn't got yet.
    waiting_sessions: usize,
}

impl ArchiveReadiness {
    fn new(parts: &ArchiveParts) -> Self {
        let (health, backend) = (parts.archive.health(), parts.archive.backend());
        let waiting_sessions = parts.backlog.sessions();
        Self { ready: health.is_ok(), backend, reason: health.err(), waiting_sessions }
    }
}

/// Whether the keys of tokens that others sign could be had when they were looked at last. Keys that are known are used for
/// `auth.jwks_stale_ms` more, other tokens as ever: the service takes traffic.
#[derive(Serialize, ToSchema)]
struct SignInReadiness {
    ready: bool,
    /// Why they couldn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl SignInReadiness {
    fn new(keys: Result<(), String>) -> Self {
        Self { ready: keys.is_ok(), reason: keys.err() }
    }
}

/// Whether this process takes traffic.
#[derive(Serialize, ToSchema)]
struct ServiceReadiness {
    ready: bool,
    /// Why it isn't ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// Open event streams.
    readers: usize,
    /// Sessions in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_sessions: Option<usize>,
}

/// Is it alive? Answered where all connections are taken, too: a restart would make none free.
#[utoipa::path(
    get, path = "/healthz", tag = "operations",
    responses((status = 200, description = "The process answers", body = Health), HealthProblems),
)]
pub async fn healthz() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Is it ready?
#[utoipa::path(
    get, path = "/readyz", tag = "operations",
    responses(
        ReadinessProblems,
        (status = 200, description = "It takes traffic", body = Readiness),
        (status = 503, description = "It doesn't, or is at its capacity", content(
            (Readiness = "application/json"), (Document<'static> = "application/problem+json")
        ), headers(("Retry-After" = u32, description = "Seconds until another try makes sense"))),
    ),
)]
pub async fn readyz(State(app): State<App>) -> Response {
    let store = app.coordinator.store_health();
    let draining = app.draining.is_cancelled();
    let ready = store.is_ok() && !draining;
    let cache = CacheReadiness {
        ready: store.is_ok(),
        backend: app.coordinator.store_backend(),
        reason: store.err(),
    };
    // While the service stops it closes its connections to the archive: that they are closed is no fault of it.
    let archive = app.archive.as_ref().filter(|_| !draining).map(ArchiveReadiness::new);
    let keys = app.access.sign_in.keys().filter(|_| app.access.required);
    let sign_in = keys.map(SignInReadiness::new);
    let service = ServiceReadiness {
        ready: !draining,
        reason: draining.then_some("draining"),
        readers: app.mux.readers(),
        active_sessions: (!draining).then(|| app.coordinator.active()),
    };
    let body = Json(Readiness { ready, dependencies: Dependencies { cache, archive, sign_in, service } });
    if ready {
        return body.into_response();
    }
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, RETRY_AFTER_SECONDS.to_string())], body)
        .into_response()
}
