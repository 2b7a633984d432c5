//! A collector behind TLS, whose authority is in a file, and that may ask for the client's certificate.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig, crypto::aws_lc_rs};

use crate::certificates::Certificates;
use crate::otlp_receiver::OtlpReceiver;
use crate::outages::counted;
use crate::{span, telemetry};

/// Unwraps TLS in front of a receiver, for clients that the authority signed. Ends with the test's runtime.
async fn front(certificates: &Certificates, behind: SocketAddr) -> String {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let chain = CertificateDer::pem_file_iter(certificates.file("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificates.file("server.key")).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificates.file("ca.pem")).unwrap()).unwrap();
    let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(clients.build().unwrap())
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let endpoint = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    let mut plain = TcpStream::connect(behind).await.unwrap();
                    // How the connection ends is the client's business.
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut plain).await;
                }
            });
        }
    });
    endpoint
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_are_shown_and_checked_over_both_protocols() {
    let certificates = Certificates::new();
    let file = |name| certificates.file(name).into_os_string().into_string().unwrap();
    for protocol in ["http/protobuf", "grpc"] {
        let receiver = OtlpReceiver::start().await;
        let endpoint = front(&certificates, receiver.address()).await;
        let (authority, certificate, key) = (file("ca.pem"), file("server.pem"), file("server.key"));
        let given = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "2000"),
            ("OTEL_EXPORTER_OTLP_CERTIFICATE", &authority),
            ("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", &certificate),
            ("OTEL_EXPORTER_OTLP_CLIENT_KEY", &key),
        ];
        let trusting = telemetry(&given);
        trusting.spans().unwrap().end(span("known", 1, 1));
        receiver.until("span", |seen| seen.span("known").is_some()).await;

        for without in ["OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT"] {
            let given: Vec<_> =
                given.iter().copied().filter(|(name, _)| !name.starts_with(without)).collect();
            let other = telemetry(&given);
            other.spans().unwrap().end(span("unknown", 1, 2));
            counted(&other, "failed", 1).await;
        }
        assert!(receiver.received().span("unknown").is_none());
    }
}
