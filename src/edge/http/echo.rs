//! A WebSocket that sends back what it gets, at `/test/echo`: what the Autobahn test cases are run against, with the same
//! library and the same connections as the streams. Only in builds for tests.

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;

use super::app::App;

/// The largest message of the cases.
const MESSAGE_BYTES_MAX: usize = 64 << 20;

/// The route.
pub fn routes() -> Router<App> {
    Router::new().route("/test/echo", get(echo))
}

async fn echo(upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX).on_upgrade(run)
}

async fn run(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        if matches!(message, Message::Text(_) | Message::Binary(_)) && socket.send(message).await.is_err() {
            return;
        }
    }
}
