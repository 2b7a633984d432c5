//! The line between a reader and the service: a TCP proxy that can be cut.
//!
//! It forwards bytes as they are. So that a browser's page has the origin of the stream, it also serves that page, and
//! takes what the page says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use socket2::SockRef;

const PAGE: &str = include_str!("clients/page.html");
const FRAME: &[u8] = b"event: planner_stream";

/// A line to the service. A connection's threads end with it.
pub struct CutLine {
    /// Where readers connect.
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    down: bool,
    cut_in_frame: Option<usize>,
    forwarding: Vec<TcpStream>,
    statuses: Vec<u16>,
    page: Option<mpsc::Sender<Value>>,
}

impl CutLine {
    /// A line to `service`.
    pub fn to(service: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let connection = Connection { service, state: shared.clone() };
                thread::spawn(move || connection.serve(client));
            }
        });
        Self { address, state }
    }

    /// What the page says from now on.
    pub fn page_says(&self) -> mpsc::Receiver<Value> {
        let (say, said) = mpsc::channel();
        self.state.lock().unwrap().page = Some(say);
        said
    }

    /// The address of a path over this line.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Ends the next stream within its `frame`-th frame, as if whoever is in between had closed it.
    pub fn cut_in_frame(&self, frame: usize) {
        self.state.lock().unwrap().cut_in_frame = Some(frame);
    }

    /// Resets every connection that leads to the service, and each that asks for it from now on.
    pub fn go_down(&self) {
        let mut state = self.state.lock().unwrap();
        state.down = true;
        for socket in state.forwarding.drain(..) {
            reset(&socket);
        }
    }

    /// Leads to the service again.
    pub fn go_up(&self) {
        self.state.lock().unwrap().down = false;
    }

    /// The status of every answer to a reader so far.
    pub fn statuses(&self) -> Vec<u16> {
        self.state.lock().unwrap().statuses.clone()
    }
}

/// Lets whoever reads from the socket go; the last of them closes it, which then is a reset.
fn reset(socket: &TcpStream) {
    let _ = SockRef::from(socket).set_linger(Some(Duration::ZERO));
    let _ = socket.shutdown(Shutdown::Read);
}

struct Connection {
    service: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Connection {
    /// Answers or forwards one request after the other.
    fn serve(&self, client: TcpStream) {
        let mut requests = BufReader::new(client.try_clone().unwrap());
        let mut service = None;
        while let Some((head, body)) = next_request(&mut requests) {
            let path = head.split(' ').nth(1).unwrap();
            let done = if path.starts_with("/planner/") {
                if service.is_none() {
                    service = self.connect(&client);
                }
                let Some(service) = &mut service else { return reset(&client) };
                service.write_all(head.as_bytes()).and_then(|()| service.write_all(&body))
            } else {
                answer(&client, self.own(path, &body))
            };
            if done.is_err() {
                break;
            }
        }
        if let Some(service) = service {
            let _ = service.shutdown(Shutdown::Both);
        }
    }

    fn own(&self, path: &str, body: &[u8]) -> Option<&'static str> {
        match path.split('?').next() {
            Some("/page") => Some(PAGE),
            Some("/said") => {
                let said = serde_json::from_slice(body).unwrap();
                let _ = self.state.lock().unwrap().page.as_ref().map(|page| page.send(said));
                Some("")
            }
            _ => None,
        }
    }

    /// Connects to the service, unless the line is down or the test over; what it says goes to `client`.
    fn connect(&self, client: &TcpStream) -> Option<TcpStream> {
        let mut state = self.state.lock().unwrap();
        if state.down {
            return None;
        }
        let service = TcpStream::connect(self.service).ok()?;
        state.forwarding.extend([client.try_clone().unwrap(), service.try_clone().unwrap()]);
        let answers = Answers { state: self.state.clone(), seen: Vec::new(), sent: 0 };
        let (from, to) = (service.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || answers.forward(from, to));
        Some(service)
    }
}

/// What the service answers on one connection.
struct Answers {
    state: Arc<Mutex<State>>,
    seen: Vec<u8>,
    sent: usize,
}

impl Answers {
    fn forward(mut self, mut service: TcpStream, mut client: TcpStream) {
        let mut bytes = vec![0; 16_384];
        while let Ok(length @ 1..) = service.read(&mut bytes) {
            if let Some(status) = bytes.strip_prefix(b"HTTP/1.1 ") {
                let status = String::from_utf8_lossy(&status[..3]).parse().unwrap();
                self.state.lock().unwrap().statuses.push(status);
            }
            self.seen.extend_from_slice(&bytes[..length]);
            let cut = self.cut();
            let end = cut.unwrap_or(self.seen.len());
            if client.write_all(&self.seen[self.sent..end]).is_err() || cut.is_some() {
                break;
            }
            self.sent = end;
        }
        let _ = client.shutdown(Shutdown::Both);
        let _ = service.shutdown(Shutdown::Both);
    }

    /// Where the line is cut, once that is known: in the middle of the data of the frame that was asked for.
    fn cut(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap();
        let frame = state.cut_in_frame?;
        let starts = (0..self.seen.len()).filter(|start| self.seen[*start..].starts_with(FRAME));
        let end = starts.map(|start| start + FRAME.len() + 100).nth(frame - 1)?;
        if end > self.seen.len() {
            return None;
        }
        state.cut_in_frame = None;
        Some(end.max(self.sent))
    }
}

fn next_request(requests: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let begin = head.len();
        requests.read_line(&mut head).ok().filter(|read| *read > 0)?;
        let line = head[begin..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    requests.read_exact(&mut body).ok()?;
    Some((head, body))
}

fn answer(mut client: &TcpStream, body: Option<&str>) -> std::io::Result<()> {
    let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
    let body = body.unwrap_or_default();
    let length = body.len();
    write!(client, "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {length}\r\n\r\n{body}")
}
