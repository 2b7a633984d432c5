//! A line between a reader and the service that can be cut: connections break off in the middle of whatever they carry. Or
//! it is slow.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::Client;

/// A TCP proxy.
pub struct CutLine {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    /// Rises with each cut; connections of an earlier number end.
    cuts: watch::Sender<u64>,
    /// Whether new connections are closed at once.
    down: AtomicBool,
    /// Each connection ends after about so many bytes; 0: never.
    bytes_max: AtomicUsize,
    /// Whatever is carried, either way, takes so many milliseconds at most.
    delay_ms: AtomicU64,
    carried: AtomicUsize,
}

impl CutLine {
    /// A line to `target`.
    pub async fn to(target: Client) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cuts, down) = (watch::channel(0).0, AtomicBool::new(false));
        let (bytes_max, carried) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let delay_ms = AtomicU64::new(0);
        let shared = Arc::new(Shared { cuts, down, bytes_max, delay_ms, carried });
        let line = shared.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if !line.down.load(Ordering::SeqCst) {
                    tokio::spawn(line.clone().carry(near, target.address));
                }
            }
        });
        Self { address, shared, accepting }
    }

    /// Who talks over the line.
    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Cuts every connection; new ones are let through.
    pub fn cut(&self) {
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Cuts every connection and closes new ones until [`CutLine::resume`].
    pub fn take_down(&self) {
        self.shared.down.store(true, Ordering::SeqCst);
        self.cut();
    }

    /// Lets new connections through again.
    pub fn resume(&self) {
        self.shared.down.store(false, Ordering::SeqCst);
    }

    /// From now on new connections end after a random number of answered bytes, at most `bytes`; 0: they last.
    pub fn cut_after(&self, bytes: usize) {
        self.shared.bytes_max.store(bytes, Ordering::SeqCst);
    }

    /// From now on whatever is carried, either way, takes up to so many milliseconds, each time another number; its order
    /// stays.
    pub fn delay(&self, at_most_ms: u64) {
        self.shared.delay_ms.store(at_most_ms, Ordering::SeqCst);
    }

    /// Bytes that the service sent over the line so far.
    pub fn carried(&self) -> usize {
        self.shared.carried.load(Ordering::SeqCst)
    }
}

impl Drop for CutLine {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
    }
}

impl Shared {
    async fn carry(self: Arc<Self>, near: TcpStream, target: SocketAddr) {
        let mut cuts = self.cuts.subscribe();
        let Ok(far) = TcpStream::connect(target).await else { return };
        let (mut near_read, mut near_write) = near.into_split();
        let (mut far_read, mut far_write) = far.into_split();
        let answers = async {
            let mut left = match self.bytes_max.load(Ordering::SeqCst) {
                0 => usize::MAX,
                most => fastrand::usize(1..=most),
            };
            let mut room = vec![0; 16 * 1_024];
            while left > 0 {
                let most = left.min(room.len());
                let Ok(bytes @ 1..) = far_read.read(&mut room[..most]).await else { break };
                self.travel().await;
                if near_write.write_all(&room[..bytes]).await.is_err() {
                    break;
                }
                left -= bytes;
                self.carried.fetch_add(bytes, Ordering::SeqCst);
            }
        };
        let requests = async {
            let mut room = vec![0; 16 * 1_024];
            while let Ok(bytes @ 1..) = near_read.read(&mut room).await {
                self.travel().await;
                if far_write.write_all(&room[..bytes]).await.is_err() {
                    break;
                }
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = answers => {}
            () = requests => {}
            _ = cuts.changed() => {}
        }
    }

    async fn travel(&self) {
        let most = self.delay_ms.load(Ordering::SeqCst);
        if most > 0 {
            tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=most))).await;
        }
    }
}
