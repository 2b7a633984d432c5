//! Risks that somebody is warned of, told from those that are only named: `It carries the risk of a penalty.`, not `The risk is 2%.`

/// Cues that name a risk.
const RISKS: [&str; 8] = ["risk of", "risks", "risiko", "risiken", "risque", "risques", "riesgo", "riesgos"];
/// Words before one that warn of it, or tell what to do against it.
#[rustfmt::skip]
const WARNS: [&str; 45] = [
    "carry", "carries", "carrying", "run", "runs", "pose", "poses", "bear", "bears", "entail", "entails", "face", "faces", "create", "creates", "bring", "brings", "is", "minimize", "minimise", "mitigate", "mind",
    "birgt", "bergen", "besteht", "bestehen", "bringt", "trägt", "tragen", "comporte", "comportent", "présente", "présentent", "entraîne", "pose", "posent", "conlleva", "conllevan", "existe", "existen", "supone", "suponen", "implica", "plantea",
    "hay",
];
/// Words between one and the risk: `there is a very high risk of`.
const WORDS_MAX: usize = 4;
/// The same in Chinese, and characters in which it stands.
#[rustfmt::skip]
const WARNS_WIDE: [&str; 17] = [
    "带来", "存在", "面临", "防范", "警惕", "规避", "避免", "注意", "化解", "增加", "加大", "引发", "有", "防止", "降低", "小心", "伴随",
];
const CHARACTERS_MAX: usize = 12;

pub(super) fn is_risk(cue: &str) -> bool {
    RISKS.contains(&cue)
}

/// Whether what stands before a risk in small letters warns of it.
pub(super) fn warns(before: &str) -> bool {
    let clause = before.rsplit([',', ';', ':', '(']).next().unwrap_or(before);
    let mut words = clause.split_whitespace().rev().take(WORDS_MAX);
    // `What is the risk of it?`, `the smallest there is risks …` warn of nothing, but nobody writes so.
    let is_one = |word: &str| WARNS.contains(&word) && (word != "is" || clause.contains("there is"));
    words.any(is_one) || clause.trim_end().ends_with("to reduce the")
}

pub(super) fn warns_in_chinese(before: &str) -> bool {
    let clause = before.rsplit(['，', '；', '：', '。', '、']).next().unwrap_or(before);
    let start = clause.char_indices().rev().nth(CHARACTERS_MAX - 1).map_or(0, |(at, _)| at);
    WARNS_WIDE.iter().any(|word| clause[start..].contains(word))
}
