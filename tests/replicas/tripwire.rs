//! A line to Redis that a replica dies at: the `n`th command over it is the last that matters.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Where the replica dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// The command doesn't reach Redis.
    Before,
    /// It does, and its answer doesn't reach the replica.
    After,
}

/// A TCP proxy that counts the commands that name a session. When it has tripped nothing passes any more, either way, and no connection ends:
/// whoever is killed then has seen and done nothing since.
pub struct Tripwire {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    /// Commands until it trips; none are counted below 1.
    left: AtomicI64,
    session: String,
    death: Death,
    tripped: CancellationToken,
}

impl Tripwire {
    pub async fn to(port: u16, session: &str, death: Death) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            left: AtomicI64::new(0),
            session: session.to_owned(),
            death,
            tripped: CancellationToken::new(),
        });
        let line = shared.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                tokio::spawn(line.clone().carry(near, far));
            }
        });
        Self { address, shared, accepting }
    }

    /// From now on the `n`th command is the one.
    pub fn trip_at(&self, n: i64) {
        self.shared.left.store(n, Ordering::SeqCst);
    }

    /// Waits until it has tripped.
    pub async fn tripped(&self) {
        self.shared.tripped.cancelled().await;
    }
}

impl Drop for Tripwire {
    fn drop(&mut self) {
        self.accepting.abort();
        self.shared.tripped.cancel();
    }
}

impl Shared {
    /// Counts.
    fn is_last(&self, command: &[u8]) -> bool {
        let name = self.session.as_bytes();
        let names_it = command.windows(name.len()).any(|part| part == name);
        names_it && self.left.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// Holds its sockets when it has tripped, until the one end of them is gone.
    async fn carry(self: Arc<Self>, near: TcpStream, far: TcpStream) {
        let (mut near_read, mut near_write) = near.into_split();
        let (mut far_read, mut far_write) = far.into_split();
        let (mut commands, mut answers) = (vec![0; 64 << 10], vec![0; 64 << 10]);
        let (mut waiting, mut last) = (Vec::new(), false);
        loop {
            tokio::select! {
                biased;
                () = self.tripped.cancelled() => {
                    while near_read.read(&mut commands).await.is_ok_and(|bytes| bytes > 0) {}
                    return;
                }
                read = near_read.read(&mut commands), if !last => {
                    let Ok(bytes @ 1..) = read else { return };
                    waiting.extend_from_slice(&commands[..bytes]);
                    while let Some(length) = command(&waiting) {
                        last = self.is_last(&waiting[..length]);
                        if last && self.death == Death::Before {
                            self.tripped.cancel();
                            break;
                        }
                        far_write.write_all(&waiting[..length]).await.unwrap();
                        waiting.drain(..length);
                        if last {
                            break;
                        }
                    }
                }
                read = far_read.read(&mut answers) => {
                    let Ok(bytes @ 1..) = read else { return };
                    if last {
                        self.tripped.cancel();
                        continue;
                    }
                    if near_write.write_all(&answers[..bytes]).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

/// The length of the command that `bytes` begin with, an array of strings
/// (<https://redis.io/docs/latest/develop/reference/protocol-spec/>); `None` where it isn't whole.
fn command(bytes: &[u8]) -> Option<usize> {
    let (words, mut at) = number(bytes, b'*', 0)?;
    for _ in 0..words {
        let (length, from) = number(bytes, b'$', at)?;
        at = from + length + 2;
    }
    (at <= bytes.len()).then_some(at)
}

/// The number of the line at `at`, and where the next one begins.
fn number(bytes: &[u8], mark: u8, at: usize) -> Option<(usize, usize)> {
    let line = bytes.get(at..)?;
    let end = line.windows(2).position(|two| two == b"\r\n")?;
    assert_eq!(line[0], mark, "not a command");
    let number = std::str::from_utf8(&line[1..end]).unwrap().parse().unwrap();
    Some((number, at + end + 2))
}
