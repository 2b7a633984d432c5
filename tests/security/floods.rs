//! Peers that speak HTTP/2 (RFC 9113) as no client does: each costs a bounded amount of memory, and others are served.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::harness::TestApp;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const CONTINUATION: u8 = 9;
/// `GET http:/` of `t`, without names that stand in no table (RFC 7541).
const HEAD: &[u8] = &[0x82, 0x86, 0x84, 0x41, 1, b't'];
/// A flood ends after so many bytes, or where the service stops reading or hangs up.
const FLOOD_BYTES: usize = 24 << 20;
/// What it may cost.
const GROWTH_BYTES: u64 = 32 << 20;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Writes without reading; `piece` is the flood's next part. Whether the service hung up.
async fn flood(app: &TestApp, opening: &[u8], mut piece: impl FnMut(u32) -> Vec<u8>) -> bool {
    let mut socket = app.connect().await;
    let greeting = [PREFACE, &frame(SETTINGS, 0, 0, &[]), opening].concat();
    socket.write_all(&greeting).await.unwrap();
    let mut written = 0;
    for number in 0.. {
        let bytes: Vec<u8> = piece(number);
        match timeout(Duration::from_secs(1), socket.write_all(&bytes)).await {
            // It waits until it is read from: nothing piles up.
            Err(_) => break,
            Ok(Err(_)) => return true,
            Ok(Ok(())) => written += bytes.len(),
        }
        if written >= FLOOD_BYTES {
            break;
        }
    }
    assert_eq!(app.get("/healthz").send().await.status, 200, "others are served meanwhile");
    false
}

/// A flood, and what it cost.
async fn held(name: &str, opening: &[u8], piece: impl FnMut(u32) -> Vec<u8>) -> bool {
    let app = TestApp::new().start().await;
    let before = app.rss_bytes();
    let hung_up = flood(&app, opening, piece).await;
    let grown = app.rss_bytes().saturating_sub(before);
    assert!(grown < GROWTH_BYTES, "{name}: {grown} bytes more");
    assert_eq!(app.get("/healthz").send().await.status, 200, "{name}");
    hung_up
}

#[tokio::test]
async fn requests_that_are_taken_back_at_once_end_the_connection() {
    // CVE-2023-44487: each is reset before it counts as one at once.
    let cancelled = |number: u32| {
        let pair =
            |stream: u32| [frame(HEADERS, 5, stream, HEAD), frame(RESET, 0, stream, &[0, 0, 0, 8])].concat();
        (0..100).flat_map(|place| pair((number * 100 + place) * 2 + 1)).collect()
    };
    assert!(held("rapid reset", &[], cancelled).await, "it was let go on");
}

#[tokio::test]
async fn head_without_an_end_ends_the_connection() {
    // CVE-2024-27316: frames that go on with a head, of fields that are never looked at.
    let field = [&[0x00, 1, b'x', 0x7f, 0x81, 0x06][..], &[b'y'; 896]].concat();
    let more = |_| frame(CONTINUATION, 0, 1, &field.repeat(18)[..16_000]);
    assert!(held("continuation", &frame(HEADERS, 1, 1, HEAD), more).await, "it was let go on");
}

#[tokio::test]
async fn head_that_unpacks_to_megabytes_costs_none() {
    // One field of 3,000 bytes goes into the table, then each byte names it once more.
    let packed = [HEAD, &[0x40, 1, b'x', 0x7f, 0xb9, 0x16], &[b'y'; 3_000][..], &[0xbe; 12_000][..]].concat();
    let bomb = move |number: u32| frame(HEADERS, 5, number * 2 + 1, &packed);
    held("header bomb", &[], bomb).await;
}

#[tokio::test]
async fn pings_and_settings_without_end_cost_no_memory() {
    held("pings", &[], |_| frame(PING, 0, 0, &[0; 8]).repeat(500)).await;
    held("settings", &[], |_| frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 100]).repeat(500)).await;
}

#[tokio::test]
async fn answers_that_are_never_read_cost_a_bounded_amount() {
    // No window at all: 250 answers wait, further requests are refused.
    let no_window = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 0]);
    let path: &[u8] = b"/openapi.json";
    let head = [&[0x82, 0x86, 0x44, path.len() as u8][..], path, &[0x41, 1, b't']].concat();
    held("no window", &no_window, |number| frame(HEADERS, 5, number * 2 + 1, &head)).await;
}
