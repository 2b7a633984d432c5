//! A place for what a test writes.

use std::path::PathBuf;

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
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
