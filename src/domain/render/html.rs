//! A web page that shows who contributed what.
//!
//! Self-contained: no script, nothing loaded, one style sheet inside. Each subagent has a letter, a colour and a
//! pattern, so that the page can be read without colour and on paper. All untrusted text comes in through [`text`] (a
//! line) or [`content`] (Markdown); the policy below is a second wall, and in the page too, for a copy on a disk.

mod content;
mod contributors;
mod evidence;
mod measures;
mod people;
mod spans;
mod text;

use std::collections::BTreeSet;

use self::content::Context;
use self::contributors::Contributors;
use super::inert;
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::text::clean::quoted_line;

/// The header `Content-Security-Policy` of the page: nothing runs, nothing is loaded or sent, nobody frames it.
/// `sandbox` without `allow-scripts` is the same once more, in another part of the browser; links open as usual.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox \
allow-top-navigation-by-user-activation";

const STYLE: &str = include_str!("html/style.css");

/// What a page shows at most; what is left out is said to be.
const ITEMS_MAX: usize = 200;
const SOURCES_MAX: usize = 1_000;
/// The Markdown of one text, and of all, in bytes.
const CONTENT_BYTES_MAX: usize = 256 << 10;
const PAGE_BYTES_MAX: usize = 4 << 20;
/// The longest line, in UTF-16 units.
const LINE_MAX: usize = 300;
const QUOTE_MAX: usize = 4_000;

/// A result as a page; `query` is what was asked. Time is linear in the texts, times at most 200 findings that are
/// looked up in the synthesis; the page is bounded.
pub fn html(result: &AggregatedResult, query: Option<&str>) -> String {
    let contributors = Contributors::of(result);
    let sources: BTreeSet<u32> = result.sources.iter().take(SOURCES_MAX).map(|source| source.id).collect();
    let context = Context { sources: &sources, contributors: &contributors, below: OF_RESULTS };
    let mut page = Page { out: String::with_capacity(64 << 10), context, left: PAGE_BYTES_MAX };
    page.head(query);
    people::header(&mut page, result, query);
    page.out.push_str("<main>\n");
    people::failures(&mut page, result);
    people::contributions(&mut page, result);
    page.answer(result);
    evidence::findings(&mut page, &result.findings);
    evidence::insights(&mut page, &result.insights);
    evidence::contradictions(&mut page, &result.contradictions);
    evidence::gaps(&mut page, &result.gaps);
    evidence::sources(&mut page, result);
    people::results(&mut page, &result.results);
    measures::quality(&mut page, &result.quality);
    measures::confidence(&mut page, result);
    page.out.push_str("</main>\n</body>\n</html>\n");
    page.out
}

/// How much lower headings of results and of the synthesis stand on the page.
const OF_RESULTS: usize = 3;
const OF_SYNTHESIS: usize = 1;

/// The page so far.
struct Page<'a> {
    out: String,
    context: Context<'a>,
    /// What is left of the room for Markdown, in bytes.
    left: usize,
}

impl Page<'_> {
    fn head(&mut self, query: Option<&str>) {
        let title = text::line(query.unwrap_or("Aggregated result"), LINE_MAX);
        for part in [
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; ",
            "base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
            &title,
            "</title>\n<style>\n",
            STYLE,
            "</style>\n</head>\n<body>\n",
        ] {
            self.out.push_str(part);
        }
    }

    /// Summary and synthesis.
    fn answer(&mut self, result: &AggregatedResult) {
        if !result.summary.trim().is_empty() && result.summary != result.synthesis {
            self.open("summary", "In short");
            self.out.push_str("<div class=\"lead\">\n");
            self.markdown(&result.summary, |_, _| Vec::new());
            self.out.push_str("</div>\n");
            self.close();
        }
        if !result.synthesis.trim().is_empty() {
            self.open("synthesis", "The answer, and who says it");
            self.note(match result.metadata.method {
                Method::Extractive => "Underlined: a quotation; the letters behind it are the subagents that say so.",
                Method::Llm => {
                    "Underlined: a quotation, or without quotation marks what a language model wrote of it; the letters behind \
                     it are the subagents that say so."
                }
            });
            // A synthesis has its headings on the second level.
            self.context.below = OF_SYNTHESIS;
            self.markdown(&result.synthesis, |text, people| spans::spans(text, &result.findings, people));
            self.context.below = OF_RESULTS;
            self.close();
        }
    }

    fn open(&mut self, id: &str, heading: &str) {
        self.out.push_str(&format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{heading}</h2>\n"
        ));
    }

    fn close(&mut self) {
        self.out.push_str("</section>\n");
    }

    /// Untrusted Markdown, as much of it as there is room for.
    fn markdown(&mut self, markdown: &str, spans: impl Fn(&str, &Contributors<'_>) -> Vec<spans::Span>) {
        let end = match markdown.len().min(CONTENT_BYTES_MAX).min(self.left) {
            end if end == markdown.len() => end,
            end => markdown.floor_char_boundary(end),
        };
        self.left -= end;
        let shown = inert::block(&markdown[..end]);
        let spans = spans(&shown, self.context.contributors);
        content::write(&mut self.out, &shown, &self.context, &spans);
        if end < markdown.len() {
            let (shown, all) = (end >> 10, markdown.len() >> 10);
            self.note(&format!("Shown in part: the first {shown} of {all} KiB."));
        }
    }

    /// A quotation as it stands in the answer: in a line, with its emphasis, links and code.
    fn quote(&mut self, text: &str) {
        // The mark in front keeps `1.` and `#` from beginning a list or a heading.
        let line = format!("“{}”", quoted_line(&inert::line(text, QUOTE_MAX)));
        self.out.push_str("<bdi>");
        content::write_inline(&mut self.out, &line, &self.context);
        self.out.push_str("</bdi>");
    }

    /// What a language model wrote, in the same way but without the marks: nobody said it in these words.
    fn unquoted(&mut self, text: &str) {
        let line = quoted_line(&inert::line(text, QUOTE_MAX));
        self.out.push_str("<bdi>");
        content::write_inline(&mut self.out, &unmarked(&line), &self.context);
        self.out.push_str("</bdi>");
    }

    /// Citations of sources, or a dash.
    fn citations(&mut self, numbers: &[u32]) {
        if numbers.is_empty() {
            self.out.push('–');
        }
        for number in numbers.iter().take(ITEMS_MAX) {
            content::citation(&mut self.out, *number, self.context.sources);
        }
    }

    /// The items that are shown; a note says how many aren't.
    fn shown<'t, T>(&mut self, items: &'t [T], what: &str) -> &'t [T] {
        if items.len() > ITEMS_MAX {
            self.note(&format!("Shown in part: {ITEMS_MAX} of {} {what}.", items.len()));
        }
        &items[..items.len().min(ITEMS_MAX)]
    }

    /// Small print, in our words.
    fn note(&mut self, words: &str) {
        self.out.push_str(&format!("<p class=\"note\">{words}</p>\n"));
    }

    fn push(&mut self, html: &str) {
        self.out.push_str(html);
    }
}

/// A line that begins no list, heading or other block: what would make one of it gets a backslash.
fn unmarked(line: &str) -> String {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = line.split_at(digits);
    let escaped = if rest.starts_with(|c: char| c.is_ascii_punctuation()) { "\\" } else { "" };
    format!("{number}{escaped}{rest}")
}
