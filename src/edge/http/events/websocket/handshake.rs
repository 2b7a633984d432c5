//! The request that becomes a WebSocket, and what is answered where it can't.

use axum::extract::FromRequestParts;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::domain::verdict::Code;
use crate::edge::http::app::App;
use crate::edge::http::problem::Problem;

/// The only version that is spoken.
const VERSION: &str = "13";
/// What a key has.
const KEY_BYTES: usize = 16;

/// The upgrade that a request asks for, or what is wrong with it (RFC 6455, 4.2.1), which says which version is spoken here
/// whatever it is (4.4).
pub async fn handshake(parts: &mut Parts, app: &App) -> Result<WebSocketUpgrade, Response> {
    let other = parts.headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != VERSION);
    let key = parts.headers.get(header::SEC_WEBSOCKET_KEY).map(|key| STANDARD.decode(key));
    // Over HTTP/2 there is no key (RFC 8441).
    let is_broken = key.is_some_and(|key| key.map_or(0, |key| key.len()) != KEY_BYTES);
    let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
    let (why, status) = match upgrade {
        _ if other => ("this WebSocket has another version than 13".to_owned(), StatusCode::UPGRADE_REQUIRED),
        Ok(upgrade) if !is_broken => return Ok(upgrade),
        Ok(_) => {
            let why = format!("`Sec-WebSocket-Key` isn't {KEY_BYTES} bytes in Base64");
            (why, StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(rejection) => {
            let why = format!("this is no upgrade to a WebSocket (RFC 6455): {rejection}");
            (why, StatusCode::UNPROCESSABLE_ENTITY)
        }
    };
    let mut refused = Problem::new(Code::InvalidEvent, why).with_status(status).into_response();
    let headers = refused.headers_mut();
    headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static(VERSION));
    if status == StatusCode::UPGRADE_REQUIRED {
        // RFC 9110, 15.5.22.
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    }
    Err(refused)
}
