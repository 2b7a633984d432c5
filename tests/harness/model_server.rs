//! A language model's server for tests: speaks Chat Completions and Messages on one port of 127.0.0.1, keeps what it was
//! asked, and answers as it is told to, piece by piece where a test wants to see what happens between two pieces.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

#[path = "model_server/asked.rs"]
mod asked;
#[path = "model_server/exchange.rs"]
mod exchange;
#[path = "model_server/wire.rs"]
pub mod wire;

pub use asked::Asked;
pub use exchange::{Exchange, Says};
pub use wire::Protocol;

/// Waiting for a state ends here.
const DEADLINE: Duration = Duration::from_secs(30);

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was answered.
    Answered,
    /// The server broke it off.
    Cut,
    /// The caller went away first.
    PeerGone,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// What was asked.
    pub asked: Asked,
    /// How it ended; `None` while it is answered.
    pub ended: Option<Ended>,
}

/// Decides about a call; `None` leaves it to the test.
type Script = Box<dyn Fn(&Asked) -> Option<Says> + Send + Sync>;

/// The server. Ends when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    by_hand: tokio::sync::Mutex<mpsc::UnboundedReceiver<Exchange>>,
    task: tokio::task::JoinHandle<()>,
}

struct Shared {
    calls: watch::Sender<Vec<Call>>,
    script: Mutex<Script>,
    hands: mpsc::UnboundedSender<Exchange>,
}

impl ModelServer {
    /// A server whose calls are answered by hand.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (hands, by_hand) = mpsc::unbounded_channel();
        let script = Mutex::new(Box::new(|_: &Asked| None) as Script);
        let shared = Arc::new(Shared { calls: watch::Sender::new(Vec::new()), script, hands });
        let served = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(socket, served.clone()));
            }
        });
        Self { address, shared, by_hand: tokio::sync::Mutex::new(by_hand), task }
    }

    /// A server that answers by itself.
    pub async fn saying(script: impl Fn(&Asked) -> Says + Send + Sync + 'static) -> Self {
        let server = Self::start().await;
        server.script(move |asked| Some(script(asked)));
        server
    }

    /// What is answered from now on; `None` leaves a call to [`Self::next`].
    pub fn script(&self, script: impl Fn(&Asked) -> Option<Says> + Send + Sync + 'static) {
        *self.shared.script.lock().unwrap() = Box::new(script);
    }

    /// What goes into `synthesis.base_url`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The next call that is answered by hand.
    pub async fn next(&self) -> Exchange {
        let mut by_hand = self.by_hand.lock().await;
        let next = tokio::time::timeout(DEADLINE, by_hand.recv()).await;
        next.unwrap_or_else(|_| panic!("the model isn't asked")).unwrap()
    }

    /// All calls until now.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.borrow().clone()
    }

    /// What was asked until now.
    pub fn asked(&self) -> Vec<Asked> {
        self.calls().into_iter().map(|call| call.asked).collect()
    }

    /// Waits until the calls are as they should be.
    pub async fn until(&self, what: &str, reached: impl Fn(&[Call]) -> bool) -> Vec<Call> {
        let mut calls = self.shared.calls.subscribe();
        match tokio::time::timeout(DEADLINE, calls.wait_for(|calls| reached(calls))).await {
            Ok(calls) => calls.unwrap().clone(),
            Err(_) => panic!("waited {DEADLINE:?} for {what}"),
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    /// The first that is said of a call's end counts.
    fn ended(&self, number: usize, ended: Ended) {
        self.calls.send_modify(|calls| {
            calls[number].ended.get_or_insert(ended);
        });
    }
}

async fn serve(socket: TcpStream, shared: Arc<Shared>) {
    let _ = socket.set_nodelay(true);
    let (read, write) = socket.into_split();
    let mut read = BufReader::new(read);
    let Some((protocol, headers, text)) = read_request(&mut read).await else { return };
    let mut number = 0;
    let mut asked = None;
    shared.calls.send_modify(|calls| {
        number = calls.len();
        let body = text.parse().unwrap_or(Value::Null);
        let new = Asked { number, protocol, headers, body, text, at: Instant::now() };
        calls.push(Call { asked: new.clone(), ended: None });
        asked = Some(new);
    });
    let asked = asked.unwrap();
    let (gone, peer_gone) = watch::channel(false);
    let says = (shared.script.lock().unwrap())(&asked);
    let exchange = Exchange::new(asked, write, peer_gone, shared.clone());
    match says {
        Some(says) => drop(tokio::spawn(exchange.answer(says))),
        // The test that would answer may be over.
        None => drop(shared.hands.send(exchange)),
    }
    let mut byte = [0];
    while read.read(&mut byte).await.is_ok_and(|read| read > 0) {}
    shared.ended(number, Ended::PeerGone);
    gone.send_replace(true);
}

/// The API, the headers and the body of a request.
async fn read_request(
    read: &mut BufReader<OwnedReadHalf>,
) -> Option<(Protocol, BTreeMap<String, String>, String)> {
    let mut line = String::new();
    read.read_line(&mut line).await.ok().filter(|bytes| *bytes > 0)?;
    let protocol = match line.split(' ').nth(1)? {
        "/v1/chat/completions" => Protocol::OpenAi,
        "/v1/messages" => Protocol::Anthropic,
        other => panic!("no such path: {other}"),
    };
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        read.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers.get("content-length")?.parse().ok()?];
    read.read_exact(&mut body).await.ok()?;
    Some((protocol, headers, String::from_utf8(body).ok()?))
}
