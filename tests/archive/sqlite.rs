//! SQLite keeps the contract.

use std::path::PathBuf;
use std::sync::Arc;

use tributary::edge::archive::{ArchiveUrl, SqlArchive};

/// A folder that goes with its test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        let name = format!("tributary-archive-{}-{:x}", std::process::id(), fastrand::u64(..));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// The URL of a database in it.
    pub fn url(&self) -> String {
        format!("sqlite://{}", self.0.join("archive.db").display())
    }

    /// The database in it, its tables made.
    pub async fn archive(&self) -> Arc<SqlArchive> {
        let archive = SqlArchive::at(&self.url().parse::<ArchiveUrl>().unwrap()).unwrap();
        archive.migrate().await.unwrap();
        Arc::new(archive)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

macro_rules! each_is_a_test {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                let folder = Folder::new();
                crate::contract::$module::$name(&*folder.archive().await).await;
            }
        )+
    };
}
crate::the_contract!(each_is_a_test);

#[tokio::test]
async fn migrating_again_changes_nothing() {
    let folder = Folder::new();
    let archive = folder.archive().await;
    archive.migrate().await.unwrap();
    folder.archive().await.reach().await.unwrap();
}
