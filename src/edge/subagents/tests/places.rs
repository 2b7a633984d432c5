//! Where calls go, and where they never go.
//!
//! Nothing here leaves this machine: what mustn't be called is either refused before a connection, or is this machine.

use std::net::IpAddr;
use std::sync::Arc;

use super::*;

const SUCCESS: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

fn redirect(status: u16, to: &str) -> String {
    format!("HTTP/1.1 {status} Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n")
}

#[tokio::test]
async fn an_ipv6_address_is_called() {
    if tokio::net::TcpListener::bind("[::1]:0").await.is_err() {
        return; // This machine has no IPv6.
    }
    let peer = Peer::at("[::1]:0", Arc::new(|_| vec![Step::Send(SUCCESS.into())])).await;
    assert_eq!(read(&client(), call(&peer.url("/"))).await.unwrap(), b"{}");
}

#[tokio::test]
async fn nobody_who_is_not_allowed_is_called() {
    let peer = Peer::answering(SUCCESS).await;
    let client = client_with(|options| options.allowed_hosts = vec!["127.0.0.1:1".parse().unwrap()]);
    for url in [peer.url("/"), "http://localhost:1/".into(), "ftp://127.0.0.1:1/".into(), "data:,a".into()] {
        let error = read(&client, call(&url)).await.unwrap_err();
        assert!(matches!(error, CallError::NotAllowed(_)), "{url}: {error:?}");
    }
    let user = format!("http://user:word@{}/", peer.address);
    assert!(matches!(read(&super::client(), call(&user)).await, Err(CallError::NotAllowed(_))));
    assert_eq!(peer.seen.lock().connections, 0);
}

#[tokio::test]
async fn private_addresses_are_not_called_by_address_nor_by_name() {
    let peer = Peer::answering(SUCCESS).await;
    let client = client_with(|options| options.allow_private = false);
    let port = peer.address.port();
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::1]"] {
        let error = read(&client, call(&format!("http://{host}:{port}/"))).await.unwrap_err();
        assert!(matches!(error, CallError::NotAllowed(_)), "{host}: {error:?}");
    }
    assert_eq!(peer.seen.lock().connections, 0);
}

#[tokio::test]
async fn a_name_is_called_at_the_address_that_the_resolver_gave() {
    let peer = Peer::answering(SUCCESS).await;
    let lookup: Lookup = Arc::new(|name| match name {
        "crm.test" => Ok(vec![IpAddr::from([127, 0, 0, 1])]),
        name => Err(std::io::Error::other(format!("nobody is called {name}"))),
    });
    let mut options = options();
    options.allowed_hosts = ["crm.test", "other.test"].map(|host| host.parse().unwrap()).into();
    let allowing = HttpSubagents::with_lookup(options.clone(), lookup.clone()).unwrap();
    let url = format!("http://crm.test:{}/", peer.address.port());
    assert_eq!(read(&allowing, call(&url)).await.unwrap(), b"{}");
    assert!(peer.request().contains(&format!("host: crm.test:{}\r\n", peer.address.port())));

    let error = read(&allowing, call("http://other.test/")).await.unwrap_err();
    assert_eq!(error, CallError::Unreachable("nobody is called other.test".into()));

    options.allow_private = false;
    let refusing = HttpSubagents::with_lookup(options, lookup).unwrap();
    let error = read(&refusing, call(&url)).await.unwrap_err();
    assert_eq!(
        error,
        CallError::NotAllowed(
            "`crm.test` has only private addresses, and those may not be called (`invoke.allow_private`)"
                .into()
        )
    );
    assert_eq!(peer.seen.lock().connections, 1);
}

#[tokio::test]
async fn where_nobody_listens_is_unreachable() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = read(&client(), call(&format!("http://{free}/?key=hidden"))).await.unwrap_err();
    let CallError::Unreachable(text) = error else { panic!("{error:?}") };
    assert!(text.contains("refused") && !text.contains("hidden"), "{text}");
}

#[tokio::test]
async fn a_redirect_repeats_the_post_with_its_credentials_at_the_same_place() {
    for status in [307, 308] {
        let script = move |number| match number {
            0 => vec![Step::Send(redirect(status, "/there?x").into())],
            _ => vec![Step::Send(SUCCESS.into())],
        };
        let peer = Peer::at("127.0.0.1:0", Arc::new(script)).await;
        assert_eq!(read(&client(), call(&peer.url("/"))).await.unwrap(), b"{}");
        let seen = peer.seen.lock();
        assert!(seen.requests[1].starts_with("POST /there?x HTTP/1.1\r\n"));
        assert!(seen.requests[1].contains("authorization: Bearer hunter22\r\n"));
        assert!(seen.requests[1].ends_with("\r\n\r\n{\"task\":1}"));
    }
}

#[tokio::test]
async fn another_host_or_port_gets_no_credentials() {
    let there = Peer::answering(SUCCESS).await;
    let here = Peer::answering(redirect(307, &there.url("/"))).await;
    let mut call = call(&here.url("/"));
    for name in ["x-api-key", "cookie", "idempotency-key"] {
        call.headers.push((HeaderName::from_static(name), HeaderValue::from_static("given")));
    }
    read(&client(), call).await.unwrap();
    assert!(here.request().contains("hunter22") && here.request().contains("x-api-key"));
    let request = there.request();
    for gone in ["hunter22", "authorization", "x-api-key", "cookie"] {
        assert!(!request.contains(gone), "{request}");
    }
    for kept in ["idempotency-key: given\r\n", "traceparent: 00-", "content-type: application/json\r\n"] {
        assert!(request.contains(kept), "{request}");
    }
}

#[tokio::test]
async fn no_other_redirect_is_followed() {
    let there = Peer::answering(SUCCESS).await;
    let elsewhere = there.url("/").replace("127.0.0.1", "127.0.0.2");
    let secret = "http://hunter22.test/?hunter22";
    for (status, to) in [
        (301, there.url("/")),
        (302, there.url("/")),
        (303, there.url("/")),
        (300, there.url("/")),
        (307, elsewhere),
        (308, "ftp://127.0.0.1/".into()),
        (307, there.url("/").replace("//", "//user:word@")),
        (307, secret.into()),
    ] {
        let here = Peer::answering(redirect(status, &to)).await;
        let error = read(&client(), call(&here.url("/"))).await.unwrap_err();
        assert!(matches!(error, CallError::Redirected(_)), "{status} {to}: {error:?}");
        assert!(!error.is_retryable());
    }
    assert_eq!(there.seen.lock().connections, 0);
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    // The name is public as far as the check knows, and is this machine only for the test's connection.
    let there = Peer::answering(SUCCESS).await;
    let here = Peer::answering(redirect(307, &there.url("/"))).await;
    let mut client = client();
    client.options.allow_private = false;
    let here_url: Url = here.url("/").parse().unwrap();
    let headers = client.options.secrets.resolve(vec![]).unwrap();
    let mut request = Request { url: here_url, headers, accept: "*/*", body: bytes::Bytes::new() };
    let error = client.send_along(&mut request, Instant::now() + SOON).await.unwrap_err();
    let CallError::Redirected(text) = error else { panic!("{error:?}") };
    assert!(text.contains("private address"), "{text}");
    assert_eq!(there.seen.lock().connections, 0);
}

#[tokio::test]
async fn a_circle_of_redirects_is_left_after_three() {
    let peer = Peer::answering(redirect(307, "/again")).await;
    let error = read(&client(), call(&peer.url("/"))).await.unwrap_err();
    assert_eq!(error, CallError::Redirected("more than 3 times".into()));
    assert_eq!(peer.seen.lock().requests.len(), 4);
}
