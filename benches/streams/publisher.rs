//! One keep-alive HTTP/1.1 connection that publishes: what it still has to write, and which answers it waits for.
//!
//! It never blocks, so one thread drives many. Every answer is checked: another status than 2xx is an error with the
//! server's own words, because a benchmark of refusals is worthless.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::{interrupt, response};

/// Bytes of a refusal that are told.
const TOLD: usize = 300;

/// A publishing connection.
pub struct Publisher {
    pub socket: TcpStream,
    /// Requests sent whose answer hasn't come.
    pub outstanding: usize,
    /// The sum of `"accepted":N` over all answers, where the server says so.
    pub accepted: u64,
    unsent: Vec<u8>,
    sent: usize,
    received: Vec<u8>,
}

impl Publisher {
    /// Takes a connected socket, blocking or not.
    pub fn new(socket: TcpStream) -> Self {
        Self { socket, outstanding: 0, accepted: 0, unsent: Vec::new(), sent: 0, received: Vec::new() }
    }

    /// Queues a whole request and writes what the socket takes.
    pub fn request(&mut self, bytes: &[u8]) -> Result<()> {
        self.outstanding += 1;
        self.write(bytes)
    }

    /// Queues more bytes of the current request's body and writes what the socket takes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.unsent.extend_from_slice(bytes);
        self.flush()
    }

    /// Writes what is queued, as far as the socket takes it.
    pub fn flush(&mut self) -> Result<()> {
        while self.is_blocked() {
            match self.socket.write(&self.unsent[self.sent..]) {
                Ok(0) => bail!("the server takes no more bytes"),
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error).context("publishing"),
            }
        }
        self.unsent.clear();
        self.sent = 0;
        Ok(())
    }

    /// Whether bytes wait for the socket to take them.
    pub fn is_blocked(&self) -> bool {
        self.sent < self.unsent.len()
    }

    /// Reads once and returns how many answers were completed by it.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self.socket.read(buffer) {
            Ok(0) => bail!("the server closed a publishing connection with {} answers due", self.outstanding),
            Ok(count) => self.received.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(0);
            }
            Err(error) => return Err(error).context("reading the answer to a publish"),
        }
        let mut answers = 0;
        let mut taken = 0;
        while let Some(answer) = response::parse(&self.received[taken..])? {
            ensure!(
                (200..300).contains(&answer.status),
                "a publish was refused with {}: {}",
                answer.status,
                String::from_utf8_lossy(&answer.body[..answer.body.len().min(TOLD)])
            );
            self.accepted += response::number_after(&answer.body, b"\"accepted\":").unwrap_or(0);
            taken += answer.bytes;
            answers += 1;
        }
        self.received.drain(..taken);
        ensure!(answers <= self.outstanding, "an answer came that nobody waits for");
        self.outstanding -= answers;
        Ok(answers)
    }

    /// Sends a request on a blocking connection and waits for its answer. For setting up, not for measuring.
    pub fn call(&mut self, request: &[u8], buffer: &mut [u8]) -> Result<()> {
        self.socket.set_read_timeout(Some(Duration::from_secs(10))).context("setting a timeout")?;
        self.request(request)?;
        for _ in 0..1_000 {
            interrupt::check()?;
            if self.read(buffer)? > 0 {
                return Ok(());
            }
        }
        bail!("no answer to {:?}", String::from_utf8_lossy(&request[..request.len().min(120)]))
    }
}
