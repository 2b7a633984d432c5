//! The sentences of a result that state something, with the sources that they cite.
//!
//! Which brackets are citations the rewriter of citations has decided already: it knows code, mathematics and years.

use std::ops::Range;

use self::announced::Announced;
use self::apart::{are_marks, cite, is_in_line};
use self::asides::{answered, names_source};
use self::edges::{behind_marks, closed, led_by_marks, trimmed};
use self::entries::{before_address, is_address, is_entry, is_prose};
use self::json::of_json;
use self::labels::{heads, heads_block, is_label, trimmed_head};
use self::lead_in::{LeadIns, Outline, leads_list, may_go_on, tell_step};
use self::leading::Leading;
use self::least::{Least, is_cited_phrase, is_labelled_fact, states_something};
use self::led::Led;
use self::lists::Lists;
use self::minutes::lists_attendees;
use self::opening::ascending;
use self::pointers::is_pointer;
use self::rows::{Table, Which, are_most, rows};
use self::within::{Html, read_pieces};
use crate::domain::aggregate::take_in::leaves_open;
use crate::domain::synthesis::citations::is_reference_heading;
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::wanted::still_wanted;

mod addresses;
mod announced;
mod apart;
mod asides;
mod boilerplate;
mod captions;
mod cells;
mod contents;
mod edges;
mod entries;
mod fenced;
mod few_words;
mod html;
mod items;
mod json;
mod json_values;
mod labels;
mod lead_in;
mod leading;
mod least;
mod led;
mod lines;
mod linked;
mod lists;
mod minutes;
mod mixed;
mod opening;
mod pointers;
mod rating;
mod records;
mod rest;
mod rows;
mod said;
mod short;
mod statement;
mod steps;
mod traces;
mod within;

pub use self::addresses::{Address, addresses};
pub use self::announced::Around;
pub(in crate::domain::synthesis) use self::asides::is_small_talk;
pub(super) use self::asides::{begins, begins_with};
pub use self::boilerplate::tells_scope;
pub use self::cells::Row;
pub(in crate::domain::synthesis) use self::cells::{cells, plain, verdict};
pub(in crate::domain::synthesis) use self::edges::edges;
pub use self::json_values::{Told, answers as json_in, values as values_of_json};
pub(super) use self::labels::lead;
pub(in crate::domain::synthesis) use self::records::time_of_log;
pub use self::said::{Mark, Said};
pub use self::statement::Statement;

/// The statements of a text. Headings, code, rules and lists of references state nothing. Where no sentence is long
/// enough, an answer of a word or two does that has a source, `Paris [1].`, and so do the items of lists; beside
/// sentences those that say something. Tables do by their rows, long ones only where nothing else does or most of the
/// text is tables, and JSON does by its strings. A text that is a few words in all states those.
pub fn statements<'t>(said: Said<'t, '_>) -> Vec<Statement<'t>> {
    if let Some(json) = json_values::whole(said.text) {
        let found = of_json(said, json.clone());
        return if found.is_empty() { json_values::alone(said, json) } else { found };
    }
    let (mut found, tables, lists) = at_least(said, Least::Sentence);
    // Beside prose JSON may be an example; what cites the result's sources is none.
    let json: Vec<Statement<'t>> =
        json_values::answers(said.text).into_iter().flat_map(|json| of_json(said, json)).collect();
    // A few words of a list say something beside sentences, and where there are none the others do, too.
    let is_told = found.iter().any(|said| least::is_sentence(said.text));
    let is_silent = !is_told && json.is_empty();
    if !is_told || json.iter().any(|statement| !statement.sources.is_empty()) {
        found.extend(json);
        found.sort_by_key(|statement| statement.start);
    }
    if is_silent {
        found.extend(at_least(said, Least::Answer).0);
        found.sort_by_key(|statement| statement.start);
        found.dedup_by_key(|statement| statement.start);
    }
    lists.quote(said, is_silent, &mut found);
    let which = if is_silent || are_most(&tables, said.text) { Which::All } else { Which::Short };
    let rows = rows(said, &tables, which);
    if !rows.is_empty() {
        found.extend(rows);
        found.sort_by_key(|statement| statement.start);
    }
    if found.is_empty() {
        found = short::few_words(said);
    }
    if let Some(alone) = opening::before(said, 0..said.text.len(), found.first_mut()) {
        found.insert(0, alone);
    }
    found
}

fn at_least<'t>(said: Said<'t, '_>, least: Least) -> (Vec<Statement<'t>>, Vec<Table<'t>>, Lists<'t>) {
    let text = said.text;
    // Room for a statement in so many bytes, as growing moves them.
    let mut found = Vec::with_capacity((text.len() / 64).min(512));
    let (mut heading, mut tables, mut lists) = ("", Vec::new(), Lists::default());
    let (mut references, mut contents, mut above) = (false, false, Kind::Rule);
    let (mut announced, mut leads, mut outline) =
        (Announced::default(), LeadIns::default(), Outline::default());
    let mut leading = Leading::default();
    // The heading that a name stands below which heads a list: `**PostgreSQL** (v17)`.
    let mut above_name = None;
    let blocks = blocks(text);
    let last_heading = contents::last_heading(&blocks);
    let listed = contents::listed(text, &blocks);
    let is_contents =
        |at: usize, heading: &str| at < last_heading && contents::is_heading(heading) || listed == Some(at);
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        still_wanted();
        let Some(body) = text.get(block.range.clone()) else { continue };
        let (above, before, this) = (std::mem::replace(&mut above, block.kind), found.len(), block.clone());
        announced.meet(&this, body, blocks.peek());
        leads.meet(&this, body, blocks.peek());
        if !may_go_on(&this, body) {
            heading = above_name.take().unwrap_or(heading);
        }
        match block.kind {
            Kind::Heading { level } => {
                heading = contents::heading_text(body);
                outline.meet(level, heading);
                references = is_reference_heading(heading);
                contents = is_contents(this.range.start, heading);
            }
            Kind::Paragraph | Kind::Quote => {
                // A label begins a list of references, prose ends it.
                references = is_reference_heading(edges(body)) || references && !is_prose(body);
                let head = boilerplate::mail_head(body);
                if references || head == body.len() {
                    continue;
                }
                let under = boilerplate::sender(body).unwrap_or(lines::section(body, heading));
                let (body, range) = (&body[head..], block.range.start + head..block.range.end);
                // Markers alone belong to the prose above them, but below a list maybe to all of it, and between paragraphs to either.
                let is_told = |kind: Kind| matches!(kind, Kind::Paragraph | Kind::Quote);
                let is_above = is_told(above) && !blocks.peek().is_some_and(|next| is_told(next.kind));
                if !is_above && are_marks(said, &range) {
                    continue;
                }
                contents = false;
                if range.end < text.len() && is_label(body) && !lines::is_verdict(body.trim()) {
                    above_name = leads_list(body, blocks.peek()).then_some(heading).or(above_name);
                    heading = edges(body).trim_end_matches([':', '：', '.']);
                    contents = is_contents(this.range.start, heading);
                } else {
                    let (name, is_caption) = captions::name_above(body, blocks.peek());
                    if !is_caption {
                        read_pieces(said, range, (under, least), &mut found);
                    }
                    above_name = name.map(|name| std::mem::replace(&mut heading, name)).or(above_name);
                }
            }
            Kind::ListItem { .. } if references || contents => {}
            Kind::ListItem { .. } => {
                let beside = items::least(text, &block, blocks.peek());
                let least = if least == Least::Answer { Least::Item } else { beside };
                read_pieces(said, block.range, (heading, least), &mut found);
            }
            Kind::Html => {
                let mut html = Html { heading, references };
                if html.read(said, block.range, least, &mut found) {
                    outline.end();
                }
                Html { heading, references } = html;
            }
            Kind::Table if !references => {
                let around = outline.around(heading, leads.above());
                tables.push(Table { range: block.content(text), heading, around });
            }
            Kind::Code { .. } if !references => fenced::read_data(said, &block, heading, &mut found),
            Kind::Code { .. } | Kind::Table | Kind::Rule => {}
        }
        tell_step(said, (&this, blocks.peek()), heading, &mut found);
        announced.leave((&this, blocks.peek()), body, &mut found[before..]);
        outline.give(heading, &mut found[before..]);
        let under = (heading, outline.around(heading, leads.above()));
        leads.leave((&this, blocks.peek()), body, &mut found[before..]);
        leading.leave(text, &this, &mut found[before..]);
        let is_left = found.len() == before && !references && !contents;
        lists.meet(text, &this, under, is_left);
    }
    (found, tables, lists)
}

/// The statements of a block, or of a piece of one.
fn read<'t>(
    said: Said<'t, '_>,
    block: Range<usize>,
    (mut heading, least): (&'t str, Least),
    found: &mut Vec<Statement<'t>>,
) {
    let Said { text, subagent, marks, source_of } = said;
    let Some(body) = text.get(block.clone()) else { return };
    let is_led = led_by_marks(text, block.clone(), marks);
    let is_apart = are_marks(said, &block);
    let label = Led::of(text, &block);
    heading = asides::question(text, block.start).unwrap_or(heading);
    // What cites the next sentence, where each begins with what it cites.
    let (mut carried, mut last): (&[Mark], &str) = (&[], "");
    for range in least.sentences(body) {
        let range = block.start + range.start..block.start + range.end;
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
        if least == Least::Sentence
            && let Some(end) = leading::before_colon(text, &sentence, all)
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
        let addresses = text.get(range.clone()).map(addresses).unwrap_or_default();
        let linked = addresses.iter().filter_map(|Address { url, .. }| source_of(url));
        let sources: Vec<usize> = led.iter().chain(own).map(|mark| mark.source).chain(linked).collect();
        // Behind a stop in the same line an address cites, too.
        if names_source(shown) || is_address(shown) && is_in_line(text, range.start, found) {
            cite(text, range.start, &sources, found);
            continue;
        }
        let says = least.says(shown, !sources.is_empty(), || {
            let is_first = text[block.start..range.start].trim().is_empty();
            let is_closed = shown.len() < whole.len() || closed(text, range, all);
            states_something(shown, is_closed)
                || least != Least::Sentence && !own.is_empty() && is_cited_phrase(shown)
                || is_first && items::says(shown, least)
                || is_rest && rest::says(shown, !sources.is_empty())
        });
        let is_fact =
            || !matches!(least, Least::Answer | Least::Item) && is_labelled_fact(shown, !sources.is_empty());
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
        let (heading, within) = label.above(text, start, heading);
        let around = Around { before, within, ..Around::default() };
        found.push(Statement { text: shown, start, heading, around, subagent, sources, row: None });
    }
}
