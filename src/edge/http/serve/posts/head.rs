//! Whether what a caller sent is a plain post of events.
//!
//! Plain means that there is only one way to read it, whoever else has looked at it before: one `Host`, one `Content-Length`
//! in digits, no other framing, nothing to negotiate. All else is the HTTP library's, also what is wrong.

use std::ops::Range;

use http::Method;

use super::known::Known;
use crate::edge::http::extract::Ids;

/// Fields of a head at most; callers send about ten.
const FIELDS_MAX: usize = 32;
/// Digits of a length at most.
const LENGTH_DIGITS: usize = 7;

/// Fields that ask for more than what is done here.
const NOT_PLAIN: [&str; 9] = [
    "transfer-encoding",
    "content-encoding",
    "expect",
    "upgrade",
    "trailer",
    "te",
    "origin",
    "idempotency-key",
    "http2-settings",
];

/// The head of a plain post.
pub(super) struct Head {
    /// Of its path; the tenant isn't known yet.
    pub(super) ids: Ids,
    /// Where `Authorization` stands in the head, where it does.
    pub(super) authorization: Option<Range<usize>>,
    /// Bytes of the head.
    pub(super) bytes: usize,
    /// Bytes of the body.
    pub(super) body: usize,
}

/// Reads the head that `text` begins with. `None`: it isn't whole, or isn't plain.
pub(super) fn read(text: &[u8], known: &mut Known) -> Option<Head> {
    let fields_at = memchr::memchr(b'\n', text)? + 1;
    let (line, fields) = text.split_at(fields_at);
    if let Some(again) = known.again(fields)
        && let Some(ids) = ids_of(line)
    {
        let shifted = |place: Range<usize>| fields_at + place.start..fields_at + place.end;
        let authorization = again.authorization.map(shifted);
        return Some(Head { ids, authorization, bytes: fields_at + again.bytes, body: again.body });
    }
    read_anew(text, fields_at, known)
}

/// The ids in the path of a request's first line.
fn ids_of(line: &[u8]) -> Option<Ids> {
    let path = line.strip_prefix(b"POST ")?.strip_suffix(b" HTTP/1.1\r\n")?;
    Ids::of_events_path(std::str::from_utf8(path).ok()?)
}

fn read_anew(text: &[u8], fields_at: usize, known: &mut Known) -> Option<Head> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS_MAX];
    let mut request = httparse::Request::new(&mut fields);
    let bytes = match request.parse(text) {
        Ok(httparse::Status::Complete(bytes)) => bytes,
        Ok(httparse::Status::Partial) | Err(_) => return None,
    };
    if request.method != Some(Method::POST.as_str()) || request.version != Some(1) {
        return None;
    }
    let ids = Ids::of_events_path(request.path?)?;
    let fields = &text[fields_at..bytes];
    let Fields { hosts: 1, digits: Some(digits), authorization } = Fields::read(fields, request.headers)?
    else {
        return None;
    };
    let body = length(&fields[digits.clone()])?;
    known.keep(fields, &digits, authorization.as_ref());
    let authorization = authorization.map(|place| fields_at + place.start..fields_at + place.end);
    Some(Head { ids, authorization, bytes, body })
}

/// What the fields of a head say.
#[derive(Default)]
struct Fields {
    hosts: usize,
    /// Where the length stands in them.
    digits: Option<Range<usize>>,
    authorization: Option<Range<usize>>,
}

impl Fields {
    fn read(text: &[u8], fields: &[httparse::Header<'_>]) -> Option<Self> {
        let mut read = Self::default();
        let mut typed = false;
        for field in fields {
            let is = |name: &str| field.name.eq_ignore_ascii_case(name);
            // By length first: most fields are none of these.
            match field.name.len() {
                4 if is("host") => read.hosts += 1,
                10 if is("connection") && !field.value.eq_ignore_ascii_case(b"keep-alive") => return None,
                12 if is("content-type") => {
                    if typed || !is_json(field.value) {
                        return None;
                    }
                    typed = true;
                }
                13 if is("authorization") => {
                    if read.authorization.is_some() {
                        return None;
                    }
                    read.authorization = Some(place_of(field.value, text)?);
                }
                14 if is("content-length") => {
                    if read.digits.is_some() {
                        return None;
                    }
                    read.digits = Some(place_of(field.value, text)?);
                }
                _ if NOT_PLAIN.iter().any(|name| is(name)) => return None,
                _ => {}
            }
        }
        Some(read)
    }
}

/// Digits and nothing else (RFC 9112, 6.2): no sign, no list.
pub(super) fn length(value: &[u8]) -> Option<usize> {
    let plain = (1..=LENGTH_DIGITS).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    plain.then(|| value.iter().fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0')))
}

/// JSON in UTF-8. Another character set is the library's way to refuse, and so is any other parameter to read.
fn is_json(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case(b"application/json"))
        && parts.all(|parameter| parameter.eq_ignore_ascii_case(b"charset=utf-8"))
}

/// Where a part of a text stands in it; what is empty stands nowhere.
fn place_of(part: &[u8], text: &[u8]) -> Option<Range<usize>> {
    let from = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (!part.is_empty()).then(|| from..from + part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/planner/sessions/s/steps/p/subagents/a/events";

    fn head(first: &str, fields: &str) -> String {
        format!("{first}\r\n{fields}\r\n")
    }

    fn read_first(text: &[u8]) -> Option<Head> {
        read(text, &mut Known::default())
    }

    fn plain(fields: &str) -> Option<Head> {
        read_first(head(&format!("POST {PATH} HTTP/1.1"), fields).as_bytes())
    }

    #[test]
    fn plain_posts_are_read_whatever_else_their_callers_say() {
        for fields in [
            "host: a\r\ncontent-length: 12\r\n",
            "Host: a\r\nContent-Length: 12\r\nContent-Type: Application/JSON; charset=utf-8\r\n",
            "HOST: a\r\nuser-agent: x\r\naccept: */*\r\nconnection: Keep-Alive\r\ncontent-length: 12\r\nx-a: b\r\n",
        ] {
            let head = plain(fields).unwrap();
            assert_eq!((head.body, head.ids.step().as_str()), (12, "p"), "{fields}");
        }
    }

    #[test]
    fn authorization_is_found_where_it_stands() {
        let text = head(
            &format!("POST {PATH} HTTP/1.1"),
            "host: a\r\nauthorization: Bearer x.y\r\ncontent-length: 2\r\n",
        );
        let found = read_first(text.as_bytes()).unwrap();
        assert_eq!(&text.as_bytes()[found.authorization.unwrap()], b"Bearer x.y");
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_left_to_the_library() {
        let ordinary = "host: a\r\ncontent-length: 12\r\n";
        for fields in [
            "content-length: 12\r\n",
            "host: a\r\n",
            "host: a\r\nhost: a\r\ncontent-length: 12\r\n",
            "host: a\r\ncontent-length: 12\r\ncontent-length: 12\r\n",
            "host: a\r\ncontent-length: +12\r\n",
            "host: a\r\ncontent-length: 12, 12\r\n",
            "host: a\r\ncontent-length: 0x12\r\n",
            "host: a\r\ncontent-length: \r\n",
            "host: a\r\ncontent-length: 12345678\r\n",
            "host: a\r\ncontent-length : 12\r\n",
        ] {
            assert!(plain(fields).is_none(), "{fields:?}");
        }
        for more in [
            "transfer-encoding: chunked",
            "Transfer-Encoding: identity",
            "content-encoding: gzip",
            "expect: 100-continue",
            "upgrade: h2c",
            "connection: close",
            "connection: keep-alive, upgrade",
            "te: trailers",
            "trailer: x",
            "origin: http://a",
            "idempotency-key: k",
            "authorization: a\r\nauthorization: b",
            "content-type: application/x-ndjson",
            "content-type: application/json; charset=utf-16",
            "content-type: application/json; charset=\"utf-8\"",
            "content-type: application/json\r\ncontent-type: application/json",
            " folded: x",
            "bad\u{0}name: x",
        ] {
            assert!(plain(&format!("{ordinary}{more}\r\n")).is_none(), "{more:?}");
        }
    }

    #[test]
    fn other_requests_and_parts_of_one_are_left_to_the_library() {
        let fields = "host: a\r\ncontent-length: 12\r\n";
        for first in [
            format!("GET {PATH} HTTP/1.1"),
            format!("POST {PATH} HTTP/1.0"),
            format!("POST {PATH}?raw=true HTTP/1.1"),
            format!("POST http://a{PATH} HTTP/1.1"),
            "POST /planner/sessions/s/steps HTTP/1.1".to_owned(),
        ] {
            assert!(read_first(head(&first, fields).as_bytes()).is_none(), "{first}");
        }
        let whole = head(&format!("POST {PATH} HTTP/1.1"), fields);
        for cut in 0..whole.len() {
            assert!(read_first(&whole.as_bytes()[..cut]).is_none(), "{cut}");
        }
        let many = "x: y\r\n".repeat(FIELDS_MAX);
        assert!(plain(&format!("{fields}{many}")).is_none());
    }
}
