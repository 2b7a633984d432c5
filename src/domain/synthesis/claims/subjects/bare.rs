//! A task that is nothing but the name of a thing: `Berlin`, `Research the Google Pixel 9`, `vendor A`, `adults`. What its answer says is
//! of that.
//!
//! A single word is one, unless headings are made of it, or it says who answers (`reviewer`) or where one looks (`web`): those tell of the
//! same. Of several words each must have a capital or a digit, as what is asked of one thing is told in such words, too (`market size`).

use std::sync::LazyLock;

use super::generic::{is_enumerated, is_generic};
use super::ordered::{asks, without_place};
use super::places;
use super::sources::{is_looked_in, publishes};
use crate::domain::distinct::distinct;
use crate::domain::text::phrases::behind_any;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Words of a name.
const WORDS_MAX: usize = 4;
/// Bytes of a task that may be a name.
const BYTES_MAX: usize = 80;
/// What a task of one word may be called by that is no thing: who answers, where one looks, which try it is, what is asked of one thing.
#[rustfmt::skip]
const NO_THINGS: &[&str] = &[
    "agent", "subagent", "assistant", "worker", "researcher", "reviewer", "critic", "skeptic", "sceptic", "optimist", "pessimist", "analyst", "expert", "lawyer", "accountant", "judge", "verifier", "checker", "planner",
    "writer", "editor", "moderator", "advocate", "opponent", "proponent", "engineer", "architect", "tester", "historian", "economist", "scientist", "model", "advisor", "adviser", "consultant", "specialist", "auditor",
    "filing", "company", "web", "search", "internet", "docs", "documentation", "wiki", "intranet", "database", "archive", "handbook", "manual", "forum", "blog", "website", "news", "press", "media", "paper", "literature", "email", "mail", "file", "pdf",
    "log", "chat", "transcript", "survey", "interview", "book", "journal", "academic", "official", "primary", "secondary", "source", "index", "cache", "crawler", "scraper", "vector", "graph", "sql", "rag", "memory", "knowledge",
    "main", "default", "fallback", "retry", "backup", "baseline", "control", "attempt", "try", "run", "round", "pass", "iteration", "draft", "sample", "candidate", "variant", "opinion", "view", "perspective", "team",
    "write", "draft", "translate", "think", "critique", "solve", "debate", "synthesis", "synthesize", "fact", "answer", "generate", "test", "debug", "code", "fix",
    "up", "elsewhere", "online", "offline", "again", "further", "deeper", "ahead", "around", "together", "everywhere", "anywhere", "outside", "inside", "nearby", "abroad", "locally", "directly", "manually", "quickly", "carefully",
    "date", "name", "address", "phone", "contact", "time", "age", "duration", "deadline", "specs", "availability", "reputation", "salary", "staff", "finances", "marketing", "tech", "stack", "economic", "political", "social", "technical",
    "kosten", "preis", "preise", "markt", "recht", "technik", "qualität", "risiken", "risiko", "überblick", "zusammenfassung", "vergleich", "leistung", "finanzen", "nutzen", "vorteile", "nachteile", "lage", "größe", "dauer", "frist",
    "gutachter", "prüfer", "kritiker", "experte", "analyst", "suche", "quelle", "coût", "marché", "qualité", "risque", "délai", "durée", "avis", "expert", "coste", "costo", "mercado", "calidad", "riesgo", "plazo", "experto",
    "prezzo", "costi", "mercato", "qualità", "rischi", "preço", "custo", "qualidade", "risco", "prazo", "prijs", "kwaliteit", "risico", "termijn",
];
/// Where software runs: `production` is made of headings elsewhere.
const ENVIRONMENTS: &[&str] = &["production", "prod"];

static NO_THING: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(NO_THINGS.iter().map(|word| (*word, ()))).into());

/// The name, as the task has it, and its terms, sorted; `None` where the task says more, or names nothing.
pub(super) fn bare<'t>(task: &'t str, lexicon: &mut Lexicon) -> Option<(&'t str, Vec<Term>)> {
    if task.is_empty() || task.len() > BYTES_MAX {
        return None;
    }
    let task = without_place(task).trim_end_matches(['.', ' ', '!']);
    let words = lexicon.words(task);
    if words.iter().any(|word| word.kind == Kind::Cjk) {
        return in_characters(task, lexicon);
    }
    let leads = |word: &&Word| {
        asks(word.term) || word.kind == Kind::Stopword && task[word.range()].chars().count() > 1
    };
    let named = &words[words.iter().take_while(leads).count()..];
    let (first, last) = (named.first()?, named.last()?);
    let name = &task[first.start..];
    let is_one = name.split_whitespace().count() <= WORDS_MAX
        && task[last.end..].is_empty()
        && !name.contains([',', ';', ':', '?', '.', '/', '\n', '(']);
    let is_thing = match named {
        [only] => is_lone(only, task) && (words.len() == 1 || !is_looked_in(&task[only.range()])),
        several => are_name(several, task),
    };
    (is_one && is_thing).then(|| (name, distinct(named.iter().map(|word| word.term))))
}

/// Whether one word names a thing.
fn is_lone(word: &Word, task: &str) -> bool {
    let written = &task[word.range()];
    let names = || !is_generic(word.term) || ENVIRONMENTS.contains(&written.to_lowercase().as_str());
    match word.kind {
        Kind::Content => names() && is_thing(word, written) && !is_id(written),
        Kind::Number => is_year(written),
        Kind::Stopword | Kind::Cjk => false,
    }
}

/// Whether a word may be the id of a task: `b`, `q1`; not `EU`.
fn is_id(written: &str) -> bool {
    let is_short =
        written.len() < 3 && !(written.len() == 2 && written.bytes().all(|c| c.is_ascii_uppercase()));
    is_short || written.starts_with(char::is_lowercase) && written.contains(|c: char| c.is_ascii_digit())
}

/// Whether several words are one name.
fn are_name(words: &[Word], task: &str) -> bool {
    let written = |word: &Word| &task[word.range()];
    let (Some((last, before)), Some(first)) = (words.split_last(), words.first()) else { return false };
    let counts = |word: &Word| {
        let is_letter =
            written(word).len() == 1 && written(word).starts_with(|c: char| c.is_ascii_uppercase());
        is_letter || word.kind == Kind::Number
    };
    let is_large = |word: &Word| word.kind == Kind::Number || written(word).chars().any(char::is_uppercase);
    let are_things =
        words.iter().filter(|word| word.kind == Kind::Content).all(|word| is_thing(word, written(word)));
    // `vendor A`, `model B`: the letter names, whatever the word is.
    let is_counted = counts(last) && before.len() == 1 && first.kind == Kind::Content;
    let tells = |word: &Word| word.kind == Kind::Content && !is_generic(word.term);
    let is_name = words.iter().all(|word| is_large(word) && (counts(word) || tells(word)));
    are_things && (is_name && words.iter().any(tells) || is_counted && !is_enumerated(first.term))
}

/// Whether a word says who answers, or where one looks.
pub(super) fn is_no_thing(word: Term) -> bool {
    NO_THING.get(word).is_some()
}

/// Whether a word isn't one of those that say who answers or where one looks.
fn is_thing(word: &Word, written: &str) -> bool {
    !is_no_thing(word.term) && !publishes(written)
}

/// What names a thing in Chinese and Japanese, where all words look alike: a place, or a letter (`分析A公司`).
fn in_characters<'t>(task: &'t str, lexicon: &mut Lexicon) -> Option<(&'t str, Vec<Term>)> {
    /// Characters of such a task.
    const CHARACTERS_MAX: usize = 8;
    #[rustfmt::skip]
    const ASKING: [&str; 13] = [
        "分析", "调查", "调研", "研究", "查询", "了解", "搜索", "评估", "检索", "查找", "介绍", "調査", "検索",
    ];
    let task = behind_any(task, &ASKING).unwrap_or(task);
    if task.chars().count() > CHARACTERS_MAX {
        return None;
    }
    let words = lexicon.words(task);
    let is_letter = |word: &&Word| task[word.range()].bytes().all(|byte| byte.is_ascii_uppercase());
    let letters = words.iter().filter(is_letter).map(|word| word.term);
    let terms = distinct(places::in_characters(task, lexicon).into_iter().chain(letters));
    (!terms.is_empty()).then_some((task, terms))
}

pub(super) fn is_year(written: &str) -> bool {
    written.len() == 4
        && written.bytes().all(|byte| byte.is_ascii_digit())
        && (written.starts_with("19") || written.starts_with("20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_may_be_such_a_name() {
        let names = |topic: &str| super::super::names_a_thing(topic, &mut Lexicon::default());
        assert!(["2023", "Production", "Adults", "Option A", "Pixel 9"].into_iter().all(names));
        assert!(!["Pricing", "Overview", "Results", ""].into_iter().any(names));
    }

    #[test]
    fn a_task_that_is_a_name_is_told_from_one_that_says_more() {
        for (task, name) in [
            ("Berlin", "Berlin"),
            ("adults", "adults"),
            ("production", "production"),
            ("2023", "2023"),
            ("Pixel 9", "Pixel 9"),
            ("Research the Google Pixel 9", "Google Pixel 9"),
            ("Look into the Sony Xperia 1.", "Sony Xperia 1"),
            ("Step 2: San Francisco", "San Francisco"),
            ("vendor A", "vendor A"),
            ("Plan B", "Plan B"),
            ("Kinder", "Kinder"),
            ("EU", "EU"),
            ("分析A公司", "A公司"),
            ("北京", "北京"),
        ] {
            assert_eq!(bare(task, &mut Lexicon::default()).map(|(name, _)| name), Some(name), "{task}");
        }
        for task in [
            "",
            "Pricing",
            "Kosten",
            "market size",
            "Market Size",
            "Rent in Berlin",
            "reviewer",
            "Reviewer 2",
            "Agent B",
            "Report A",
            "Reuters",
            "web",
            "Search the web",
            "Search Google",
            "Subtask 1",
            "b",
            "q1",
            "t12",
            "2.",
            "verify",
            "Is it safe?",
            "Berlin, Munich",
            "What is the law of cookies?",
            "价格",
        ] {
            assert_eq!(bare(task, &mut Lexicon::default()), None, "{task}");
        }
    }
}
