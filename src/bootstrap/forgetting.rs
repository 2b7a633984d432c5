//! A session that another replica deletes is forgotten by this one, too: what a process keeps of it beside the store, and what
//! agents that were called from here do for it.

use tokio::sync::mpsc::UnboundedReceiver;

use super::store::StoreKind;
use crate::domain::ids::SessionKey;
use crate::edge::http::app::App;

/// Hears of deletions, where there are other replicas.
pub(super) struct Forgetting {
    deletions: Option<UnboundedReceiver<SessionKey>>,
    /// Whether the process itself keeps feedback and comparisons: an archive is asked by who deletes.
    keeps_beside: bool,
}

impl Forgetting {
    pub(super) fn new(kind: &StoreKind, keeps_beside: bool) -> Self {
        let deletions = match kind {
            StoreKind::Memory(_) => None,
            StoreKind::Redis(cache) => Some(cache.deletions()),
        };
        Self { deletions, keeps_beside }
    }

    /// Runs for as long as it is asked.
    pub(super) async fn run(self, app: &App) {
        if let Some(mut deletions) = self.deletions {
            while let Some(key) = deletions.recv().await {
                app.coordinator.was_deleted(&key);
                app.synthesiser.explanations().forget(&key);
                if self.keeps_beside {
                    forget_beside(app, &key).await;
                }
            }
        }
        std::future::pending().await
    }
}

async fn forget_beside(app: &App, key: &SessionKey) {
    for forgotten in [app.feedback.forget_feedback(key).await, app.shadow.log().forget(key).await] {
        if let Err(error) = forgotten {
            tracing::warn!(session = %key.session, %error, "a session that was deleted elsewhere is not forgotten here");
        }
    }
}
