//! The sentences of a result that state something, with the sources that they cite.
//!
//! Which brackets are citations the rewriter of citations has decided already: it knows code, mathematics and years.

use self::announced::Announced;
use self::apart::are_marks;
use self::entries::is_prose;
use self::json::of_json;
use self::labels::is_label;
use self::lead_in::{LeadIns, Outline, leads_list, may_go_on, tell_step};
use self::leading::Leading;
use self::least::Least;
use self::lists::Lists;
use self::read::read;
use self::rows::{Table, Which, are_most, rows};
use self::sections::Sections;
use self::within::{Html, read_pieces};
use crate::domain::synthesis::citations::is_reference_heading;
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::wanted::still_wanted;

mod addresses;
mod announced;
mod apart;
mod asides;
mod boilerplate;
mod bold_values;
mod captions;
mod cells;
mod contents;
mod edges;
mod entries;
mod fenced;
mod few_words;
mod headed;
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
mod marked;
mod minutes;
mod mixed;
mod opening;
mod pointers;
mod rating;
mod read;
mod records;
mod rest;
mod retracted;
mod rows;
mod said;
mod sections;
mod short;
mod statement;
mod steps;
mod traces;
mod units_of;
mod untitled;
mod within;

pub use self::addresses::{Address, addresses};
pub use self::announced::Around;
pub(super) use self::announced::OVER_MAX;
pub(in crate::domain::synthesis) use self::asides::is_small_talk;
pub(super) use self::asides::{begins, begins_with};
pub use self::boilerplate::tells_scope;
pub use self::cells::Row;
pub(in crate::domain::synthesis) use self::cells::{cells, plain, verdict};
pub(in crate::domain::synthesis) use self::edges::edges;
pub(super) use self::items::behind_box;
pub use self::json_values::{Told, answers as json_in, values as values_of_json};
pub(super) use self::labels::lead;
pub(in crate::domain::synthesis) use self::records::time_of_log;
pub(in crate::domain::synthesis) use self::retracted::is_taken_back;
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
    let (mut found, tables, mut lists) = at_least(said, Least::Sentence);
    let headed = lists.take_headed();
    // Beside prose JSON may be an example; what cites the result's sources is none, and neither is what a line announces as data.
    let json: Vec<(usize, Vec<Statement<'t>>)> =
        json_values::answers(said.text).into_iter().map(|json| (json.start, of_json(said, json))).collect();
    // A few words of a list say something beside sentences, and where there are none the others do, too.
    let is_told = found.iter().any(|said| least::is_sentence(said.text));
    let is_silent = !is_told && json.iter().all(|(_, stated)| stated.is_empty());
    let are_cited = json.iter().flat_map(|(_, stated)| stated).any(|statement| !statement.sources.is_empty());
    let is_data = |at: usize| !is_told || are_cited || fenced::is_announced(said.text, at);
    found.extend(json.into_iter().filter(|(at, _)| is_data(*at)).flat_map(|(_, stated)| stated));
    found.sort_by_key(|statement| statement.start);
    if is_silent {
        found.extend(at_least(said, Least::Answer).0);
        found.sort_by_key(|statement| statement.start);
        found.dedup_by_key(|statement| statement.start);
    }
    lists.quote(said, is_silent, &mut found);
    // A list that is quoted as a whole has the line above it.
    found.dedup_by(|whole, line| {
        let is_within = whole.start == line.start && whole.text.len() > line.text.len();
        if is_within {
            std::mem::swap(whole, line);
        }
        is_within
    });
    if is_silent {
        short::with_lesser_items(said, &mut found);
    }
    let which = if is_silent || are_most(&tables, said.text) { Which::All } else { Which::Short };
    let rows = rows(said, &tables, which);
    if !rows.is_empty() {
        found.extend(rows);
        found.sort_by_key(|statement| statement.start);
    }
    if found.is_empty() {
        found = short::few_words(said);
    }
    headed.quote(said, &mut found);
    if let Some(alone) = opening::before(said, 0..said.text.len(), found.first_mut()) {
        found.insert(0, alone);
    }
    if found.len() > 1 {
        found.retain(|statement| !linked::is_name(statement.text));
    }
    found
}

fn at_least<'t>(said: Said<'t, '_>, least: Least) -> (Vec<Statement<'t>>, Vec<Table<'t>>, Lists<'t>) {
    let text = said.text;
    // Room for a statement in so many bytes, as growing moves them.
    let mut found = Vec::with_capacity((text.len() / 64).min(512));
    let (mut heading, mut tables, mut lists) = ("", Vec::new(), Lists::default());
    let (mut references, mut contents, mut above, mut last) = (false, false, Kind::Rule, None);
    let (mut announced, mut leads, mut outline) =
        (Announced::default(), LeadIns::default(), Outline::default());
    let mut leading = Leading::default();
    // The heading that a name stands below which heads a list: `**PostgreSQL** (v17)`.
    let mut above_name = None;
    let blocks = marked::with_lists(text, blocks(text));
    let last_heading = contents::last_heading(&blocks);
    let listed = contents::listed(text, &blocks);
    let mut sections = Sections::of(text, &blocks);
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
                sections.meet(level, heading);
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
                let (below, ended) = if this.kind == Kind::Paragraph {
                    sections.below((text, this.range.start), body, heading)
                } else {
                    (heading, None)
                };
                if let Some(level) = ended {
                    (heading, above_name) = (sections.heading(), None);
                    outline.end(level);
                }
                let under = boilerplate::sender(body).unwrap_or(below);
                let (body, range) = (&body[head..], block.range.start + head..block.range.end);
                // Markers alone belong to the prose above them, but below a list maybe to all of it, and between paragraphs to either.
                let is_told = |kind: Kind| matches!(kind, Kind::Paragraph | Kind::Quote);
                let is_above = is_told(above) && !blocks.peek().is_some_and(|next| is_told(next.kind));
                if !is_above && are_marks(said, &range) {
                    continue;
                }
                contents = false;
                if units_of::is_of_neighbour(body, above, blocks.peek()) {
                    last = Some(this);
                    continue;
                }
                if range.end < text.len() && is_label(body) && !lines::is_verdict(body.trim()) {
                    above_name = leads_list(body, blocks.peek()).then_some(heading).or(above_name);
                    let label = edges(body).trim_end_matches([':', '：', '.']);
                    heading = if boilerplate::heads_own_work(label) { "" } else { label };
                    sections.meet_label(heading);
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
                let said_in = marked::behind_mark(text, block.range);
                read_pieces(said, said_in, (heading, least), &mut found);
            }
            Kind::Html => {
                let mut html = Html { heading, references };
                html.read(said, block.range, (least, &mut outline), &mut found);
                Html { heading, references } = html;
            }
            Kind::Table if !references => {
                let around = outline.around(heading, leads.above());
                let unit = units_of::of_table(text, (last.as_ref(), heading), blocks.peek());
                tables.push(Table { range: block.content(text), heading, unit, around });
            }
            Kind::Code { .. } if !references => fenced::read_data(said, &block, heading, &mut found),
            Kind::Rule => {
                if let Some(level) = sections.end_by_rule(this.range.start) {
                    (heading, above_name) = (sections.heading(), None);
                    outline.end(level);
                }
            }
            Kind::Code { .. } | Kind::Table => {}
        }
        sections.leave(this.kind);
        tell_step(said, (&this, blocks.peek()), heading, &mut found);
        announced.leave((&this, blocks.peek()), body, &mut found[before..]);
        if this.kind != Kind::Html {
            outline.give(heading, &mut found[before..]);
        }
        let under = (heading, outline.around(heading, leads.above()));
        leads.leave((&this, blocks.peek()), body, &mut found[before..]);
        leading.leave(said, &this, &mut found[before..]);
        let is_left = found.len() == before && !references && !contents;
        lists.meet(text, (&this, blocks.peek()), under, is_left);
        last = Some(this);
    }
    (found, tables, lists)
}
