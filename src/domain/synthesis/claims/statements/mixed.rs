//! Items of a few words in a list whose other items say something: `- Paris`, `- Lyon is the second city.`
//!
//! Each is quoted alone: all that are left of a list where one is quoted, as a few would look like the whole; a word or two beside a sentence, a phrase where not
//! much more is left than is quoted. What is bold, or has something below it, heads it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::edges::{edges, trimmed};
use super::few_words::{bare, may_answer};
use super::labels::names_part;
use super::lead_in::says_that_more_follows;
use super::least::is_sentence;
use super::lines::goes_on;
use super::marked::behind_mark;
use super::opening::{ascending, within_marks};
use super::{Around, Said, Statement};
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::phrases::ends_with_any;
use crate::domain::text::turned::{Side, turn_of_heading};
use crate::domain::text::words::Lexicon;

/// Words and characters of such an item, and how many there are in a list at most.
const WORDS_MAX: usize = 2;
const CHARS_MAX: usize = 24;
const ITEMS_MAX: usize = 8;
/// The same of a phrase, `No servers to maintain`, and how many may be left for each item that is quoted.
const PHRASE: (usize, usize) = (5, 60);
const LEFT_MAX: usize = 3;
/// Items of a list that is quoted whole.
const WHOLE_MAX: usize = 24;
/// Words of a heading that says what the items below it are, in however few words: `Key strengths`.
const JUDGING_WORDS_MAX: usize = 5;
#[rustfmt::skip]
const JUDGING: &[&str] = &[
    "pros", "cons", "strengths", "weaknesses", "advantages", "disadvantages", "benefits", "drawbacks", "upsides", "downsides", "limitations", "risks", "opportunities", "threats", "challenges",
    "features", "symptoms", "causes", "requirements", "recommendations", "vorteile", "nachteile", "stärken", "schwächen", "risiken", "chancen", "avantages", "inconvénients", "faiblesses",
    "risques", "ventajas", "desventajas", "fortalezas", "debilidades", "riesgos", "优点", "缺点", "优势", "劣势", "风险", "长所", "短所",
];

/// Words of a line above a list that says the same of its items, `The main risks are:`, and what such a line ends with.
const ANNOUNCING_WORDS_MAX: usize = 12;
#[rustfmt::skip]
const ANNOUNCING: &[&str] = &[
    "are", "were", "include", "includes", "included", "including", "comprise", "comprises", "covers", "supports", "offers", "requires", "needs", "namely", "sind", "waren", "umfassen", "umfasst",
    "enthält", "nämlich", "sont", "comprennent", "comprend", "incluent", "inclut", "son", "incluyen", "incluye", "sono", "includono",
];
const ANNOUNCING_CJK: &[&str] = &["包括", "如下", "以下", "有"];

/// An item that isn't quoted and may be.
struct Left {
    item: Range<usize>,
    /// Whether it is a word or two, and whether it is a phrase rather than a name.
    is_short: bool,
    is_phrase: bool,
    /// Whether it begins with a small letter.
    is_lower: bool,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Said,
    Left,
    Other,
}

/// A list, as far as it is read.
struct List<'t> {
    /// The heading and the lines that it stands under.
    under: (&'t str, Around<'t>),
    indent: usize,
    /// Whether it stands below an item of another list.
    is_below: bool,
    left: Vec<Left>,
    /// How many items are quoted.
    said: usize,
    /// How many are neither quoted nor may be.
    others: usize,
    /// What the last item is.
    last: Last,
    /// Whether an item is a sentence.
    has_sentence: bool,
}

impl<'t> List<'t> {
    fn begin(under: (&'t str, Around<'t>), indent: usize, is_below: bool) -> Self {
        Self {
            under,
            indent,
            is_below,
            left: Vec::new(),
            said: 0,
            others: 0,
            last: Last::Said,
            has_sentence: false,
        }
    }
}

/// The lists of a text, as far as it is read.
#[derive(Default)]
pub(super) struct Mixed<'t> {
    /// The open ones, outer ones first.
    open: Vec<List<'t>>,
    found: Vec<Item<'t>>,
}

/// An item that is quoted.
struct Item<'t> {
    range: Range<usize>,
    under: (&'t str, Around<'t>),
    /// Whether what it stands under says what is so of it, or isn't, or announces it: then it says something in whatever few words.
    is_known: bool,
    /// Whether it is a name of some words: one that cites is what is cited.
    is_name: bool,
}

impl<'t> Mixed<'t> {
    /// Takes note of a block, after it was read. `is_left`: it states nothing, and is no list of references.
    pub(super) fn meet(&mut self, text: &'t str, block: &Block, under: (&'t str, Around<'t>), is_left: bool) {
        let content = behind_mark(text, block.content(text));
        let Kind::ListItem { indent, .. } = block.kind else {
            if block.kind == Kind::Paragraph && text[content].starts_with([' ', '\t']) {
                self.head();
            } else {
                self.close_to(0);
            }
            return;
        };
        self.close_to(self.open.partition_point(|open| open.indent <= indent));
        if self.open.last().is_none_or(|open| open.indent < indent) {
            self.head();
            self.open.push(List::begin(under, indent, !self.open.is_empty()));
        }
        let Some(open) = self.open.last_mut() else { return };
        if !is_left {
            (open.said, open.last) = (open.said + 1, Last::Said);
            // One is enough: mostly it is the first.
            open.has_sentence = open.has_sentence || is_sentence(edges(&text[content]));
            return;
        }
        let item = edges(&text[content.clone()]);
        let last = bare(item.rsplit(' ').next().unwrap_or_default());
        let may_be = is_within(item, PHRASE)
            && is_plain(&text[content.clone()], item)
            && !names_part(&last)
            && !goes_on(&last);
        (open.last, open.others) =
            if may_be { (Last::Left, open.others) } else { (Last::Other, open.others + 1) };
        if may_be {
            let (is_short, is_phrase) = (is_within(item, (WORDS_MAX, CHARS_MAX)), is_phrase(item));
            let is_lower = item.starts_with(char::is_lowercase);
            open.left.push(Left { item: content, is_short, is_phrase, is_lower });
        }
    }

    /// The last item has something below it, and is no item of its own then.
    fn head(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        match std::mem::replace(&mut open.last, Last::Said) {
            Last::Said => {}
            Last::Left => _ = open.left.pop(),
            Last::Other => open.others -= 1,
        }
    }

    /// Closes all but so many.
    fn close_to(&mut self, holds: usize) {
        while self.open.len() > holds {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(List { under, is_below, left, said, others, has_sentence, .. }) = self.open.pop() else {
            return;
        };
        // A few of them would look like the whole list.
        let is_whole = said > 0 && others == 0 && left.len() <= WHOLE_MAX;
        let some = left.iter().filter(|left| left.is_short || left.is_phrase).count();
        // What stands below an item is said of that, not of what the list is under.
        let are_some = (1..=ITEMS_MAX).contains(&some);
        let may_be_known = are_some && !is_below;
        let are_few = left.iter().filter(|left| left.is_short).count() <= ITEMS_MAX;
        let is_even = some <= ITEMS_MAX.min(LEFT_MAX * said);
        let is_sided = may_be_known && is_side(under);
        let is_judged = may_be_known && is_judging(under.0);
        // Below another item they say how that is: `- Option A`, `  - cheap`.
        let is_said_of = is_below && others == 0 && are_some && left.iter().all(|left| left.is_lower);
        // Where a line announces them they are what it says there are.
        let is_announced = !is_sided && may_be_known && is_announcing(under.1.line);
        let is_known = is_sided || is_announced;
        let is_quoted = |left: &Left| {
            let is_some = left.is_short || left.is_phrase;
            is_whole
                || is_said_of
                || is_some && (is_known || is_judged)
                || !is_below && (has_sentence && are_few && left.is_short || is_even && left.is_phrase)
        };
        let quoted = left.into_iter().filter(is_quoted);
        self.found.extend(quoted.map(|left| Item {
            is_name: !left.is_short && !left.is_phrase,
            range: left.item,
            under,
            is_known,
        }));
    }

    /// Quotes them, but for those of lists that are `told` whole, which are ascending. Where no sentence is (`is_silent`) what isn't known
    /// by what it stands under is left to others.
    pub(super) fn quote(
        mut self,
        said: Said<'t, '_>,
        (is_silent, told): (bool, &[Range<usize>]),
        found: &mut Vec<Statement<'t>>,
    ) {
        self.close_to(0);
        self.found.sort_by_key(|item| item.range.start);
        let known: BTreeSet<usize> = found.iter().map(|statement| statement.start).collect();
        for Item { range, under: (heading, around), is_known, is_name } in self.found {
            let marks = within_marks(said.marks, range.clone());
            let next = told.partition_point(|told| told.end <= range.start);
            let is_told = told.get(next).is_some_and(|told| told.start <= range.start);
            let shown = trimmed(said.text, range, marks);
            let is_source = is_name && !marks.is_empty();
            if is_told || is_source || is_silent && !is_known || known.contains(&shown.start) {
                continue;
            }
            let around = Around { announced: around.line, ..around };
            let sources = ascending(marks.iter().map(|mark| mark.source).collect());
            let (text, start, subagent) = (&said.text[shown.clone()], shown.start, said.subagent);
            found.push(Statement { text, start, heading, around, subagent, sources, row: None });
        }
    }
}

/// Whether a heading says what the items below it are to what was asked.
pub(super) fn is_judging(heading: &str) -> bool {
    let words = || heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().count() <= JUDGING_WORDS_MAX
        && words().any(|word| JUDGING.contains(&word.to_lowercase().as_str()))
}

/// Whether a line above a list says that its items are what it speaks of: `The main risks are`, `Key features of the plan`.
fn is_announcing(line: &str) -> bool {
    if line.is_empty() || line.split_whitespace().nth(ANNOUNCING_WORDS_MAX).is_some() {
        return false;
    }
    ANNOUNCING.contains(&bare(line.rsplit(' ').next().unwrap_or_default()).as_str())
        || says_that_more_follows(line)
        || is_judging(line)
        || !line.is_ascii() && ends_with_any(line, ANNOUNCING_CJK)
}

/// Whether what a list stands under says what its items are.
pub(super) fn is_known(under: (&str, Around<'_>)) -> bool {
    is_side(under) || is_announcing(under.1.line) || is_judging(under.0)
}

/// Whether a line above a list says what is so of its items or isn't: `Included`.
fn is_side((heading, around): (&str, Around<'_>)) -> bool {
    let mut lexicon = Lexicon::default();
    let mut tells = |line: &str| {
        let side = Side::of(line, &mut lexicon);
        side.is_some_and(|side| side.is_plain() || side.is_denied && turn_of_heading(line).is_some())
    };
    let Around { lead, line, outer, section, .. } = around;
    let is_below = |line: &str| !line.is_empty();
    is_below(lead)
        || tells(line)
        || line.is_empty() && (is_below(outer) || tells(heading) || section != heading && tells(section))
}

/// Whether it has at most so many words and characters.
fn is_within(words: &str, (words_max, chars_max): (usize, usize)) -> bool {
    let count = words.split_whitespace().filter(|word| !word.starts_with('[')).count();
    count <= words_max && words.chars().count() <= chars_max
}

/// Whether it is more than a name, or what a part of the text is called by.
fn is_phrase(words: &str) -> bool {
    let mut behind = words.split_whitespace().skip(1);
    let last = bare(words.rsplit(' ').next().unwrap_or_default());
    behind.any(|word| word.starts_with(char::is_lowercase)) && !names_part(&last) && !goes_on(&last)
}

/// Whether nothing heads it, or marks it as a name, and it may answer.
pub(super) fn is_plain(item: &str, words: &str) -> bool {
    let inside = item
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '•' | '.' | ')' | ' '));
    let inside = inside.strip_prefix("* ").unwrap_or(inside).trim_start();
    // A name in code alone heads what is said of it: `LISTEN`, and not `` `LISTEN` for events``.
    let is_code = inside.strip_prefix('`').is_some_and(|code| {
        let (_, behind) = code.split_once('`').unwrap_or_default();
        !behind.trim_start().starts_with(char::is_alphabetic)
    });
    !inside.starts_with(['*', '_', '[']) && !is_code && !words.contains('\n') && may_answer(words, false)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|found| (found.text, found.sources)).collect()
    }

    #[test]
    fn a_list_of_which_an_item_is_quoted_is_quoted_whole() {
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        const BESIDE: &str = "All of it was decided on the first of May.";
        for (line, items) in [
            ("The team consists of:", ["Ana", "Ben", "2 interns"]),
            ("**Toolchain**", ["Git", "Docker", "Kubernetes 1.30"]),
            ("Sie brauchen:", ["Personalausweis", "Meldebescheinigung", "2 Passfotos"]),
            ("Necesita:", ["DNI", "Certificado de empadronamiento", "2 fotos"]),
        ] {
            let list: String = items.iter().map(|item| format!("- {item}\n")).collect();
            let found = said(&format!("{line}\n{list}\n{BESIDE}"));
            assert_eq!(found, [&items[..], &[BESIDE]].concat(), "{line}");
        }
        // What heads others, links, or is the name of a part is none of its items.
        for other in ["**Paris**", "[Paris](https://a.example)", "Overview"] {
            let found = said(&format!("- {other}\n- Smith Brown Lee\n- 2 interns\n\n{BESIDE}"));
            assert_eq!(found, ["2 interns", BESIDE], "{other}");
        }
    }

    #[test]
    fn what_is_said_of_an_item_below_it_is_quoted() {
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        const BESIDE: &str = "The team prefers the first of the two options.";
        let list = "- Option A\n  - cheap\n  - fast to build\n- Option B\n  - expensive";
        assert_eq!(said(&format!("{list}\n\n{BESIDE}")), ["cheap", "fast to build", "expensive", BESIDE]);
        let parts = "- Chapter One\n  - Background\n  - Methods\n- Chapter Two\n  - Results";
        assert_eq!(said(&format!("{parts}\n\n{BESIDE}")), [BESIDE]);
    }

    #[test]
    fn a_word_beside_sentences_of_its_list_is_quoted() {
        const SAID: &str = "Lyon is the second city of the country.";
        for text in [
            format!("- Paris\n- {SAID}\n- Rome"),
            format!("1. Paris\n2. {SAID}\n3. Rome"),
            format!("The cities:\n\n* Paris\n* {SAID}\n* Rome\n\n## More"),
        ] {
            assert_eq!(stated(&text), [("Paris", vec![]), (SAID, vec![]), ("Rome", vec![])], "{text}");
        }
        let cited = format!("- Paris [2]\n- {SAID} [1]");
        assert_eq!(stated(&cited), [("Paris", vec![2]), (SAID, vec![1])]);
    }

    #[test]
    fn what_stands_below_a_heading_that_judges_is_quoted_in_however_few_words() {
        const MORE: &str = "We reached 42,000 events a second in our test.";
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        let list = "- ACID transactions across tables\n- Mature tooling\n- Simple";
        let items = ["ACID transactions across tables", "Mature tooling", "Simple", MORE];
        for heading in
            ["**Strengths**", "## ✅ Pros", "### Key advantages of PostgreSQL", "## 1. Vorteile", "## 优点"]
        {
            assert_eq!(said(&format!("{heading}\n{list}\n\n{MORE}")), items, "{heading}");
        }
        for other in ["## Sections", "## References", "## What we wrote of the strengths in our report"] {
            assert_eq!(said(&format!("{other}\n\n{list}\n\n{MORE}")), [MORE], "{other}");
        }
    }

    #[test]
    fn a_word_in_a_list_that_a_line_announces_is_quoted_beside_what_cites() {
        let list = "- Inflation\n- Rising interest rates\n- Supply chain delays [1]";
        let items =
            [("Inflation", vec![]), ("Rising interest rates", vec![]), ("Supply chain delays", vec![1])];
        for line in [
            "The main risks are:",
            "**Main risks:**",
            "They include:",
            "The report names the following three:",
            "Die Gründe sind:",
        ] {
            assert_eq!(stated(&format!("{line}\n{list}")), items, "{line}");
            let said = ("Growth slowed in the second half.", vec![]);
            let beside = stated(&format!("Growth slowed in the second half.\n\n{line}\n\n{list}\n\n## More"));
            assert_eq!(beside, [&[said][..], &items[..]].concat(), "{line}");
        }
        // Neither announces, nor are names of parts announced.
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        let other = said(&format!(
            "Growth slowed in the second half of it.\n\nBy region:\n{}",
            list.replace(" [1]", "")
        ));
        assert!(!other.contains(&"Inflation"), "{other:?}");
        let parts = said("The main risks are:\n- Overview\n- Rising interest rates [1]");
        assert!(!parts.contains(&"Overview"), "{parts:?}");
    }

    #[test]
    fn an_item_may_begin_with_code() {
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        let list = "- `LISTEN/NOTIFY` for events\n- Mature tooling\n- `psql`";
        assert_eq!(
            said(&format!("We run it in production since 2019.\n\n## Strengths\n{list}")),
            ["We run it in production since 2019.", "`LISTEN/NOTIFY` for events", "Mature tooling"]
        );
    }

    #[test]
    fn the_phrases_of_a_list_are_quoted_where_enough_of_it_is() {
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        let list = "Do not:\n- take ibuprofen after week 20 of the pregnancy\n- combine with aspirin\n- drive a car\n- drink alcohol";
        let items = [
            "take ibuprofen after week 20 of the pregnancy",
            "combine with aspirin",
            "drive a car",
            "drink alcohol",
        ];
        assert_eq!(said(list), items);
        let sides = "### Pros\n- No servers to maintain\n- Marketplace with 20,000+ actions\n\n### Cons\n- Vendor lock-in\n- Runners cost $0.08/min\n\n### Plan\nMigrate the open-source repositories first.";
        let all = [
            "No servers to maintain",
            "Marketplace with 20,000+ actions",
            "Vendor lock-in",
            "Runners cost $0.08/min",
            "Migrate the open-source repositories first.",
        ];
        assert_eq!(said(sides), all);
        // Of these nothing is quoted, or little, or they are names.
        for text in [
            "## Sides\n\nIt is large. It is old.\n\n- No servers to maintain\n- Vendor lock-in",
            "It is large.\n\n## Parts\n\n- Costs\n- Market overview\n- Key findings of analysis\n- Smith Brown Lee",
        ] {
            assert!(said(text).iter().all(|said| said.starts_with("It is ")), "{text}: {:?}", said(text));
        }
        assert_eq!(said("- SSO for every member of the team\n- Audit logs for").len(), 1);
        let many = "- a small thing\n".repeat(WHOLE_MAX + 1);
        assert_eq!(said(&format!("{many}- Lyon is the second city of the country.")).len(), 1);
    }

    #[test]
    fn a_word_below_a_line_that_says_what_is_so_of_it_is_quoted() {
        let said = |text: &str| stated(text).into_iter().map(|(said, _)| said).collect::<Vec<_>>();
        for line in ["Included:", "**Not covered:**", "## Prohibited", "Supported:", "Do not:"] {
            assert_eq!(said(&format!("{line}\n- Breakfast")), ["Breakfast"], "{line}");
            let beside = format!("The hotel has 970 rooms.\n\n{line}\n- Breakfast\n\nIt is in Tokyo.");
            assert_eq!(said(&beside), ["The hotel has 970 rooms.", "Breakfast", "It is in Tokyo."], "{line}");
        }
        assert_eq!(said("The hotel has 970 rooms.\n\nParts:\n- Overview").len(), 1);
        // What is told whole isn't told again.
        assert_eq!(said("The hotel has 970 rooms.\n\nIncluded:\n- Breakfast\n- Wifi").len(), 2);
    }

    #[test]
    fn what_heads_others_or_stands_in_other_lists_is_not() {
        const SAID: &str = "Lyon is the second city of the country.";
        for text in [
            format!("- **Paris**\n- {SAID}"),
            format!("- Cities\n  - {SAID}\n- {SAID}"),
            format!("- Cities\n\n  Indented.\n- {SAID}"),
            format!("- Overview\n- {SAID}"),
            format!("- Done\n- {SAID}"),
            format!("- [Paris](https://a.example)\n- {SAID}"),
        ] {
            assert!(stated(&text).iter().all(|(said, _)| *said == SAID || *said == "Indented."), "{text}");
        }
    }
}
