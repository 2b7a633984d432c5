//! What stands directly behind a marker: it may make a link of it.

use super::{Bracket, Marker, Next};
use crate::domain::synthesis::citations::window::{Cursor, Scan, Stop};

/// Decides by what stands behind the closing bracket.
pub(super) fn behind(mut c: Cursor<'_>, open: char, certain: bool) -> Scan<Bracket> {
    let mut next = Next { first: c.peek_or_end()?, second: None };
    if open == '[' && next.first == Some('(') {
        match anchor(c) {
            Ok(end) => {
                c.at = end;
                next.first = c.peek_or_end()?;
            }
            Err(Stop::More) => return Err(Stop::More),
            Err(Stop::Full | Stop::No) => return Ok(Bracket::Link(c.at + 1)),
        }
    }
    if let Some(']' | '.' | ' ') = next.first {
        let mut ahead = c;
        ahead.bump()?;
        next.second = ahead.peek_or_end()?;
    }
    if next.first == Some(']') && next.second == Some('(') {
        return Err(Stop::No); // `[[1]](https://…)`: a link with a number for its text
    }
    Ok(Bracket::Marker(Marker { len: c.at, certain, next }))
}

/// Where a destination `(#name)` ends: a link into the text's own references, which won't be there any more.
fn anchor(mut c: Cursor<'_>) -> Scan<usize> {
    c.bump()?;
    c.eat_if(|c| c == '#')?.ok_or(Stop::No)?;
    c.skip(|c| !matches!(c, ')' | '(' | ' ' | '\n'))?;
    c.eat_if(|c| c == ')')?.ok_or(Stop::No)?;
    Ok(c.at)
}
