//! Offsets, queries, cursors, headers and events, each by what the protocol promises its clients.

use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::domain::position::{Chain, Epoch, Position, Sequence};

fn offset(sequence: u64) -> Offset {
    Offset(Position { epoch: "7f3a91".parse().unwrap(), sequence: Sequence(sequence), chain: Chain(7) })
}

fn batch(items: &[&str], up_to_date: bool, closed: bool) -> Batch {
    let items = items.iter().map(|item| Bytes::copy_from_slice(item.as_bytes())).collect();
    let next = offset(9);
    Batch { start: Start::Beginning, items, next, up_to_date, closed, trimmed_before: None }
}

prop_compose! {
    fn any_offset()(epoch in any::<u32>(), sequence in any::<u64>(), chain in any::<u64>()) -> Offset {
        Offset(Position { epoch: Epoch::from_random(epoch), sequence: Sequence(sequence), chain: Chain(chain) })
    }
}

proptest! {
    #[test]
    fn an_offset_survives_its_text(offset in any_offset()) {
        let text = offset.to_string();
        prop_assert_eq!(text.parse::<Start>(), Ok(Start::After(offset)));
        prop_assert!(!text.contains([',', '&', '=', '?', '/']) && text.len() < 256);
    }

    #[test]
    fn offsets_sort_as_their_sequences(a in any_offset(), b in any_offset()) {
        let (left, right) = (a.to_string(), b.to_string());
        if a.0.sequence != b.0.sequence {
            prop_assert_eq!(left.cmp(&right), a.0.sequence.cmp(&b.0.sequence));
        } else {
            prop_assert_eq!(left == right, a == b);
        }
    }

    #[test]
    fn no_text_but_an_offsets_own_is_one(text in "\\PC*|[0-9a-f_]{40,60}|-?[0-9]{1,3}|[ -~]{0,60}") {
        if let Ok(start) = text.parse::<Start>() {
            prop_assert_eq!(start.to_string(), text);
        }
    }

    #[test]
    fn one_changed_byte_gives_no_offset_or_another(offset in any_offset(), at in 0usize..46, byte in 0u8..128) {
        let mut text = offset.to_string().into_bytes();
        let same = text[at] == byte;
        text[at] = byte;
        let read = String::from_utf8(text).unwrap().parse::<Offset>();
        prop_assert_eq!(read == Ok(offset), same);
    }

    #[test]
    fn cursors_never_go_back(now in 0u64..4_000_000_000, echoed in 0u64..1_000_000_000_000_000, jitter in JITTER_S) {
        let cursor = current(now, Some(echoed), jitter);
        prop_assert!(cursor > echoed && cursor >= interval(now) || echoed < interval(now) && cursor == interval(now));
        prop_assert_eq!(current(now, None, jitter), interval(now));
    }

    #[test]
    fn texts_come_back_out_of_their_event(items in prop::collection::vec("(\\PC|[ \r\n:]|event: control)*", 1..4)) {
        let bytes: Vec<Bytes> = items.iter().map(|item| Bytes::from(item.clone().into_bytes())).collect();
        let events = read_events(&event(Encoding::Text, &bytes));
        let expected = items.concat().replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(events, [("data".to_owned(), expected)]);
    }

    #[test]
    fn bytes_come_back_out_of_their_base64(items in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..4)) {
        use base64::Engine as _;
        let bytes: Vec<Bytes> = items.iter().map(|item| Bytes::from(item.clone())).collect();
        let events = read_events(&event(Encoding::Binary, &bytes));
        prop_assert_eq!(events[0].1.len() % 4, 0);
        let read = base64::engine::general_purpose::STANDARD.decode(&events[0].1).unwrap();
        prop_assert_eq!((events.len(), read), (1, items.concat()));
    }
}

fn event(encoding: Encoding, items: &[Bytes]) -> Vec<u8> {
    let mut out = Vec::new();
    write_data(&mut out, encoding, items);
    out
}

/// Names and data of events, as a reader takes them (WHATWG HTML, section 9.2.6).
fn read_events(stream: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(stream).unwrap().replace("\r\n", "\n").replace('\r', "\n");
    let (mut events, mut name, mut data) = (Vec::new(), String::new(), Vec::new());
    for line in text.split('\n') {
        if line.is_empty() && !data.is_empty() {
            events.push((std::mem::take(&mut name), std::mem::take(&mut data).join("\n")));
        } else if let Some((field, value)) = line.split_once(':') {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => name = value.to_owned(),
                "data" => data.push(value.to_owned()),
                _ => {}
            }
        }
    }
    events
}

#[test]
fn a_query_is_read_or_refused() {
    let read = |query: &[(&str, &str)]| Wanted::read(query.iter().copied());
    let wanted = |start, mode, cursor| Ok(Wanted { start, mode, cursor });
    let (beginning, now) = (Start::Beginning, Start::Now);
    let nine = offset(9).to_string();
    for (query, expected) in [
        (&[][..], wanted(beginning, Mode::CatchUp, None)),
        (&[("offset", "-1")], wanted(beginning, Mode::CatchUp, None)),
        (&[("offset", "now"), ("live", "sse")], wanted(now, Mode::Sse, None)),
        (
            &[("cursor", "12"), ("live", "long-poll"), ("offset", &nine)],
            wanted(Start::After(offset(9)), Mode::LongPoll, Some(12)),
        ),
        (&[("cursor", "abc"), ("x", "y")], wanted(beginning, Mode::CatchUp, None)),
        (&[("cursor", "9999999999999999")], wanted(beginning, Mode::CatchUp, None)),
        (&[("live", "sse")], Err(Malformed::NoOffset)),
        (&[("live", "long-poll")], Err(Malformed::NoOffset)),
        (&[("live", "true"), ("offset", "-1")], Err(Malformed::Live)),
        (&[("offset", "")], Err(Malformed::Offset(InvalidOffset))),
        (&[("offset", "-2")], Err(Malformed::Offset(InvalidOffset))),
        (&[("offset", "7f3a91_9_0000000000000007")], Err(Malformed::Offset(InvalidOffset))),
        (&[("offset", "-1"), ("offset", "-1")], Err(Malformed::Second("offset"))),
    ] {
        assert_eq!(read(query), expected, "{query:?}");
    }
}

#[test]
fn intervals_are_counted_from_the_protocols_epoch() {
    for (now_s, expected) in [(0, 0), (1_728_432_000, 0), (1_728_432_019, 0), (1_728_432_020, 1)] {
        assert_eq!(interval(now_s), expected, "{now_s}");
    }
    let now = 1_728_432_000 + 20 * 1000;
    assert_eq!([current(now, Some(1000), 1), current(now, Some(1000), 3600)], [1001, 1180]);
}

#[test]
fn headers_say_where_an_answer_leads() {
    let next = ("stream-next-offset", offset(9).to_string());
    let yes = |name| (name, "true".to_owned());
    let cursor = ("stream-cursor", "12".to_owned());
    for (batch, given, expected) in [
        (batch(&["1"], false, false), None, vec![next.clone()]),
        (batch(&["1"], true, false), None, vec![next.clone(), yes("stream-up-to-date")]),
        (batch(&["1"], true, false), Some(12), vec![next.clone(), yes("stream-up-to-date"), cursor]),
        (
            batch(&[], true, true),
            Some(12),
            vec![next.clone(), yes("stream-up-to-date"), yes("stream-closed")],
        ),
    ] {
        assert_eq!(fields(&batch, given), expected);
    }
    let trimmed = Batch { trimmed_before: Some(Sequence(5)), ..batch(&[], false, false) };
    assert_eq!(fields(&trimmed, None), [next, ("stream-trimmed-before", "5".to_owned())]);
}

#[test]
fn an_end_changes_the_entity_tag() {
    let (open, closed) = (etag(&batch(&[], true, false)).unwrap(), etag(&batch(&[], true, true)).unwrap());
    assert_eq!(open, format!("\"-1:{}\"", offset(9)));
    assert_ne!(open, closed);
    assert_eq!(etag(&Batch { start: Start::Now, ..batch(&[], true, false) }), None);
    for (asked, same) in [
        (open.clone(), true),
        (format!("W/{open}"), true),
        (format!("\"x\", {open}"), true),
        ("*".to_owned(), true),
        (closed, false),
        ("\"x\"".to_owned(), false),
        (String::new(), false),
    ] {
        assert_eq!(is_unmodified(&asked, &open), same, "{asked}");
    }
}

#[test]
fn only_what_stays_as_it_is_may_be_kept() {
    let after = |up_to_date| Batch { start: Start::After(offset(3)), ..batch(&["1"], up_to_date, false) };
    let now = Batch { start: Start::Now, ..batch(&[], true, false) };
    for (mode, batch, expected) in [
        (Mode::CatchUp, &after(false), "private, max-age=60, stale-while-revalidate=300"),
        (Mode::CatchUp, &after(true), "private, no-cache"),
        (Mode::CatchUp, &batch(&["1"], false, false), "private, no-cache"),
        (Mode::CatchUp, &now, "no-store"),
        (Mode::LongPoll, &after(false), "no-store"),
        (Mode::Sse, &now, "no-cache, no-store, no-transform"),
    ] {
        assert_eq!(caching(mode, batch), expected);
    }
}

#[test]
fn a_content_type_decides_the_framing() {
    let items = [Bytes::from_static(b"1"), Bytes::from_static(b"[2]")];
    for (content_type, encoding, body, empty) in [
        ("application/json", Encoding::Json, "[1,[2]]", "[]"),
        ("Application/JSON; charset=utf-8", Encoding::Json, "[1,[2]]", "[]"),
        ("text/plain", Encoding::Text, "1[2]", ""),
        ("application/x-protobuf", Encoding::Binary, "1[2]", ""),
        ("", Encoding::Binary, "1[2]", ""),
    ] {
        assert_eq!(Encoding::of(content_type), encoding, "{content_type}");
        assert_eq!(encoding.body(&items), body.as_bytes());
        assert_eq!(encoding.body(&[]), empty.as_bytes());
        assert_eq!(encoding.is_base64(), encoding == Encoding::Binary);
    }
}

#[test]
fn events_say_what_was_read_and_where_it_leads() {
    let mut out = Vec::new();
    let read = batch(&["{\"n\":1}", "{\"n\":\n2}"], true, false);
    write_data(&mut out, Encoding::Json, &read.items);
    write_control(&mut out, &read, 12);
    write_data(&mut out, Encoding::Json, &[]);
    write_control(&mut out, &batch(&[], true, true), 12);
    let next = "00000000000000000009_7f3a91_0000000000000007";
    let expected = format!(
        "event: data\ndata:[{{\"n\":1}},{{\"n\":\ndata:2}}]\n\n\
         event: control\ndata:{{\"streamNextOffset\":\"{next}\",\"streamCursor\":\"12\",\"upToDate\":true}}\n\n\
         event: control\ndata:{{\"streamNextOffset\":\"{next}\",\"upToDate\":true,\"streamClosed\":true}}\n\n"
    );
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn what_only_looks_like_an_offset_is_refused() {
    let good = "00000000000000000009_7f3a91_0000000000000007";
    assert!(good.parse::<Offset>().is_ok());
    for text in [
        "9_7f3a91_0000000000000007",
        "000000000000000000009_7f3a91_0000000000000007",
        "+0000000000000000009_7f3a91_0000000000000007",
        "18446744073709551616_7f3a91_0000000000000007",
        "00000000000000000009_7F3A91_0000000000000007",
        "00000000000000000009_7f3a9_0000000000000007",
        "00000000000000000009_7f3a91_000000000000007",
        "00000000000000000009_7f3a91_+000000000000007",
        "00000000000000000009_7f3a91_0000000000000007_",
        "00000000000000000009_7f3a91_0000000000000007\n",
        " 00000000000000000009_7f3a91_0000000000000007",
        "NOW",
        "-01",
    ] {
        assert_eq!(text.parse::<Start>(), Err(InvalidOffset), "{text}");
    }
}
