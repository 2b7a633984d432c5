//! An append whose wake-up is announced first.

use crate::domain::time::Timestamp;
use crate::engine::coordinator::task::SessionTask;
use crate::engine::ports::result_cache::{Append, Appended, StoreError};

impl SessionTask {
    pub(super) async fn append_announced(
        &mut self,
        append: &Append,
        next: Option<Timestamp>,
    ) -> Result<Appended, StoreError> {
        self.shared.cache.settled().await;
        self.announce(next).await?;
        // Right before, too: a restart in between would be as good as unnoticed, and takes what was announced with it.
        while self.shared.cache.settled().await && !mutant!("announcement-lost-with-a-restart") {
            self.announced = None;
            self.announce(next).await?;
        }
        self.shared.cache.append(append).await
    }
}
