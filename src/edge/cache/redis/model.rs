//! The place of a Redis that a test simulates in this process. Not part of a release build.
//!
//! Everything that [`RedisCache`] asks goes through [`ModelServer`]: commands and scripts as they would be sent, answers as
//! the library gives them. So the whole of this folder is under test, the scripts' text included, and only the library's
//! connections aren't.

use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use redis::{Cmd, Msg, RedisResult, Value};

use super::connection::Link;
use super::{RedisCache, RedisSettings};

/// A subscription: where to join, and what is heard until the line breaks.
pub type ModelLine = (Box<dyn ModelSubscription>, BoxStream<'static, Msg>);

/// A simulated Redis, as one replica reaches it.
pub trait ModelServer: Send + Sync + 'static {
    /// Runs a command, once. An error says by its kind, as the library's do, whether it may have been done.
    fn run(&self, command: &Cmd) -> BoxFuture<'static, RedisResult<Value>>;

    /// Opens a subscription.
    fn listen(&self) -> BoxFuture<'static, RedisResult<ModelLine>>;
}

/// The sending half of a simulated subscription.
pub trait ModelSubscription: Send + Sync {
    /// Joins channels; done when whatever is published from now on is heard.
    fn subscribe(&self, channels: Vec<String>) -> BoxFuture<'static, RedisResult<()>>;
    /// Leaves channels.
    fn unsubscribe(&self, channels: Vec<String>) -> BoxFuture<'static, RedisResult<()>>;
    /// Asks whether the other end lives.
    fn ping(&self) -> BoxFuture<'static, RedisResult<()>>;
}

impl RedisCache {
    /// The cache over a simulated Redis. Of the settings' address only the times count.
    pub fn over(server: Arc<dyn ModelServer>, settings: RedisSettings) -> Self {
        let link = Link::over(server, settings.address.clone());
        Self::begin(settings, link)
    }
}
