//! The [`ShadowLog`] of a service with an archive: which of its calls is which statement.

use futures::FutureExt;

use super::{Call, SqlArchive, shadow};
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::shadow::Comparison;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchiveFuture;
use crate::engine::ports::shadow_log::{
    LoggedDiscrepancy, Noted, NotedResponse, ShadowLog, Summary, Waiting, Wanted,
};

impl ShadowLog for SqlArchive {
    fn note<'a>(
        &'a self,
        response: &'a NotedResponse,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, Noted> {
        in_one!(self, |tx| shadow::note(tx, response, once))
    }

    fn settle<'a>(
        &'a self,
        waiting: &'a Waiting,
        comparison: &'a Comparison,
        at: Timestamp,
    ) -> ArchiveFuture<'a, bool> {
        in_one!(self, |tx| shadow::settle(tx, waiting, comparison, at))
    }

    fn give_up<'a>(&'a self, waiting: &'a Waiting) -> ArchiveFuture<'a, ()> {
        in_one!(self, |tx| shadow::give_up(tx, waiting))
    }

    fn waiting(&self, after: u64, limit: usize) -> ArchiveFuture<'_, Vec<Waiting>> {
        self.noted(Call::Reads, shadow::waiting(&self.database, after, limit)).boxed()
    }

    fn discrepancies<'a>(
        &'a self,
        tenant: &'a TenantId,
        wanted: &'a Wanted,
    ) -> ArchiveFuture<'a, Vec<LoggedDiscrepancy>> {
        self.noted(Call::Reads, shadow::discrepancies(&self.database, tenant, wanted)).boxed()
    }

    fn summary<'a>(&'a self, tenant: &'a TenantId, wanted: &'a Wanted) -> ArchiveFuture<'a, Summary> {
        self.noted(Call::Reads, shadow::summary(&self.database, tenant, wanted)).boxed()
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, ()> {
        in_one!(self, |tx| shadow::forget(tx, key))
    }
}
