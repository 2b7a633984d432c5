//! A line between a replica and Redis on which answers get lost, though requests arrive.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A TCP proxy.
pub struct Line {
    address: SocketAddr,
    rules: Arc<Rules>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Rules {
    /// So many answers are dropped, each with its connection.
    answers_lost: AtomicUsize,
    /// No script is answered.
    is_silent: AtomicBool,
    /// What is published isn't passed on.
    is_mute: AtomicBool,
    /// Bytes that were published and not passed on.
    muted: AtomicUsize,
    /// Scripts wait on their way to Redis as long as this is so.
    holds: watch::Sender<bool>,
}

impl Line {
    /// A line to a port of this machine.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, rules) = (listener.local_addr().unwrap(), Arc::new(Rules::default()));
        let carried = rules.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carried.clone().carry(near, port));
            }
        });
        Self { address, rules, accepting }
    }

    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// The next answers to commands are lost, and their connections with them.
    pub fn lose_answers(&self, count: usize) {
        self.rules.answers_lost.store(count, Ordering::SeqCst);
    }

    /// Whether answers to scripts get lost from now on, each with its connection.
    pub fn silence_scripts(&self, is_silent: bool) {
        self.rules.is_silent.store(is_silent, Ordering::SeqCst);
    }

    /// Whether scripts wait on their way from now on, and what comes behind them.
    pub fn hold_scripts(&self, holds: bool) {
        self.rules.holds.send_replace(holds);
    }

    /// Whether what is published gets lost from now on.
    pub fn mute(&self, is_mute: bool) {
        self.rules.is_mute.store(is_mute, Ordering::SeqCst);
    }

    /// Bytes that were published and lost.
    pub fn muted(&self) -> usize {
        self.rules.muted.load(Ordering::SeqCst)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Rules {
    async fn carry(self: Arc<Self>, near: TcpStream, port: u16) {
        let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else { return };
        let (mut near_read, mut near_write) = near.into_split();
        let (mut far_read, mut far_write) = far.into_split();
        let (subscribes, runs_scripts) = (AtomicBool::new(false), AtomicBool::new(false));
        let requests = async {
            let mut room = vec![0; 64 * 1_024];
            while let Ok(bytes @ 1..) = near_read.read(&mut room).await {
                for (word, is_said) in [("\nSUBSCRIBE\r", &subscribes), ("\nEVALSHA\r", &runs_scripts)] {
                    if room[..bytes]
                        .windows(word.len())
                        .any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
                    {
                        is_said.store(true, Ordering::SeqCst);
                    }
                }
                let is_script = room[..bytes].windows(7).any(|part| part.eq_ignore_ascii_case(b"EVALSHA"));
                if is_script && self.holds.subscribe().wait_for(|holds| !holds).await.is_err() {
                    break;
                }
                if far_write.write_all(&room[..bytes]).await.is_err() {
                    break;
                }
            }
        };
        let answers = async {
            let mut room = vec![0; 64 * 1_024];
            while let Ok(bytes @ 1..) = far_read.read(&mut room).await {
                if subscribes.load(Ordering::SeqCst) {
                    if self.is_mute.load(Ordering::SeqCst) {
                        self.muted.fetch_add(bytes, Ordering::SeqCst);
                        continue;
                    }
                } else if self.loses_one()
                    || self.is_silent.load(Ordering::SeqCst) && runs_scripts.load(Ordering::SeqCst)
                {
                    break;
                }
                if near_write.write_all(&room[..bytes]).await.is_err() {
                    break;
                }
            }
        };
        tokio::select! {
            () = requests => {}
            () = answers => {}
        }
    }

    fn loses_one(&self) -> bool {
        self.answers_lost.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
    }
}
