//! What was asked and isn't answered, who was expected and brought nothing, and what rests on one source.
//!
//! Linear in the query and the findings.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::sync::LazyLock;

use crate::domain::aggregate::take_in::leaves_open;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Finding;
use crate::domain::synthesis::contradictions::is_called_answer;
use crate::domain::text::language::Grammar;
use crate::domain::text::terms::{self, KnownTerms, TermMap};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

mod answered;
mod aspects;
mod characters;
mod dated;
mod headed;
mod kinds;
mod lacks;
mod of_some;
mod parts;
mod plural;
mod roots;
mod single;
mod tasks;
#[cfg(test)]
mod tests;
mod within;

use self::answered::{are_foreign, asks_one_verdict, is_bare, is_made, is_overview, is_turned, is_verdict};
pub(super) use self::aspects::aspect;
use self::aspects::{is_side, keys, lacks_a_side, told_besides};
use self::characters::has_most_characters;
use self::headed::headed;
pub use self::kinds::asks_what_to_do;
pub(super) use self::kinds::which_of_kind;
use self::kinds::{asks_for_kind, is_of_amount, is_told_by_kind};
use self::lacks::{Numbers, lacks_a_time};
use self::of_some::is_said_of_some;
pub(super) use self::parts::forms;
pub use self::parts::parts;
use self::plural::one_of_capitals;
use self::roots::Roots;
pub use self::single::single_sources;
use self::tasks::Tasks;
pub(super) use self::tasks::head;
use self::within::is_said_within;

/// How much of a result there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    /// None.
    Nothing,
    /// What there was until it failed.
    Part,
    /// All of it.
    Whole,
}

/// A subagent that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected<'a> {
    /// Its name.
    pub name: &'a str,
    /// Which of its tasks it is, where it has several.
    pub task: Option<&'a str>,
    /// How its task ended, in a word.
    pub status: &'a str,
    /// Why, where that is known.
    pub why: Option<&'a str>,
    /// How much of a result it brought.
    pub brought: Brought,
}

/// What a gap says where there are more findings than are listed.
pub const UNLISTED: &str = "findings aren't listed: they stand in the full texts of the results";

/// The share of a part's terms that one of the findings, or its neighbourhood, must have.
const COVERED: f64 = 0.5;
/// The same of all findings together, and how many terms that are at least: an instruction (`Plan a trip …`) has many words that a
/// result needn't say.
const COVERED_TOGETHER: (f64, f64) = (0.25, 3.0);
/// Words of a question that its answer says otherwise: `How much notice is required?`, `The tenant must give three months' notice.`
#[rustfmt::skip]
const HOLDINGS: [&str; 48] = [
    // Which of them, and the most of what: a list with its figures answers that.
    "use", "most", "best", "least", "worst", "highest", "lowest", "maximum", "minimum", "time", "three", "four", "five", "drei", "meisten", "qual", "quale", "quali", "cuál", "cuáles", "quanto", "cuánto",
    "mean", "means", "bedeutet", "signifie", "significa", "extra", "well", "work", "works", "go", "made", "make",
    "need", "needed", "required", "require", "requires", "requirement", "necessary", "nötig", "notwendig", "erforderlich", "benötigt", "nécessaire", "necesario", "necesita",
];
static HOLDING: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(HOLDINGS.iter().map(|word| (*word, ()))).into());
/// Terms of a part of which no one says most, and the share of them that all must say together.
const TERMS_MANY: (usize, f64) = (4, 0.6);
/// Characters of a long word.
const LONG_WORD: usize = 7;
/// How many gaps of the query are listed.
const PARTS_MAX: usize = 12;

/// The gaps, a sentence each: parts of the query that neither the findings nor those that aren't listed cover first, in its
/// order, then subagents by name, then single sources. A part that was the task of one of those who brought something is covered.
/// So is one that alone of all a heading names below which something is said, or the sentence with which a result says what it is on.
/// `features` are those of all statements. A lexicon that has met many words is faster, and finds the same.
pub fn gaps(
    (query, tasks, headings): (&str, &[&str], &[&str]),
    (findings, unlisted): (&[Finding<'_>], &[Finding<'_>]),
    features: &[Features<'_>],
    expected: &[Expected<'_>],
    lexicon: &mut Lexicon,
) -> Vec<String> {
    let mut gaps = uncovered((query, tasks, headings), findings.iter().chain(unlisted), features, lexicon);
    let mut missing: Vec<&Expected<'_>> =
        expected.iter().filter(|expected| expected.brought != Brought::Whole).collect();
    missing.sort_by_key(|expected| (expected.name, expected.task, expected.status, expected.why));
    gaps.extend(missing.into_iter().map(missed));
    gaps.extend(single_sources(
        findings
            .iter()
            .map(|finding| (Some((finding.topic.as_str(), finding.content)), finding.sources.len())),
    ));
    gaps
}

fn missed(expected: &Expected<'_>) -> String {
    let Expected { name, task, status, why, brought } = expected;
    let name = task.map_or(Cow::Borrowed(*name), |task| Cow::Owned(format!("{name} ({task})")));
    let what = if *brought == Brought::Part { "only a part of its result" } else { "no result" };
    match why {
        Some(why) => format!("{name} brought {what} ({status}): {why}"),
        None => format!("{name} brought {what} ({status})."),
    }
}

fn uncovered<'f>(
    (query, tasks, headings): (&str, &[&str], &[&str]),
    findings: impl Iterator<Item = &'f Finding<'f>>,
    features: &[Features<'_>],
    lexicon: &mut Lexicon,
) -> Vec<String> {
    let singular = one_of_capitals(query);
    let asked: TermMap<()> = lexicon.terms(&singular).into_iter().map(|term| (aspect(term), ())).collect();
    let asked = KnownTerms::from(asked);
    let is_asked = |term| asked.get(term).is_some();
    let roots = Roots::of(query, lexicon);
    // Of what is said, only what is asked for matters.
    let (least, _) = findings.size_hint();
    let (mut said, mut told) = (Vec::with_capacity(least), Vec::with_capacity(least));
    // The same without what stands above it: what somebody does with something isn't told by being below its name.
    let mut said_itself = Vec::with_capacity(least);
    // Many that follow each other are of one topic.
    let (mut topic, mut of_topic) = ("", Vec::new());
    // What says that something isn't known covers nothing.
    for finding in findings.filter(|finding| !leaves_open(features[finding.shown].text)) {
        if topic != finding.topic {
            (topic, of_topic) = (&finding.topic, lexicon.words(&finding.topic));
        }
        let shown = &features[finding.shown];
        told.push(shown);
        let words = shown.words.iter().filter(|word| word.is_content());
        let above = of_topic.iter().filter(|word| word.is_content()).map(|word| aspect(word.term));
        let named = keys(shown.text).map(|keys| lexicon.terms(&keys));
        let named = named.into_iter().flatten().map(aspect);
        let terms = words.map(|word| aspect(word.term)).chain(told_besides(shown, is_asked)).chain(named);
        let of_root = |of: &str, words: &[Word]| -> Vec<Term> {
            words.iter().filter_map(|word| roots.asked_by(&of[word.range()])).collect()
        };
        let terms = terms.chain(of_root(shown.text, &shown.words));
        let own: Vec<Term> = terms.filter(|term| is_asked(*term)).collect();
        let above = above.chain(of_root(topic, &of_topic)).filter(|term| is_asked(*term));
        said.push(own.iter().copied().chain(above).collect::<Vec<_>>());
        said_itself.push(own);
    }
    let mut gaps = Vec::new();
    let grammar = Grammar::of(query);
    let numbers = Numbers::of(query, lexicon);
    let lowered = LazyCell::new(|| {
        let said = features.iter().filter(|of| !leaves_open(of.text));
        said.map(|of| of.text.to_lowercase()).collect::<Vec<_>>()
    });
    let all = parts(query);
    let is_alone = all.len() == 1;
    // What all were asked is answered by all of them together.
    let of_all = said.concat();
    let together: &[Term] = if is_alone { &of_all } else { &[] };
    let is_headed = headed((query, &all), headings, &grammar, lexicon);
    // What a result calls the answer is one, whatever its words.
    let is_answered = (is_alone || asks_one_verdict(query))
        && (told.iter().any(|of| is_called_answer(of.text)) || is_bare(&told) || is_verdict(query, &told));
    // Whatever is told is a summary: of what happened nobody says that it was an incident. Nor does a translation say what it is of.
    let is_done = is_turned(query) || is_alone && (is_overview(query) || is_made(query));
    let all = if is_done && !said.is_empty() { Vec::new() } else { all };
    let numbers_asked: Vec<Term> =
        lexicon.words(query).iter().filter(|word| word.kind == Kind::Number).map(|word| word.term).collect();
    let tasks = Tasks::of(tasks, &all, lexicon);
    for (at, part) in all.into_iter().enumerate() {
        if gaps.len() == PARTS_MAX {
            break;
        }
        let is_task = tasks.name(part, lexicon);
        let terms = asked_of(&grammar.plain(part), lexicon);
        let is_covered = |part: &str, lexicon: &mut Lexicon| {
            let plain = grammar.plain(part);
            let terms = dated::without_dates(asked_of(&plain, lexicon), &plain, lexicon);
            // What is to be made is made of all of them.
            let together = if parts::is_to_be_made(part) { &of_all } else { together };
            let is_strict = headed::asks_who_or_why(query, part);
            let said = if is_strict { &said_itself } else { &said };
            let share = |of: &[Term]| terms.iter().filter(|term| of.contains(term)).count() as f64;
            let most = COVERED * terms.len() as f64;
            let is_loose = is_alone && (!asks_for_kind(query, part, lexicon) || is_of_amount(part));
            // Who says nothing in the words of a query that is one part was asked for nothing else: one word of it is enough.
            let has_one =
                |of: &Vec<Term>| of.iter().any(|term| terms.contains(term) && !numbers_asked.contains(term));
            said.iter().any(|of| share(of) >= most || is_loose && has_one(of))
                || is_said_of_some(part, said, lexicon)
                || !together.is_empty() && share(together) >= most
                || terms.len() >= TERMS_MANY.0 && share(&of_all) >= TERMS_MANY.1 * terms.len() as f64
                || share(together) >= COVERED_TOGETHER.1.max(COVERED_TOGETHER.0 * terms.len() as f64)
                || grammar.is_foreign && is_said_within(&plain, &lowered, (is_loose, is_strict))
                || grammar.is_wide && has_most_characters(&plain, features)
        };
        let covered = is_task
            || is_headed[at]
            || is_covered(part, lexicon)
            || parts::members(query, part)
                .is_some_and(|members| members.into_iter().all(|member| is_covered(member, lexicon)));
        let is_said = |term| said.iter().any(|of| of.contains(&term));
        let lacks_a_side = !is_task && lacks_a_side(&terms, |term| asked.get(term).is_some(), is_said);
        // Advantages are told without the word.
        let is_left = !covered && (!is_side(&terms) || said.is_empty());
        let is_left = is_left && !is_answered && !is_told_by_kind(query, (part, &terms), &told, lexicon);
        let lacks = lacks_a_side || numbers.lacks(part, is_said, features) || lacks_a_time(part, features);
        if !terms.is_empty() && (is_left || lacks) {
            gaps.push(format!("No finding covers “{}”.", parts::asked(query, part)));
        }
    }
    // What is asked for in words of another language can't be looked for.
    if !gaps.is_empty() && are_foreign(query, &told) { Vec::new() } else { gaps }
}

/// What a part asks for, each once, where `plain` is the part without the words that hold it together.
pub(super) fn asked_of(plain: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    // `出口情况`: how it stands with exports; `有哪些策略可供选择`: which there are.
    let subject = ["情况", "状况", "可供选择", "可供参考"]
        .iter()
        .fold(plain.to_owned(), |part, word| part.replace(word, " "));
    // `How much of the coral`, `the maximum number of participants`.
    let subject = ["how much of ", "how many of ", "number of "].iter().fold(subject, |part, counts| {
        let at = part.to_ascii_lowercase().find(counts);
        at.map_or(part.clone(), |at| format!("{}{}", &part[..at], &part[at + counts.len()..]))
    });
    let subject = without_files(&subject);
    let subject = one_of_capitals(&subject);
    let words = lexicon.words(&subject).into_iter().filter(|word| word.kind != Kind::Stopword);
    let mut terms: Vec<Term> = distinct(words.map(|word| aspect(word.term)));
    if terms.iter().any(|term| HOLDING.get(*term).is_none()) {
        terms.retain(|term| HOLDING.get(*term).is_none());
    }
    terms
}

/// A part without the names of files in it, where that isn't all: `bugs in checkout.py`. What is found in one hardly names it.
fn without_files(part: &str) -> Cow<'_, str> {
    #[rustfmt::skip]
    const ENDS: [&str; 26] = [
        ".py", ".rs", ".js", ".ts", ".tsx", ".go", ".java", ".md", ".txt", ".csv", ".json", ".yaml", ".yml", ".toml", ".sql", ".pdf", ".docx", ".xlsx", ".html", ".css", ".cpp", ".rb", ".php",
        ".sh", ".ipynb", ".log",
    ];
    // `Node.js` is a product.
    let is_file = |word: &&str| {
        word.starts_with(|c: char| !c.is_uppercase())
            && ENDS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
    };
    if !part.contains('.') || !part.split(' ').any(|word| is_file(&word)) {
        return Cow::Borrowed(part);
    }
    let rest: Vec<&str> = part.split(' ').filter(|word| !is_file(word)).collect();
    if rest.is_empty() { Cow::Borrowed(part) } else { Cow::Owned(rest.join(" ")) }
}
