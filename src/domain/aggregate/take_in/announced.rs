//! Texts that only say what their writer is about to do: `Let me search for that.`
//!
//! An agent that ends its turn before it has done anything leaves such a text. It is told by who speaks, the verb, and that nothing else
//! is said: a colon, a figure or a source may bring something.

use super::nothing::longest_prefix;
use super::phrases::ATTRIBUTIONS;
use super::plain::{begins, behind, plain, sentences, word_count};
use crate::domain::text::phrases::{ends_with_any, has_any};

/// Words of a sentence that announces something.
const WORDS_MAX: usize = 24;

/// Words before it.
const LEADS: &[&str] = &[
    "ok,", "okay,", "sure,", "sure!", "certainly,", "of course,", "great,", "alright,", "got it,", "first,", "now,", "next,", "then,", "gerne,", "klar,", "bien sûr,",
    "d'accord,", "claro,", "好的,", "好,", "当然,", "首先,", "接下来,", "はい、", "はい,", "まず",
];

/// The same as whole sentences.
const NODS: &[&str] = &[
    "ok", "okay", "sure", "certainly", "of course", "great", "alright", "got it", "understood", "one moment", "one moment please", "just a moment", "give me a moment",
    "gerne", "klar", "einen moment", "einen moment bitte", "bien sûr", "un instant", "claro", "un momento", "好的", "好", "请稍等", "稍等", "少々お待ちください", "はい",
];

/// Words of what is looked for.
const QUERY_WORDS_MAX: usize = 12;

/// Who says that he will.
const WILL: &[&str] = &["let me ", "i'll ", "i will ", "i'm going to ", "i am going to ", "i'm now going to ", "i am now going to ", "now i'll ", "now i will ", "now let me ", "first i'll ", "first i will ", "then i'll ", "then i will ", "then let me "];

/// Words between that and the verb.
const BETWEEN: &[&str] = &["first ", "now ", "then ", "quickly ", "start by ", "begin by ", "go ahead and ", "try to ", "need to ", "have to ", "just ", "also ", "continue to "];

/// What he will.
const WORK: &[&str] = &[
    "search", "look", "check", "find", "gather", "analyze", "analyse", "analyzing", "research", "investigate", "fetch", "query", "querying", "read", "review", "browse", "examine",
    "collect", "retrieve", "dig", "explore", "verify", "think about", "get started", "get back to you", "start by", "begin by", "do that", "do this", "work on", "consult", "see what", "see if", "take a look", "pull up", "go through", "scan",
];

/// Who will, and what, in languages that put them otherwise: the first must begin the sentence, one of the second stand in it.
const ELSEWHERE: &[(&[&str], &[&str])] = &[
    (
        &["ich werde ", "lassen sie mich ", "lass mich ", "ich will "],
        &["suchen", "recherchieren", "nachsehen", "nachschauen", "prüfen", "überprüfen", "analysieren", "untersuchen", "ansehen"],
    ),
    (&["je vais ", "laissez-moi ", "laisse-moi "], &["chercher", "rechercher", "vérifier", "regarder", "consulter", "analyser", "examiner"]),
    (&["voy a ", "déjame ", "déjeme ", "permíteme ", "permítame "], &["buscar", "revisar", "verificar", "consultar", "analizar", "investigar"]),
    (&["让我", "我将", "我会", "我来", "我先", "我这就", "我现在"], &["搜索", "查询", "查找", "查一下", "查看", "检索", "分析", "调查", "研究", "检查", "收集"]),
];

/// How Japanese ends.
const LAST: &[&str] = &["検索します", "調べます", "お調べします", "確認します", "調査します", "検索してみます", "調べてみます"];

/// Words with which a text begins that is still at work: `Searching the web...`
const AT_WORK: &[&str] = &["searching", "looking", "fetching", "loading", "analyzing", "analysing", "processing", "gathering", "thinking", "generating", "reading", "checking", "please wait"];

/// What one works at who says no more.
const OBJECTS: &[&str] = &["web", "internet", "data", "result", "file", "document", "information", "source", "request", "query", "answer", "response", "page", "database", "wait"];
/// Words of a text that is still at work, and characters of a Japanese one.
const AT_WORK_MAX: usize = 5;
const LAST_MAX: usize = 20;

/// Whether a text (`words` is its plain form) only announces. What is quoted, or somebody's words, tells what he said.
pub(super) fn is_announced(content: &str, words: &str) -> bool {
    let without = without_queries(content).map(|said| plain(&said));
    let words = without.as_deref().unwrap_or(words);
    let quotes = without.is_none() && content.contains(['"', '“', '”', '«', '„', '「']);
    if quotes || has_any(words, ATTRIBUTIONS) {
        return false;
    }
    if (words.ends_with("...") || words.ends_with('…')) && is_at_work(words) {
        return true;
    }
    let mut announces = false;
    for sentence in sentences(words) {
        if NODS.contains(&sentence) {
            continue;
        }
        if !is_sentence(sentence) {
            return false;
        }
        announces = true;
    }
    announces
}

/// Whether a plain sentence is such, and says nothing besides.
pub(super) fn is_sentence(sentence: &str) -> bool {
    let meant = LEADS.iter().find_map(|lead| behind(sentence, lead)).unwrap_or(sentence).trim_start();
    !brings(meant) && word_count(meant) <= WORDS_MAX && is_plan(meant)
}

/// A text without what is looked for, where it quotes nothing else: `querying PubMed for "fasting"`. That has no stop and few words.
fn without_queries(content: &str) -> Option<String> {
    let mut parts = content.split(['"', '“', '”']);
    let mut said = parts.next().unwrap_or_default().to_owned();
    let before = said.len();
    while let Some(quoted) = parts.next() {
        let is_query = word_count(quoted) <= QUERY_WORDS_MAX && !quoted.contains(['.', '!', '?', ':', '\n']);
        if !(said.ends_with(" for ") && is_query) {
            return None;
        }
        said.push_str("it");
        said.push_str(parts.next()?);
    }
    (said.len() > before && !said.contains(['«', '„', '「'])).then_some(said)
}

fn is_at_work(words: &str) -> bool {
    let count = word_count(words);
    let has_object = has_any(words, OBJECTS);
    count <= AT_WORK_MAX && begins(words, AT_WORK) && !brings(words) && (count == 1 || has_object)
}

/// Whether something may be said besides. The number of a name is none: `open P1 bugs`.
fn brings(sentence: &str) -> bool {
    let mut in_name = false;
    sentence.chars().any(|c| {
        let is_digit = c.is_ascii_digit();
        in_name = c.is_alphabetic() || is_digit && in_name;
        is_digit && !in_name || matches!(c, ':' | '[' | '|')
    })
}

fn is_plan(meant: &str) -> bool {
    let works = WILL.iter().find_map(|will| behind(meant, will)).is_some_and(|rest| {
        let rest = BETWEEN.iter().find_map(|word| behind(rest, word)).unwrap_or(rest);
        let is_doing = |work: &&str| behind(rest, work).is_some_and(|rest| rest.starts_with("ing "));
        longest_prefix(rest, WORK).is_some() || WORK.iter().any(is_doing)
    });
    // Without a subject it is the speaker who will.
    let last = meant.chars().count() <= LAST_MAX
        && !meant.contains(['は', 'が'])
        && ends_with_any(meant, LAST);
    let elsewhere = || ELSEWHERE.iter().any(|(who, what)| begins(meant, who) && what.iter().any(|verb| meant.contains(verb)));
    works || elsewhere() || last
}
