//! The line above a list or a table that its items are true under only: `Do not:`, `The policy does not cover:`.
//!
//! What such a line denies or restricts is the opposite of what its items say alone, so each of them keeps it beside it.

use super::Statement;
use super::asides::is_small_talk;
use super::edges::edges;
use super::lines::is_marked;
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::phrases::has_any;
use crate::domain::text::sentences::sentences;
use crate::domain::text::turned::{Turn, is_otherwise, turn};

pub(super) use self::into_code::tell_step;
pub(super) use self::outer::Outline;

mod into_code;
mod outer;

/// Bytes of a sentence that leads in.
const BYTES_MAX: usize = 300;
/// Words of a line that leads in without a colon.
const BARE_WORDS_MAX: usize = 8;
/// Say that something follows, where a sentence ends with a stop.
const FOLLOWING: [&str; 8] =
    ["following", "below", "these", "folgend", "suivant", "siguiente", "以下", "下列"];

/// The lines above an item or a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Above<'t> {
    /// The nearest that turns it; empty where none does.
    pub lead: &'t str,
    /// The nearest that leads it in, whatever that says; empty where none does.
    pub line: &'t str,
}

impl<'t> Above<'t> {
    /// The last sentence of a text, where it leads in what follows.
    pub(super) fn of(body: &'t str) -> Option<Self> {
        line_above(body).map(Self::below)
    }

    /// What stands below a line that leads it in.
    pub(super) fn below(line: &'t str) -> Self {
        Self { lead: if turns(line) { line } else { "" }, line }
    }

    /// The same below what stands above that line, which turns it where this line doesn't, and says nothing else.
    fn within(self, above: Self) -> Self {
        let is_nearer = !self.lead.is_empty() || is_otherwise(self.line);
        Self { lead: if is_nearer { self.lead } else { above.lead }, ..self }
    }
}

/// The line above the list that is read, as far as a text is read.
#[derive(Default)]
pub(super) struct LeadIns<'t> {
    /// It; empty where none is.
    above: Above<'t>,
    /// Whether something of the list has come.
    has_begun: bool,
    /// Items that others are nested in: their columns, and what those stand under.
    items: Vec<(usize, Above<'t>)>,
}

impl<'t> LeadIns<'t> {
    /// Takes note of a block, before it is read.
    pub(super) fn meet(&mut self, block: &Block, body: &'t str, next: Option<&Block>) {
        match block.kind {
            Kind::ListItem { indent, .. } => {
                let holds = self.items.iter().take_while(|(column, _)| *column < indent).count();
                self.items.truncate(holds);
                self.has_begun = true;
            }
            Kind::Table => {
                // What is indented below an item belongs to it.
                if !body.trim_start_matches(['\r', '\n']).starts_with([' ', '\t']) {
                    self.items.clear();
                }
                self.has_begun = true;
            }
            // What is indented below an item belongs to it.
            Kind::Paragraph if self.has_begun && body.starts_with([' ', '\t']) => {}
            Kind::Code { .. } if self.has_begun => {}
            Kind::Paragraph if !self.above.line.is_empty() && is_marked(body) => self.has_begun = true,
            Kind::Paragraph => {
                let above = next.filter(|next| may_be_led(next, body)).and_then(|_| Above::of(body));
                *self = Self { above: above.unwrap_or_default(), ..Self::default() };
            }
            Kind::Heading { .. } | Kind::Quote | Kind::Html | Kind::Code { .. } | Kind::Rule => {
                *self = Self::default();
            }
        }
    }

    /// Gives what was found in a block what it stands under, and takes note of an item that others are nested in.
    pub(super) fn leave(
        &mut self,
        (block, next): (&Block, Option<&Block>),
        body: &'t str,
        found: &mut [Statement<'t>],
    ) {
        if !self.has_begun {
            return;
        }
        let above = self.above();
        give(above, found);
        let Kind::ListItem { indent, .. } = block.kind else { return };
        let is_nested = |next: &Block| match next.kind {
            Kind::ListItem { indent: column, .. } => column > indent,
            Kind::Table => true,
            Kind::Heading { .. } | Kind::Paragraph | Kind::Quote => false,
            Kind::Code { .. } | Kind::Rule | Kind::Html => false,
        };
        if next.is_some_and(is_nested) {
            self.items.push((indent, Above::of(body).map_or(above, |own| own.within(above))));
        }
    }

    /// What the items that are read stand under.
    pub(super) fn above(&self) -> Above<'t> {
        self.items.last().map_or(self.above, |(_, above)| *above)
    }
}

/// Gives statements of a list what they stand under, unless they stand under something nearer.
pub(super) fn give<'t>(above: Above<'t>, found: &mut [Statement<'t>]) {
    for statement in found {
        let around = &mut statement.around;
        around.is_listed = true;
        if around.lead.is_empty() {
            around.lead = above.lead;
        }
        if around.line.is_empty() {
            around.line = above.line;
        }
    }
}

/// Whether a block may belong to the list above it.
pub(super) fn may_go_on(block: &Block, body: &str) -> bool {
    match block.kind {
        Kind::ListItem { .. } | Kind::Table | Kind::Code { .. } => true,
        Kind::Paragraph => body.starts_with([' ', '\t']),
        Kind::Heading { .. } | Kind::Quote | Kind::Html | Kind::Rule => false,
    }
}

/// Whether a label leads in the list below it by a colon: what stands behind that list isn't below the label.
pub(super) fn leads_list(label: &str, next: Option<&Block>) -> bool {
    let ends = label.trim_end().trim_end_matches(['*', '_']).ends_with([':', '：']);
    let is_led = |label: &str| label.ends_with("**:") || label.ends_with("**：");
    (ends || is_led(label.trim_end())) && next.is_some_and(is_list)
}

/// Whether a block is an item of a list, or a table.
pub(super) fn is_list(block: &Block) -> bool {
    matches!(block.kind, Kind::ListItem { .. } | Kind::Table)
}

/// Whether a block may stand below a paragraph that leads it in: most paragraphs plainly lead in nothing.
fn may_be_led(next: &Block, above: &str) -> bool {
    let ends_with_colon = || above.trim_end().trim_end_matches(['*', '_', ' ']).ends_with([':', '：']);
    is_list(next) || next.kind == Kind::Paragraph && ends_with_colon()
}

/// The last sentence of what stands above a list, where it leads in what follows.
fn line_above(body: &str) -> Option<&str> {
    let last = sentences(body).pop()?;
    let said = edges(&body[last]);
    let bare = said.trim_end_matches(['*', '_', ' ']);
    let line = bare.trim_end_matches([':', '：']);
    let ends = |stops: &[char]| bare.ends_with(stops);
    let leads = line.len() < bare.len()
        || ends(&['.', '。']) && says_that_more_follows(bare)
        || !ends(&['.', '!', '。', '！', ',', ';']) && bare.split_whitespace().count() <= BARE_WORDS_MAX;
    let line = line.trim_matches(['*', '_', ' ']);
    let may = leads && !line.is_empty() && line.len() <= BYTES_MAX && !is_small_talk(line);
    may.then_some(line)
}

/// Whether a sentence says that something stands below it.
pub(super) fn says_that_more_follows(sentence: &str) -> bool {
    has_any(sentence, &FOLLOWING)
}

/// Whether a line turns what follows: what it denies in another clause, it doesn't deny of that.
fn turns(line: &str) -> bool {
    /// Words of what is a clause of its own, and no end of a list of words.
    const CLAUSE_WORDS_MIN: usize = 5;
    let last = line.rsplit([';', '；', '，']).next().unwrap_or(line);
    let clause = last.rsplit(", ").next().filter(|clause| clause.split(' ').count() >= CLAUSE_WORDS_MIN);
    match turn(line) {
        Some(Turn::Denies) => turn(clause.unwrap_or(last)).is_some(),
        turned => turned.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    /// What stands in a text under which line.
    fn led(text: &str) -> Vec<(&'static str, &'static str)> {
        read(text, "a").into_iter().map(|said| (said.around.lead, said.text)).collect()
    }

    #[test]
    fn items_and_rows_keep_the_line_that_denies_or_restricts_them() {
        let items = "- damage that war or terror has caused\n- lost cash of more than $500";
        for (above, lead) in [
            ("The policy does not cover:\n", "The policy does not cover"),
            ("The policy is good. But it does not cover:\n\n", "But it does not cover"),
            ("# Cover\n\nThe following things are not covered.\n\n", "The following things are not covered."),
            ("**Not covered:**\n", "Not covered"),
            ("Not covered\n", "Not covered"),
            ("What is not covered?\n", "What is not covered?"),
            ("It is covered only if you pay for:\n", "It is covered only if you pay for"),
        ] {
            // Marks that aren't Markdown's make a list below a colon only.
            let mark = if above.contains(':') { "• " } else { "* " };
            for items in [items.to_owned(), items.replace("- ", mark), items.replace("- ", "1. ")] {
                let found = led(&format!("{above}{items}\n\nThat is all that the policy says."));
                let listed: Vec<_> = found
                    .iter()
                    .filter(|said| said.1.contains("damage") || said.1.contains("cash"))
                    .collect();
                let leads: Vec<_> = listed.iter().map(|said| said.0).collect();
                assert_eq!(leads, [lead, lead], "{above}{items}");
                assert_eq!(found.last().map(|said| said.0), Some(""), "{above}");
            }
        }
        let table = "The free plan does not support:\n\n| Feature | Limit |\n|---|---|\n| SSO | 5 users |";
        assert_eq!(led(table), [("The free plan does not support", "SSO | 5 users")]);
        let inside = format!(
            "- The free plan does not support:\n\n{}",
            table.lines().skip(2).map(|line| format!("  {line}\n")).collect::<String>()
        );
        assert_eq!(led(&inside), [("The free plan does not support", "SSO | 5 users")]);
        let behind = table.replace(
            "The free plan does not support:",
            "- The free plan does not support:\n  - Linux and macOS before 12",
        );
        assert_eq!(led(&behind).last(), Some(&("", "SSO | 5 users")));
        let html = "<p>It does not cover:</p><ul><li>damage that war has caused</li></ul><p>It costs $40 a month.</p>";
        assert_eq!(
            led(html),
            [("It does not cover", "damage that war has caused"), ("", "It costs $40 a month.")]
        );
        let short = "It does not run on:\n- Linux\n- macOS needs version 12 or later to be there.";
        assert_eq!(led(short)[0], ("It does not run on", "Linux"));
    }

    #[test]
    fn nested_items_stand_under_the_nearest_line() {
        let text = "Rules:\n- Not covered:\n  - damage that war or terror has caused\n- Covered:\n  - lost cash of more than $500";
        let leads: Vec<_> = led(text).into_iter().map(|said| said.0).collect();
        assert_eq!(leads, ["Not covered", ""]);
        let text = "Do not:\n- In winter:\n  - store it fully charged for months\n\nStore it in a dry place.";
        let leads: Vec<_> = led(text).into_iter().map(|said| said.0).collect();
        assert_eq!(leads, ["Do not", ""]);
    }

    #[test]
    fn other_lines_lead_nothing_in() {
        for text in [
            "Covered:\n- damage that war or terror has caused",
            "Monuments are not neutral; they stand for:\n- damage that war or terror has caused",
            "While no plan is perfect, many people combine them to cover:\n- damage that war or terror has caused",
            "- **Non-motor damage:**\n  - damage that war or terror has caused",
            "The policy does not cover theft.\n\n- damage that war or terror has caused",
            "The policy does not cover:\n\n## More\n\n- damage that war or terror has caused",
            "It does not cover:\n\nDamage that war or terror has caused is covered.",
        ] {
            assert!(led(text).iter().all(|said| said.0.is_empty()), "{text}");
        }
    }
}
