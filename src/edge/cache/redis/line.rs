//! The line of a subscription: what it joins and leaves, and what it hears.

use futures::StreamExt;
use futures::stream::BoxStream;
use redis::aio::PubSubSink;
use redis::{Client, Msg, RedisResult, Value};

#[cfg(debug_assertions)]
use super::model::ModelSubscription;

/// What is heard. It ends with the line.
pub(super) type Heard = BoxStream<'static, Msg>;

/// Where joining and leaving is said.
pub(super) enum Line {
    Redis(PubSubSink),
    #[cfg(debug_assertions)]
    Model(Box<dyn ModelSubscription>),
}

impl Line {
    /// A connection of its own to Redis.
    pub(super) async fn open(client: &Client) -> RedisResult<(Self, Heard)> {
        let (sink, stream) = client.get_async_pubsub().await?.split();
        Ok((Self::Redis(sink), stream.boxed()))
    }

    /// Joins channels: when it comes back, whatever is published there is heard.
    pub(super) async fn subscribe(&mut self, channels: &[&str]) -> RedisResult<()> {
        match self {
            Self::Redis(sink) => sink.subscribe(channels).await,
            #[cfg(debug_assertions)]
            Self::Model(line) => line.subscribe(channels.iter().map(|&name| name.to_owned()).collect()).await,
        }
    }

    pub(super) async fn unsubscribe(&mut self, channels: &[String]) -> RedisResult<()> {
        match self {
            Self::Redis(sink) => sink.unsubscribe(channels).await,
            #[cfg(debug_assertions)]
            Self::Model(line) => line.unsubscribe(channels.to_vec()).await,
        }
    }

    /// Asks whether the other end lives.
    pub(super) async fn ping(&mut self) -> RedisResult<()> {
        match self {
            Self::Redis(sink) => sink.ping::<Value>().await.map(drop),
            #[cfg(debug_assertions)]
            Self::Model(line) => line.ping().await,
        }
    }
}
