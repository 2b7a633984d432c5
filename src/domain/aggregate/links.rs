//! Links of a text in Markdown: which of them are citations, and what they lead to.
//!
//! Many agents cite by links: `… grew by 4 % ([Reuters](https://…))`, `… as planned [17](https://…)`. What a text links to
//! is a source of it, declared or not; where the link is nothing but a citation it becomes a marker like any other, so
//! that a sentence is shown with the number of its source and not with an address in its middle. Linear in the text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem;

use super::url_identity::identify;
use crate::domain::synthesis::citations::{Definition, entries_of};
use crate::domain::synthesis::claims::{Address, addresses, json_in};
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::leads::{self, is_lead};

mod behind_stop;
mod mute;
#[cfg(test)]
mod tests;

use crate::domain::text::scripts::is_wide_or_mark;
use behind_stop::cites_sentence_before;
pub(super) use mute::names_nothing;

/// The marker of the first link; no author numbers sources so high.
const FIRST: u32 = 900_000_000;
/// From one link's marker to the next: two with a dash between them are no range.
const STEP: u32 = 100;
/// Links of a text that are looked at; those behind them stay as they are, and are no sources.
const LINKS_MAX: usize = 10_000;
/// Bytes of letters that a link needs in front of it, in its line, to be the citation of a sentence.
const CITED_BYTES_MIN: usize = 8;
/// Bytes in front of a link that are looked through for them.
const BEFORE_BYTES_MAX: usize = 240;
/// Bytes before and behind a link that are read as an entry of references.
const ENTRY_BYTES_MAX: usize = 1_024;

/// A text whose citing links are markers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Linked<'t> {
    pub text: Cow<'t, str>,
    pub links: Vec<Link<'t>>,
    /// Addresses that stand there as they are: `(https://…)`.
    pub bare: Vec<&'t str>,
}

/// A link to an address of the web.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link<'t> {
    /// The number of the marker that stands in its place; `None` where it is still there.
    pub number: Option<u32>,
    /// Its text, where that is more than a number.
    pub title: Option<&'t str>,
    /// Its destination.
    pub url: &'t str,
}

/// What an entry of the reference section says: number, title and address.
type Entry<'d> = (Option<u32>, &'d str, Option<&'d str>);

/// A link and where it is.
struct Place<'t> {
    range: Range<usize>,
    link: Link<'t>,
}

/// Reads the links of a text. What its reference section defines stays: the section is left out as a whole later.
pub(super) fn read<'t>(text: &'t str, defined: &[Definition]) -> Linked<'t> {
    let (mut places, mut bare) = (Vec::new(), Vec::new());
    if memmem::find(text.as_bytes(), b"http").is_none() {
        return Linked { text: Cow::Borrowed(text), links: Vec::new(), bare };
    }
    let json = json_in(text);
    for block in blocks(text) {
        let is_json = |json: &Range<usize>| block.range.start <= json.start && json.end <= block.range.end;
        if matches!(block.kind, Kind::Code { .. }) && json.iter().any(is_json) {
            // A fence around a result that is JSON makes no example of it.
            let found = addresses(&text[block.range]).into_iter().map(|address| address.url);
            bare.extend(found.filter(|url| is_whole(url)).take(LINKS_MAX.saturating_sub(bare.len())));
        } else if block.kind == Kind::Html {
            in_html(&text[block.range], &mut bare);
        } else if !matches!(block.kind, Kind::Code { .. }) {
            in_block(text, block.range, &mut places, &mut bare);
        }
    }
    let defined: BTreeSet<Entry<'_>> =
        defined.iter().filter(|entry| entry.number.is_some()).map(entry).collect();
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while at < places.len() {
        let end = at + row(text, &places[at..]);
        if let Some(range) = citation(text, &places[at..end], &defined) {
            out.push_str(&text[done..range.start]);
            for (place, number) in places[at..end].iter_mut().zip((FIRST..).step_by(STEP as usize).skip(at)) {
                place.link.number = Some(number);
                out.push_str(&format!("[{number}]"));
            }
            done = range.end;
        }
        at = end;
    }
    let text = if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[done..]) };
    Linked { text, links: places.into_iter().map(|place| place.link).collect(), bare }
}

/// The links of a block and its bare addresses, but for pictures and what stands in code.
fn in_block<'t>(text: &'t str, block: Range<usize>, places: &mut Vec<Place<'t>>, bare: &mut Vec<&'t str>) {
    let body = &text[block.clone()];
    let (mut ticks, mut counted) = (0, 0);
    for Address { range, url, linked } in addresses(body) {
        ticks += body[counted..range.start].matches('`').count();
        counted = range.start;
        let is_picture = body[..range.start].ends_with('!');
        if is_picture || ticks % 2 == 1 || places.len() + bare.len() >= LINKS_MAX {
            continue;
        }
        if !linked {
            bare.extend(Some(url).filter(|url| is_whole(url)));
            continue;
        }
        let title = body[range.start + 1..range.end - url.len() - 3].trim();
        let link = Link { number: None, title: Some(title).filter(|title| !is_number(title)), url };
        places.push(Place { range: block.start + range.start..block.start + range.end, link });
    }
}

/// Bytes of a tag before its address.
const TAG_BYTES_MAX: usize = 1_024;

/// The destinations of a block's `<a href="…">`: what else has an address there is loaded, not cited.
fn in_html<'t>(body: &'t str, bare: &mut Vec<&'t str>) {
    for Address { range, url, .. } in addresses(body) {
        if bare.len() >= LINKS_MAX {
            return;
        }
        let near = body.floor_char_boundary(range.start.saturating_sub(TAG_BYTES_MAX));
        let before = body[near..range.start].trim_end_matches(['"', '\'']);
        let is_anchor = before.ends_with("href=")
            && before.rsplit('<').next().is_some_and(|tag| tag.starts_with("a ") || tag.starts_with("A "));
        if is_anchor && is_whole(url) {
            bare.push(url);
        }
    }
}

/// Whether a bare address names a page of the web: not a pattern, an abridged one, or one of a machine at hand. Behind Chinese
/// letters nobody can tell where it ends: `https://a.example/报告显示`.
fn is_whole(url: &str) -> bool {
    let host =
        url.split("://").nth(1).unwrap_or_default().split(['/', '?', '#', ':']).next().unwrap_or_default();
    let named = host.contains('.') && host.contains(char::is_alphabetic) && !host.ends_with(".local");
    named
        && !url.contains(['{', '}', '*', '<', '>', '…'])
        && !url.contains("...")
        && !url.contains(is_wide_or_mark)
}

/// How many links stand in one row, with nothing but separators between them.
fn row(text: &str, places: &[Place<'_>]) -> usize {
    let joined = |pair: &&[Place<'_>]| {
        let between = &text[pair[0].range.end..pair[1].range.start];
        !between.contains("\n\n")
            && between.chars().all(|c| matches!(c, ',' | ';' | ' ' | '，' | '；' | '、' | '|'))
    };
    1 + places.windows(2).take_while(joined).count()
}

/// What the markers of a row of links stand for, where those cite the sentence before them: in parentheses of their own,
/// numbers, or behind its full stop. Not in the entry of a list that has little else, nor what the reference section has.
fn citation(text: &str, row: &[Place<'_>], defined: &BTreeSet<Entry<'_>>) -> Option<Range<usize>> {
    let (first, last) = (row.first()?, row.last()?);
    let range = match enclosed(&text[..first.range.start], &text[last.range.end..]) {
        Some((before, behind)) => before.len()..text.len() - behind.len(),
        None if row.iter().all(|place| place.link.title.is_none()) || cites_sentence_before(text, row) => {
            first.range.start..last.range.end
        }
        None => return None,
    };
    let near = text.floor_char_boundary(range.start.saturating_sub(BEFORE_BYTES_MAX));
    let line = text[near..range.start].rsplit('\n').next().unwrap_or_default();
    let letters: usize = line.split(|c: char| !c.is_alphabetic()).map(str::len).sum();
    let cites = letters >= CITED_BYTES_MIN && row.iter().all(|place| identify(place.link.url).is_some());
    (cites && !is_entry(text, &range, defined)).then_some(range)
}

fn entry(definition: &Definition) -> Entry<'_> {
    (definition.number, &definition.title, definition.url.as_deref())
}

/// Whether a place is in a line of the reference section.
fn is_entry(text: &str, place: &Range<usize>, defined: &BTreeSet<Entry<'_>>) -> bool {
    if defined.is_empty() {
        return false;
    }
    let first = text.floor_char_boundary(place.start.saturating_sub(ENTRY_BYTES_MAX));
    let last = text.floor_char_boundary(place.end.saturating_add(ENTRY_BYTES_MAX).min(text.len()));
    let begin = text[first..place.start].rfind('\n').map_or(first, |at| first + at + 1);
    let end = text[place.end..last].find('\n').map_or(last, |at| place.end + at);
    entries_of(&text[begin..end]).iter().any(|definition| defined.contains(&entry(definition)))
}

/// What stands around the brackets of a row of links, where nothing else is in them: `([A](…), [B](…))`, `[[1](…)]`.
fn enclosed<'t>(before: &'t str, behind: &'t str) -> Option<(&'t str, &'t str)> {
    let (before, behind) = (before.trim_end_matches(' '), behind.trim_start_matches(' '));
    if let Some(behind) = behind.strip_prefix(']') {
        // `[[1](…)](…)` is a link itself.
        return before
            .strip_suffix('[')
            .filter(|_| !behind.starts_with(['(', '[']))
            .map(|before| (before, behind));
    }
    outside_of_parenthesis(before).zip(behind.strip_prefix([')', '）']))
}

/// What stands before the parenthesis that a text ends in, where nothing but a word that says that a source comes is between them.
fn outside_of_parenthesis(before: &str) -> Option<&str> {
    let near = before.floor_char_boundary(before.len().saturating_sub(leads::BYTES_MAX));
    let open = near + before[near..].rfind(['(', '（'])?;
    is_lead(before[open..].trim_start_matches(['(', '（'])).then(|| &before[..open])
}

/// Whether a link's text is no title but a number, or nothing.
fn is_number(title: &str) -> bool {
    title.len() <= 6 && !title.chars().any(char::is_alphabetic)
}
