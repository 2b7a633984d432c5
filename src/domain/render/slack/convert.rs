//! Untrusted Markdown in one of Slack's dialects, within a limit.
//!
//! The text is parsed (CommonMark with tables) and written again from its events, so that formatting is the author's
//! but nothing else is: texts pass [`escape`](super::escape), links lead to the web only, images and raw HTML are text.
//! What is open at the limit is closed, and its closing was reserved: a cut is never inside a link or a mark.

mod within;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream};

use super::escape::Dialect;
use crate::domain::render::inert;

/// The longest address that is worth its place in a message, in bytes.
const URL_MAX: usize = 500;

/// A text in a dialect.
pub(super) struct Converted {
    /// What fits.
    pub(super) text: String,
    /// Whether something didn't.
    pub(super) is_cut: bool,
}

/// Writes Markdown in a dialect, at most `limit` UTF-16 units long. Reads at most a multiple of the limit.
pub(super) fn convert(markdown: &str, dialect: Dialect, limit: usize) -> Converted {
    // Markup takes more than its text, hardly more than eight times as much; a longer text is cut anyway.
    let end = markdown.floor_char_boundary(limit.saturating_mul(8).saturating_add(256));
    let read = inert::block(&markdown[..end]);
    let mut writer = Writer::new(dialect, limit);
    writer.is_cut = end < markdown.len();
    for event in
        TextMergeStream::new(Parser::new_ext(&read, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH))
    {
        if writer.is_full {
            break;
        }
        writer.event(event);
    }
    writer.finish()
}

/// What one start tag wrote, and its end tag has to.
enum Open {
    /// A mark: what closes it.
    Mark(&'static str),
    /// A link: what closes it.
    Link(String),
    Heading,
    Quote,
    List,
    Code,
    Other,
}

struct Writer {
    out: String,
    /// Units written, and those reserved for what closes what is open.
    used: usize,
    reserved: usize,
    limit: usize,
    dialect: Dialect,
    open: Vec<Open>,
    /// The next number of each open list; `None` of bullets.
    lists: Vec<Option<u64>>,
    quotes: usize,
    column: usize,
    is_heading: bool,
    is_code: bool,
    in_link: bool,
    /// Whether something else has to begin a new line, or a new paragraph.
    breaks: usize,
    is_cut: bool,
    is_full: bool,
}

impl Writer {
    fn new(dialect: Dialect, limit: usize) -> Self {
        Self {
            out: String::new(),
            used: 0,
            reserved: 0,
            limit,
            dialect,
            open: Vec::new(),
            lists: Vec::new(),
            quotes: 0,
            column: 0,
            is_heading: false,
            is_code: false,
            in_link: false,
            breaks: 0,
            is_cut: false,
            is_full: false,
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.mark("`", "`");
                self.is_code = self.is_marked();
                self.text(&text.replace('\n', " "));
                self.is_code = false;
                self.close();
            }
            Event::FootnoteReference(text) => self.text(&text),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.breaks = self.breaks.max(1),
            Event::Rule => {
                self.breaks = 2;
                self.text("———");
                self.breaks = 2;
            }
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.breaks = if self.is_bare_item() { 0 } else { 2 };
                self.strong();
                self.is_heading = true;
                self.open.push(Open::Heading);
            }
            Tag::BlockQuote(_) => {
                self.quotes += 1;
                self.open.push(Open::Quote);
            }
            Tag::CodeBlock(_) => self.code_block(),
            Tag::List(first) => {
                self.breaks = self.breaks.max(1);
                self.lists.push(first);
                self.open.push(Open::List);
            }
            Tag::Item => {
                self.item();
                self.open.push(Open::Other);
            }
            Tag::TableHead | Tag::TableRow => {
                self.column = 0;
                self.breaks = self.breaks.max(1);
                self.open.push(Open::Other);
            }
            Tag::TableCell => {
                self.column += 1;
                if self.column > 1 && !self.is_beyond() {
                    self.raw(" · ");
                }
                self.open.push(Open::Other);
            }
            Tag::Strong => self.strong(),
            Tag::Emphasis if self.dialect == Dialect::Mrkdwn => self.mark("_", "_"),
            Tag::Emphasis => self.mark("*", "*"),
            Tag::Strikethrough if self.dialect == Dialect::Mrkdwn => self.mark("~", "~"),
            Tag::Strikethrough => self.mark("~~", "~~"),
            Tag::Link { link_type, dest_url, id, .. } => self.link(link_type, &dest_url, &id),
            Tag::Paragraph
            | Tag::HtmlBlock
            | Tag::Table(_)
            | Tag::Image { .. }
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.open.push(Open::Other),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        // `****` would be a line.
        let item = matches!(tag, TagEnd::Item) && self.is_bare_item();
        if item || (matches!(tag, TagEnd::Heading(_)) && self.out.ends_with("**")) {
            self.text("…");
        }
        self.close();
        if matches!(tag, TagEnd::Table) {
            self.column = 0;
        }
        let paragraph = matches!(
            tag,
            TagEnd::Paragraph | TagEnd::Table | TagEnd::HtmlBlock | TagEnd::CodeBlock | TagEnd::BlockQuote(_)
        );
        if paragraph || (matches!(tag, TagEnd::List(_)) && self.lists.is_empty()) {
            self.breaks = 2;
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Mark(end)) => self.write_end(end),
            Some(Open::Link(end)) => {
                self.in_link = false;
                self.write_end(&end);
            }
            Some(Open::Heading) => {
                self.is_heading = false;
                self.close();
                self.breaks = 1;
            }
            Some(Open::Quote) => self.quotes -= 1,
            Some(Open::List) => {
                self.lists.pop();
            }
            Some(Open::Code) => {
                self.is_code = false;
                self.close();
            }
            Some(Open::Other) | None => {}
        }
    }

    fn strong(&mut self) {
        match self.dialect {
            // Bold is what a heading is already.
            _ if self.is_heading => self.open.push(Open::Other),
            Dialect::Mrkdwn => self.mark("*", "*"),
            Dialect::Markdown => self.mark("**", "**"),
        }
    }

    /// Code, outside of the quotes and lists that it stands in: their marks would be due before each of its lines, and
    /// one line without them ends the code, so that its end would begin another.
    fn code_block(&mut self) {
        self.breaks = 2;
        self.is_code = true;
        self.mark("```\n", "\n```");
        self.is_code = self.is_marked();
        self.open.push(Open::Code);
    }

    fn item(&mut self) {
        self.breaks = self.breaks.max(1);
        let bullet = match (self.lists.last_mut(), self.dialect) {
            (Some(Some(number)), _) => {
                *number = number.saturating_add(1);
                format!("{}. ", number.saturating_sub(1))
            }
            (Some(None) | None, Dialect::Mrkdwn) => "• ".to_owned(),
            (Some(None) | None, Dialect::Markdown) => "- ".to_owned(),
        };
        self.raw(&bullet);
    }

    /// A link to the web; a citation, whatever the text says that its number leads to, is its number.
    fn link(&mut self, kind: LinkType, url: &CowStr<'_>, id: &CowStr<'_>) {
        let reference = matches!(kind, LinkType::Shortcut | LinkType::Collapsed | LinkType::Reference);
        if reference && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.mark("[", "]");
        }
        let target = inert::web_link(url).filter(|target| target.len() <= URL_MAX);
        let (start, end) = match (target, self.dialect) {
            (Some(target), Dialect::Mrkdwn) => {
                (format!("<{}|", target.replace('&', "&amp;")), ">".to_owned())
            }
            (Some(target), Dialect::Markdown) => ("[".to_owned(), format!("]({target})")),
            (None, Dialect::Mrkdwn | Dialect::Markdown) => return self.open.push(Open::Other),
        };
        // Behind the mark of an exclamation it would be an image, which Slack would load.
        if self.dialect == Dialect::Markdown && self.out.ends_with('!') {
            self.raw("\u{200B}");
        }
        let is_open = self.begin(&start, &end);
        self.in_link |= is_open;
        self.open.push(if is_open { Open::Link(end) } else { Open::Other });
    }

    /// Opens a mark; none where it doesn't fit.
    fn mark(&mut self, start: &str, end: &'static str) {
        let open = if self.begin(start, end) { Open::Mark(end) } else { Open::Other };
        self.open.push(open);
    }

    /// Whether the mark that was begun last is there: code without its marks isn't code, and is escaped like any text.
    fn is_marked(&self) -> bool {
        matches!(self.open.last(), Some(Open::Mark(_)))
    }

    fn finish(mut self) -> Converted {
        self.is_cut |= self.is_full;
        if self.is_cut && self.used + self.reserved < self.limit {
            self.out.truncate(self.out.trim_end_matches([' ', '\n']).len());
            self.out.push('…');
        }
        while !self.open.is_empty() {
            self.close();
        }
        Converted { text: self.out, is_cut: self.is_cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_becomes_an_image_again() {
        for (text, shown) in [
            ("\\![i](https://e.org/t.gif)", "!\u{200B}[i](https://e.org/t.gif)"),
            ("Stop![i](https://e.org/t.gif)", "Stopi"),
            ("Stop! [i](https://e.org/t)", "Stop! [i](https://e.org/t)"),
        ] {
            assert_eq!(convert(text, Dialect::Markdown, 500).text, shown, "{text}");
        }
    }
}
