//! A WebSocket with the headers that a browser or a program would send.

use futures::StreamExt;
use http::Request;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::harness::{Client, within};

/// An open WebSocket, and the cookie that came with it.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    pub headers: http::HeaderMap,
}

impl Socket {
    /// Opens one; where it is refused, the status.
    pub async fn open(client: &Client, path: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let mut request = Request::get(format!("ws://{}{path}", client.address))
            .header("host", client.address.to_string())
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", generate_key());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let stream = client.connect().await;
        let opened = within("a WebSocket", client_async(request.body(()).unwrap(), stream)).await;
        match opened {
            Ok((stream, answer)) => Ok(Self { stream, headers: answer.headers().clone() }),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{path}: {error}"),
        }
    }

    /// The next message as JSON; after the end the code of the close.
    pub async fn next(&mut self) -> Result<Value, u16> {
        loop {
            match within("a message", self.stream.next()).await {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => return Err(frame.map_or(1005, |frame| frame.code.into())),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
