//! What stands in a query and asks for nothing: what is known already, beside a question.

use crate::domain::text::phrases::{begins_with_any, ends_with_any, has_any};
use crate::domain::text::scripts::is_wide;

/// Words of English that ask or demand, also within a sentence.
#[rustfmt::skip]
const DEMANDS: &[&str] = &[
    "what", "what's", "which", "who", "whom", "whose", "how", "why", "when", "where", "whether", "if", "please", "should", "must", "need", "needs", "want", "would", "could", "can", "may", "tell", "explain", "describe", "compare", "list", "report",
    "include", "including", "provide", "analyze", "analyse", "research", "summarize", "summarise", "give", "discuss", "find", "identify", "write", "show", "cover", "focus", "consider", "evaluate", "assess", "interested", "looking", "task", "goal", "question",
];

/// What makes a sentence of English a statement.
#[rustfmt::skip]
const STATES: &[&str] = &[
    " is ", " are ", " was ", " were ", " has ", " have ", " had ", " can't ", " cannot ", " can’t ", " couldn't ", " doesn't ", " don't ", " didn't ", " won't ", " isn't ", " aren't ", " fails ", " keeps ", " relies ", " rely ", " assumes ", " assume ", " suffers ", " suffer ", " depends ", " depend ", " remains ", " remain ", " requires ", " offers ", " provides ", " plays ", " leads ", " causes ", " makes ", " became ", " becomes ",
];

/// How a sentence of English begins that gives an instance, or what is so all the same.
const CONCEDES: &[&str] =
    &[" although ", " while ", " for instance,", " for example,", " currently,", " nowadays,", " recently,"];

/// How who asks begins to say how it stands with him: `We run a care home.`
const OWN: &[&str] = &[" we ", " i ", " i'm ", " i've ", " we're ", " we've ", " our ", " my "];

/// How a clause of English begins that tells what comes of what is asked about.
#[rustfmt::skip]
const PARTICIPLES: &[&str] = &[
    "affecting", "impacting", "influencing", "introducing", "causing", "leading to", "resulting in", "creating", "raising", "posing", "allowing", "enabling", "leaving", "bringing", "driving", "becoming", "threatening", "transforming", "reshaping",
];

/// What asks in Chinese.
const ASKS: &[char] = &['哪', '何', '怎', '吗', '几', '呢', '谁', '吧'];
const ASKING: &[&str] = &["什么", "多少", "是否", "请", "能不能", "是不是", "分析", "介绍", "研究"];

/// What demands in Chinese.
#[rustfmt::skip]
const WIDE_DEMANDS: &[&str] = &[
    "帮", "为我", "给我", "给出", "列举", "列出", "收集", "整理", "比较", "对比", "评估", "调研", "说明", "解释", "总结", "概述", "提供", "需要", "想", "希望", "包括", "考虑", "感兴趣", "了解", "问题", "任务", "目标", "如下", "以下",
];
/// How a clause of Chinese begins that only says that more may be told than was asked for.
const MORE: &[&str] = &["也可以不局限", "可以不局限", "不局限于", "也可以不限", "不限于", "包括但不限于"];

/// What says in a sentence that concedes what may be, and asks for nothing there.
const MODAL: &[&str] = &["can", "could", "may", "would"];

/// How a clause begins that says how it stands with who asks.
#[rustfmt::skip]
const OWN_CLAUSES: &[&str] = &["i am ", "i'm ", "i’m ", "i have ", "i've ", "i weigh ", "we are ", "we're ", "we have ", "my ", "our "];
const WIDE_OWN: &[&str] = &["我是", "我今年", "本人", "我有", "我的", "体重", "身高", "年龄"];

/// How a clause of Chinese ends that only leads to what is asked for: `必须考虑以下维度`.
const LEADS: &[&str] =
    &["以下维度", "以下几个维度", "以下方面", "以下几个方面", "以下几点", "以下内容", "以下问题", "如下"];

/// The sentences of a query with the marks at their ends.
pub(super) fn sentences(query: &str) -> impl Iterator<Item = &str> {
    let lines = query.split_inclusive(['?', '!', '。', '？', '！', '\n']);
    lines.flat_map(|line| line.split_inclusive(". "))
}

/// Whether a sentence is a question by its mark.
pub(super) fn is_question(sentence: &str) -> bool {
    sentence.trim_end_matches([' ', '\n', '"', '”', '*', ')', '）']).ends_with(['?', '？'])
}

/// Whether a clause begins as a question does.
pub(super) fn asks(clause: &str) -> bool {
    #[rustfmt::skip]
    const BEGINS: &[&str] = &[
        "what", "what's", "which", "who", "whom", "whose", "how", "why", "when", "where", "whether", "if", "is", "are", "was", "were", "do", "does", "did", "has", "have", "will", "should", "must", "would", "could",
        "can", "may", "in", "to", "for", "at",
    ];
    let first = clause.split_whitespace().next().unwrap_or_default().to_lowercase();
    BEGINS.contains(&first.as_str()) || !first.is_ascii()
}

/// Whether a sentence that isn't a question states something, and demands nothing.
pub(super) fn is_statement(sentence: &str) -> bool {
    if sentence.trim_end().ends_with('。') {
        return !asks_in_chinese(sentence) && !has_any(sentence, WIDE_DEMANDS);
    }
    // `…, which is rising` asks for nothing.
    let lower = format!(" {} ", sentence.trim().to_lowercase()).replace(", which ", ", ");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let begins = |listed: &[&str]| begins_with_any(&lower, listed);
    let states = has_any(&lower, STATES) || begins(OWN) || begins(CONCEDES);
    let concedes = begins(CONCEDES);
    states && !words.any(|word| DEMANDS.contains(&word) && !(concedes && MODAL.contains(&word)))
}

/// Whether a clause beside others says how it stands with who asks. `follows`: the clause before it does.
pub(super) fn is_own(clause: &str, follows: bool) -> bool {
    let clause = clause.trim_start();
    let lower = clause.to_lowercase();
    if clause.contains(is_wide) {
        let begins = follows || begins_with_any(clause, WIDE_OWN);
        return begins && !asks_in_chinese(clause) && !has_any(clause, WIDE_DEMANDS);
    }
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    begins_with_any(&lower, OWN_CLAUSES) && !words.any(|word| DEMANDS.contains(&word))
}

/// Whether a clause of Chinese only leads to what is asked for.
pub(super) fn leads(clause: &str) -> bool {
    ends_with_any(clause.trim_end(), LEADS)
}

/// The members of a clause, but not what stands between two: `changed between version 1 and version 2`.
pub(super) fn joined(clause: &str) -> impl Iterator<Item = &str> {
    const AND: &str = " and ";
    let mut rest = Some(clause);
    std::iter::from_fn(move || {
        let whole = rest?;
        let first = whole.find(AND);
        let is_between = |at: usize| {
            let before = whole[..at].to_ascii_lowercase();
            before.starts_with("between ") || before.contains(" between ")
        };
        let end = first.and_then(|at| match is_between(at) {
            true => whole[at + AND.len()..].find(AND).map(|next| at + AND.len() + next),
            false => Some(at),
        });
        rest = end.map(|end| &whole[end + AND.len()..]);
        Some(end.map_or(whole, |end| &whole[..end]))
    })
}

/// Whether a clause of a question, but for the first, tells what comes of it: `affecting various industries`.
pub(super) fn is_consequence(clause: &str) -> bool {
    let clause = clause.trim_start();
    let of = |word: &str| clause.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    PARTICIPLES.iter().any(|word| of(word))
}

/// Whether a clause of a question in Chinese tells why it is asked: `现在AI这么热门`.
pub(super) fn is_occasion(clause: &str) -> bool {
    let begins = begins_with_any(clause.trim_start(), &["随着", "由于", "鉴于"]);
    let is_more = has_any(clause, &["这么", "越来越", "日益"]);
    (begins || is_more) && !asks_in_chinese(clause)
}

fn asks_in_chinese(text: &str) -> bool {
    text.contains(ASKS) || has_any(text, ASKING)
}

/// Whether a clause of Chinese only says that more may be told: `也可以不局限于这些维度`.
pub(super) fn allows_more(clause: &str) -> bool {
    begins_with_any(clause.trim_start(), MORE)
}
