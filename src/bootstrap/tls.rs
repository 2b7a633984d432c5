//! The certificate and key that connections are encrypted with.

use anyhow::{Context, ensure};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};

use crate::config::Server;
use crate::edge::http::serve::Tls;

/// What takes connections with TLS; `None` where no certificate is configured.
///
/// # Errors
/// Where a file can't be read, or the two don't belong together.
pub(super) fn acceptor(server: &Server) -> anyhow::Result<Option<Tls>> {
    let (certificate, key) = (&server.tls_certificate_file, &server.tls_key_file);
    if certificate.is_empty() {
        return Ok(None);
    }
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| {
        format!("server.tls_certificate_file: can't read certificates from `{certificate}`")
    })?;
    ensure!(!chain.is_empty(), "server.tls_certificate_file: `{certificate}` holds no certificate");
    let private = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("server.tls_key_file: can't read a private key from `{key}`"))?;
    let provider = std::sync::Arc::new(crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .context("TLS 1.2 and 1.3 are not available")?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .with_context(|| format!("`{certificate}` and `{key}` don't belong together"))?;
    Ok(Some(Tls::new(config)))
}

/// The same, only to see whether it works.
///
/// # Errors
/// As [`acceptor`].
pub fn check(server: &Server) -> anyhow::Result<bool> {
    acceptor(server).map(|tls| tls.is_some())
}
