//! A server of key sets on 127.0.0.1, whose answers are set by the test.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tributary::edge::auth::{AuthSettings, Authenticator, JwksSettings, JwksSource};

/// What is answered.
#[derive(Clone)]
pub enum Answer {
    /// 200 with that body.
    Body(String),
    /// That status and header lines, and a good set.
    Status(&'static str, String),
    /// A head that promises more than comes.
    Cut(String),
    /// A body without an end.
    Endless,
    /// Nothing, until the answer is another one.
    Nothing,
    /// The connection is closed.
    Closed,
}

/// The server; it ends with its test's runtime.
pub struct KeyServer {
    pub port: u16,
    answer: Arc<watch::Sender<Answer>>,
    requests: Arc<AtomicUsize>,
    seen: watch::Receiver<usize>,
    last_request: Arc<Mutex<String>>,
}

impl KeyServer {
    pub async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (answer, requests) = (Arc::new(watch::channel(answer).0), Arc::new(AtomicUsize::new(0)));
        let (told, seen) = watch::channel(0);
        let last_request = Arc::new(Mutex::new(String::new()));
        let (answers, counted, last) = (answer.clone(), requests.clone(), last_request.clone());
        tokio::spawn(async move {
            let told = Arc::new(told);
            while let Ok((stream, _)) = listener.accept().await {
                let (answers, counted, last, told) =
                    (answers.clone(), counted.clone(), last.clone(), told.clone());
                tokio::spawn(async move {
                    let mut stream = stream;
                    *last.lock() = head(&mut stream).await;
                    let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                    told.send_replace(number);
                    let _ = answers_to(&mut stream, &answers).await;
                });
            }
        });
        Self { port, answer, requests, seen, last_request }
    }

    pub fn set(&self, answer: Answer) {
        self.answer.send_replace(answer);
    }

    /// Requests until now.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    pub fn last_request(&self) -> String {
        self.last_request.lock().clone()
    }

    /// Waits until so many requests have come.
    pub async fn seen(&self, requests: usize) {
        let mut seen = self.seen.clone();
        let waited = tokio::time::timeout(Duration::from_secs(20), seen.wait_for(|seen| *seen >= requests));
        waited.await.expect("the request comes").unwrap();
    }

    pub fn settings(&self) -> JwksSettings {
        JwksSettings::new(JwksSource::read(&format!("http://127.0.0.1:{}/jwks", self.port)).unwrap())
    }

    pub fn authenticator(&self) -> Arc<Authenticator> {
        let settings = AuthSettings { jwks: Some(self.settings()), ..AuthSettings::default() };
        Arc::new(Authenticator::new(settings).unwrap())
    }
}

async fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).await.is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

async fn answers_to(stream: &mut TcpStream, answers: &watch::Sender<Answer>) -> std::io::Result<()> {
    let mut answers = answers.subscribe();
    let answer = answers.wait_for(|answer| !matches!(answer, Answer::Nothing)).await;
    let answer = answer.map_err(std::io::Error::other)?.clone();
    let whole = |status: &str, more: &str, body: &str| {
        format!(
            "HTTP/1.1 {status}\r\n{more}content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
    };
    match answer {
        Answer::Body(body) => stream.write_all(whole("200 OK", "", &body).as_bytes()).await,
        Answer::Status(status, more) => {
            let body = crate::auth::issuer::key_set().to_string();
            stream.write_all(whole(status, &more, &body).as_bytes()).await
        }
        Answer::Cut(body) => {
            let promised = body.len() + 10;
            let text = format!("HTTP/1.1 200 OK\r\ncontent-length: {promised}\r\n\r\n{body}");
            stream.write_all(text.as_bytes()).await
        }
        Answer::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            loop {
                stream.write_all(&[b' '; 4_096]).await?;
            }
        }
        Answer::Nothing | Answer::Closed => Ok(()),
    }
}

/// Lets that time pass at once; then it goes on as usual.
pub async fn pass(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
}
