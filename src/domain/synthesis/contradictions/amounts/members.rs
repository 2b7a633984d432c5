//! Amounts in members of JSON: `"p99_latency_ms": 12` below the key `qdrant`, or beside `"name": "Qdrant"`.

use super::super::labelled::{NAMES, is_own};
use super::super::rows::{NAMING, TIMES};
use super::cells::{ASIDE, QUALIFYING, UNITS};
use super::value::{Apart, Value};
use super::words::{are_of_thing, joined, said};
use super::{Amount, Called, Form};
use crate::domain::adapters::shape::{Member, members};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::keys::in_words;
use crate::domain::text::words::{Lexicon, Term};

/// Bytes of members that are read, and of a value that is one amount.
const BYTES_MAX: usize = 1_000;
const VALUE_BYTES_MAX: usize = 40;
/// How deep objects stand in a statement.
const DEPTH_MAX: usize = 3;
/// Keys that hold a part of an answer, and name nothing.
#[rustfmt::skip]
const WRAPPING: &[&str] = &[
    "result", "results", "answer", "data", "output", "response", "content", "payload", "body", "final_answer", "metrics", "stats", "statistics", "performance", "benchmark", "benchmarks", "values", "details", "summary", "info",
    "figures", "measurements", "items", "entries", "list", "comparison", "findings", "facts", "specs", "specifications", "numbers", "key_figures", "overview", "databases", "services", "cities", "countries", "companies", "plans",
    "products", "models", "tools", "options",
];

/// Keys of the name of what others have as well, where nothing else names something.
pub(super) const COMMON: [&str; 6] = ["plan", "tier", "edition", "package", "service", "region"];

/// What members stand below.
#[derive(Debug, Clone, Default)]
struct Above {
    words: Vec<Term>,
    is_thing: bool,
    /// The kind of what is named: `database` of `"database": "Qdrant"`.
    kind: Vec<Term>,
    /// Whether others have what is named as well: a plan.
    is_common: bool,
    /// The unit of all that stands below: that of the key `p99_latency_ms`.
    unit: Option<Apart>,
}

/// The amounts of a statement that is some members of JSON.
pub(super) fn of_members<'a>(
    (at, statement): (usize, &Statement<'_>),
    lexicon: &mut Lexicon,
) -> Vec<Amount<'a>> {
    if !statement.text.starts_with('"') || statement.text.len() > BYTES_MAX || !statement.text.contains(':') {
        return Vec::new();
    }
    let object = format!("{{{}}}", statement.text);
    let mut above = Above::default();
    for key in statement.around.keys.iter().rev() {
        above.enter(key, lexicon);
    }
    let mut found = Vec::new();
    read((at, &object), &above, 0, &mut found, lexicon);
    found
}

impl Above {
    fn enter(&mut self, key: &str, lexicon: &mut Lexicon) {
        if key.is_empty() || WRAPPING.contains(&key.to_lowercase().as_str()) {
            return;
        }
        let words = words_of(key);
        let (words, unit) = apart(&words, lexicon);
        self.unit = unit.or(self.unit.take());
        self.add(words, lexicon);
    }

    /// Takes in a name, and of which kind it is.
    fn name(&mut self, name: &str, kind: &str, lexicon: &mut Lexicon) {
        self.add(name, lexicon);
        if !NAMES.contains(&kind) {
            let of = Features::of(lexicon, kind);
            self.kind = said(&of, 0..kind.len(), None);
        }
    }

    /// Whether nothing names what stands here but a list of its kind: `topics`, above each `topic`.
    fn is_list_of(&self, kind: &str, lexicon: &mut Lexicon) -> bool {
        let of = Features::of(lexicon, kind);
        let kind = said(&of, 0..kind.len(), None);
        self.words.iter().all(|word| kind.contains(word))
    }

    fn add(&mut self, words: &str, lexicon: &mut Lexicon) {
        let of = Features::of(lexicon, words);
        self.words.extend(said(&of, 0..words.len(), None));
        self.is_thing |= are_of_thing(&of, 0..words.len());
    }
}

fn read(
    (at, object): (usize, &str),
    above: &Above,
    depth: usize,
    found: &mut Vec<Amount<'_>>,
    lexicon: &mut Lexicon,
) {
    let Some(all) = members(object).filter(|_| depth <= DEPTH_MAX) else { return };
    let mut above = above.clone();
    let strings = || all.iter().filter(|member| member.value.starts_with('"'));
    let names = |member: &&Member<'_>| {
        let key = member.key.0.to_lowercase();
        NAMES.contains(&key.as_str()) || NAMING.contains(&key.as_str())
    };
    let is_named = strings().any(|member| names(&member));
    // `{"topic": "login", "tickets": 120}`: nothing else can name it.
    let is_only_name = strings().count() == 1 && !is_named;
    for Member { key, value } in &all {
        let key = key.0.to_lowercase();
        let is_one_of = |listed: &[&str]| listed.contains(&key.as_str());
        let (text, is_string) = (value.trim_matches('"'), value.starts_with('"'));
        if is_string && (is_one_of(&NAMES) || is_one_of(NAMING)) {
            above.name(text, &key, lexicon);
        } else if is_string
            && (!is_named && is_one_of(&COMMON)
                || is_only_name
                    && !is_aside(&key)
                    && !is_one_of(&UNITS)
                    && may_name(text)
                    && above.is_list_of(&key, lexicon))
        {
            above.name(text, &key, lexicon);
            above.is_common = true;
        } else if is_one_of(&UNITS) {
            above.unit = Apart::of(text, lexicon);
        } else if is_one_of(QUALIFYING) || is_one_of(TIMES) || is_one_of(&COMMON) {
            let of = Features::of(lexicon, text);
            above.words.extend(said(&of, 0..text.len(), None));
        }
    }
    for Member { key, value } in &all {
        let lower = key.0.to_lowercase();
        if value.starts_with('{') {
            let mut inner = above.clone();
            inner.enter(&key.0, lexicon);
            read((at, value), &inner, depth + 1, found, lexicon);
        } else if !is_aside(&lower) {
            found.extend(amount(at, (&key.0, value), &above, lexicon));
        }
    }
}

/// Whether a string may be a name: a few words without a figure.
fn may_name(text: &str) -> bool {
    text.len() <= VALUE_BYTES_MAX
        && !text.contains(|c: char| c.is_ascii_digit())
        && !text.contains(['.', ':'])
}

/// Whether a key is of what is no amount of a thing.
fn is_aside(key: &str) -> bool {
    let lists = |listed: &[&str]| listed.contains(&key);
    lists(&NAMES)
        || lists(NAMING)
        || lists(QUALIFYING)
        || lists(TIMES)
        || lists(ASIDE)
        || key.split('_').all(is_own)
}

fn amount<'a>(
    at: usize,
    (key, value): (&str, &str),
    above: &Above,
    lexicon: &mut Lexicon,
) -> Option<Amount<'a>> {
    let value = value.trim_matches('"');
    if value.len() > VALUE_BYTES_MAX
        || !value.contains(|c: char| c.is_ascii_digit())
        || above.words.is_empty()
    {
        return None;
    }
    let key = words_of(key);
    let (words, own) = apart(&key, lexicon);
    let of = Features::of(lexicon, words);
    let own_words = said(&of, 0..words.len(), None);
    if !above.is_thing || !are_of_thing(&of, 0..words.len()) {
        return None;
    }
    let value = Value::of_member(value, own.as_ref().or(above.unit.as_ref()), lexicon)?;
    let called = [&[][..], &above.kind].map(|kind: &[Term]| joined(&[&above.words, &own_words, kind]));
    let mut called: Vec<Called> = called.into_iter().map(|words| Called { words, by_lines: false }).collect();
    called.dedup();
    Some(Amount { at, form: Form::Member, called, value, is_named: !above.is_common })
}

/// A key as it would be written in a text: `p99LatencyMs` is `p99 latency ms`.
fn words_of(key: &str) -> String {
    let mut words = String::with_capacity(key.len() + 8);
    let mut humps = 0;
    for (at, c) in key.char_indices() {
        let is_hump =
            c.is_ascii_uppercase() && key[..at].ends_with(|before: char| !before.is_ascii_uppercase());
        if is_hump && at > 0 && !words.ends_with(' ') {
            humps += 1;
            words.push(' ');
        }
        words.push(if matches!(c, '_' | '-') { ' ' } else { c });
    }
    // `iPhone` has one, too.
    if humps > 1 { words.to_lowercase() } else { in_words(key).replace('-', " ") }
}

/// What a key says, and the unit that it ends with: `p99 latency ms`, `price per month`, `price per month usd`.
fn apart<'k>(key: &'k str, lexicon: &mut Lexicon) -> (&'k str, Option<Apart>) {
    let (mut words, mut unit) = (key, None);
    for count in [1, 2] {
        let mut blank = words
            .match_indices(' ')
            .map(|(at, _)| at)
            .filter(|at| words[at + 1..].split(' ').count() == count);
        if let Some((at, own)) =
            blank.next_back().and_then(|at| Some((at, Apart::of(&words[at + 1..], lexicon)?)))
        {
            (words, unit) = (&words[..at], Some(own.behind(unit)));
        }
    }
    (words, unit)
}
