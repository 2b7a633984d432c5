//! Headings of reference sections in HTML: `<h2>References</h2>`, `<details><summary>Sources</summary>`.

use super::heading::above_references;
use super::{Heading, NO_LEVEL};
use crate::domain::synthesis::citations::window::{Cursor, Scan, Stop, is_blank};

/// Recognises such a heading with references below it. Its words must be in the vocabulary, and fit a window.
pub(super) fn html_heading(mut c: Cursor<'_>) -> Scan<Option<Heading>> {
    let details = opens(&mut c, "<details")?;
    if details {
        c.skip(|c| is_blank(c) || c == '\n')?;
    }
    let (level, close) = if opens(&mut c, "<summary")? {
        (NO_LEVEL, "</summary")
    } else if !details && c.sees("<h")? {
        let level = c
            .rest()
            .chars()
            .nth(2)
            .map_or_else(|| Err(c.stop()), |digit| digit.to_digit(10).ok_or(Stop::No))?;
        tag(&mut c)?;
        (level as usize, "</h")
    } else {
        return Ok(None);
    };
    let Some(title) = title(&mut c, close)? else { return Ok(None) };
    line_end(&mut c)?;
    // Where `<details>` stand out of sight before it, their end stays as they do.
    above_references(c, title, level).map(|found| found.map(|heading| Heading { details, ..heading }))
}

/// The words of a heading up to the tag that ends it, which is read: one piece without other tags in it, whatever is
/// around it (`<b>Sources</b>`).
fn title(c: &mut Cursor<'_>, close: &str) -> Scan<Option<(usize, usize)>> {
    let mut title = None;
    loop {
        c.skip(is_blank)?;
        match c.peek()? {
            '<' if c.sees(close)? => {
                tag(c)?;
                return Ok(title);
            }
            '<' => tag(c)?,
            _ if title.is_some() => return Ok(None),
            '\n' => return Ok(None),
            _ => {
                let start = c.at;
                c.skip(|c| !matches!(c, '<' | '\n'))?;
                title = Some((start, c.at));
            }
        }
    }
}

/// Reads the rest of a line in which nothing stands, with its line feed.
fn line_end(c: &mut Cursor<'_>) -> Scan<()> {
    while let Some(next) = c.peek_or_end()? {
        c.bump()?;
        match next {
            '\n' => return Ok(()),
            blank if is_blank(blank) => {}
            _ => return Err(Stop::No),
        }
    }
    Ok(())
}

/// Reads a tag that begins so, if one comes next.
fn opens(c: &mut Cursor<'_>, name: &str) -> Scan<bool> {
    let opens = c.sees(name)?;
    if opens {
        tag(c)?;
    }
    Ok(opens)
}

/// Reads a tag to its end.
fn tag(c: &mut Cursor<'_>) -> Scan<()> {
    c.skip(|c| !matches!(c, '>' | '\n'))?;
    c.eat_if(|c| c == '>')?.map(drop).ok_or(Stop::No)
}

/// The bytes of a line that ends `<details>`, with its line feed.
pub(super) fn details_end(mut c: Cursor<'_>) -> Scan<usize> {
    const END: &str = "</details>";
    if !c.sees(END)? {
        return Err(Stop::No);
    }
    c.at += END.len();
    line_end(&mut c)?;
    Ok(c.at)
}
