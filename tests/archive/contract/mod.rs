//! The suite, by subject: each function is a test of any archive, which is empty when it begins.

pub mod ending;
pub mod feedback;
pub mod figures;
pub mod forks;
pub mod shadow;
pub mod shadow_ending;
pub mod standing;
pub mod writing;

use std::sync::Arc;

use tributary::domain::entry::Entry;
use tributary::domain::ids::SessionKey;
use tributary::domain::position::Sequence;
use tributary::domain::time::Timestamp;
use tributary::engine::ports::archive::{Archive, Deletion};

/// Of a session of which no store knows anything, when logs are written here.
pub const DELETED: Deletion = Deletion { at: Timestamp(1_000_000), epoch: None };

/// All live entries of a session.
pub async fn all(archive: &impl Archive, key: &SessionKey) -> Vec<Arc<Entry>> {
    archive.read(key, Sequence(0), 1_000_000).await.unwrap()
}
