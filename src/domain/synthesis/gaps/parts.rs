//! The parts of a question: clauses, members of enumerations, quoted terms.

use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::scripts::is_wide;

mod asked;
mod characters;
mod form;
mod listed;
mod questions;
mod statements;

pub(super) use asked::asked;

/// Marks that divide.
const DIVIDERS: &[char] =
    &[',', ';', '?', '!', '\n', '，', '；', '。', '？', '！', '、', '：', '(', ')', '（', '）', '|'];

/// Words before a part that ask for it and say nothing about it.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "please", "compare", "tell me", "list", "review", "research", "analyze", "analyse", "provide", "write", "summarize", "summarise", "explain", "describe", "report", "prepare", "draft", "find out", "find", "identify", "investigate", "determine", "show me", "give me", "suggest", "and", "or", "for me", "a detailed explanation of", "the report should conclude by",
    "what is", "what are", "what was", "what were", "what's", "how to", "how can", "how do", "what", "which", "how", "why", "also", "including", "such as", "e.g.", "i.e.", "further", "focus on", "a", "an", "the", "of", "to", "should", "include", "in", "conclude by",
    "请", "帮我", "为我", "整理", "收集", "分析", "调研", "给出", "列举", "需要", "包括", "以及", "和", "提供", "从", "如何", "什么", "哪些", "下", "一下", "的", "对比", "横向比较", "横向对比", "能否", "例如", "请问", "那么", "并为我", "并给出", "再就是",
];

/// Words that join sentences: they ask for nothing, neither before a part nor alone.
#[rustfmt::skip]
const CONNECTIVES: &[&str] = &[
    "furthermore", "moreover", "however", "in addition", "additionally", "in particular", "for example", "for instance", "finally", "therefore", "then", "next", "besides", "also",
    "in short", "in detail", "if possible", "as well", "respectively", "overall", "specifically", "first", "second", "third", "lastly", "in other words", "that is", "thanks", "thank you", "but",
    "außerdem", "darüber hinaus", "zudem", "jedoch", "ferner", "zum beispiel", "insbesondere", "und", "oder", "bitte", "danke", "schließlich", "anschließend", "sowie",
    "de plus", "en outre", "cependant", "par exemple", "notamment", "enfin", "ensuite", "et", "merci", "además", "sin embargo", "por ejemplo", "finalmente", "por favor", "gracias",
    "但是", "然而", "此外", "另外", "同时", "例如", "比如", "其次", "首先", "最后", "因此", "所以", "而且", "并且", "以及", "总之", "特别是", "谢谢", "また", "しかし", "さらに", "例えば", "そして",
];

/// How who asks begins to say who he is, which nobody has to find out.
const OWN: &[&str] = &[
    "我是",
    "我今年",
    "本人",
    "i am a ",
    "i'm a ",
    "we are a ",
    "ich bin ein",
    "je suis un",
    "soy un",
    "sono un",
];

/// Shorter parts ask for nothing by themselves: characters of Latin letters, and of Chinese ones.
const LATIN_MIN: usize = 4;
const WIDE_MIN: usize = 2;
/// What asks for a verdict on all of it, which hardly an answer gives in that word.
const VERDICTS: &[&str] = &[
    "is it correct",
    "is it right",
    "is it ok",
    "is it okay",
    "is this correct",
    "is this right",
    "are they correct",
    "are they right",
    "does it work",
    // And what any answer is to give.
    "evidence",
    "give evidence",
    "give the evidence",
];
/// Words before a colon that are a label.
const LABEL_WORDS_MAX: usize = 2;
/// How what is given begins: it is no part of the question, but what it is read for is.
const GIVEN: &[&str] = &["attached ", "enclosed ", "uploaded "];
const READ_FOR: &[&str] = &[" for ", " regarding ", " with respect to "];
/// How a part begins that says what is to be made, of which an answer has few words.
#[rustfmt::skip]
const MAKES: &[&str] = &["plan a ", "plan an ", "plan the ", "plan my ", "plan our ", "create a ", "create an ", "design a ", "design an ", "build a ", "develop a ", "audit ", "organize a ", "organise a "];
/// A longer enumeration is looked at as one part.
const MEMBERS_MAX: usize = 16;

/// The parts of a query in its order, each once whatever its case, without the words that ask.
pub fn parts(query: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (clause, is_question) in clauses(query) {
        let parts = statements::joined(clause).flat_map(|part| part.split("以及"));
        let parts = parts.enumerate();
        let parts = parts.filter(|(at, part)| *at == 0 || !statements::is_consequence(part));
        let parts = parts.map(|(_, part)| part).filter(|part| !form::is_form(part, is_question, false));
        let parts = parts.flat_map(questions::joined);
        for part in parts.flat_map(characters::members) {
            let part = form::without_form(without_given(without_verb(trim(part))), is_question);
            let is_new = !found.iter().any(|other| other.eq_ignore_ascii_case(part));
            if says_something(part) && is_new && found.len() < 64 {
                found.push(part);
            }
        }
    }
    if let Some(first) = listed::first(query, &found) {
        found[0] = first;
    }
    found
}

/// `California law` of `GDPR, HIPAA and California law compare`: that they are compared is asked of all.
fn without_verb(part: &str) -> &str {
    let bare = [" compare", " differ"].iter().find_map(|verb| part.strip_suffix(verb));
    bare.unwrap_or(part)
}

/// The clauses of a query that only say how to answer.
pub(in crate::domain::synthesis) fn forms(query: &str) -> Vec<&str> {
    statements::sentences(query)
        .flat_map(|sentence| {
            let (is_question, mut is_form) = (statements::is_question(sentence), false);
            divided(sentence).into_iter().filter(move |clause| {
                is_form = form::is_form(clause, is_question, is_form);
                is_form
            })
        })
        .collect()
}

/// The clauses of a query that may ask: beside a question no statements, and of a question nothing that tells why it is asked
/// or what comes of it; none that only says how to answer. Of each, whether it stands in a question.
fn clauses(query: &str) -> impl Iterator<Item = (&str, bool)> {
    let asks = |sentence: &str| {
        statements::is_question(sentence)
            || !statements::is_statement(sentence) && says_something(trim(sentence))
    };
    let has_question = statements::sentences(query).any(asks);
    statements::sentences(query).flat_map(move |sentence| {
        let is_question = statements::is_question(sentence);
        let is_background = has_question && !is_question && statements::is_statement(sentence);
        let (mut is_form, mut is_own) = (false, false);
        let clauses = divided(behind_lead(sentence, is_question));
        // What opens a demand may tell why it is made.
        let is_led = clauses.len() > 1;
        let clauses = clauses.into_iter().enumerate().filter(move |(at, clause)| {
            let is_consequence = is_question && *at > 0 && statements::is_consequence(clause);
            let is_occasion = (is_question || is_led && *at == 0) && statements::is_occasion(clause);
            is_form = form::is_form(clause, is_question, is_form);
            // What follows how who asks says who he is says more of him, until something is asked for.
            is_own = is_led && statements::is_own(clause, is_own);
            let asks_nothing = is_own || statements::allows_more(clause) || statements::leads(clause);
            !(is_background || is_form || is_consequence || is_occasion || asks_nothing)
        });
        clauses.map(move |(_, clause)| (clause, is_question))
    })
}

/// What is asked without the line that leads to it: `is it correct, is it fast?` of `Review the change: is it correct, is it fast?`
fn behind_lead(sentence: &str, is_question: bool) -> &str {
    let Some((lead, asked)) = sentence.split_once(": ") else { return sentence };
    let is_list = is_question || asked.contains([',', ';']) || asked.contains(" and ");
    // What it adds in brackets tells what is meant.
    let lead = match (lead.split_once(" ("), lead.strip_suffix(')')) {
        (Some((bare, aside)), Some(_)) if !aside.contains('(') => bare,
        _ => lead,
    };
    if !is_list || statements::asks(lead) || lead.contains(DIVIDERS) { sentence } else { asked }
}

/// A sentence cut at the marks that divide, but not within a number, `1,200 staff`, nor behind a label, `Context: …`, or where no list follows
/// a colon. Linear.
fn divided(sentence: &str) -> Vec<&str> {
    let (mut clauses, mut begin) = (Vec::new(), 0);
    let marks = |c: char| c == ':' || DIVIDERS.contains(&c);
    for (at, mark) in sentence.match_indices(marks) {
        let behind = at + mark.len();
        let is_label = || sentence[begin..at].split_whitespace().nth(LABEL_WORDS_MAX).is_none();
        let is_list = || sentence[behind..].contains([',', ';']);
        if mark == ":" && (!sentence[behind..].starts_with(' ') || is_label() || !is_list()) {
            continue;
        }
        let is_within = mark == ","
            && sentence[..at].ends_with(|c: char| c.is_ascii_digit())
            && sentence[behind..].starts_with(|c: char| c.is_ascii_digit());
        if !is_within {
            clauses.push(&sentence[begin..at]);
            begin = behind;
        }
    }
    clauses.push(&sentence[begin..]);
    clauses
}

/// What a part of a query names the first of, and the others behind it: `clothing`, `food`, `housing` of `aspects such as
/// clothing, food, and housing`. None where it begins no enumeration.
pub(super) fn members<'q>(query: &'q str, part: &str) -> Option<Vec<&'q str>> {
    let start = (part.as_ptr() as usize).checked_sub(query.as_ptr() as usize)?;
    let within = part.find(" such as ")? + " such as ".len();
    let rest = query.get(start + within..)?;
    let end = rest.find(['?', '!', '\n', ';', ':', '.']).unwrap_or(rest.len());
    let named = rest[..end]
        .split(',')
        .flat_map(|member| member.split(" and ").flat_map(|member| member.split(" or ")));
    let named: Vec<&str> = named.map(trim).filter(|member| says_something(member)).collect();
    (2..=MEMBERS_MAX).contains(&named.len()).then_some(named)
}

/// What asks for a number: it belongs to the part.
const COUNTING: &[&str] = &["how many ", "how much ", "how long "];

fn trim(part: &str) -> &str {
    let mut part = part.trim_matches(|c: char| !c.is_alphanumeric());
    let counts = |part: &str| {
        COUNTING.iter().any(|asks| part.get(..asks.len()).is_some_and(|head| head.eq_ignore_ascii_case(asks)))
    };
    loop {
        if counts(part) {
            return part;
        }
        let before = part.len();
        for word in ASKING.iter().chain(CONNECTIVES) {
            let Some(head) = part.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word)) else {
                continue;
            };
            let rest = &part[head.len()..];
            let whole = word.ends_with(is_wide) || rest.starts_with(|c: char| !c.is_alphanumeric());
            if whole && !rest.is_empty() {
                part = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
            }
        }
        if part.len() == before {
            return part;
        }
    }
}

/// Whether a part says what is to be made: `Plan a trip to Lisbon for two`.
pub(super) fn is_to_be_made(part: &str) -> bool {
    MAKES.iter().any(|word| part.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
}

/// `security holes` of `attached code for security holes`; of `attached contract` nothing.
fn without_given(part: &str) -> &str {
    let is_given =
        GIVEN.iter().any(|word| part.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)));
    if !is_given {
        return part;
    }
    let behind = READ_FOR.iter().filter_map(|word| part.split_once(word)).map(|(_, rest)| trim(rest)).next();
    behind.unwrap_or_default()
}

fn says_something(part: &str) -> bool {
    let wide = part.chars().filter(|c| is_wide(*c)).count();
    let lower = part.to_lowercase();
    (wide >= WIDE_MIN || (wide == 0 && part.len() >= LATIN_MIN))
        && !CONNECTIVES.contains(&lower.as_str())
        && !ASKING.contains(&lower.as_str())
        && !VERDICTS.contains(&lower.as_str())
        && !lower.starts_with("others ")
        && !begins_with_any(&lower, OWN)
}
