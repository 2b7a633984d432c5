//! Ranges of numbers: within a marker (`[1-3]`), and over two of them (`[1]-[3]`).
//!
//! A range over two markers is one in whatever form they are, or else it would be one when the output, where all are
//! `[n]`, is read again.

use super::{Item, closer, digit, is_dash, part};
use crate::domain::synthesis::citations::window::{Cursor, Scan, Stop};

/// The longest range that is read as one; a longer one is text.
const RANGE_LIMIT: u32 = 50;
/// How many numbers one group may have.
const GROUP_LIMIT: usize = 200;

/// Adds the numbers from `first` to `last`. A range that falls (`[4-2]`) is read as its two ends.
pub(super) fn add(first: u32, last: u32, items: &mut Vec<Item>) -> Scan<()> {
    let mut add = |number| items.push(Item { number: Some(number), locator: None });
    if last < first {
        add(first);
        add(last);
    } else if last - first >= RANGE_LIMIT {
        return Err(Stop::No);
    } else {
        (first..=last).for_each(add);
    }
    if items.len() > GROUP_LIMIT { Err(Stop::No) } else { Ok(()) }
}

/// Reads the rest of ranges that are written over two markers, `[1]-[3]`, without spaces.
pub(super) fn across(c: &mut Cursor<'_>, items: &mut Vec<Item>) -> Scan<()> {
    while let Some(&Item { number: Some(first), .. }) = items.last() {
        let mut ahead = *c;
        let last = match end(&mut ahead) {
            Err(Stop::More) => return Err(Stop::More),
            Err(Stop::Full | Stop::No) => return Ok(()),
            Ok(last) => last,
        };
        let rises = |number: &u32| (first + 1..first + RANGE_LIMIT).contains(number);
        let Some(number) = last.number.filter(rises) else { return Ok(()) };
        add(first + 1, number, items)?;
        items.pop();
        items.push(last);
        *c = ahead;
    }
    Ok(())
}

/// Reads a dash and the marker that ends a range: it has one number, and no other marker directly behind it. That of
/// `[1]-[2, 3]` ends none, nor does what it is written as, `[1]-[2][3]`.
fn end(c: &mut Cursor<'_>) -> Scan<Item> {
    c.eat_if(is_dash)?.ok_or(Stop::No)?;
    let close = closer(c.bump()?).ok_or(Stop::No)?;
    let mut items = Vec::new();
    while !part(c, close, &mut items, &mut false)? {}
    let last = items.pop().ok_or(Stop::No)?;
    let is_alone = items.iter().all(|item| item.number == last.number);
    if is_alone && !goes_on(*c)? { Ok(last) } else { Err(Stop::No) }
}

/// Whether a row of markers goes on.
fn goes_on(mut c: Cursor<'_>) -> Scan<bool> {
    if c.peek_or_end()?.and_then(closer).is_none() {
        return Ok(false);
    }
    c.bump()?;
    Ok(c.peek_or_end()?.and_then(digit).is_some())
}
