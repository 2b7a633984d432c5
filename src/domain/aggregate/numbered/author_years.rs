//! Authors and years that cite: `(Smith, 2024)`, `(Smith & Jones, 2024; WMO, 2025)`, `Smith et al. (2024)`.
//!
//! They stand for the one entry of the text's references, or the one declared source, that names both. Where it isn't known of all in
//! the brackets what they stand for, or several fit, they stay as they are. Works that end the text without a heading are references
//! where they are cited so.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::domain::aggregate::input::SourceInput;
use crate::domain::synthesis::citations::{Definition, Works, references, works_at_end};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::sentences::{authors_and_year, is_year};

/// Words of a name that stands before a year in brackets.
const NAME_WORDS_MAX: usize = 5;
/// Bytes before a year in brackets that are looked at.
const BEFORE_BYTES_MAX: usize = 96;
/// Bytes of an entry in which an abbreviation of its author is explained.
const AUTHOR_BYTES_MAX: usize = 120;
/// Characters of initials: `JS`, `J.-P.`
const INITIALS_MAX: usize = 4;
/// Joins authors; of several the first is looked for.
const JOINTS: [&str; 9] = [" & ", " and ", " et al", " und ", " et ", " y ", " e ", ",", " u. a."];
/// Stands behind an author's name in an entry.
const BEHIND: [&str; 10] = [",", ".", " (", " &", " and ", " et al", " und ", " et ", " y ", ":"];

/// What a citation stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Of {
    /// A declared source, by its place.
    Place(usize),
    /// An entry of the text's references.
    Entry(Definition),
}

/// Brackets that cite: where they stand, and each part as it is written with what it stands for.
struct Cited {
    range: Range<usize>,
    parts: Vec<(String, Of)>,
}

/// A text with numbers for authors and years.
pub(super) struct Dated<'t> {
    pub text: Cow<'t, str>,
    /// What stood there, in the order of the numbers.
    pub written: Vec<String>,
    /// The numbers of declared sources, and their places.
    pub places: Vec<(u32, usize)>,
    /// The numbers of entries of the references.
    pub entries: Vec<(u32, Definition)>,
}

/// The text with numbers from `first` on for authors and years that cite.
pub(super) fn numbered<'t>(text: Cow<'t, str>, sources: &[SourceInput], first: u32) -> Dated<'t> {
    let (mut written, mut places, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let (mut out, mut done) = (String::new(), 0);
    let (cited, works) = cited(&text, sources);
    for Cited { range, parts } in cited {
        out.push_str(&text[done..range.start]);
        done = range.end;
        for (part, of) in parts {
            let next = first + written.len() as u32;
            // A year alone stands for another source behind another name.
            let key = format!("{part}{of:?}");
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                written.push(part);
                match of {
                    Of::Place(place) => places.push((number, place)),
                    Of::Entry(entry) => entries.push((number, entry)),
                }
            }
            out.push_str(&format!("[^{number}]"));
        }
    }
    let rest = match works {
        Some(works) => Cow::Owned([&text[done..works.start], &text[works.end..]].concat()),
        None => Cow::Borrowed(&text[done..]),
    };
    let text = if done == 0 { text } else { Cow::Owned(out + &rest) };
    Dated { text, written, places, entries }
}

/// The brackets with authors and years that cite, in the order of the text, and where the works stand that end it and are cited so.
/// Linear but for the sources: each part is looked for in all.
fn cited(text: &str, sources: &[SourceInput]) -> (Vec<Cited>, Option<Range<usize>>) {
    let brackets: Vec<Range<usize>> = memchr::memchr_iter(b'(', text.as_bytes())
        .filter_map(|at| Some(at..at + authors_and_year(&text[at..])?))
        .collect();
    // Nearly all texts end here.
    if brackets.is_empty() {
        return (Vec::new(), None);
    }
    let listed = references(text);
    let mut lists: Vec<Range<usize>> =
        listed.sections.iter().map(|section| section.end - section.bytes..section.end).collect();
    let of_sources = sources.iter().enumerate().map(|(place, source)| Candidate::declared(place, source));
    let mut candidates: Vec<Candidate> =
        listed.definitions.into_iter().map(Candidate::entry).chain(of_sources).collect();
    let is_below = |works: &Works| lists.iter().all(|list| list.end <= works.range.start);
    if let Some(Works { range, items }) = works_at_end(text).filter(is_below) {
        let known = candidates.len();
        candidates.extend(items.into_iter().map(Candidate::entry));
        lists.push(range.clone());
        let found = among(text, &brackets, &lists, &candidates);
        if are_cited(&candidates[known..], &found) {
            return (found, Some(range));
        }
        candidates.truncate(known);
        lists.pop();
    }
    (among(text, &brackets, &lists, &candidates), None)
}

/// Those of some brackets, outside of the lists, that stand for candidates.
fn among(
    text: &str,
    brackets: &[Range<usize>],
    lists: &[Range<usize>],
    candidates: &[Candidate],
) -> Vec<Cited> {
    let is_said = |range: &&Range<usize>| !lists.iter().any(|list| list.contains(&range.start));
    let stands_for = |range: &Range<usize>| {
        let inside = &text[range.start + 1..range.end - 1];
        let parts = match inside.starts_with(|c: char| c.is_ascii_digit()) {
            true => vec![(format!("({inside})"), named_before(&text[..range.start], inside, candidates)?)],
            false => inside
                .split(';')
                .map(|part| Some((format!("({})", part.trim()), named(part.trim(), candidates)?)))
                .collect::<Option<_>>()?,
        };
        Some(Cited { range: range.clone(), parts })
    };
    brackets.iter().filter(is_said).filter_map(stands_for).collect()
}

/// Whether works are references: one is cited, and so are all that name no person.
fn are_cited(works: &[Candidate], found: &[Cited]) -> bool {
    let cited =
        |work: &&Candidate| found.iter().any(|cited| cited.parts.iter().any(|(_, of)| *of == work.of));
    let names_person =
        |work: &Candidate| work.said.split('(').next().is_some_and(|names| names.contains(','));
    works.iter().any(|work| cited(&work)) && works.iter().all(|work| names_person(work) || cited(&work))
}

/// What `Smith & Jones, 2023a, p. 4` stands for.
fn named(part: &str, candidates: &[Candidate]) -> Option<Of> {
    let year = year_in(part)?;
    let authors = part[..part.find(year)?].trim_end_matches([' ', ',']);
    the_only(candidates, first_of(authors), year)
}

/// What `2024` stands for behind `as Smith et al.`
fn named_before(before: &str, inside: &str, candidates: &[Candidate]) -> Option<Of> {
    let year = year_in(inside)?;
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(BEFORE_BYTES_MAX))..];
    let line = near.rsplit('\n').next().unwrap_or_default().trim_end();
    if !line.ends_with(char::is_alphabetic) && !line.ends_with("al.") {
        return None;
    }
    let starts: Vec<usize> = line
        .char_indices()
        .filter(|&(at, c)| c.is_uppercase() && !line[..at].ends_with(char::is_alphanumeric))
        .map(|(at, _)| at)
        .collect();
    let names = starts.iter().rev().map(|at| &line[*at..]);
    let short = names.take_while(|name| name.split_whitespace().count() <= NAME_WORDS_MAX);
    let is_name = |name: &&str| !name.contains(['.', ',', ';', ':', '(']) || name.ends_with("et al.");
    short.filter(is_name).find_map(|name| the_only(candidates, first_of(name), year))
}

/// The first of several authors.
fn first_of(authors: &str) -> &str {
    let end = JOINTS.iter().filter_map(|joint| authors.find(joint)).min().unwrap_or(authors.len());
    authors[..end].trim()
}

/// The only year of a citation.
fn year_in(part: &str) -> Option<&str> {
    let words = part.split(|c: char| !c.is_alphanumeric());
    let mut years = words.filter(|word| is_year(word));
    years.next().filter(|_| years.next().is_none())
}

/// The candidate of that author and year, where there is one alone.
fn the_only(candidates: &[Candidate], author: &str, year: &str) -> Option<Of> {
    let author = author.to_lowercase();
    // An initial tells nobody.
    author.chars().nth(1)?;
    let mut found = candidates.iter().filter(|candidate| candidate.is_of(&author, year));
    let first = found.next()?;
    // What a list says once more is declared already.
    found.all(|other| first.is_same(other)).then(|| first.of.clone())
}

/// What may be cited.
struct Candidate {
    /// Its title and address in small letters.
    said: String,
    url: Option<String>,
    of: Of,
}

impl Candidate {
    fn entry(entry: Definition) -> Self {
        Self { said: entry.title.to_lowercase(), url: entry.url.clone(), of: Of::Entry(entry) }
    }

    fn declared(place: usize, source: &SourceInput) -> Self {
        let said = [&source.title, &source.url].map(|part| part.as_deref().unwrap_or_default());
        Self { said: said.join(" ").to_lowercase(), url: source.url.clone(), of: Of::Place(place) }
    }

    fn is_of(&self, author: &str, year: &str) -> bool {
        let words = || self.said.split(|c: char| !c.is_alphanumeric());
        let is_dated = words().any(|word| word == year);
        match &self.of {
            Of::Entry(entry) => is_dated && (self.is_by(author) || self.has_initials(author, &entry.title)),
            // What has no date at all may be of any.
            Of::Place(_) => (is_dated || !words().any(is_year)) && has_words(&self.said, author),
        }
    }

    /// Whether an entry begins with an author, or explains its abbreviation: `World Meteorological Organization (WMO). (2025).`
    fn is_by(&self, author: &str) -> bool {
        let behind = self.said.strip_prefix(author);
        let head = &self.said[..self.said.floor_char_boundary(AUTHOR_BYTES_MAX)];
        behind.is_some_and(|rest| begins_with_any(rest, &BEHIND)) || head.contains(&format!("({author})"))
    }

    /// Whether an entry begins with an author and initials without a comma: `Gandini S, et al. (2014).`
    fn has_initials(&self, author: &str, title: &str) -> bool {
        let is_begun = self.said.strip_prefix(author).is_some_and(|rest| rest.starts_with(' '));
        let word = title.split_whitespace().nth(author.split_whitespace().count()).unwrap_or_default();
        let initials = word.trim_end_matches([',', '.', ':', ';']);
        let are_capitals = initials.chars().all(|c| c.is_uppercase() || matches!(c, '-' | '.'));
        is_begun && are_capitals && (1..=INITIALS_MAX).contains(&initials.chars().count())
    }

    fn is_same(&self, other: &Self) -> bool {
        self.url.is_some() && self.url == other.url
    }
}

/// Whether words stand in a text as whole ones.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        !text[..at].ends_with(char::is_alphanumeric)
            && !text[at + words.len()..].starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\n\n## References\n\n\
        - Smith, J., & Jones, K. (2023a). Coffee and sleep. https://a.example/x\n\
        - Smith, J. (2023b). Tea and sleep. https://a.example/y\n\
        - World Meteorological Organization (WMO). (2025). State of the climate. https://wmo.int/z\n\
        - World Bank. (2024). Outlook. https://worldbank.org/o\n";

    fn read(text: &str, sources: &[SourceInput]) -> Vec<(String, Vec<String>)> {
        let shown = |of: &Of| match of {
            Of::Place(place) => format!("place {place}"),
            Of::Entry(entry) => entry.url.clone().unwrap_or_default(),
        };
        cited(text, sources)
            .0
            .iter()
            .map(|cited| {
                let parts = cited.parts.iter().map(|(_, of)| shown(of)).collect();
                (text[cited.range.clone()].to_owned(), parts)
            })
            .collect()
    }

    #[test]
    fn authors_and_years_stand_for_the_entry_that_names_both() {
        for (text, brackets, urls) in [
            ("It rose (Smith & Jones, 2023a).", "(Smith & Jones, 2023a)", &["https://a.example/x"][..]),
            ("It rose (Smith, 2023b, p. 4).", "(Smith, 2023b, p. 4)", &["https://a.example/y"]),
            (
                "It rose (WMO, 2025; World Bank, 2024).",
                "(WMO, 2025; World Bank, 2024)",
                &["https://wmo.int/z", "https://worldbank.org/o"],
            ),
            ("As Smith et al. (2023a) found, it rose.", "(2023a)", &["https://a.example/x"]),
            ("Then the World Bank (2024) said so.", "(2024)", &["https://worldbank.org/o"]),
            ("Smith and Jones (2023a) differ.", "(2023a)", &["https://a.example/x"]),
        ] {
            let urls = urls.iter().map(|url| (*url).to_owned()).collect();
            assert_eq!(read(&format!("{text}{LIST}"), &[]), [(brackets.to_owned(), urls)], "{text}");
        }
    }

    #[test]
    fn initials_may_stand_behind_a_name_without_a_comma() {
        for entry in [
            "Gandini S, et al. (2014). Metformin and cancer risk. https://doi.org/10.1158/1",
            "Gandini S (2014). Metformin and cancer risk. https://doi.org/10.1158/1",
            "Gandini JS, Puntoni M. (2014). Metformin and cancer risk. https://doi.org/10.1158/1",
        ] {
            let text = format!(
                "It fell (Gandini et al., 2014).\n\n## References\n- {entry}\n- Goodwin PJ (2014). Effect. https://doi.org/10.1001/2\n"
            );
            let urls = vec!["https://doi.org/10.1158/1".to_owned()];
            assert_eq!(read(&text, &[]), [("(Gandini et al., 2014)".to_owned(), urls)], "{entry}");
        }
        let text =
            "It fell (World, 2024).\n\n## References\n- World Bank (2024). Outlook. https://a.example\n";
        assert_eq!(read(text, &[]), []);
    }

    #[test]
    fn works_that_end_a_text_are_references_where_they_are_cited() {
        const BODY: &str = "It opened in 1889 (Harriss, 2004).";
        const WORK: &str = "Harriss, J. (2004). *The Tallest Tower*. Unlimited Publishing.";
        let shown = |text: &str| {
            let Dated { text, entries, .. } = numbered(Cow::Owned(text.to_owned()), &[], 7);
            (
                text.trim_end().to_owned(),
                entries.into_iter().map(|(_, entry)| entry.title).collect::<Vec<_>>(),
            )
        };
        let without = "It opened in 1889 [^7].".to_owned();
        let title = WORK.trim_end_matches('.').to_owned();
        assert_eq!(shown(&format!("{BODY}\n\n{WORK}")), (without.clone(), vec![title.clone()]));
        assert_eq!(shown(&format!("{BODY}\n\n{WORK}\nDoe, K. (2001). Towers.")), (without, vec![title]));
        for text in [
            format!("It opened in 1889.\n\n{WORK}"),
            format!("It opened in 1889 (Harriss, 2005).\n\n{WORK}"),
            format!("{BODY}\n\n{WORK}\nPopulation (2004): 5 million."),
            format!("{BODY}\n{WORK}"),
        ] {
            assert_eq!(shown(&text), (text.clone(), vec![]), "{text}");
        }
    }

    #[test]
    fn what_names_none_or_several_stays() {
        for text in [
            "It rose (Smith, 2023).",
            "It rose (Doe, 2024).",
            "It rose (Smith, 2023b; Doe, 2024).",
            "It rose (World, 2024).",
            "In the spring (2024) it rose.",
            "It rose (in 2024).",
            "",
        ] {
            assert_eq!(read(&format!("{text}{LIST}"), &[]), [], "{text}");
        }
    }

    #[test]
    fn declared_sources_are_cited_by_what_their_titles_and_addresses_say() {
        let source = |title: &str, url: &str| SourceInput {
            title: Some(title.to_owned()),
            url: Some(url.to_owned()),
            ..SourceInput::default()
        };
        let sources = [
            source("State of the Global Climate 2025", "https://wmo.int/a"),
            source("Smith et al., Coffee and mortality", "https://j.example/b"),
            source("Smithson 2025", "https://k.example/c"),
        ];
        let expected = |brackets: &str, place: &str| [(brackets.to_owned(), vec![place.to_owned()])];
        assert_eq!(read("It rose (WMO, 2025).", &sources), expected("(WMO, 2025)", "place 0"));
        assert_eq!(
            read("It rose (Smith et al., 2024).", &sources),
            expected("(Smith et al., 2024)", "place 1")
        );
        assert_eq!(read("It rose (WMO, 2024).", &sources), []);
        let within = expected("(Climate, 2025)", "place 0");
        assert_eq!(read("It rose (State of the Global (Climate, 2025)).", &sources), within);
    }
}
