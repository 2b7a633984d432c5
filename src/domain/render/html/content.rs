//! Untrusted Markdown as HTML: a small, safe subset, always balanced.
//!
//! `pulldown-cmark` parses (CommonMark with tables and strikethrough; it fills at most 2^18 missing cells), this file
//! writes: no raw HTML (it is shown as text), no images (their text is shown), links to the web only, headings below
//! the page's own, tables and nesting bounded. `[n]` leads to the source on this page, whatever the text defines.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

mod headings;
mod seen;

pub(super) use seen::citation;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::contributors::Contributors;
use super::spans::Span;
use super::text::{self, REL, escape_into};
use crate::domain::render::inert;

/// The columns and rows of a table that are shown.
const COLUMNS_MAX: usize = 20;
const ROWS_MAX: usize = 200;
/// How deep elements are nested; what is deeper is shown without its element.
const DEPTH_MAX: usize = 24;

/// What a text refers to.
pub(super) struct Context<'a> {
    /// The numbers of the sources that the page lists.
    pub(super) sources: &'a BTreeSet<u32>,
    pub(super) contributors: &'a Contributors<'a>,
    /// The level of the page's heading that its highest one stands below.
    pub(super) below: usize,
}

/// Writes Markdown that has nothing hidden; `spans` are the parts that are somebody's, in order. O(n).
pub(super) fn write(out: &mut String, markdown: &str, context: &Context<'_>, spans: &[Span]) {
    run(out, markdown, context, spans, false);
}

/// Writes one line of Markdown that begins no block of its own, without a paragraph around it. O(n).
pub(super) fn write_inline(out: &mut String, line: &str, context: &Context<'_>) {
    run(out, line, context, &[], true);
}

fn run(out: &mut String, markdown: &str, context: &Context<'_>, spans: &[Span], inline: bool) {
    out.reserve(markdown.len() + markdown.len() / 8);
    let mut writer = Writer {
        inline,
        out,
        markdown,
        context,
        spans,
        open: Vec::new(),
        run: 0..0,
        skipped: 0,
        unlinked: 0,
        columns: 0,
        column: 0,
        row: 0,
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        writer.event(event, range);
    }
    writer.flush();
    writer.chips(markdown.len());
    while let Some(end) = writer.open.pop() {
        writer.out.push_str(&end);
    }
}

struct Writer<'a> {
    /// Whether paragraphs have no element.
    inline: bool,
    out: &'a mut String,
    markdown: &'a str,
    context: &'a Context<'a>,
    spans: &'a [Span],
    /// What closes each open tag; empty where none was written.
    open: Vec<std::borrow::Cow<'static, str>>,
    /// Text that is seen but not yet written: events cut it at every bracket.
    run: Range<usize>,
    /// How many tags are open in a part that isn't shown.
    skipped: usize,
    /// How many links, images and code blocks are open, in which there is no (other) link.
    unlinked: usize,
    columns: usize,
    column: usize,
    row: usize,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.skipped > 0 {
            match event {
                Event::Start(_) => self.skipped += 1,
                Event::End(_) => self.skipped -= 1,
                Event::Text(_)
                | Event::Code(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::FootnoteReference(_)
                | Event::SoftBreak
                | Event::HardBreak
                | Event::Rule
                | Event::TaskListMarker(_) => {}
            }
            return;
        }
        if let Event::Text(text) = &event
            && self.markdown.get(range.clone()) == Some(text)
        {
            if self.run.end != range.start {
                self.flush();
                self.run.start = range.start;
            }
            self.run.end = range.end;
            return;
        }
        self.flush();
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag, range.end),
            // An entity, or a character without its backslash.
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.plain(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.push_str("<code>");
                self.plain(&text);
                self.out.push_str("</code>");
            }
            Event::FootnoteReference(text) => self.plain(&text),
            // Messages of a chat stand one below another.
            Event::SoftBreak if !self.markdown[range.end..].starts_with('@') => self.out.push('\n'),
            Event::SoftBreak | Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(done) => self.out.push_str(if done { "☑ " } else { "☐ " }),
        }
    }

    fn plain(&mut self, text: &str) {
        escape_into(self.out, text);
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph if self.inline => self.open.push("".into()),
            Tag::Paragraph => self.element("<p>", "</p>\n"),
            Tag::Heading { level, .. } => self.heading(level as usize),
            Tag::BlockQuote(_) => self.element("<blockquote>", "</blockquote>\n"),
            // `[1]` in code is an index.
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) | Tag::HtmlBlock => {
                self.unlinked += 1;
                self.element("<pre><code>", "</code></pre>\n");
            }
            Tag::List(None) => self.element("<ul>\n", "</ul>\n"),
            Tag::List(Some(1)) => self.element("<ol>\n", "</ol>\n"),
            // Browsers count in 32 bits.
            Tag::List(Some(first)) => {
                self.element(&format!("<ol start=\"{}\">\n", first.min(i32::MAX as u64)), "</ol>\n");
            }
            Tag::Item => self.element("<li>", "</li>\n"),
            Tag::Table(alignments) => self.table(alignments.len()),
            Tag::TableHead => self.row(true),
            Tag::TableRow => self.row(false),
            Tag::TableCell => self.cell(),
            Tag::Emphasis => self.element("<em>", "</em>"),
            Tag::Strong => self.element("<strong>", "</strong>"),
            Tag::Strikethrough => self.element("<del>", "</del>"),
            Tag::Link { link_type, dest_url, id, .. } => self.link(link_type, &dest_url, &id),
            Tag::Image { .. } => {
                self.unlinked += 1;
                self.element("<span class=\"image\">", "</span>");
            }
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.open.push("".into()),
        }
    }

    fn end(&mut self, tag: TagEnd, at: usize) {
        if matches!(tag, TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell) {
            self.chips(at);
        }
        if matches!(tag, TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::HtmlBlock) {
            self.unlinked = self.unlinked.saturating_sub(1);
        }
        if let Some(end) = self.open.pop() {
            self.out.push_str(&end);
        }
        if matches!(tag, TagEnd::Table) && (self.columns > COLUMNS_MAX || self.row > ROWS_MAX) {
            let (columns, rows) = (self.columns.min(COLUMNS_MAX), self.row.min(ROWS_MAX));
            let _ = writeln!(
                self.out,
                "<p class=\"note\">Shown in part: {columns} of {} columns, {rows} of {} rows.</p>",
                self.columns, self.row
            );
        }
    }

    /// Opens an element, unless it is nested too deep. Parts of tables always are opened: they belong together.
    fn element(&mut self, start: &str, end: &'static str) {
        if self.open.len() < DEPTH_MAX {
            self.out.push_str(start);
            self.open.push(end.into());
        } else {
            self.open.push("".into());
        }
    }

    fn table(&mut self, columns: usize) {
        (self.columns, self.row) = (columns, 0);
        self.out
            .push_str("<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>");
        self.open.push("</tbody></table></div>\n".into());
    }

    fn row(&mut self, is_head: bool) {
        self.column = 0;
        self.row += usize::from(!is_head);
        if self.row > ROWS_MAX {
            self.skipped = 1;
        } else if is_head {
            self.out.push_str("<thead><tr>");
            self.open.push("</tr></thead><tbody>\n".into());
        } else {
            self.out.push_str("<tr>");
            self.open.push("</tr>\n".into());
        }
    }

    fn cell(&mut self) {
        self.column += 1;
        if self.column > COLUMNS_MAX {
            self.skipped = 1;
        } else if self.row == 0 {
            self.out.push_str("<th scope=\"col\">");
            self.open.push("</th>".into());
        } else {
            self.out.push_str("<td>");
            self.open.push("</td>".into());
        }
    }

    /// A link to the web with its host behind it: its text may name another one. A reference whose label is a number
    /// is a citation.
    fn link(&mut self, kind: LinkType, url: &str, id: &str) {
        let number = match kind {
            LinkType::Shortcut | LinkType::Collapsed | LinkType::Reference => id.parse::<u32>().ok(),
            LinkType::Inline
            | LinkType::ReferenceUnknown
            | LinkType::CollapsedUnknown
            | LinkType::ShortcutUnknown
            | LinkType::Autolink
            | LinkType::Email
            | LinkType::WikiLink { .. } => None,
        };
        let is_nested = self.unlinked > 0;
        self.unlinked += 1;
        if let Some(number) = number {
            let mut end = String::new();
            citation(
                &mut end,
                number,
                if is_nested { const { &BTreeSet::new() } } else { self.context.sources },
            );
            if kind == LinkType::Reference {
                // `[text][1]`: the text, then the citation.
                self.open.push(end.into());
            } else {
                self.out.push_str(&end);
                self.unlinked -= 1;
                self.skipped = 1;
            }
            return;
        }
        match inert::web_link(url).filter(|_| !is_nested) {
            Some(target) => {
                self.out.push_str("<a href=\"");
                self.plain(&target);
                let _ = write!(self.out, "\"{REL}>");
                let host = inert::authority(&target).unwrap_or_default();
                let host = if kind == LinkType::Autolink { String::new() } else { text::line(host, 60) };
                self.open.push(match host.is_empty() {
                    true => "</a>".into(),
                    false => format!("</a> <small class=\"host\">({host})</small>").into(),
                });
            }
            None => self.open.push("".into()),
        }
    }
}
