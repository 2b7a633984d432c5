//! A store that is some milliseconds farther away: every append waits before it sets off.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::Either;
use tributary::domain::ids::{SessionId, SessionKey, TenantId};
use tributary::domain::position::{Position, Sequence};
use tributary::domain::record::Output;
use tributary::edge::cache::RedisCache;
use tributary::engine::mux::LogWindow;
use tributary::engine::ports::result_cache::{
    Append, Appended, Listed, Loaded, Lost, MaybeReady, Missed, Read, ResultCache, Snapshot, StoreError,
    StoreFuture,
};

/// The delay, and the store behind it.
pub struct Slow(pub Duration, pub RedisCache);

impl ResultCache for Slow {
    fn append<'a>(&'a self, append: &'a Append) -> MaybeReady<'a, Result<Appended, StoreError>> {
        let appended = async move {
            tokio::time::sleep(self.0).await;
            self.1.append(append).await
        };
        Either::Right(appended.boxed())
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        self.1.load(key)
    }

    fn known(&self, key: &SessionKey) -> Option<Loaded> {
        self.1.known(key)
    }

    fn confirm<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, Option<Missed>> {
        self.1.confirm(key, position)
    }

    fn follow<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.1.follow(key)
    }

    fn refresh<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.1.refresh(key)
    }

    fn read<'a>(&'a self, key: &'a SessionKey, after: Sequence, limit: usize) -> StoreFuture<'a, Read> {
        self.1.read(key, after, limit)
    }

    fn snapshot<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Option<Snapshot>> {
        self.1.snapshot(key)
    }

    fn note_late<'a>(&'a self, key: &'a SessionKey, output: Output) -> StoreFuture<'a, ()> {
        self.1.note_late(key, output)
    }

    fn sessions<'a>(
        &'a self,
        tenant: &'a TenantId,
        after: Option<&'a SessionId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Listed>> {
        self.1.sessions(tenant, after, limit)
    }

    fn lost(&self) -> Vec<Lost> {
        self.1.lost()
    }

    fn backend(&self) -> &'static str {
        self.1.backend()
    }

    fn health(&self) -> Result<(), String> {
        self.1.health()
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, bool> {
        self.1.forget(key)
    }
}
