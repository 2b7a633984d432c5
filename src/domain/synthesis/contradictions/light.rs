//! What of Chinese only joins a subject and its figure: `预计4.5%`, `预计维持5.2%` and `预计达到5.2%` are about the same.

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::phrases::before_any;
use crate::domain::text::words::Term;

/// Longer ones before what they end with. None says that something rose or fell, or that a figure is a bound.
const LIGHT: [&str; 12] = ["维持", "保持", "达到", "大约", "约", "达", "为", "是", "至", "到", "在", "于"];
/// Bytes before a figure in which light words are looked for.
const BYTES_MAX: usize = 24;

/// Where the light words begin that stand directly before a figure at `start`; `start` itself where there are none.
pub(super) fn start_before(text: &str, start: usize) -> usize {
    let mut before = text[..start].trim_end_matches(' ');
    let whole = before.len();
    while let Some(rest) = before_any(before, &LIGHT) {
        // Nobody writes more of them in a row.
        if whole - rest.len() > BYTES_MAX {
            break;
        }
        before = rest;
    }
    if before.len() == whole { start } else { before.len() }
}

/// What a statement says before `end`, in order, without light words and what may be there or not; a figure says nothing here
/// but that there is one.
pub(super) fn said<'f>(of: &'f Features<'_>, end: usize) -> impl Iterator<Item = Option<Term>> + 'f {
    let mut figures = of.figures.iter().peekable();
    let is_said = move |element: &&Element| {
        while figures.next_if(|figure| figure.start < element.end).is_some() {}
        let next = figures.peek();
        let is_light = || {
            let near = next.filter(|figure| figure.start - element.end <= BYTES_MAX);
            near.is_some_and(|figure| element.start >= start_before(of.text, figure.start))
        };
        match element.role {
            Role::Adverb | Role::Discourse | Role::Attribution => false,
            Role::Character => !is_light(),
            Role::Content | Role::Name | Role::Direction | Role::Figure => true,
        }
    };
    let before = of.elements.iter().take_while(move |element| element.end <= end);
    before.filter(is_said).map(|element| (element.role != Role::Figure).then_some(element.term))
}
