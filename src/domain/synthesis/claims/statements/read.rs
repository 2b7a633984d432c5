//! The statements of a block of a text: its sentences that say something, each with what cites it.

use std::ops::Range;

use super::apart::{are_marks, cite, is_in_line};
use super::asides::{answered, links_further, names_source};
use super::edges::{behind_marks, closed, led_by_marks, trimmed};
use super::entries::{before_address, before_source, is_address, is_entry};
use super::labels::{heads, heads_block, trimmed_head};
use super::least::{Least, is_cited_phrase, is_labelled_fact, states_something};
use super::led::Led;
use super::minutes::lists_attendees;
use super::opening::ascending;
use super::pointers::{is_pointer, sends_to_link};
use super::{Address, Around, Mark, Said, Statement, addresses};
use super::{asides, items, leading, linked, rating, rest, retracted, traces};
use crate::domain::aggregate::take_in::leaves_open;

/// The statements of a block, or of a piece of one.
pub(super) fn read<'t>(
    said: Said<'t, '_>,
    block: Range<usize>,
    (mut heading, least): (&'t str, Least),
    found: &mut Vec<Statement<'t>>,
) {
    let Said { text, subagent, marks, source_of, .. } = said;
    let Some(body) = text.get(block.clone()) else { return };
    let is_led = led_by_marks(text, block.clone(), marks);
    let is_apart = are_marks(said, &block);
    let mut label = Led::of(text, &block);
    // What cites the next sentence, where each begins with what it cites.
    let (mut carried, mut last): (&[Mark], &str) = (&[], "");
    for range in least.sentences(body) {
        let range = block.start + range.start..block.start + range.end;
        heading = asides::question(text, range.start).unwrap_or(heading);
        let first = marks.partition_point(|mark| mark.range.start < range.start);
        let own = &marks[first..];
        let all = &own[..own.partition_point(|mark| mark.range.start < range.end)];
        // In front of what the block says they are its own.
        let is_behind = is_apart || !text[block.start..range.start].trim().is_empty();
        if is_behind && !is_led && are_marks(said, &range) {
            let sources: Vec<usize> = all.iter().map(|mark| mark.source).collect();
            cite(text, range.start, &sources, found);
            continue;
        }
        let before = std::mem::replace(&mut last, &text[range.clone()]);
        let raw = range.clone();
        let mut sentence = trimmed(text, range.clone(), all);
        let reasons = || leading::before_reasons(text, &sentence);
        let whole_above = if least == Least::Sentence { reasons() } else { None };
        if least == Least::Sentence
            && let Some(end) = leading::before_colon(text, &sentence, all).or(whole_above)
        {
            sentence = trimmed(text, range.start..end, all);
        }
        let behind =
            if is_led { all.partition_point(|mark| mark.range.start < sentence.end) } else { all.len() };
        let (led, own) = (std::mem::replace(&mut carried, &all[behind..]), &all[..behind]);
        if is_led {
            // `[3] A Title of a Paper. A Journal, 2020` is no sentence.
            if is_entry(&text[sentence.clone()], closed(text, range.clone(), all)) {
                continue;
            }
            sentence = behind_marks(text, sentence, own);
        }
        let start = sentence.start;
        let Some(whole) = text.get(sentence) else { continue };
        let is_rest = least == Least::Sentence && rest::is_rest(text, &block, &range);
        let in_link = || linked::said(whole, !own.is_empty());
        let alone = || if is_rest { rest::before_address(whole) } else { None };
        let shown = before_address(whole).or_else(in_link).or_else(alone).unwrap_or(whole);
        let start = start + (shown.as_ptr() as usize - whole.as_ptr() as usize);
        let (start, shown) = answered(text, start, shown);
        label.meet(text, start, shown);
        let addresses = text.get(range.clone()).map(addresses).unwrap_or_default();
        let linked = addresses.iter().filter_map(|Address { url, .. }| source_of(url));
        let sources: Vec<usize> = led.iter().chain(own).map(|mark| mark.source).chain(linked).collect();
        // Links to more are evidence of nothing.
        if links_further(shown) || sends_to_link(shown) {
            continue;
        }
        // Behind a stop in the same line an address cites, too.
        if names_source(shown) || is_address(shown) && is_in_line(text, range.start, found) {
            cite(text, range.start, &sources, found);
            continue;
        }
        // What names its source in brackets behind it says what it does without that.
        let told = before_source(shown).unwrap_or(shown);
        let says = least.says(told, !sources.is_empty(), || {
            let is_first = text[block.start..range.start].trim().is_empty();
            let is_closed = shown.len() < whole.len() || whole_above.is_some() || closed(text, range, all);
            states_something(told, is_closed)
                || least != Least::Sentence && !own.is_empty() && is_cited_phrase(told)
                || is_first && items::says(told, least)
                || is_rest && rest::says(shown, !sources.is_empty())
        });
        let is_fact =
            || !matches!(least, Least::Answer | Least::Item) && is_labelled_fact(told, !sources.is_empty());
        let is_list_of_names = || lists_attendees(shown) && 2 * shown.len() < text.len();
        let is_aside = traces::is_aside(text, shown)
            || sources.is_empty() && (is_pointer(shown) || leaves_open(shown) || is_list_of_names());
        let is_run_in = own.is_empty() && heads_block(text, &raw, block.end);
        heading = if is_run_in && raw.start == block.start { trimmed_head(shown) } else { heading };
        let is_silent = !(says || is_fact()) || is_aside || is_run_in || heads(text, &raw);
        if rating::add(text, (&block, start..start + shown.len()), &sources, found) || is_silent {
            continue;
        }
        let sources = ascending(sources);
        if retracted::add(said, &block, start..start + shown.len(), &sources, found) {
            continue;
        }
        let (heading, within) = label.above(text, start, heading);
        let around = Around { before, within, ..Around::default() };
        found.push(Statement { text: shown, start, heading, around, subagent, sources, row: None });
    }
}
