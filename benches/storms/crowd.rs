//! Thousands of readers on one thread and one epoll: they come, check what they get, are cut, and come back.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::event::{Timespec, epoll};
use socket2::{Domain, Socket, Type};

use crate::event::now_ns;
use crate::frames::Frames;
use crate::interrupt;
use crate::reader::{Open, Reader};
use crate::sse::{Decoder, Event};
use crate::truth::Truth;

/// Bytes that the kernel keeps for a reader that has stopped being slow.
const WIDE: usize = 256 * 1_024;

/// What a crowd saw as a whole.
#[derive(Default)]
pub struct Seen {
    /// When streams were opened, and nanoseconds from connecting until then.
    pub opened: Vec<(Instant, u64)>,
    /// Nanoseconds from sending to receiving, of every event and reader.
    pub latencies_ns: Vec<u64>,
    /// The longest time between two frames of a reader.
    pub longest_pause: Duration,
    pub verdicts: HashMap<String, u64>,
}

/// Readers and their sockets.
pub struct Crowd {
    pub readers: Vec<Reader>,
    pub truth: Truth,
    pub seen: Seen,
    /// Where readers go, in turn.
    pub addresses: Vec<SocketAddr>,
    /// Whether a reader whose stream ends comes back by itself.
    pub comes_back: bool,
    /// Bytes that the kernel may keep for a reader; `None` leaves it to the system.
    pub receive_buffer: Option<usize>,
    sockets: Vec<Option<Socket>>,
    requests: Vec<Option<String>>,
    visits: Vec<usize>,
    coming: BinaryHeap<Reverse<(Instant, usize)>>,
    frames: Frames,
    epoll: OwnedFd,
    ready: Vec<epoll::Event>,
    buffer: Vec<u8>,
}

impl Crowd {
    pub fn new(addresses: Vec<SocketAddr>) -> Result<Self> {
        Ok(Self {
            readers: Vec::new(),
            truth: Truth::default(),
            seen: Seen::default(),
            addresses,
            comes_back: false,
            receive_buffer: None,
            sockets: Vec::new(),
            requests: Vec::new(),
            visits: Vec::new(),
            coming: BinaryHeap::new(),
            frames: Frames::default(),
            epoll: epoll::create(epoll::CreateFlags::CLOEXEC).context("creating an epoll")?,
            ready: Vec::with_capacity(1_024),
            buffer: vec![0; 256 * 1_024],
        })
    }

    /// Adds a reader that comes at `at`.
    pub fn add(&mut self, reader: Reader, at: Instant) -> usize {
        let index = self.readers.len();
        self.readers.push(reader);
        self.sockets.push(None);
        self.requests.push(None);
        self.visits.push(index);
        self.come_at(index, at);
        index
    }

    /// Puts another reader in the place of one that is done.
    pub fn replace(&mut self, index: usize, reader: Reader, at: Instant) {
        self.cut(index);
        self.readers[index] = reader;
        self.come_at(index, at);
    }

    pub fn come_at(&mut self, index: usize, at: Instant) {
        self.coming.push(Reverse((at, index)));
    }

    /// Closes a reader's socket; the server gets a reset, and no port lingers.
    pub fn cut(&mut self, index: usize) {
        self.sockets[index] = None;
    }

    pub fn is_connected(&self, index: usize) -> bool {
        self.sockets[index].is_some()
    }

    /// Whether a reader's bytes are read. What comes meanwhile fills the kernel's buffers.
    pub fn listen(&self, index: usize, on: bool) -> Result<()> {
        let flags = if on { epoll::EventFlags::IN } else { epoll::EventFlags::empty() };
        let Some(socket) = &self.sockets[index] else { return Ok(()) };
        epoll::modify(&self.epoll, socket, epoll::EventData::new_u64(index as u64), flags)
            .context("watching a socket")
    }

    /// Reads again, into more than the little that the kernel kept: a window of a few KiB moves in steps of 40 ms.
    pub fn listen_widely(&self, index: usize) -> Result<()> {
        if let Some(socket) = &self.sockets[index] {
            socket.set_recv_buffer_size(WIDE).context("setting SO_RCVBUF")?;
        }
        self.listen(index, true)
    }

    fn connect(&mut self, index: usize) -> Result<()> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).context("making a socket")?;
        socket.set_nonblocking(true).context("making a socket non-blocking")?;
        socket.set_linger(Some(Duration::ZERO)).context("setting SO_LINGER")?;
        if let Some(bytes) = self.receive_buffer {
            socket.set_recv_buffer_size(bytes).context("setting SO_RCVBUF")?;
        }
        self.requests[index] = Some(self.readers[index].request());
        let address = self.addresses[self.visits[index] % self.addresses.len()];
        match socket.connect(&address.into()) {
            Err(error) if error.raw_os_error() != Some(rustix::io::Errno::INPROGRESS.raw_os_error()) => {
                return self.end(index);
            }
            Ok(()) | Err(_) => {}
        }
        let data = epoll::EventData::new_u64(index as u64);
        epoll::add(&self.epoll, &socket, data, epoll::EventFlags::IN | epoll::EventFlags::OUT)
            .context("watching a socket")?;
        self.sockets[index] = Some(socket);
        Ok(())
    }

    /// A reader's connection is over, whoever ended it.
    fn end(&mut self, index: usize) -> Result<()> {
        self.sockets[index] = None;
        let reader = &mut self.readers[index];
        if let Some(code) = &reader.error {
            let passes = ["draining", "over_capacity", "store_unavailable"].contains(&code.as_str());
            ensure!(passes, "a reader of {} got {code}", reader.path);
        }
        // 204: everything was read, and nothing will come.
        reader.has_ended |= reader.decoder.status == Some(204);
        if self.comes_back && !reader.has_ended {
            let retry = Duration::from_millis(reader.retry_ms.unwrap_or(100));
            self.visits[index] += 1;
            self.come_at(index, Instant::now() + retry);
        }
        Ok(())
    }

    /// Connects who is due, waits at most `timeout` for ready sockets and reads each once.
    pub fn turn(&mut self, timeout: Duration) -> Result<()> {
        interrupt::check()?;
        while let Some(Reverse((at, index))) = self.coming.peek().copied() {
            if at > Instant::now() {
                break;
            }
            self.coming.pop();
            if !self.is_connected(index) {
                self.connect(index)?;
            }
        }
        let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: timeout.subsec_nanos().into() };
        self.ready.clear();
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.ready), Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("waiting for sockets"),
        }
        let ready = std::mem::take(&mut self.ready);
        for event in &ready {
            self.wake(event.data.u64() as usize)?;
        }
        self.ready = ready;
        Ok(())
    }

    /// Sends a reader's request where that is due, else reads once.
    fn wake(&mut self, index: usize) -> Result<()> {
        let Some(mut socket) = self.sockets[index].as_ref() else { return Ok(()) };
        if let Some(request) = self.requests[index].take() {
            if socket.write(request.as_bytes()).ok() != Some(request.len()) {
                return self.end(index);
            }
            return self.listen(index, true);
        }
        match socket.read(&mut self.buffer) {
            Ok(0) => self.end(index),
            Ok(count) => self.take(index, count).with_context(|| format!("reader {index}")),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            // A killed server resets.
            Err(_) => self.end(index),
        }
    }

    fn take(&mut self, index: usize, count: usize) -> Result<()> {
        let mut decoder = std::mem::replace(&mut self.readers[index].decoder, Decoder::new());
        let bytes = std::mem::take(&mut self.buffer);
        let fed = decoder.feed(&bytes[..count], |event| self.on(index, &event));
        self.buffer = bytes;
        let is_over = decoder.is_whole();
        self.readers[index].decoder = decoder;
        fed?;
        if is_over { self.end(index) } else { Ok(()) }
    }

    fn on(&mut self, index: usize, event: &Event<'_>) -> Result<()> {
        let reader = &mut self.readers[index];
        reader.retry_ms = event.retry.or(reader.retry_ms);
        match event.name {
            "open" => {
                let open: Open = serde_json::from_str(event.data).context("reading an `open`")?;
                if reader.tail.is_none() {
                    let waited = reader.connected_at.elapsed().as_nanos() as u64;
                    self.seen.opened.push((Instant::now(), waited));
                }
                *self.seen.verdicts.entry(open.reason.clone()).or_default() += 1;
                reader.open(&open, event.id, &mut self.truth.faults);
            }
            "planner_stream" | "snapshot" => self.frame(index, event)?,
            "end" => reader.has_ended = true,
            "error" => {
                let problem: serde_json::Value = serde_json::from_str(event.data).context("an error")?;
                reader.error = Some(problem["code"].as_str().unwrap_or_default().to_owned());
            }
            "heartbeat" | "drain" => {}
            other => bail!("an event {other}"),
        }
        Ok(())
    }

    fn frame(&mut self, index: usize, event: &Event<'_>) -> Result<()> {
        let stream = self.readers[index].stream;
        let known = self.frames.look_into(stream, event.data, &mut self.truth)?;
        let reader = &mut self.readers[index];
        if event.name == "snapshot" {
            if known.is_complete {
                reader.snapshot(known.segment.to, event.id);
            }
            return Ok(());
        }
        reader.frame(&known.segment, event.id, &mut self.truth.faults)?;
        let now = now_ns();
        self.seen.latencies_ns.extend(known.sent_ns.iter().map(|sent| now.saturating_sub(*sent)));
        if let Some(before) = reader.last_frame_at.replace(Instant::now()) {
            self.seen.longest_pause = self.seen.longest_pause.max(before.elapsed());
        }
        Ok(())
    }

    /// Turns until `done`, or fails with `what` after `limit`.
    pub fn until(&mut self, limit: Duration, what: &str, mut done: impl FnMut(&Self) -> bool) -> Result<()> {
        let end = Instant::now() + limit;
        while !done(self) {
            ensure!(Instant::now() < end, "{what}: not within {} s", limit.as_secs());
            self.turn(Duration::from_millis(10))?;
        }
        Ok(())
    }

    /// Reads what comes for `period`.
    pub fn idle(&mut self, period: Duration) -> Result<()> {
        let end = Instant::now() + period;
        while Instant::now() < end {
            self.turn(Duration::from_millis(10))?;
        }
        Ok(())
    }

    /// Whether every reader is connected and has caught up with the tail that it found.
    pub fn all_caught_up(&self) -> bool {
        let is_back = |(index, reader): (usize, &Reader)| reader.has_caught_up && self.is_connected(index);
        self.readers.iter().enumerate().all(is_back)
    }

    /// Whether every reader has everything up to its stream's last sequence.
    pub fn all_have(&self, last: &[u64]) -> bool {
        self.readers.iter().all(|reader| reader.covered.is_some_and(|covered| covered >= last[reader.stream]))
    }
}
