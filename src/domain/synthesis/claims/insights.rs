//! Sentences that say what to do or what to mind.

use std::sync::LazyLock;

use super::Claims;

/// The version of the cues in this file.
pub const VERSION: &str = "insights-1";

/// A sentence that recommends or warns, verbatim, with its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// The sentence.
    pub text: String,
    /// Its sources, ascending; never empty.
    pub sources: Vec<usize>,
    /// Who says it, in alphabetical order.
    pub contributors: Vec<String>,
}

#[rustfmt::skip]
const CUES: &[&str] = &[
    "should", "recommend", "recommended", "recommends", "recommendation", "must", "need to", "needs to", "next step", "next steps", "risk of", "risks", "it is advisable", "advised to", "best practice",
    "crucial to", "essential to", "important to", "prioritize", "beware", "caution", "consider using", "avoid", "ensure that",
];

/// The same by their first letter.
static BY_FIRST: LazyLock<[Vec<&str>; 128]> = LazyLock::new(|| {
    let begins = |first: usize| move |cue: &&&str| cue.bytes().next().map(usize::from) == Some(first);
    std::array::from_fn(|first| CUES.iter().filter(begins(first)).copied().collect())
});

#[rustfmt::skip]
const CHINESE_CUES: &[&str] = &["建议", "应当", "应该", "需要", "必须", "亟需", "有必要", "下一步", "风险", "注意", "推荐", "应加强", "应建立", "避免", "优先"];

/// The insights of all claims that have a source, one of each cluster, ordered by how many say them, then by their text.
pub fn insights(claims: &Claims<'_>) -> Vec<Insight> {
    let mut found: Vec<Insight> = Vec::new();
    for cluster in &claims.clusters {
        let text = claims.statements[cluster.representative].text;
        let mut sources: Vec<usize> =
            cluster.members.iter().flat_map(|&at| claims.statements[at].sources.iter().copied()).collect();
        sources.sort_unstable();
        sources.dedup();
        if sources.is_empty() || !advises(text) {
            continue;
        }
        let mut contributors: Vec<String> =
            cluster.members.iter().map(|&at| claims.statements[at].subagent.to_owned()).collect();
        contributors.sort();
        contributors.dedup();
        found.push(Insight { text: text.to_owned(), sources, contributors });
    }
    let strength = |insight: &Insight| (insight.contributors.len(), insight.sources.len());
    found.sort_by(|a, b| strength(b).cmp(&strength(a)).then_with(|| a.text.cmp(&b.text)));
    found
}

fn advises(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let begins = !inside;
        inside = c.is_ascii_alphanumeric();
        let found = if c.is_ascii() {
            // Every cue begins with one of these letters.
            begins
                && matches!(c.to_ascii_lowercase(), 's' | 'r' | 'm' | 'n' | 'i' | 'a' | 'b' | 'c' | 'e' | 'p')
                && {
                    BY_FIRST[usize::from((c as u8).to_ascii_lowercase())].iter().any(|cue| {
                        let end = at + cue.len();
                        bytes.get(at..end).is_some_and(|head| head.eq_ignore_ascii_case(cue.as_bytes()))
                            && !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric)
                    })
                }
        } else {
            matches!(c, '建' | '应' | '需' | '必' | '亟' | '有' | '下' | '风' | '注' | '推' | '避' | '优')
                && CHINESE_CUES.iter().any(|cue| text[at..].starts_with(cue))
        };
        if found {
            return true;
        }
    }
    false
}
