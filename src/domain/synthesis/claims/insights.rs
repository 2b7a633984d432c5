//! Sentences that say what to do or what to mind.

use std::sync::LazyLock;

use super::Claims;

/// The version of the cues in this file.
pub const VERSION: &str = "insights-2";

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

impl Insight {
    fn add(&mut self, sources: Vec<usize>, contributors: Vec<String>) {
        self.sources.extend(sources);
        self.sources.sort_unstable();
        self.sources.dedup();
        self.contributors.extend(contributors);
        self.contributors.sort();
        self.contributors.dedup();
    }
}

#[rustfmt::skip]
const CUES: &[&str] = &[
    "should", "recommend", "recommended", "recommends", "recommendation", "must", "need to", "needs to", "next step", "next steps", "risk of", "risks", "it is advisable", "advised to", "best practice",
    "crucial to", "essential to", "important to", "prioritize", "beware", "caution", "consider using", "avoid", "ensure that",
    "sollte", "sollten", "muss", "müssen", "empfehlen", "empfiehlt", "empfohlen", "empfehlenswert", "empfehlung", "ratsam", "vermeiden", "vermieden werden", "unbedingt", "nächste schritte", "risiko", "risiken", "vorsicht",
    "notwendig", "erforderlich", "devrait", "devraient", "doit", "doivent", "recommande", "recommandé", "recommandée", "il faut", "prochaine étape", "prochaines étapes", "risque", "risques", "attention à", "veiller à", "conseillé",
    "debe", "deben", "debería", "deberían", "recomienda", "recomendado", "recomendable", "aconseja", "evitar", "hay que", "riesgo", "riesgos", "próximos pasos", "es necesario", "conviene", "cuidado con",
];

/// The same by their first letter.
static BY_FIRST: LazyLock<[Vec<&str>; 128]> = LazyLock::new(|| {
    let begins = |first: usize| move |cue: &&&str| cue.bytes().next().map(usize::from) == Some(first);
    std::array::from_fn(|first| CUES.iter().filter(begins(first)).copied().collect())
});

#[rustfmt::skip]
const CHINESE_CUES: &[&str] = &["建议", "应当", "应该", "需要", "必须", "亟需", "有必要", "下一步", "风险", "注意", "推荐", "应加强", "应建立", "避免", "优先", "切勿", "不宜", "警惕", "务必"];

/// What those begin with.
const CHINESE_FIRST: [char; 16] =
    ['下', '不', '亟', '优', '切', '务', '应', '建', '必', '推', '有', '注', '警', '避', '需', '风'];

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
        // The same is said about different subjects.
        if let Some(known) = found.iter_mut().find(|known| known.text == text) {
            known.add(sources, contributors);
            continue;
        }
        found.push(Insight { text: text.to_owned(), sources, contributors });
    }
    let strength = |insight: &Insight| (insight.contributors.len(), insight.sources.len());
    found.sort_by(|a, b| strength(b).cmp(&strength(a)).then_with(|| a.text.cmp(&b.text)));
    found
}

fn advises(text: &str) -> bool {
    let (bytes, may_begin) = (text.as_bytes(), &*MAY_BEGIN);
    // Cues begin with words, not inside of them.
    let mut inside = false;
    for (at, byte) in bytes.iter().enumerate() {
        let cue = may_begin[usize::from(*byte)];
        let is_one = match cue {
            Cue::No | Cue::Inside => false,
            Cue::Latin => !inside && latin(&bytes[at..]),
            Cue::Chinese => chinese(&text[at..]),
        };
        if is_one {
            return true;
        }
        inside = matches!(cue, Cue::Latin | Cue::Inside);
    }
    false
}

/// What a byte may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cue {
    No,
    /// Nothing, but it is a letter or digit of ASCII, as all that Latin cues begin with are.
    Inside,
    Latin,
    Chinese,
}

/// Nearly all bytes begin no cue.
static MAY_BEGIN: LazyLock<[Cue; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| match byte as u8 {
        byte if byte.is_ascii() && !BY_FIRST[usize::from(byte.to_ascii_lowercase())].is_empty() => Cue::Latin,
        byte if byte.is_ascii_alphanumeric() => Cue::Inside,
        byte if CHINESE_CUES.iter().any(|cue| cue.as_bytes()[0] == byte) => Cue::Chinese,
        _ => Cue::No,
    })
});

/// The same by their first three letters, a bit for each of [`beginning`].
static BEGINNINGS: LazyLock<[u64; 1 << 9]> = LazyLock::new(|| {
    let mut begins = [0; 1 << 9];
    for cue in CUES {
        let beginning = beginning(cue.as_bytes()).unwrap_or_default();
        begins[beginning / 64] |= 1 << (beginning % 64);
    }
    begins
});

/// The first three letters of a text in any case: five bits each.
fn beginning(text: &[u8]) -> Option<usize> {
    let first = text.first_chunk::<3>()?;
    Some(first.iter().fold(0, |all, byte| all << 5 | usize::from(byte & 31)))
}

fn latin(rest: &[u8]) -> bool {
    let Some(beginning) = beginning(rest) else { return false };
    if BEGINNINGS[beginning / 64] >> (beginning % 64) & 1 == 0 {
        return false;
    }
    BY_FIRST[usize::from(rest[0].to_ascii_lowercase())].iter().any(|cue| {
        rest.get(..cue.len()).is_some_and(|head| head.eq_ignore_ascii_case(cue.as_bytes()))
            && !rest.get(cue.len()).is_some_and(u8::is_ascii_alphanumeric)
    })
}

fn chinese(rest: &str) -> bool {
    rest.starts_with(CHINESE_FIRST) && CHINESE_CUES.iter().any(|cue| rest.starts_with(cue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_known_in_several_languages() {
        for text in [
            "Operators should test the valves twice a year.",
            "Betreiber sollten die Ventile zweimal im Jahr prüfen.",
            "Es wird empfohlen, die Ventile zu prüfen.",
            "Les exploitants devraient vérifier les vannes.",
            "Il est recommandé de vérifier les vannes.",
            "Se recomienda revisar las válvulas.",
            "用户务必每年检查两次阀门。",
            "价格波动带来风险。",
        ] {
            assert!(advises(text), "{text}");
        }
        for text in [
            "The valves were tested twice.",
            "Die Ventile wurden geprüft.",
            "这种阀门很便宜。",
            "Mustard is yellow.",
        ] {
            assert!(!advises(text), "{text}");
        }
    }

    #[test]
    fn every_cue_can_be_found() {
        for cue in CUES.iter().chain(CHINESE_CUES) {
            assert!(advises(cue), "{cue}");
        }
    }
}
