//! Operations: is it alive, is it ready.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::app::App;

/// `GET /healthz`: the process answers.
pub async fn healthz() -> Json<serde_json::Value> {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}))
}

/// `GET /readyz`: whether it takes traffic, and of each dependency why not.
pub async fn readyz(State(app): State<App>) -> Response {
    let store = app.coordinator.store_health();
    let draining = app.draining.is_cancelled();
    let ready = store.is_ok() && !draining;
    let cache = match &store {
        Ok(()) => json!({"ready": true, "backend": "memory"}),
        Err(reason) => json!({"ready": false, "backend": "memory", "reason": reason}),
    };
    let service = match draining {
        false => {
            json!({"ready": true, "readers": app.mux.readers(), "active_sessions": app.coordinator.active()})
        }
        true => json!({"ready": false, "reason": "draining", "readers": app.mux.readers()}),
    };
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let body = json!({"ready": ready, "dependencies": {"cache": cache, "service": service}});
    (status, Json(body)).into_response()
}
