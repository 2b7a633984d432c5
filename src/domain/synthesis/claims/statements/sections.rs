//! Where the last of several sections ends that no heading ends: behind `## Plan A` and `## Plan B`, what a rule sets apart, what draws a
//! conclusion (`Overall, …`, `**Bottom line:** …`) or speaks of another of them (`Plan A is the safer choice.`) is of all of them.

use std::collections::BTreeSet;

use super::asides::{begins, begins_with};
use super::contents::heading_text;
use super::lines::{is_led, is_verdict};
use crate::domain::synthesis::citations::is_reference_heading;
use crate::domain::text::blocks::{Block, Kind};

/// The level of a label in bold letters, below that of every heading.
const LABEL: u8 = 7;
/// Sections side by side whose names are known.
const NAMES_MAX: usize = 32;
/// Bytes of such a name.
const NAME_BYTES_MAX: usize = 60;

/// How a conclusion begins, before a comma or a colon.
#[rustfmt::skip]
const CONCLUDING: &[&str] = &[
    "overall", "in summary", "in short", "in sum", "in conclusion", "to sum up", "to summarize", "to summarise", "all in all", "on balance", "taken together", "bottom line", "the bottom line", "summary", "conclusion", "takeaway",
    "key takeaway", "final thoughts", "in the end", "my recommendation", "our recommendation", "my advice", "insgesamt", "zusammenfassend", "zusammengefasst", "alles in allem", "unterm strich", "kurz gesagt",
    "en résumé", "en conclusion", "globalement", "dans l'ensemble", "en bref", "en resumen", "en conclusión", "en general", "en definitiva", "in sintesi", "in conclusione", "em resumo", "总之", "综上", "综上所述", "总的来说", "总体而言", "总体来看",
];
/// How what is said of all of several begins.
#[rustfmt::skip]
const OF_ALL: &[&str] = &[
    "both ", "neither ", "either of ", "all three ", "all four ", "all of them ", "all of these ", "none of them ", "none of these ", "of the two", "of the three", "between the two", "beide ", "alle drei ", "keiner von ", "keine von ",
    "les deux ", "tous les deux", "toutes les deux", "ambos ", "ambas ", "los dos ", "las dos ", "entrambi ", "entrambe ", "两者", "二者", "三者",
];

/// The headings of one level below one other, as far as a text is read.
struct Level<'t> {
    level: u8,
    names: Vec<&'t str>,
    last: &'t str,
}

/// The sections that are open.
#[derive(Default)]
pub(super) struct Sections<'t> {
    open: Vec<Level<'t>>,
    /// Whether the last one says something.
    has_begun: bool,
    /// Where the headings of the text begin, with their levels, but for those of references.
    headings: Vec<(usize, u8)>,
    /// What more than one paragraph of the text begins with that draws a conclusion; once it was asked.
    repeated: Option<BTreeSet<String>>,
}

impl<'t> Sections<'t> {
    pub(super) fn of(text: &str, blocks: &[Block]) -> Self {
        let headings = blocks.iter().filter_map(|block| {
            let Kind::Heading { level } = block.kind else { return None };
            Some((block.range.start, level))
        });
        let is_other = |(start, _): &(usize, u8)| !is_reference_heading(heading_text(&text[*start..]));
        Self { headings: headings.filter(is_other).collect(), ..Self::default() }
    }

    /// Takes note of a heading.
    pub(super) fn meet(&mut self, level: u8, name: &'t str) {
        self.open.truncate(self.open.iter().take_while(|open| open.level <= level).count());
        match self.open.last_mut().filter(|open| open.level == level) {
            Some(open) => open.last = name,
            None => self.open.push(Level { level, names: Vec::new(), last: name }),
        }
        if let Some(open) = self.open.last_mut().filter(|open| open.names.len() < NAMES_MAX) {
            open.names.push(name);
        }
        self.has_begun = false;
    }

    /// The same of a label in bold letters.
    pub(super) fn meet_label(&mut self, label: &'t str) {
        self.meet(LABEL, label);
    }

    /// Takes note of what stands below it.
    pub(super) fn leave(&mut self, kind: Kind) {
        self.has_begun |= !matches!(kind, Kind::Heading { .. } | Kind::Rule);
    }

    /// What a paragraph stands below, and the level of the sections that end before it, where some do. What says the answer says it of
    /// all, not of the section that it ends, unless others have such a line, too: `**Recommendation:** Hire.` below each candidate.
    pub(super) fn below(
        &mut self,
        (text, start): (&str, usize),
        body: &str,
        heading: &'t str,
    ) -> (&'t str, Option<u8>) {
        let Some(opening) = self.conclusion(body) else { return (heading, None) };
        if self.is_repeated(text, &opening) {
            return (heading, None);
        }
        let is_answer = is_verdict(first_line(body));
        let ended = self.end(start);
        let above = if ended.is_some() { self.heading() } else { heading };
        (if is_answer { "" } else { above }, ended)
    }

    /// The same of a rule.
    pub(super) fn end_by_rule(&mut self, start: usize) -> Option<u8> {
        if self.has_begun { self.end(start) } else { None }
    }

    /// The heading of the section that is open; empty where none is, or it is the title of all.
    pub(super) fn heading(&self) -> &'t str {
        match &self.open[..] {
            [] => "",
            [title] if self.headings.iter().filter(|(_, level)| *level == title.level).nth(1).is_none() => "",
            [.., last] => last.last,
        }
    }

    /// Ends the last of several sections: the level of the outermost that ends.
    fn end(&mut self, start: usize) -> Option<u8> {
        let mut ended = None;
        while let Some(open) = self.open.last().filter(|open| open.names.len() > 1) {
            let next = self.headings.partition_point(|(at, _)| *at < start);
            if self.headings.get(next).is_some_and(|(_, level)| *level >= open.level) {
                break;
            }
            ended = Some(open.level);
            self.open.pop();
        }
        ended
    }

    /// What makes a paragraph a conclusion from what stands before it; `None` where it is none.
    fn conclusion(&self, body: &str) -> Option<String> {
        let line = first_line(body);
        if is_verdict(line) {
            return line.split([':', '：']).next().map(|label| bare(label).to_lowercase());
        }
        let several = self.open.iter().rev().find(|open| open.names.len() > 1)?;
        let said = bare(line);
        let ends = |phrase: &&&str| {
            let behind = said.get(phrase.len()..).unwrap_or_default();
            begins_with(said, phrase) && behind.trim_start_matches('*').starts_with([',', ':', '，', '：'])
        };
        let names_another = || {
            let is_it = |name: &&str| names_at_beginning(said, name);
            self.has_begun && !names_at_beginning(said, several.last) && several.names.iter().any(is_it)
        };
        let phrase = CONCLUDING.iter().find(ends).copied();
        let of_all = || (self.has_begun && begins(said, OF_ALL)).then_some("");
        phrase.or_else(of_all).or_else(|| names_another().then_some("")).map(str::to_owned)
    }

    fn is_repeated(&mut self, text: &str, opening: &str) -> bool {
        if opening.is_empty() {
            return false;
        }
        let repeated = self.repeated.get_or_insert_with(|| repeated(text));
        repeated.contains(opening)
    }
}

/// The labels, and other words before a colon or a comma, that more than one line begins with.
fn repeated(text: &str) -> BTreeSet<String> {
    let (mut met, mut repeated) = (BTreeSet::new(), BTreeSet::new());
    let lines = text.lines().filter(|line| is_verdict(line.trim()) || begins(bare(line), CONCLUDING));
    for line in lines {
        let opening = line.split([':', '：', ',', '，']).next().map(|label| bare(label).to_lowercase());
        let Some(opening) = opening else { continue };
        if !met.insert(opening.clone()) {
            repeated.insert(opening);
        }
    }
    repeated
}

fn first_line(body: &str) -> &str {
    body.trim().lines().next().unwrap_or_default()
}

/// A line without marks at its edges: `👉 **Baltex** is …`
fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether what is said begins with the name of a section, or its number and that.
fn names_at_beginning(said: &str, name: &str) -> bool {
    let name = bare(name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let behind = said.get(name.len()..).unwrap_or_default();
    name.len() > 1
        && name.len() <= NAME_BYTES_MAX
        && begins_with(said, name)
        && !behind.starts_with(char::is_alphanumeric)
        && !is_led(said)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    /// What stands below which heading.
    fn headed(text: &str) -> Vec<(&'static str, &'static str)> {
        read(text, "a").into_iter().map(|said| (said.heading, said.text)).collect()
    }

    const PLANS: &str = "## Plan A\nIt costs $20 a month.\n\n## Plan B\nIt costs $30 a month.";

    #[test]
    fn what_is_of_all_sections_is_below_none_of_them() {
        for (behind, said) in [
            ("**Bottom line:** Take plan A.", "**Bottom line:** Take plan A."),
            ("Overall, the first one is cheaper.", "Overall, the first one is cheaper."),
            ("Both plans can be cancelled in May.", "Both plans can be cancelled in May."),
            ("👉 **Plan A** is the safer choice.", "👉 **Plan A** is the safer choice."),
            ("---\n\nTaxes are not included in it.", "Taxes are not included in it."),
            ("Insgesamt: Plan A ist besser.", "Insgesamt: Plan A ist besser."),
        ] {
            for title in ["", "# Plans\n\n"] {
                let found = headed(&format!("{title}{PLANS}\n\n{behind}\n\nIt was asked in May."));
                assert_eq!(found[1], ("Plan B", "It costs $30 a month."));
                assert_eq!(found[2..], [("", said), ("", "It was asked in May.")], "{behind}");
            }
        }
        let nested = PLANS.replace("## ", "### ");
        let nested = format!("## Prices\n\n{nested}\n\nOverall, it is cheap.\n\n## Terms\n\nIt ends in May.");
        assert_eq!(headed(&nested)[2..], [("Prices", "Overall, it is cheap."), ("Terms", "It ends in May.")]);
        let labels = PLANS.replace("## Plan A", "**Plan A**\n").replace("## Plan B", "**Plan B**\n");
        let labels = headed(&format!("{labels}\n\nIn short, both are cheap."));
        assert_eq!(labels[1..], [("Plan B", "It costs $30 a month."), ("", "In short, both are cheap.")]);
    }

    #[test]
    fn what_is_of_the_last_section_stays_below_it() {
        for behind in [
            "It is cheaper than Plan A.",
            "Unlike Plan A it has nine seats.",
            "Plan B is the safer choice.",
            "Overall survival was twelve months.",
            "Taxes are not included in it.",
        ] {
            let found = headed(&format!("{PLANS}\n\n{behind}"));
            assert_eq!(found[2], ("Plan B", behind));
        }
        // Another section follows, or there is only one.
        let more = headed(&format!("{PLANS}\n\nOverall, it is cheap.\n\n## Plan C\nIt costs $40 a month."));
        assert_eq!(more[2], ("Plan B", "Overall, it is cheap."));
        let one = headed("## Plan B\nIt costs $30 a month.\n\n---\n\nOverall, it is cheap.");
        assert_eq!(one[1], ("Plan B", "Overall, it is cheap."));
    }

    #[test]
    fn what_each_section_ends_with_is_of_each() {
        for label in ["**Recommendation:**", "Verdict:", "**Bottom line:**"] {
            let text = format!(
                "## Ana\nShe led it.\n\n{label} Hire her.\n\n## Ben\nHe left.\n\n{label} Wait for now."
            );
            let headings: Vec<_> = headed(&text).into_iter().map(|said| said.0).collect();
            assert_eq!(headings, ["Ana", "Ana", "Ben", "Ben"], "{label}");
        }
        let once = "## Pros\nIt is fast.\n\n**Verdict:** Take it.\n\n## Cons\nIt is old.";
        assert_eq!(headed(once)[1], ("", "**Verdict:** Take it."));
    }
}
