//! Calls by `https`, to a server whose certificate an authority of this test signed.

use std::sync::Arc;

use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto::aws_lc_rs};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::*;
use certificates::Certificates;

#[path = "../../../../tests/harness/certificates.rs"]
mod certificates;

const SUCCESS: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

async fn secure_peer(certificates: &Certificates, steps: Vec<Step>) -> Peer {
    let chain = CertificateDer::pem_file_iter(certificates.file("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificates.file("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let accept = move |stream| -> BoxFuture<'static, Option<TlsStream<_>>> {
        let accepted = acceptor.accept(stream);
        Box::pin(async { accepted.await.ok() })
    };
    Peer::serving(listener, Arc::new(move |_| steps.clone()), accept).await
}

fn secure(peer: &Peer) -> String {
    peer.url("/").replace("http:", "https:")
}

#[tokio::test]
async fn a_server_with_a_certificate_of_the_configured_authority_is_called() {
    let certificates = Certificates::new();
    let peer = secure_peer(&certificates, vec![Step::Send(SUCCESS.into())]).await;
    let client = client_with(|options| options.ca_certificates = Some(certificates.authority()));
    assert_eq!(read(&client, call(&secure(&peer))).await.unwrap(), b"{}");
    assert!(peer.request().contains("authorization: Bearer hunter22"));
}

#[tokio::test]
async fn a_server_with_another_certificate_gets_no_request() {
    let certificates = Certificates::new();
    let peer = secure_peer(&certificates, vec![Step::Send(SUCCESS.into())]).await;
    let other = Certificates::new();
    let client = client_with(|options| options.ca_certificates = Some(other.authority()));
    let error = read(&client, call(&secure(&peer))).await.unwrap_err();
    let CallError::Unreachable(text) = error else { panic!("{error:?}") };
    assert!(text.contains("certificate"), "{text}");

    // Signed by the authority, but for 127.0.0.1.
    let client = client_with(|options| options.ca_certificates = Some(certificates.authority()));
    let url = format!("https://localhost:{}/", peer.address.port());
    let error = read(&client, call(&url)).await.unwrap_err();
    assert!(matches!(error, CallError::Unreachable(_)), "{error:?}");
    assert_eq!(peer.seen.lock().requests.len(), 0);
}

#[tokio::test]
async fn dropping_the_body_closes_a_secure_connection_too() {
    let certificates = Certificates::new();
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\na";
    let peer = secure_peer(&certificates, vec![Step::Send(head.into()), Step::Hold]).await;
    let client = client_with(|options| options.ca_certificates = Some(certificates.authority()));
    let mut answer = client.call(call(&secure(&peer))).await.unwrap();
    assert_eq!(answer.body.next().await.unwrap().unwrap(), "a");
    drop(answer);
    peer.until(|seen| seen.ended == 1).await;
}

#[tokio::test]
async fn a_redirect_from_https_to_http_is_not_followed() {
    let certificates = Certificates::new();
    let there = Peer::answering(SUCCESS).await;
    let redirect = format!("HTTP/1.1 307 There\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", there.url("/"));
    let peer = secure_peer(&certificates, vec![Step::Send(redirect.into())]).await;
    let client = client_with(|options| options.ca_certificates = Some(certificates.authority()));
    let error = read(&client, call(&secure(&peer))).await.unwrap_err();
    assert_eq!(error, CallError::Redirected("from https to another scheme".into()));
    assert_eq!(there.seen.lock().connections, 0);
}

#[test]
fn a_file_without_certificates_is_refused() {
    for pem in ["", "text", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let mut options = options();
        options.ca_certificates = Some(pem.into());
        assert!(HttpSubagents::new(options).is_err(), "{pem}");
    }
}
