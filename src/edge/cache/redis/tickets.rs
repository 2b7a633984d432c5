//! Tickets that all replicas share: a key each, gone by itself when its time is over.
//!
//! A ticket is taken with `GETDEL` (Redis 6.2), which is one step. A command that met a lost connection is sent again: then
//! the ticket may be gone without anybody having it, which its holder mends with another one.

use std::time::Duration;

use futures::FutureExt;
use redis::{Cmd, Value};

use super::value::bytes;
use super::{RedisCache, Shared};
use crate::engine::clock::millis;
use crate::engine::ports::result_cache::StoreError;
use crate::engine::ports::ticket_store::{TICKET_VALUE_BYTES_MAX, TicketDigest, TicketFuture, TicketStore};

fn command(name: &str, digest: TicketDigest) -> Cmd {
    let mut command = redis::cmd(name);
    command.arg(format!("tributary:ticket:{digest}"));
    command
}

impl Shared {
    async fn put_ticket(
        &self,
        digest: TicketDigest,
        value: &[u8],
        lives: Duration,
    ) -> Result<(), StoreError> {
        if value.len() > TICKET_VALUE_BYTES_MAX {
            return Err(StoreError::Full("a ticket's value is too long".into()));
        }
        let lives_ms = millis(lives).min(LIVES_MS_MAX);
        if lives_ms == 0 {
            return self.link.run(&command("DEL", digest)).await.map(|_| ());
        }
        let mut set = command("SET", digest);
        self.link.run(set.arg(value).arg("PX").arg(lives_ms)).await.map(|_| ())
    }

    async fn ticket(&self, command: Cmd) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.link.run(&command).await?;
        Ok((found != Value::Nil).then(|| bytes(found)))
    }
}

/// Redis refuses times whose end doesn't fit into 64 bits; this is a thousand years.
const LIVES_MS_MAX: u64 = 1_000 * 365 * 86_400_000;

impl TicketStore for RedisCache {
    fn put<'a>(&'a self, digest: TicketDigest, value: &'a [u8], lives: Duration) -> TicketFuture<'a, ()> {
        self.shared.put_ticket(digest, value, lives).boxed()
    }

    fn take(&self, digest: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>> {
        self.shared.ticket(command("GETDEL", digest)).boxed()
    }

    fn get(&self, digest: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>> {
        self.shared.ticket(command("GET", digest)).boxed()
    }
}
