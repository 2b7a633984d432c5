//! Tokens that one replica at a time has: a key each, gone by itself when its time is over.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use redis::Value;

use super::keys;
use super::{RedisCache, Shared};
use crate::engine::ports::probe_tokens::ProbeTokens;
use crate::engine::ports::result_cache::StoreError;

impl ProbeTokens for RedisCache {
    fn take<'a>(&'a self, name: &'a str, time: Duration) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.shared.take_token(name, time).boxed()
    }

    fn give_back<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.shared.give_back_token(name).boxed()
    }
}

impl Shared {
    pub(super) async fn take_token(&self, name: &str, time: Duration) -> Result<bool, StoreError> {
        let mut command = redis::cmd("SET");
        command.arg(keys::token(name)).arg(&self.replica).arg("NX").arg("PX").arg(time.as_millis() as u64);
        Ok(self.link.run(&command).await? != Value::Nil)
    }

    pub(super) async fn give_back_token(&self, name: &str) -> Result<(), StoreError> {
        let key = keys::token(name);
        let given = self.link.call(&self.scripts.give_back, |command| {
            command.arg(1).arg(&key).arg(&self.replica);
        });
        given.await.map(|_| ())
    }
}
