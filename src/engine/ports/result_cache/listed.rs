//! Sessions in a list.

use std::sync::Arc;

use super::StoreError;
use crate::domain::ids::SessionId;
use crate::domain::session::SessionState;

/// A session that has data. One that can't be read is listed like the others: it takes none of them away, and whoever runs the service
/// has to know its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Which.
    pub session: SessionId,
    /// How it stands; else [`StoreError::Newer`] or [`StoreError::Corrupt`], as everything else fails the list.
    pub state: Result<Arc<SessionState>, StoreError>,
}

impl From<Arc<SessionState>> for Listed {
    fn from(state: Arc<SessionState>) -> Self {
        Self { session: state.session.clone(), state: Ok(state) }
    }
}
