//! Amounts behind a label below a heading: `p99 latency: 12 ms` below `Qdrant`.

use super::super::labelled::is_own;
use super::lines::Lines;
use super::value::{Value, is_amount};
use super::words::{are_of_thing, said};
use super::{Amount, Form};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::words::Lexicon;

/// Words and bytes of a label.
const LABEL: (usize, usize) = (6, 60);

/// The amount of an item, where the lines above it name a thing.
pub(super) fn of_item<'a, 't>(
    (at, statement, of): (usize, &Statement<'t>, &'a Features<'t>),
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> Option<Amount<'a>> {
    if of.figures.is_empty() || statement.row.is_some() || of.text.starts_with('"') {
        return None;
    }
    let end = label_end(of.text)?;
    let label = of.text[..end].trim_matches(['*', '_', ' ']);
    let is_label = label.split(' ').count() <= LABEL.0
        && label.contains(char::is_alphabetic)
        && !label.contains(['.', ',', ';', '[', '|'])
        && !label.split(' ').all(is_own);
    let figure = of.figures.iter().find(|figure| figure.start > end).filter(|figure| is_amount(figure))?;
    if !is_label || !said(of, end..figure.start, None).is_empty() || !are_of_thing(of, 0..end) {
        return None;
    }
    let own = said(of, 0..of.text.len(), Some(figure.start));
    let called = lines.called(&own, false, statement, lexicon);
    (!called.is_empty()).then(|| Amount {
        at,
        form: Form::Item,
        called,
        value: Value::new(of, figure, None),
        is_named: false,
    })
}

/// Where a label ends: the colon of a time has a digit behind it.
fn label_end(text: &str) -> Option<usize> {
    let head = &text[..text.floor_char_boundary(LABEL.1)];
    // Sooner looked for than a character of any width: `：` begins with this byte.
    memchr::memchr2(b':', 0xEF, head.as_bytes())?;
    let ends = |(at, colon): &(usize, &str)| {
        let behind = &text[at + colon.len()..];
        *colon == "：" || behind.starts_with([' ', '*', '_'])
    };
    head.match_indices([':', '：']).find(ends).map(|(at, _)| at)
}
