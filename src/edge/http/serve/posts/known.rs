//! The fields of the head before. A connection's posts mostly differ in nothing but their path and their length, and what was
//! found plain once needs no second look where it is the same to the byte.

use std::ops::Range;

use super::head::length;

/// Fields that are longer aren't kept.
const BYTES_MAX: usize = 2 * 1024;

/// Fields that were read, around the digits of their `Content-Length`.
#[derive(Default)]
pub(super) struct Known {
    before: Vec<u8>,
    /// What follows the digits, with the empty line; empty: nothing is known.
    after: Vec<u8>,
    authorization: Option<Authorization>,
}

/// Where the value stands: in which part, and where in it.
enum Authorization {
    Before(Range<usize>),
    After(Range<usize>),
}

/// The same fields, found again.
pub(super) struct Again {
    /// Bytes of the body.
    pub(super) body: usize,
    /// Bytes of the fields.
    pub(super) bytes: usize,
    /// Where `Authorization` stands in them.
    pub(super) authorization: Option<Range<usize>>,
}

impl Known {
    /// Keeps fields, whose `Content-Length` and `Authorization` stand there.
    pub(super) fn keep(
        &mut self,
        fields: &[u8],
        digits: &Range<usize>,
        authorization: Option<&Range<usize>>,
    ) {
        self.before.clear();
        self.after.clear();
        if fields.len() > BYTES_MAX {
            return;
        }
        self.before.extend_from_slice(&fields[..digits.start]);
        self.after.extend_from_slice(&fields[digits.end..]);
        self.authorization = authorization.map(|place| match place.start.checked_sub(digits.end) {
            Some(start) => Authorization::After(start..place.end - digits.end),
            None => Authorization::Before(place.clone()),
        });
    }

    /// The fields that `text` begins with, where they are the same but for their length.
    pub(super) fn again(&self, text: &[u8]) -> Option<Again> {
        let rest = text.strip_prefix(&*self.before)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if self.after.is_empty() || !rest[digits..].starts_with(&self.after) {
            return None;
        }
        let shift = self.before.len() + digits;
        let authorization = self.authorization.as_ref().map(|place| match place {
            Authorization::Before(place) => place.clone(),
            Authorization::After(place) => shift + place.start..shift + place.end,
        });
        Some(Again { body: length(&rest[..digits])?, bytes: shift + self.after.len(), authorization })
    }
}

#[cfg(test)]
mod tests {
    use super::super::head::read;
    use super::*;

    const LINE: &str = "POST /planner/sessions/s/steps/p/subagents/a/events HTTP/1.1\r\n";

    /// Where the body begins, its length, and the value of `Authorization`.
    type Found = Option<(usize, usize, Option<Vec<u8>>)>;

    /// What is found with what is known from `first`, and without it.
    fn both(first: &str, second: &str) -> [Found; 2] {
        let mut known = Known::default();
        read(format!("{LINE}{first}\r\n").as_bytes(), &mut known);
        let text = format!("{LINE}{second}\r\n{{}}");
        [&mut known, &mut Known::default()].map(|known| {
            let head = read(text.as_bytes(), known)?;
            let value = head.authorization.map(|place| text.as_bytes()[place].to_vec());
            Some((head.bytes, head.body, value))
        })
    }

    #[test]
    fn fields_are_found_again_wherever_their_length_stands_and_however_long_it_is() {
        for (before, after) in [
            ("host: a\r\n", ""),
            ("host: a\r\nauthorization: Bearer x\r\n", "x: y\r\n"),
            ("", "HOST: a \r\nAuthorization:  z \r\n"),
        ] {
            let fields = |length: &str| format!("{before}content-length: {length} \r\n{after}");
            for length in ["12", "2", "4567", "1234567"] {
                let [known, fresh] = both(&fields("12"), &fields(length));
                assert!(fresh.is_some());
                assert_eq!(known, fresh, "{before:?} {length} {after:?}");
            }
            for length in ["", "12345678", "+1", "0x1", "1 2", "1,1", "-1"] {
                assert_eq!(both(&fields("12"), &fields(length)), [None, None], "{length}");
            }
        }
    }

    #[test]
    fn other_fields_are_read_anew() {
        let known = "host: a\r\ncontent-length: 12\r\nx: y\r\n";
        for other in [
            "host: a\r\ncontent-length: 12\r\nx: yy\r\n",
            "host: a\r\ncontent-length: 12\r\nx: y\r\nz: 1\r\n",
            "host: a\r\ncontent-length: 12\r\n",
            "host: ab\r\ncontent-length: 12\r\nx: y\r\n",
            "host: a\r\ncontent-length: 12\r\nx: y\r\ncontent-length: 12\r\n",
            "host: a\r\ncontent-length: 12\r\nx: y\r\ntransfer-encoding: chunked\r\n",
        ] {
            let [known, fresh] = both(known, other);
            assert_eq!(known, fresh, "{other}");
        }
    }

    #[test]
    fn fields_that_are_long_are_not_kept() {
        let mut known = Known::default();
        let long = format!("{LINE}host: a\r\ncontent-length: 1\r\nx: {}\r\n\r\n", "y".repeat(BYTES_MAX));
        assert!(read(long.as_bytes(), &mut known).is_some());
        assert!(known.before.is_empty() && known.after.is_empty());
    }
}
