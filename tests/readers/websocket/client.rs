//! A WebSocket as a client has it (tokio-tungstenite), one message at a time. It stops reading when it isn't asked.

use futures::{SinkExt, StreamExt};
use http::{HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::harness::{Client, Coverage, SseEvent, within};

/// An open WebSocket.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// The headers of the answer that opened it.
    pub headers: HeaderMap,
    /// The last cursor that came.
    pub last_id: Option<String>,
}

/// What a service has said.
#[derive(Debug)]
pub enum Said {
    /// A message, which is a line of NDJSON.
    Line(SseEvent),
    /// A ping.
    Ping,
    /// A pong with this.
    Pong(Vec<u8>),
    /// It has closed, with this code.
    Closed(u16),
    /// The connection is gone without a word.
    Gone,
}

impl Socket {
    /// Opens one, which must be let in.
    pub async fn open(client: Client, path: impl AsRef<str>) -> Self {
        Self::with(client, path, &[], None).await
    }

    /// Opens one with these headers, and a receive buffer of so many bytes.
    pub async fn with(
        client: Client,
        path: impl AsRef<str>,
        headers: &[(&'static str, &'static str)],
        receive_buffer: Option<u32>,
    ) -> Self {
        let path = path.as_ref();
        let asked = Self::ask(client, path, headers, receive_buffer);
        within(format!("a WebSocket at {path}"), asked)
            .await
            .unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Asks for one.
    ///
    /// # Errors
    /// Where the answer is another.
    pub async fn ask(
        client: Client,
        path: &str,
        headers: &[(&'static str, &'static str)],
        receive_buffer: Option<u32>,
    ) -> Result<Self, Error> {
        let socket = TcpSocket::new_v4().unwrap();
        if let Some(bytes) = receive_buffer {
            socket.set_recv_buffer_size(bytes).unwrap();
        }
        let mut request = format!("ws://{}{path}", client.address).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, HeaderValue::from_static(value));
        }
        let (stream, answer) = client_async(request, socket.connect(client.address).await?).await?;
        Ok(Self { stream, headers: answer.headers().clone(), last_id: None })
    }

    /// Says something.
    ///
    /// # Errors
    /// Where the service is gone.
    pub async fn say(&mut self, message: Message) -> Result<(), Error> {
        within("room for a message", self.stream.send(message)).await
    }

    /// What comes next, of whatever kind.
    pub async fn hear(&mut self) -> Said {
        match within("a message", self.stream.next()).await {
            Some(Ok(Message::Text(text))) => Said::Line(self.line(text.as_str())),
            Some(Ok(Message::Ping(_))) => Said::Ping,
            Some(Ok(Message::Pong(bytes))) => Said::Pong(bytes.to_vec()),
            Some(Ok(Message::Close(frame))) => Said::Closed(frame.map_or(1005, |frame| frame.code.into())),
            Some(Ok(message)) => panic!("nothing but text is sent: {message:?}"),
            Some(Err(_)) | None => Said::Gone,
        }
    }

    fn line(&mut self, text: &str) -> SseEvent {
        assert!(!text.contains('\n'), "a message is one line: {text}");
        let line: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let id = line["id"].as_str().map(str::to_owned);
        if id.is_some() {
            self.last_id.clone_from(&id);
        }
        let name = line["event"].as_str().unwrap().to_owned();
        SseEvent { id, name, data: line["data"].to_string(), text: text.to_owned() }
    }

    /// The next message; pings and heartbeats are passed over. `Err` is the code of the close.
    pub async fn next(&mut self) -> Result<SseEvent, u16> {
        loop {
            match self.hear().await {
                Said::Line(event) if event.name == "heartbeat" => {}
                Said::Line(event) => return Ok(event),
                Said::Ping | Said::Pong(_) => {}
                Said::Closed(code) => return Err(code),
                Said::Gone => panic!("the connection ended without a close"),
            }
        }
    }

    /// The next message, which must have this name.
    pub async fn expect(&mut self, name: &str) -> SseEvent {
        let event = self.next().await.unwrap_or_else(|code| panic!("closed with {code} before `{name}`"));
        assert_eq!(event.name, name, "{event:?}");
        event
    }

    /// The `open` event.
    pub async fn opened(&mut self) -> Value {
        self.expect("open").await.json()
    }

    /// Frames until `coverage` reaches `sequence`.
    pub async fn cover(&mut self, coverage: &mut Coverage, sequence: u64) {
        while coverage.to < sequence {
            coverage.take(&self.expect("planner_stream").await);
        }
    }

    /// All messages that are left, and the code of the close; after it the connection ends.
    pub async fn rest(&mut self) -> (Vec<SseEvent>, u16) {
        let mut events = Vec::new();
        loop {
            match self.next().await {
                Ok(event) => events.push(event),
                Err(code) => {
                    let after = self.hear().await;
                    assert!(matches!(after, Said::Gone), "after its close: {after:?}");
                    return (events, code);
                }
            }
        }
    }

    /// All messages that are left, one event each, as `name name … code`.
    pub async fn names(&mut self) -> String {
        let (events, code) = self.rest().await;
        events
            .iter()
            .map(|event| event.name.as_str())
            .chain([code.to_string().as_str()])
            .collect::<Vec<_>>()
            .join(" ")
    }
}
