//! One replica's way to the server, and the weather on it.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use redis::{Cmd, ErrorKind, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::sync::mpsc;
use tributary::edge::cache::{ModelLine, ModelServer, ModelSubscription};

use super::{ModelRedis, Subscription};

/// What goes wrong on the way, from now on.
#[derive(Debug, Default)]
pub struct Weather {
    /// Each way of a command takes up to so many milliseconds.
    pub delay_ms: AtomicU64,
    /// A message takes up to so many: messages overtake each other.
    pub message_delay_ms: AtomicU64,
    /// So many messages are lost.
    pub lose_messages: AtomicU64,
    /// So many come twice.
    pub double_messages: AtomicU64,
    /// So many commands are lost on their way.
    pub lose_commands: AtomicU64,
    /// So many answers are lost on their way.
    pub lose_answers: AtomicU64,
    /// Nobody answers the line.
    pub down: AtomicBool,
    /// The replica was killed: nothing that it still tries happens.
    pub dead: AtomicBool,
}

fn one_of(count: &AtomicU64) -> bool {
    count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

impl Weather {
    pub(super) fn copies(&self, server: &ModelRedis) -> usize {
        if one_of(&self.lose_messages) {
            server.note("a message lost");
            0
        } else if one_of(&self.double_messages) {
            server.note("a message doubled");
            2
        } else {
            1
        }
    }

    pub(super) fn message_delay(&self, server: &ModelRedis) -> u64 {
        let delay = server.roll(self.message_delay_ms.load(Ordering::Relaxed));
        if delay > 0 {
            server.note("a message delayed");
        }
        delay
    }

    /// Everything works again; what is dead stays dead.
    pub fn clear(&self) {
        for count in [
            &self.message_delay_ms,
            &self.lose_messages,
            &self.double_messages,
            &self.lose_commands,
            &self.lose_answers,
        ] {
            count.store(0, Ordering::Relaxed);
        }
        self.down.store(false, Ordering::Relaxed);
    }

    async fn travel(&self, server: &ModelRedis) {
        // Also where it takes no time others may come first.
        for _ in 0..server.roll(2) {
            tokio::task::yield_now().await;
        }
        let delay = server.roll(self.delay_ms.load(Ordering::Relaxed));
        if delay > 0 {
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        if self.dead.load(Ordering::Relaxed) {
            futures::future::pending::<()>().await;
        }
    }
}

/// A replica's connections.
#[derive(Clone)]
pub struct Client {
    pub server: Arc<ModelRedis>,
    pub replica: usize,
    pub weather: Arc<Weather>,
}

fn refused() -> RedisError {
    io::Error::from(io::ErrorKind::ConnectionRefused).into()
}

impl ModelServer for Client {
    fn run(&self, command: &Cmd) -> BoxFuture<'static, RedisResult<Value>> {
        let words: Vec<Vec<u8>> = command
            .args_iter()
            .map(|word| match word {
                redis::Arg::Simple(bytes) => bytes.to_vec(),
                other => panic!("no word of these commands: {other:?}"),
            })
            .collect();
        let Self { server, weather, .. } = self.clone();
        async move {
            weather.travel(&server).await;
            if !server.may_run() {
                futures::future::pending::<()>().await;
            }
            if weather.down.load(Ordering::Relaxed) {
                server.note("a connection refused");
                return Err(refused());
            }
            if one_of(&weather.lose_commands) {
                server.note("a time-out without effect");
                futures::future::pending::<()>().await;
            }
            let answer = server.execute(&words);
            if one_of(&weather.lose_answers) {
                server.note("a time-out with effect");
                futures::future::pending::<()>().await;
            }
            weather.travel(&server).await;
            answer.ok_or_else(|| {
                server.note("a script not known");
                RedisError::from((ErrorKind::Server(ServerErrorKind::NoScript), "no matching script"))
            })
        }
        .boxed()
    }

    fn listen(&self) -> BoxFuture<'static, RedisResult<ModelLine>> {
        let client = self.clone();
        async move {
            client.weather.travel(&client.server).await;
            if client.weather.down.load(Ordering::Relaxed) {
                return Err(refused());
            }
            let (heard, messages) = mpsc::unbounded_channel();
            let number = client.server.roll(u64::MAX - 1);
            client.server.subscriptions.lock().push(Subscription {
                replica: client.replica,
                number,
                channels: BTreeSet::new(),
                heard,
                weather: client.weather.clone(),
            });
            let line = Joined { client, number };
            let messages =
                stream::unfold(messages, |mut messages| async { Some((messages.recv().await?, messages)) });
            Ok((Box::new(line) as Box<dyn ModelSubscription>, messages.boxed()))
        }
        .boxed()
    }
}

struct Joined {
    client: Client,
    number: u64,
}

impl Joined {
    /// Changes what is heard, unless the line is broken.
    fn change(
        &self,
        change: impl FnOnce(&mut BTreeSet<String>) + Send + 'static,
    ) -> BoxFuture<'static, RedisResult<()>> {
        let (client, number) = (self.client.clone(), self.number);
        async move {
            let Client { server, weather, .. } = &client;
            weather.travel(server).await;
            let is_there = match server.subscriptions.lock().iter_mut().find(|line| line.number == number) {
                Some(line) => {
                    change(&mut line.channels);
                    true
                }
                None => false,
            };
            server.count_listeners();
            weather.travel(server).await;
            if is_there { Ok(()) } else { Err(io::Error::from(io::ErrorKind::BrokenPipe).into()) }
        }
        .boxed()
    }
}

impl ModelSubscription for Joined {
    fn subscribe(&self, channels: Vec<String>) -> BoxFuture<'static, RedisResult<()>> {
        self.change(|heard| heard.extend(channels))
    }

    fn unsubscribe(&self, channels: Vec<String>) -> BoxFuture<'static, RedisResult<()>> {
        self.change(move |heard| heard.retain(|name| !channels.contains(name)))
    }

    fn ping(&self) -> BoxFuture<'static, RedisResult<()>> {
        self.change(|_| {})
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.client.server.subscriptions.lock().retain(|line| line.number != self.number);
        self.client.server.count_listeners();
    }
}
