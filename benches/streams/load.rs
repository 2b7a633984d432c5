//! The load generator: one thread, one epoll, any number of readers and publishers.
//!
//! Level-triggered and one `read` per wake-up and socket, so an event costs the generator one system call and a scan.
//! It is the same for every server, and it shares the machine with them: what it saves is left to them.

use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::event::{Timespec, epoll};

use crate::event::now_ns;
use crate::interrupt;
use crate::publisher::Publisher;
use crate::reader::Reader;

/// Tokens from here on are publishers', below are readers'.
const PUBLISHERS: u64 = 1 << 32;
/// Tokens from here on are the caller's.
const GUESTS: u64 = 1 << 33;

/// How long streams may take to open and events to arrive. Only a machine that is busy with something else gets there.
const WAIT: Duration = Duration::from_secs(60);

/// nchan on Redis answers a reader before it has subscribed there, and what comes in between is lost. Everybody gets this
/// moment.
const SETTLE: Duration = Duration::from_millis(300);

/// Sockets, and what came in on them.
pub struct Load {
    pub readers: Vec<Reader>,
    pub publishers: Vec<Publisher>,
    /// Nanoseconds from sending to receiving, one for each delivery since the last [`Load::forget`].
    pub latencies_ns: Vec<u64>,
    /// Deliveries to all readers since the beginning.
    pub deliveries: u64,
    /// Readers whose stream is open.
    pub open: usize,
    /// Which of the caller's sockets were ready in the last [`Load::turn`].
    pub guests: Vec<usize>,
    epoll: OwnedFd,
    ready: Vec<epoll::Event>,
    buffer: Vec<u8>,
}

impl Load {
    pub fn new() -> Result<Self> {
        Ok(Self {
            readers: Vec::new(),
            publishers: Vec::new(),
            latencies_ns: Vec::new(),
            deliveries: 0,
            open: 0,
            guests: Vec::new(),
            epoll: epoll::create(epoll::CreateFlags::CLOEXEC).context("creating an epoll")?,
            ready: Vec::with_capacity(1_024),
            buffer: vec![0; 256 * 1_024],
        })
    }

    /// Connects one more reader. Its request is sent by [`Load::subscribe`].
    pub fn connect_reader(&mut self, address: SocketAddr) -> Result<()> {
        let socket = connect(address)?;
        self.watch(&socket, self.readers.len() as u64)?;
        self.readers.push(Reader::new(socket));
        Ok(())
    }

    /// Connects one more publisher.
    pub fn connect_publisher(&mut self, address: SocketAddr) -> Result<()> {
        let socket = connect(address)?;
        self.watch(&socket, PUBLISHERS + self.publishers.len() as u64)?;
        self.publishers.push(Publisher::new(socket));
        Ok(())
    }

    /// Connects and watches a socket that the caller reads: in [`Load::guests`] it is `guest`. Closing it ends the watch.
    #[allow(dead_code, reason = "readers of another kind are those of benches/side_by_side")]
    pub fn connect_guest(&self, address: SocketAddr, guest: usize) -> Result<TcpStream> {
        let socket = connect(address)?;
        self.watch(&socket, GUESTS + guest as u64)?;
        Ok(socket)
    }

    fn watch(&self, socket: &TcpStream, token: u64) -> Result<()> {
        epoll::add(&self.epoll, socket, epoll::EventData::new_u64(token), epoll::EventFlags::IN)
            .context("watching a socket")
    }

    /// Sends a reader's request.
    pub fn subscribe(&mut self, reader: usize, request: &[u8]) -> Result<()> {
        use std::io::Write;
        let mut socket = &self.readers[reader].socket;
        socket.write_all(request).with_context(|| format!("sending the request of reader {reader}"))
    }

    /// Waits at most `timeout` for ready sockets and reads each once. Publishers whose answer came go to `answered`.
    pub fn turn(&mut self, timeout: Duration, answered: &mut Vec<usize>) -> Result<()> {
        interrupt::check()?;
        let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: timeout.subsec_nanos().into() };
        self.ready.clear();
        self.guests.clear();
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.ready), Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("waiting for sockets"),
        }
        for event in &self.ready {
            let token = event.data.u64();
            if let Some(guest) = token.checked_sub(GUESTS) {
                self.guests.push(guest as usize);
            } else if let Some(index) = token.checked_sub(PUBLISHERS) {
                let index = index as usize;
                let publisher = &mut self.publishers[index];
                publisher.flush()?;
                if publisher.read(&mut self.buffer)? > 0 {
                    answered.push(index);
                }
            } else {
                let (deliveries, latencies) = (&mut self.deliveries, &mut self.latencies_ns);
                let reader = &mut self.readers[token as usize];
                let seen = |sent_ns| {
                    *deliveries += 1;
                    latencies.push(now_ns().saturating_sub(sent_ns));
                };
                let was_open = reader.is_open;
                reader.read(&mut self.buffer, seen).with_context(|| format!("reader {token}"))?;
                self.open += usize::from(reader.is_open && !was_open);
            }
        }
        Ok(())
    }

    /// Turns until `done`, or fails with `what` after `limit`.
    pub fn until(&mut self, limit: Duration, what: &str, done: impl Fn(&Self) -> bool) -> Result<()> {
        let end = Instant::now() + limit;
        let mut answered = Vec::new();
        while !done(self) {
            ensure!(Instant::now() < end, "{what}: not within {} s", limit.as_secs());
            self.turn(Duration::from_millis(20), &mut answered)?;
            answered.clear();
        }
        Ok(())
    }

    /// Waits until every reader's stream is open, and a moment longer.
    pub fn until_open(&mut self) -> Result<()> {
        let readers = self.readers.len();
        self.until(WAIT, "opening every stream", |load| load.open == readers)?;
        self.idle(SETTLE)
    }

    /// Waits until `deliveries` have come in all, and every publish is answered.
    pub fn until_delivered(&mut self, deliveries: u64) -> Result<()> {
        let result = self.until(WAIT, "delivering every event", |load| {
            load.deliveries >= deliveries
                && load.publishers.iter().all(|publisher| publisher.outstanding == 0)
        });
        result.with_context(|| format!("{} of {deliveries} events were delivered", self.deliveries))
    }

    /// Proves that nothing came twice: listens a little longer, outside of any measured interval.
    pub fn ensure_exactly(&mut self, deliveries: u64) -> Result<()> {
        self.idle(Duration::from_millis(200))?;
        ensure!(self.deliveries == deliveries, "{} deliveries instead of {deliveries}", self.deliveries);
        Ok(())
    }

    /// Reads what comes for `period`.
    pub fn idle(&mut self, period: Duration) -> Result<()> {
        let end = Instant::now() + period;
        while Instant::now() < end {
            self.turn(Duration::from_millis(20), &mut Vec::new())?;
        }
        Ok(())
    }

    /// Whether [`Load::turn`] also wakes when a publisher's socket takes bytes again, for bodies without an end.
    pub fn watch_writes(&self, publisher: usize, on: bool) -> Result<()> {
        let flags = if on { epoll::EventFlags::IN | epoll::EventFlags::OUT } else { epoll::EventFlags::IN };
        let data = epoll::EventData::new_u64(PUBLISHERS + publisher as u64);
        epoll::modify(&self.epoll, &self.publishers[publisher].socket, data, flags).context("watching writes")
    }

    /// Forgets the latencies so far: those of the warm-up.
    pub fn forget(&mut self) {
        self.latencies_ns.clear();
    }
}

/// Connects without Nagle's delay. Closing resets, so that thousands of ports don't linger between runs.
fn connect(address: SocketAddr) -> Result<TcpStream> {
    let socket = TcpStream::connect(address).with_context(|| format!("connecting to {address}"))?;
    socket.set_nodelay(true).context("setting TCP_NODELAY")?;
    socket.set_nonblocking(true).context("making a socket non-blocking")?;
    rustix::net::sockopt::set_socket_linger(&socket, Some(Duration::ZERO)).context("setting SO_LINGER")?;
    Ok(socket)
}
