//! Streams of Server-Sent Events, cut in every way.

use proptest::prelude::*;

use super::*;

/// What stands in an event, or why there is no more: `name|data`.
fn decode(parts: &[&[u8]], event_bytes: usize) -> Vec<String> {
    let mut decoder = SseDecoder::new(event_bytes);
    let mut found = Vec::new();
    for part in parts {
        let fed = decoder.feed(part, &mut |event| {
            found.push(format!("{}|{}", event.name, event.data));
            Ok(())
        });
        if let Err(failure) = fed {
            found.push(failure.code.into_owned());
            break;
        }
    }
    found
}

#[test]
fn a_stream_is_decoded_as_the_standard_says() {
    for (body, expected) in [
        ("data: a\n\n", ["|a"].as_slice()),
        ("data:a\n\ndata:  b\n\n", &["|a", "| b"]),
        ("\u{feff}data: a\n\n", &["|a"]),
        ("\u{feff}\u{feff}data: a\n\ndata: b\n\n", &["|b"]),
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", &["|a", "|b", "|c"]),
        ("data: a\r\ndata: b\r\n\r\n", &["|a\nb"]),
        ("data: a\rdata: b\r\r\n", &["|a\nb"]),
        ("data: a\ndata\ndata: b\n\n", &["|a\n\nb"]),
        ("data\n\n", &["|"]),
        ("data\ndata\n\n", &["|\n"]),
        (": comment\n:\ndata: a\n: data: x\n\n", &["|a"]),
        ("event: e\ndata: a\n\ndata: b\n\n", &["e|a", "|b"]),
        ("event: e\n\ndata: b\n\n", &["|b"]),
        ("event: e\nevent: f\ndata: a\n\n", &["f|a"]),
        ("id: 7\nretry: 10\ndata: a\nid\n\n", &["|a"]),
        ("datax: a\nDATA: b\n data: c\ndata : d\n\n", &[]),
        ("data: a\n\ndata: b\n", &["|a"]),
        ("data: a\n\ndata: b", &["|a"]),
        ("\n\n\r\n\r", &[]),
        ("", &[]),
        ("data: {\"a\":\ndata: \"ä😀\"}\n\n", &["|{\"a\":\n\"ä😀\"}"]),
    ] {
        assert_eq!(decode(&[body.as_bytes()], 99), expected, "{body:?}");
        let bytes: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
        assert_eq!(decode(&bytes, 99), expected, "{body:?} byte by byte");
    }
}

#[test]
fn what_is_not_utf8_is_a_failure_in_data_and_names_and_skipped_elsewhere() {
    for (body, expected) in [
        (b"data: \xff\n\n".as_slice(), ["malformed_answer"].as_slice()),
        (b"event: \xc3\ndata: a\n\n", &["malformed_answer"]),
        (b": \xff\nid: \xff\ndata: a\n\n", &["|a"]),
        (b"data: a\n\ndata: \xed\xa0\x80\n\n", &["|a", "malformed_answer"]),
    ] {
        assert_eq!(decode(&[body], 99), expected);
    }
}

#[test]
fn lines_and_events_are_bounded_whether_they_end_or_not() {
    let at_bound = format!("data: {}\n\n", "x".repeat(10));
    assert_eq!(decode(&[at_bound.as_bytes()], 10), ["|xxxxxxxxxx"]);
    for body in [
        format!("data: {}\n\n", "x".repeat(11)),
        format!("data: {}", "x".repeat(30)),
        format!(": {}", "x".repeat(30)),
        "data: xxx\n".repeat(4),
        "data\n".repeat(12),
    ] {
        assert_eq!(decode(&[body.as_bytes()], 10), ["answer_too_large"], "{body:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_give_the_same_events_however_they_are_cut(
        body in proptest::collection::vec(prop_oneof![
            3 => Just(b"data: ".to_vec()), 2 => Just(b"\n".to_vec()), 2 => Just(b"\r".to_vec()), 1 => Just(b"\r\n\r\n".to_vec()),
            1 => Just(b"event:".to_vec()), 1 => Just(b"\xef\xbb\xbf".to_vec()), 2 => proptest::collection::vec(any::<u8>(), 0..6),
            2 => "[a-zä😀:]{0,5}".prop_map(String::into_bytes),
        ], 0..30),
        size in 1..9_usize,
    ) {
        let body = body.concat();
        let cut: Vec<&[u8]> = body.chunks(size).collect();
        prop_assert_eq!(decode(&cut, 24), decode(&[&body], 24));
    }
}
