//! The lines above a statement that name what it is about: `Qdrant` above `p99 latency: 12 ms`.

use std::collections::BTreeMap;

use super::words::{is_otherwise, joined, said};
use super::{Amount, Called, Form};
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::synthesis::claims::{Around, Statement, is_subject, names_in, subject_terms};
use crate::domain::text::figures::Figure;
use crate::domain::text::words::{Lexicon, Term};

/// Words of a line that is a label.
const LABEL_WORDS_MAX: usize = 5;
/// What has a number among others of a text.
const NUMBERED: [&str; 11] = [
    "table",
    "figure",
    "section",
    "part",
    "chapter",
    "step",
    "appendix",
    "tabelle",
    "abbildung",
    "abschnitt",
    "tableau",
];
/// What joins a name to what a line is about.
const JOINING: [&str; 10] = ["in", "on", "for", "at", "by", "under", "within", "from", "für", "bei"];

/// What a line says.
#[derive(Debug, Clone, Default)]
struct Line {
    /// The words that name something; empty where none does.
    subject: Vec<Term>,
    /// The names among them.
    names: Vec<Term>,
    /// All that it says.
    says: Vec<Term>,
    /// What of that may make what stands below it another thing: years, sizes, `Targets`.
    tells: Vec<Term>,
}

/// Lines that were read.
#[derive(Default)]
pub(super) struct Lines<'t> {
    known: BTreeMap<&'t str, Line>,
}

impl<'t> Lines<'t> {
    /// What something may be called by its own words: those alone where they name a thing, and with those of the lines above it.
    pub(super) fn called(
        &mut self,
        own: &[Term],
        is_thing: bool,
        statement: &Statement<'t>,
        lexicon: &mut Lexicon,
    ) -> Vec<Called> {
        let mut called = Vec::new();
        if is_thing {
            called.push(Called { words: joined(&[own]), by_lines: false });
        }
        let mut lines = Vec::new();
        for line in naming(statement) {
            let subject = self.line(line, lexicon).subject.clone();
            // `Latency` above `p99 latency` names nothing else.
            let names_more = subject.iter().any(|term| !own.contains(term));
            lines.extend(names_more.then_some(subject));
        }
        let with: &[&[&[Term]]] = match lines.as_slice() {
            [] => &[],
            [only] => &[&[only]],
            [near, far, ..] => &[&[near], &[near, far]],
        };
        for lines in with {
            let words = joined(&[own, &lines.concat()]);
            let is_new = |known: &Called| known.words != words;
            if called.iter().all(is_new) {
                called.push(Called { words, by_lines: true });
            }
        }
        called
    }

    /// Whether a line above one says of when, of how much or of what kind it is, and nothing of the other does.
    pub(super) fn tell_apart(
        &mut self,
        [(one, mine), (other, theirs)]: [(&Statement<'t>, &Amount<'_>); 2],
        lexicon: &mut Lexicon,
    ) -> bool {
        let (one, other) = (self.around(one, mine, lexicon), self.around(other, theirs, lexicon));
        let lacks = |tells: &[Term], of: &Line, amount: &Amount<'_>| {
            let is_called = |term: &Term| amount.called.iter().any(|called| called.words.contains(term));
            tells.iter().any(|term| !of.says.contains(term) && !is_called(term))
        };
        lacks(&one.tells, &other, theirs) || lacks(&other.tells, &one, mine)
    }

    /// What all lines around a statement say.
    fn around(&mut self, statement: &Statement<'t>, amount: &Amount<'_>, lexicon: &mut Lexicon) -> Line {
        let Around { announced, line, .. } = statement.around;
        let mut all = Line::default();
        for line in naming(statement).chain([announced, line]).filter(|line| !line.is_empty()) {
            let read = self.line(line, lexicon);
            all.says.extend_from_slice(&read.says);
            all.tells.extend_from_slice(&read.tells);
            // A sentence says itself what it is about.
            if amount.form != Form::Sentence {
                all.tells.extend_from_slice(&read.names);
            }
        }
        all
    }

    fn line(&mut self, line: &'t str, lexicon: &mut Lexicon) -> &Line {
        self.known.entry(line).or_insert_with(|| read(line, lexicon))
    }
}

/// The lines that may name what a statement is about, the nearest first.
fn naming<'t>(statement: &Statement<'t>) -> impl Iterator<Item = &'t str> {
    let Around { within, announced, section, .. } = statement.around;
    let heading = statement.row.map_or(statement.heading, |row| row.section);
    let is_label = announced.split(' ').count() <= LABEL_WORDS_MAX && announced != within;
    let announced = if is_label { announced } else { "" };
    [within, announced, heading, section].into_iter().filter(|line| !line.is_empty())
}

/// A statement without the lines that are among what its amount is called.
pub(super) fn bare<'t>(statement: &Statement<'t>, by_lines: bool) -> Statement<'t> {
    let heading = statement.row.map_or(statement.heading, |row| row.section);
    let mut bare = Statement { heading, row: None, ..statement.clone() };
    if by_lines {
        bare.heading = "";
        (bare.around.announced, bare.around.within) = ("", "");
    }
    bare
}

fn read(line: &str, lexicon: &mut Lexicon) -> Line {
    let line = without_number(line);
    let of = Features::of(lexicon, line);
    let mut says = said(&of, 0..line.len(), None);
    let nouns = if is_subject(line, lexicon) { subject_terms(line, lexicon) } else { Vec::new() };
    let elements = of.elements.iter().filter(|element| element.role == Role::Figure).zip(&of.figures);
    let figures: Vec<Term> =
        elements.filter(|(_, figure)| tells(&of, figure)).map(|(element, _)| element.term).collect();
    let is_subject = |term: &&Term| nouns.contains(term) || figures.contains(term);
    let subject = says.iter().filter(is_subject).copied().collect();
    let otherwise = of.words.iter().map(|word| word.term).filter(|term| is_otherwise(*term));
    let tells: Vec<Term> = figures.iter().copied().chain(otherwise).collect();
    let mut names = names_in(line, lexicon);
    names.extend(nouns.iter().filter(|noun| is_named_behind(&of, **noun)));
    says.extend(tells.iter().chain(&names));
    Line { subject, names, says, tells }
}

/// Whether a figure of a line tells what stands below it from others: `Version 1.2`, `2021`, not `Table 1`.
fn tells(of: &Features<'_>, figure: &Figure) -> bool {
    let before = of.text[..figure.start].trim_end().rsplit(' ').next().unwrap_or_default();
    !NUMBERED.contains(&before.to_lowercase().as_str())
}

/// Whether a word is a name behind what joins it to the rest: `Latency in Frankfurt`.
fn is_named_behind(of: &Features<'_>, noun: Term) -> bool {
    let mut words = of.words.iter().zip(of.words.iter().skip(1));
    words.any(|(before, word)| {
        word.term == noun
            && of.text[word.start..].starts_with(char::is_uppercase)
            && JOINING.contains(&of.text[before.range()].to_lowercase().as_str())
    })
}

/// A heading without the number that it has among others: `2. Qdrant`.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < line.len());
    rest.filter(|rest| rest.starts_with(' ')).map_or(line, str::trim_start)
}
