//! Tickets and cookies, with both stores.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use tributary::domain::access::{Denied, Grant, Scope};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::Code;
use tributary::edge::auth::{Authenticator, MemoryTickets, TicketError, Tickets, new_api_key};
use tributary::edge::cache::{RedisAddress, RedisCache, RedisSettings};
use tributary::engine::ports::ticket_store::{TicketDigest, TicketStore};
use tributary::engine::telemetry::Meters;

use crate::auth::api_keys::settings;
use crate::auth::issuer::{HMAC, NOW, SECRET, claims};
use crate::redis_server::RedisServer;

/// Both stores; the server lives as long as what is returned.
async fn stores() -> (Vec<(&'static str, Arc<dyn TicketStore>)>, RedisServer) {
    let server = RedisServer::start();
    let address = RedisAddress {
        url: server.url(),
        ca_certificates: None,
        response_timeout: Duration::from_secs(5),
        connection_timeout: Duration::from_secs(5),
    };
    let settings = RedisSettings {
        address,
        ring_entries: 64,
        ring_bytes: 1 << 20,
        ring_bytes_hard: 1 << 21,
        bytes_max: 1 << 24,
        piece_bytes: 1 << 20,
        ttl_ms: 60_000,
        tombstone_ms: 60_000,
        is_gated: false,
        meters: Meters::unread(),
    };
    let redis = RedisCache::connect(settings).await.ok().unwrap();
    (vec![("memory", Arc::new(MemoryTickets::default())), ("redis", Arc::new(redis))], server)
}

fn authenticator(key_seed: u8, sessions: &[&str]) -> (Arc<Authenticator>, String) {
    let (key, hash) = new_api_key([key_seed; 32]);
    let keys =
        json!({"app": {"hash": hash, "tenant": "acme", "scopes": ["read", "plan"], "sessions": sessions}});
    let mut settings = settings(&keys);
    settings.jwt_secret = Some(SECRET.to_vec());
    (Arc::new(Authenticator::new(settings).unwrap()), key)
}

async fn grant(authenticator: &Authenticator, token: &str) -> Arc<Grant> {
    authenticator.authenticate(token, NOW).await.unwrap()
}

fn later(ms: u64) -> Timestamp {
    NOW.plus_ms(ms)
}

#[tokio::test]
async fn ticket_becomes_a_cookie_that_reads_its_session_and_nothing_else() {
    let (stores, _server) = stores().await;
    for (name, store) in stores {
        let (authenticator, key) = authenticator(1, &["a*"]);
        let tickets = Tickets::new(store, authenticator.clone(), 43_200);
        let session = "a1".parse().unwrap();
        let jwt = HMAC.usual(None, &claims());
        for (token, lives_ms) in [(&key, 43_200_000), (&jwt, 60_000)] {
            let ticket = tickets.issue(&*grant(&authenticator, token).await, &session, NOW).await.unwrap();
            let redeemed = tickets.redeem(&ticket, NOW).await.unwrap();
            assert_eq!(redeemed.lives, Duration::from_millis(lives_ms), "{name}");
            assert!(ticket.len() == 43 && redeemed.cookie.len() == 43 && ticket != redeemed.cookie);
            let opened = tickets.cookie(&redeemed.cookie, later(lives_ms - 1)).await.unwrap();
            assert_eq!(opened, redeemed.grant);
            assert_eq!((opened.tenant.as_str(), opened.expires_at), ("acme", Some(later(lives_ms))));
            assert_eq!(opened.allows(Scope::Read, Some(&session)), Ok(()));
            assert_eq!(opened.allows(Scope::Read, Some(&"a2".parse().unwrap())), Err(Denied::Session));
            assert_eq!(opened.allows(Scope::Plan, Some(&session)), Err(Denied::Scope(Scope::Plan)));
            let unknown = Some(TicketError::Unknown);
            assert_eq!(
                tickets.cookie(&redeemed.cookie, later(lives_ms)).await.err(),
                unknown,
                "{name}: over"
            );
            assert_eq!(tickets.redeem(&ticket, NOW).await.err(), unknown, "{name}: used");
            assert_eq!(tickets.redeem(&redeemed.cookie, NOW).await.err(), unknown, "{name}: a cookie");
            let next = tickets.issue(&opened, &session, NOW).await.unwrap();
            assert_eq!(tickets.cookie(&next, NOW).await.err(), unknown, "{name}: a ticket");
            assert!(tickets.redeem(&next, NOW).await.is_ok(), "{name}: it is still there");
        }
    }
}

#[tokio::test]
async fn ticket_is_for_who_may_read_and_for_a_minute() {
    let (authenticator, key) = authenticator(1, &["a*"]);
    let store = Arc::new(MemoryTickets::default());
    let tickets = Tickets::new(store, authenticator.clone(), 60);
    let grant = grant(&authenticator, &key).await;
    let denied = tickets.issue(&grant, &"b".parse().unwrap(), NOW).await.err();
    assert_eq!(denied, Some(TicketError::Denied(Denied::Session)));
    assert_eq!(denied.unwrap().code(), Code::Forbidden);
    let session = "a".parse().unwrap();
    for (after_ms, is_there) in [(59_999, true), (60_000, false)] {
        let ticket = tickets.issue(&grant, &session, NOW).await.unwrap();
        assert_eq!(tickets.redeem(&ticket, later(after_ms)).await.is_ok(), is_there, "{after_ms}");
    }
    // A token that ends before its ticket takes it along.
    let ending = Grant { expires_at: Some(later(1_000)), name: "jwt:u".into(), ..Grant::clone(&grant) };
    let ticket = tickets.issue(&ending, &session, NOW).await.unwrap();
    assert_eq!(tickets.redeem(&ticket, later(1_000)).await.err(), Some(TicketError::Unknown));
}

#[tokio::test(start_paused = true)]
async fn store_forgets_a_ticket_that_waits_too_long() {
    let (authenticator, key) = authenticator(1, &["a*"]);
    let tickets = Tickets::new(Arc::new(MemoryTickets::default()), authenticator.clone(), 60);
    let grant = grant(&authenticator, &key).await;
    let ticket = tickets.issue(&grant, &"a".parse().unwrap(), NOW).await.unwrap();
    tokio::time::advance(Duration::from_secs(60)).await;
    // Even by a clock that stood still.
    assert_eq!(tickets.redeem(&ticket, NOW).await.err(), Some(TicketError::Unknown));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_at_once_one_gets_the_ticket() {
    let (stores, _server) = stores().await;
    for (name, store) in stores {
        let (authenticator, key) = authenticator(1, &["a*"]);
        let grant = grant(&authenticator, &key).await;
        let tickets = Arc::new(Tickets::new(store, authenticator, 60));
        for _ in 0..20 {
            let ticket = tickets.issue(&grant, &"a".parse().unwrap(), NOW).await.unwrap();
            let attempts = (0..32).map(|_| {
                let (tickets, ticket) = (tickets.clone(), ticket.clone());
                tokio::spawn(
                    async move { tickets.redeem(&ticket, NOW).await.map(|redeemed| redeemed.cookie) },
                )
            });
            let outcomes: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
            assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{name}");
            assert_eq!(
                outcomes.iter().filter(|outcome| **outcome == Err(TicketError::Unknown)).count(),
                31,
                "{name}"
            );
        }
    }
}

#[tokio::test]
async fn cookie_ends_with_the_key_that_it_came_from() {
    let store: Arc<dyn TicketStore> = Arc::new(MemoryTickets::default());
    let (first, key) = authenticator(1, &["a*"]);
    let before = Tickets::new(store.clone(), first.clone(), 60);
    let ticket = |tickets: &Tickets| {
        let tickets = Tickets::clone(tickets);
        let (first, key) = (first.clone(), key.clone());
        async move {
            let grant = grant(&first, &key).await;
            tickets.issue(&grant, &"a1".parse().unwrap(), NOW).await.unwrap()
        }
    };
    let cookie = before.redeem(&ticket(&before).await, NOW).await.unwrap().cookie;
    // Another process, configured as it says: the same, without the key, with another one of that name, with less.
    let without = Arc::new(Authenticator::new(settings(&json!({}))).unwrap());
    for (now, is_open) in [
        (authenticator(1, &["a*"]).0, true),
        (authenticator(1, &["a1"]).0, true),
        (without, false),
        (authenticator(2, &["a*"]).0, false),
        (authenticator(1, &["b*"]).0, false),
    ] {
        let after = Tickets::new(store.clone(), now, 60);
        assert_eq!(after.cookie(&cookie, NOW).await.is_ok(), is_open);
        assert_eq!(after.redeem(&ticket(&before).await, NOW).await.is_ok(), is_open);
    }
}

#[tokio::test]
async fn text_that_is_no_ticket_never_reaches_the_store() {
    let tickets = Tickets::new(Arc::new(Refusing), authenticator(1, &[]).0, 60);
    let odd = [
        "",
        "a",
        "../../x",
        &"A".repeat(42),
        &"A".repeat(44),
        &format!("{}B", "A".repeat(42)),
        &"ä".repeat(21),
        "\0",
        &"*".repeat(43),
    ]
    .map(str::to_owned);
    for odd in odd {
        assert_eq!(tickets.redeem(&odd, NOW).await.err(), Some(TicketError::Unknown), "{odd}");
        assert_eq!(tickets.cookie(&odd, NOW).await.err(), Some(TicketError::Unknown), "{odd}");
    }
    let refused = tickets.redeem(&"A".repeat(43), NOW).await.err().unwrap();
    assert_eq!(refused.code(), Code::StoreUnavailable);
}

/// A store that is down.
struct Refusing;

mod refusing {
    use futures::FutureExt;
    use futures::future::ready;
    use tributary::engine::ports::result_cache::StoreError;
    use tributary::engine::ports::ticket_store::{TicketDigest, TicketFuture, TicketStore};

    fn down<'a, T: Send + 'a>() -> TicketFuture<'a, T> {
        ready(Err(StoreError::TimedOut)).boxed()
    }

    impl TicketStore for super::Refusing {
        fn put<'a>(&'a self, _: TicketDigest, _: &'a [u8], _: std::time::Duration) -> TicketFuture<'a, ()> {
            down()
        }
        fn take(&self, _: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>> {
            down()
        }
        fn get(&self, _: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>> {
            down()
        }
    }
}

#[tokio::test]
async fn redis_holds_digests_with_an_end_and_no_secret() {
    let (stores, server) = stores().await;
    let store = stores[1].1.clone();
    let (authenticator, key) = authenticator(1, &["a*"]);
    let tickets = Tickets::new(store.clone(), authenticator.clone(), 600);
    let grant = grant(&authenticator, &key).await;
    let session = "a".parse().unwrap();
    let mut texts = BTreeSet::new();
    for _ in 0..20 {
        texts.insert(tickets.issue(&grant, &session, NOW).await.unwrap());
    }
    let cookie = tickets.redeem(texts.first().unwrap(), NOW).await.unwrap().cookie;
    assert_eq!((texts.len(), server.command(&["DBSIZE"])), (20, ":20".into()));
    let dump = String::from_utf8_lossy(&server.raw(&["KEYS", "*"])).into_owned();
    let names: Vec<&str> = dump.lines().filter(|line| line.starts_with("tributary:ticket:")).collect();
    assert_eq!(names.len(), 20, "{dump}");
    for name in names {
        let value = server.text(&["GET", name]);
        let told = format!("{name} {value}");
        assert!(!texts.iter().chain([&cookie, &key]).any(|secret| told.contains(secret.as_str())), "{told}");
        let left: i64 = server.command(&["PTTL", name]).trim_start_matches(':').parse().unwrap();
        assert!((1..=600_000).contains(&left), "{told}: {left}");
    }
    let digest = TicketDigest([7; 32]);
    store.put(digest, b"x", Duration::MAX).await.unwrap();
    assert_eq!(store.get(digest).await.unwrap().as_deref(), Some(&b"x"[..]));
    store.put(digest, b"y", Duration::ZERO).await.unwrap();
    assert_eq!(store.get(digest).await.unwrap(), None);
    store.put(digest, b"", Duration::from_secs(9)).await.unwrap();
    assert_eq!(store.take(digest).await.unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(store.take(digest).await.unwrap(), None);
}
