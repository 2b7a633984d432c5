//! What stands in a query and asks for nothing: what is known already, beside a question.

/// Words of English that ask or demand, also within a sentence.
#[rustfmt::skip]
const DEMANDS: &[&str] = &[
    "what", "what's", "which", "who", "whom", "whose", "how", "why", "when", "where", "whether", "if", "please", "should", "must", "need", "needs", "want", "would", "could", "can", "may", "tell", "explain", "describe", "compare", "list", "report",
    "include", "including", "provide", "analyze", "analyse", "research", "summarize", "summarise", "give", "discuss", "find", "identify", "write", "show", "cover", "focus", "consider", "evaluate", "assess", "interested", "looking", "task", "goal", "question",
];

/// What makes a sentence of English a statement.
#[rustfmt::skip]
const STATES: &[&str] = &[
    " is ", " are ", " was ", " were ", " has ", " have ", " had ", " relies ", " rely ", " assumes ", " assume ", " suffers ", " suffer ", " depends ", " depend ", " remains ", " remain ", " requires ", " offers ", " provides ", " plays ", " leads ", " causes ", " makes ", " became ", " becomes ",
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
        return !asks_in_chinese(sentence) && !WIDE_DEMANDS.iter().any(|word| sentence.contains(word));
    }
    // `…, which is rising` asks for nothing.
    let lower = format!(" {} ", sentence.trim().to_lowercase()).replace(", which ", ", ");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let begins = |listed: &[&str]| listed.iter().any(|begins| lower.starts_with(begins));
    let states = STATES.iter().any(|verb| lower.contains(verb)) || begins(OWN) || begins(CONCEDES);
    states && !words.any(|word| DEMANDS.contains(&word))
}

/// Whether a clause of a question, but for the first, tells what comes of it: `affecting various industries`.
pub(super) fn is_consequence(clause: &str) -> bool {
    let clause = clause.trim_start();
    let of = |word: &str| clause.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    PARTICIPLES.iter().any(|word| of(word))
}

/// Whether a clause of a question in Chinese tells why it is asked: `现在AI这么热门`.
pub(super) fn is_occasion(clause: &str) -> bool {
    let begins = ["随着", "由于", "鉴于"].iter().any(|word| clause.trim_start().starts_with(word));
    let is_more = ["这么", "越来越", "日益"].iter().any(|word| clause.contains(word));
    (begins || is_more) && !asks_in_chinese(clause)
}

fn asks_in_chinese(text: &str) -> bool {
    text.contains(ASKS) || ASKING.iter().any(|word| text.contains(word))
}

/// Whether a clause of Chinese only says that more may be told: `也可以不局限于这些维度`.
pub(super) fn allows_more(clause: &str) -> bool {
    MORE.iter().any(|begins| clause.trim_start().starts_with(begins))
}
