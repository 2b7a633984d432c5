//! Certificates for a test: an authority, and one for 127.0.0.1 that it signed, made by `openssl`.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Files in a folder of their own, removed at the end.
pub struct Certificates {
    folder: PathBuf,
}

impl Certificates {
    pub fn new() -> Self {
        let name = format!("tributary-certificates-{}-{}", std::process::id(), fastrand::u64(..));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let made = Self { folder };
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
        let authority =
            ["-x509", "-days", "2", "-subj", "/CN=a test's authority", "-keyout", "ca.key", "-out", "ca.pem"];
        made.openssl(&[&["req"][..], &key, &authority].concat());
        let server = ["-subj", "/CN=redis", "-keyout", "server.key", "-out", "server.csr"];
        made.openssl(&[&["req"][..], &key, &server].concat());
        std::fs::write(made.file("server.ext"), "subjectAltName=IP:127.0.0.1\n").unwrap();
        let signed = [
            "-req",
            "-in",
            "server.csr",
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "2",
        ];
        made.openssl(&[&["x509"][..], &signed, &["-extfile", "server.ext", "-out", "server.pem"]].concat());
        made
    }

    /// One of `ca.pem`, `server.pem`, `server.key`.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The authority's certificate, as PEM.
    pub fn authority(&self) -> Vec<u8> {
        std::fs::read(self.file("ca.pem")).unwrap()
    }

    fn openssl(&self, arguments: &[&str]) {
        let folder: &Path = &self.folder;
        let output = Command::new("openssl").args(arguments).current_dir(folder).output();
        let output = output.expect("openssl is installed (Debian: openssl)");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Certificates {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
