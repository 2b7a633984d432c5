//! How far a line is indented, and whether it is an item of a list: what tells code by indentation from prose.

use crate::domain::synthesis::citations::window::{Cursor, End, Scan, is_blank};

/// Columns that make code of what follows an empty line outside of a list (CommonMark 0.31, section 4.4).
const CODE_COLUMNS: usize = 4;

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Shape {
    /// Nothing but blanks.
    Blank,
    /// An item of a list, however far it is indented: models indent these deeply.
    Item,
    /// Code, where it isn't in a list.
    Deep,
    /// A heading with `#`.
    Heading,
    /// Indented by two columns or three: may go on with an item.
    Shallow,
    /// Any other.
    Flush,
}

/// The shape of the line at the start of the window.
pub(in super::super) fn shape(mut c: Cursor<'_>) -> Scan<Shape> {
    let mut columns = 0;
    loop {
        match c.peek_or_end()? {
            Some(' ') => columns += 1,
            Some('\t') => columns = (columns / CODE_COLUMNS + 1) * CODE_COLUMNS,
            Some(blank) if is_blank(blank) => {}
            None if c.end == End::Full => return Ok(Shape::Deep),
            None | Some('\n') => return Ok(Shape::Blank),
            Some(_) => break,
        }
        c.bump()?;
    }
    Ok(match columns {
        _ if is_item(c)? => Shape::Item,
        CODE_COLUMNS.. => Shape::Deep,
        2.. => Shape::Shallow,
        _ if c.peek()? == '#' => Shape::Heading,
        _ => Shape::Flush,
    })
}

fn is_item(mut c: Cursor<'_>) -> Scan<bool> {
    let first = c.bump()?;
    if first.is_ascii_digit() {
        while c.peek_or_end()?.is_some_and(|c| c.is_ascii_digit()) {
            c.bump()?;
        }
        if !matches!(c.peek_or_end()?, Some('.' | ')')) {
            return Ok(false);
        }
        c.bump()?;
    } else if !matches!(first, '-' | '*' | '+' | '•') {
        return Ok(false);
    }
    Ok(c.peek_or_end()?.is_some_and(is_blank))
}
