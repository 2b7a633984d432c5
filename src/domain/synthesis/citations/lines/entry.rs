//! The beginnings of reference entries: numbered, bulleted, bare addresses, table rows.

use super::Section;
use crate::domain::synthesis::citations::marker::{closer, digit};
use crate::domain::synthesis::citations::window::{Cursor, Scan, is_blank};

/// Whether a reference entry begins here.
pub(super) fn entry(mut c: Cursor<'_>, section: Section) -> Scan<bool> {
    let headed = matches!(section, Section::Headed | Section::Listed);
    c.skip(|c| is_blank(c) || c == '>')?;
    let mut ahead = c;
    let bullet =
        ahead.eat_if(|c| matches!(c, '-' | '*' | '+' | '•'))?.is_some() && ahead.eat_if(is_blank)?.is_some();
    if bullet {
        ahead.skip(is_blank)?;
        c = ahead;
    }
    while c.eat_if(|c| c == '*')?.is_some() {}
    match c.peek()? {
        _ if bullet && section == Section::Listed => Ok(true),
        first if closer(first).is_some() => bracketed(c, section),
        _ if matches!(section, Section::Outside | Section::Below | Section::Closed) => Ok(false),
        'h' | 'w' | 'H' | '<' => {
            c.eat_if(|c| c == '<')?;
            Ok(c.sees("http")? || c.sees("www.")? || headed && bullet && evident(c)?)
        }
        '|' => Ok(headed),
        first if headed && (first == '(' || digit(first).is_some()) => {
            Ok(listed(c)? || bullet && evident(c)?)
        }
        _ => Ok(headed && (bullet && evident(c)? || dated(c)?)),
    }
}

/// `[1] Title`, `[^1]: Title`, `[^1^]: Title`, `【1】Title`.
fn bracketed(start: Cursor<'_>, section: Section) -> Scan<bool> {
    let headed = matches!(section, Section::Headed | Section::Listed);
    let mut c = start;
    let close = closer(c.bump()?);
    let raised = c.eat_if(|c| c == '^')?.is_some();
    let digits = c.at;
    c.skip(|c| digit(c).is_some())?;
    let number = &c.text[digits..c.at];
    if raised {
        c.eat_if(|c| c == '^')?;
    }
    if number.is_empty() || number.len() > 9 || c.eat_if(|c| Some(c) == close)?.is_none() {
        return Ok(headed && evident(start)?);
    }
    while c.eat_if(|c| c == '*')?.is_some() {}
    let next = match c.peek_or_end()? {
        Some(':' | '：') => return Ok(true),
        Some('\n') | None => return Ok(headed),
        Some(next) => next,
    };
    if headed || section == Section::Run && is_blank(next) {
        return Ok(true);
    }
    c.skip(is_blank)?;
    let first = c.peek()?;
    if matches!(first, 'h' | 'w') && (c.sees("http://")? || c.sees("https://")? || c.sees("www.")?) {
        return Ok(true);
    }
    if first.is_lowercase() || is_blank(next) && first == '\n' || !is_blank(next) && !first.is_alphanumeric()
    {
        return Ok(false);
    }
    Ok(section == Section::Below && number == "1" && is_blank(next) || evident(c)?)
}

/// `1. Title`, `1) Title`, `(1) Title`, `1、Title`.
fn listed(mut c: Cursor<'_>) -> Scan<bool> {
    let open = c.eat_if(|c| c == '(')?.is_some();
    let start = c.at;
    c.skip(|c| digit(c).is_some())?;
    let digits = c.at - start;
    let closed =
        c.eat_if(|c| if open { c == ')' } else { matches!(c, '.' | ')' | '、' | '．' | ':') })?.is_some();
    Ok(closed && (1..=4).contains(&digits) && !c.peek()?.is_ascii_digit())
}

/// Whether the line shows, in the window, an address or what else only a reference has.
fn evident(c: Cursor<'_>) -> Scan<bool> {
    const SIGNS: [&str; 9] = ["://", "www.", "](", "doi:", "doi.org", "arXiv", "ISBN", "et al", ". (20"];
    seen(c, &SIGNS)
}

/// Whether the line begins like `Smith, J. (2020)`.
fn dated(c: Cursor<'_>) -> Scan<bool> {
    seen(c, &[". (20", ". (19"])
}

/// Whether one of `signs` is in what the window shows of the line.
fn seen(c: Cursor<'_>, signs: &[&str]) -> Scan<bool> {
    let rest = c.rest();
    let line = rest.split('\n').next().unwrap_or(rest);
    if signs.iter().any(|sign| line.contains(sign)) {
        return Ok(true);
    }
    c.line().map(|_| false)
}
