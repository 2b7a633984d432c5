//! The shared store over TLS, with a password that nobody is told.

use std::time::Duration;

use tributary::edge::cache::{ConnectError, RedisCache};
use tributary::engine::ports::result_cache::ResultCache;

use super::log::Log;
use super::settings_at;
use super::waiting::eventually;
use crate::bench::Bounds;
use crate::certificates::Certificates;
use crate::redis_server::{RedisServer, free_port};
use crate::writer::{Writer, partial, read};

const PASSWORD: &str = "correct-horse";

/// A Redis that takes TLS, and wants a password.
struct Scene {
    server: RedisServer,
    certificates: Certificates,
    tls_port: String,
}

impl Scene {
    fn new() -> Self {
        let certificates = Certificates::new();
        let file = |name| certificates.file(name).to_str().unwrap().to_owned();
        let (certificate, key, authority) = (file("server.pem"), file("server.key"), file("ca.pem"));
        let tls_port = free_port().to_string();
        let files =
            ["--tls-cert-file", &certificate, "--tls-key-file", &key, "--tls-ca-cert-file", &authority];
        let rest =
            ["--tls-auth-clients", "no", "--save", "", "--requirepass", PASSWORD, "--tls-port", &tls_port];
        let server = RedisServer::start_with(&[&files[..], &rest].concat());
        Self { server, certificates, tls_port }
    }

    async fn connect(&self, url: String, authority: Option<Vec<u8>>) -> Result<RedisCache, ConnectError> {
        let mut settings = settings_at(url, Bounds::default());
        settings.address.ca_certificates = authority;
        settings.address.connection_timeout = Duration::from_secs(10);
        RedisCache::connect(settings).await
    }

    fn tls(&self, password: &str) -> String {
        format!("rediss://:{password}@127.0.0.1:{}", self.tls_port)
    }

    /// Why connecting fails; the text must hold neither password.
    async fn refusal(&self, url: String, authority: Option<Vec<u8>>) -> String {
        let refused = self.connect(url, authority).await.err().expect("refused");
        let said = format!("{refused} {refused:?}");
        assert!(!said.contains(PASSWORD) && !said.contains("wrong-horse"), "{said}");
        refused.to_string()
    }
}

#[tokio::test]
async fn tls_with_a_password() {
    let scene = Scene::new();
    let authority = Some(scene.certificates.authority());
    let here = scene.connect(scene.tls(PASSWORD), authority.clone()).await.unwrap();
    let there = scene.connect(scene.tls(PASSWORD), authority).await.unwrap();
    let mut writer = Writer::new("s");
    let window = there.follow(&writer.key).await.unwrap();
    writer.begins(&here).await.writes(&here, &[partial()]).await;
    eventually("what is published", async || {
        (window.tail().position == Some(writer.position())).then_some(())
    })
    .await;
    assert_eq!(read(&there, &writer.key, 0).await, writer.log);
}

#[tokio::test]
async fn what_keeps_it_from_connecting_is_said_without_the_password() {
    let scene = Scene::new();
    let authority = || Some(scene.certificates.authority());
    let plain = |password: &str, port: u16| format!("redis://:{password}@127.0.0.1:{port}");

    let wrong = [(scene.tls("wrong-horse"), authority()), (plain("wrong-horse", scene.server.port), None)];
    for (url, authority) in wrong {
        let said = scene.refusal(url, authority).await;
        assert!(said.contains("assword"), "{said}");
    }
    let said = scene.refusal(plain(PASSWORD, scene.server.port), authority()).await;
    assert!(said.contains("rediss://"), "certificates without TLS: {said}");
    let none = scene.refusal(format!("redis://127.0.0.1:{}", scene.server.port), None).await;
    assert!(none.contains("uthentication") || none.contains("NOAUTH"), "{none}");

    for authority in [None, Some(Certificates::new().authority())] {
        let said = scene.refusal(scene.tls(PASSWORD), authority).await;
        assert!(said.contains("ertificate"), "{said}");
    }
    let said = scene.refusal(scene.tls(PASSWORD), Some(b"not a certificate".to_vec())).await;
    assert!(said.contains("ertificate"), "{said}");

    let said = scene.refusal(plain(PASSWORD, free_port()), None).await;
    assert!(said.contains("refused"), "{said}");
    for unfit in ["http://:correct-horse@127.0.0.1", "redis://:correct-horse@127.0.0.1:port", "correct-horse"]
    {
        let said = scene.refusal(unfit.to_owned(), None).await;
        assert!(said.starts_with("cache.redis_url can't be used"), "{said}");
    }
}

#[tokio::test]
async fn a_lost_connection_is_logged_without_the_password() {
    let mut scene = Scene::new();
    let (log, _guard) = Log::keep();
    let cache = scene.connect(scene.tls(PASSWORD), Some(scene.certificates.authority())).await.unwrap();
    eventually("a subscription", async || cache.health().ok()).await;
    scene.server.kill();
    eventually("the loss", async || {
        cache.sweep(true).await;
        cache.health().err()
    })
    .await;
    scene.server.restart();
    eventually("the connection", async || {
        cache.sweep(true).await;
        cache.health().ok()
    })
    .await;
    let said = log.text();
    assert!(said.contains("Redis doesn't answer") && said.contains("Redis answers again"), "{said}");
    assert!(!said.contains(PASSWORD), "{said}");
}
