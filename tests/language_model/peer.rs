//! A server of one script: what it does with each request, byte by byte.

use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::SOON;

/// What is done next with a request.
#[derive(Clone)]
pub enum Step {
    /// These bytes.
    Send(Vec<u8>),
    /// These bytes one by one.
    Drip(Vec<u8>),
    /// These bytes again and again, until the client goes away.
    Endless(Vec<u8>),
    /// Nothing until the client goes away.
    Hold,
    /// The end of the connection.
    Close,
}

/// What was seen.
#[derive(Default)]
pub struct Seen {
    /// Requests, head and body.
    pub requests: Vec<String>,
    /// Connections taken.
    pub connections: usize,
    /// Connections that the client closed.
    pub ended: usize,
}

pub type Script = Arc<dyn Fn(usize) -> Vec<Step> + Send + Sync>;

/// A server on a free port of this machine.
pub struct Peer {
    pub address: SocketAddr,
    pub seen: Arc<Mutex<Seen>>,
    changed: watch::Receiver<()>,
    task: JoinHandle<()>,
}

impl Peer {
    /// Answers with these bytes, and keeps the connection for more requests.
    pub async fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        Self::doing(vec![Step::Send(bytes.into())]).await
    }

    /// Does the same with every request.
    pub async fn doing(steps: Vec<Step>) -> Self {
        Self::at(Arc::new(move |_| steps.clone())).await
    }

    /// Does with the request of a number, from 0, what the script says.
    pub async fn at(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let (change, changed) = watch::channel(());
        let noted = seen.clone();
        let task = tokio::spawn(async move {
            let change = Arc::new(change);
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).unwrap();
                noted.lock().connections += 1;
                let (noted, script, change) = (noted.clone(), script.clone(), change.clone());
                connections.spawn(async move { serve(stream, &noted, &script, &change).await });
            }
        });
        Self { address, seen, changed, task }
    }

    /// A URL here.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Waits until what was seen is as wished.
    pub async fn until(&self, wished: impl Fn(&Seen) -> bool) {
        let mut changed = self.changed.clone();
        let seen = async {
            while !wished(&self.seen.lock()) {
                changed.changed().await.unwrap();
            }
        };
        tokio::time::timeout(SOON, seen).await.expect("the server sees it soon");
    }

    /// The only request, head and body.
    pub fn request(&self) -> String {
        let seen = self.seen.lock();
        assert_eq!(seen.requests.len(), 1);
        seen.requests[0].clone()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, seen: &Mutex<Seen>, script: &Script, change: &watch::Sender<()>) {
    while let Some(request) = request(&mut stream).await {
        let number = {
            let mut seen = seen.lock();
            seen.requests.push(request);
            seen.requests.len() - 1
        };
        change.send_replace(());
        for step in script(number) {
            let goes_on = match step {
                Step::Send(bytes) => stream.write_all(&bytes).await.is_ok() && stream.flush().await.is_ok(),
                Step::Drip(bytes) => {
                    let mut goes_on = true;
                    for byte in bytes {
                        goes_on = goes_on && stream.write_all(&[byte]).await.is_ok();
                        tokio::task::yield_now().await;
                    }
                    goes_on
                }
                Step::Endless(bytes) => {
                    while stream.write_all(&bytes).await.is_ok() {}
                    false
                }
                Step::Hold => {
                    while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
                    false
                }
                Step::Close => {
                    let _ = stream.shutdown().await;
                    return;
                }
            };
            if !goes_on {
                break;
            }
        }
    }
    seen.lock().ended += 1;
    change.send_replace(());
}

/// The next request; `None` where the client is gone.
async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Some(text);
            }
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => read.extend_from_slice(&chunk[..length]),
        }
    }
}
