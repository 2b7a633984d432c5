//! Readers of bodies of many events.

use tributary::domain::protocols::{SseDecoder, SseEvent, is_sign_of_life};
use tributary::domain::verdict::Code;
use tributary::edge::http::{Cut, Lines, SseData};

/// The longest event that is taken: small enough that a fuzzer gets over it.
const MOST: usize = 64;

/// What may stand around a JSON text (RFC 8259, section 2).
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

type Item = Result<String, Code>;

/// A body of lines is its lines, in whatever pieces it comes.
pub fn ndjson_body(body: &[u8]) {
    let whole = cut_in_any_way::<Lines>(body);
    let lines = body.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let expected = lines.filter_map(|line| match std::str::from_utf8(line) {
        _ if line.len() > MOST => Some(Err(Code::EventTooLarge)),
        Err(_) => Some(Err(Code::InvalidJson)),
        Ok(text) if text.trim().is_empty() => None,
        Ok(text) => Some(Ok(text.trim_matches(BLANKS).to_owned())),
    });
    assert_eq!(whole, expected.collect::<Vec<_>>());
}

/// A body of SSE events is what the reader of answers, which is another one, finds in it, where it finds no fault.
pub fn sse_body(body: &[u8]) {
    let mut whole = cut_in_any_way::<SseData>(body);
    let (mut decoder, mut expected) = (SseDecoder::new(MOST), Vec::new());
    let mut take = |event: SseEvent<'_>| {
        let data = event.data.trim_matches(BLANKS);
        if !is_sign_of_life(event.name, data) {
            expected.push(Ok(data.to_owned()));
        }
        Ok(())
    };
    if decoder.feed(body, &mut take).and_then(|()| decoder.finish(&mut take)).is_err() {
        return;
    }
    expected.retain(|data| data.as_deref() != Ok("[DONE]"));
    // A body of something else has no events, and is refused.
    whole.pop_if(|last| expected.is_empty() && *last == Err(Code::InvalidEvent));
    assert_eq!(whole, expected);
}

fn cut_in_any_way<C: Cut + Default>(body: &[u8]) -> Vec<Item> {
    let whole = items::<C>(&[body]);
    for size in [1, body.len() % 13 + 2] {
        let pieces: Vec<&[u8]> = body.chunks(size).collect();
        assert_eq!(items::<C>(&pieces), whole, "cut every {size} bytes");
    }
    whole
}

fn items<C: Cut + Default>(pieces: &[&[u8]]) -> Vec<Item> {
    let (mut cut, mut items) = (C::default(), Vec::new());
    let mut take = |item: Result<&str, _>| {
        assert!(item.as_ref().is_ok_and(|text| text.len() <= MOST) || item.is_err());
        items.push(
            item.map(str::to_owned).map_err(|refusal: tributary::domain::verdict::Refusal| refusal.code),
        );
    };
    for piece in pieces {
        cut.feed(piece, MOST, &mut take);
        assert!(cut.held() <= 2 * MOST + 16, "{} bytes are held", cut.held());
    }
    cut.finish(&mut take);
    items
}
