//! Sentences that say what to do or what to mind.

use std::sync::LazyLock;

use self::cues::{ALWAYS, BEGINNING, CHINESE_CUES, CUES, IMPERATIVES, NO_BEGINNING, STATES, WEAK};
use self::labels::{is_advice_by_label, is_remedy};
use self::standing::is_advice;
use super::Claims;
use super::statements::{Statement, begins, begins_with};
use super::steps::{self, List};
use super::subjects::Sense;
use crate::domain::text::phrases::{begins_with_any, ends_with_any};
use crate::domain::text::pronouns::begins_with_pronoun;

mod cues;
mod labels;
mod standing;
mod warnings;

/// A sentence that recommends or warns, verbatim, with its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// The sentence.
    pub text: String,
    /// The line above it that says when it holds, or whose advice it is; the sentence before it, where it begins with a pronoun; what
    /// stands above it, where it doesn't say what it is of.
    pub lead_in: Option<String>,
    /// Its sources, ascending; none where nobody names one.
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

/// How clauses begin that ask, and conditions.
const CLAUSES: &[&str] =
    &["who ", "what ", "how ", "which ", "whether ", "whose ", "wer ", "was ", "welche", "wie "];
const CONDITIONS: &[&str] =
    &["if ", "when ", "whenever ", "in case ", "wenn ", "falls ", "si ", "se ", "als ", "quand ", "cuando "];

/// The same by their first letter.
static BY_FIRST: LazyLock<[Vec<&str>; 128]> = LazyLock::new(|| {
    let begins = |first: usize| move |cue: &&&str| cue.bytes().next().map(usize::from) == Some(first);
    std::array::from_fn(|first| CUES.iter().filter(begins(first)).copied().collect())
});

/// What those begin with.
const CHINESE_FIRST: [char; 19] = [
    '下', '不', '亟', '优', '切', '务', '应', '建', '必', '推', '有', '注', '警', '避', '需', '风', 'お',
    'べ', '望',
];

/// What is called so and recommends nothing: a price, or what somebody had proposed.
#[rustfmt::skip]
const CHINESE_NAMES: &[&str] = &[
    "建议零售", "建议的", "推荐的零售", "推荐系统", "推荐算法", "推荐引擎", "推荐模型", "推荐资源", "推荐内容", "推荐服务", "推荐功能", "推荐技术", "推荐个性", "推荐最", "推荐机制", "推荐信", "风险评估", "风险评级", "风险等级", "风险分级", "风险预警", "风险监测", "风险管理", "风险控制", "风险识别",
    "风险投资", "风险资本", "风险偏好", "风险敞口", "风险模型", "风险筛查", "风险预测", "风险应对", "风险因素", "风险溢价", "风险收益", "风险分析", "风险分担", "注意力", "优先级", "优先股", "优先权",
];
/// What stands before a cue that names a kind, or says who recommends: a system does.
#[rustfmt::skip]
const CHINESE_BEFORE: &[&str] = &["高", "低", "无", "零", "智能", "自动", "个性化", "系统", "算法", "精准", "内容", "不", "并不"];
/// The insights of all claims, one of each cluster: those with a source before others, by how many say them, then by their
/// text, but for the steps of one list. `is_to_act`: what to do was asked, and what tells somebody to do something answers that. `above`
/// is what stands above a statement that doesn't say what it is of.
pub fn insights(
    claims: &Claims<'_>,
    is_to_act: bool,
    above: &dyn Fn(usize) -> Option<String>,
) -> Vec<Insight> {
    let tells = |text: &str| demands(text) || is_remedy(text) || advises(text, false);
    let lists = if is_to_act { steps::told(claims, tells) } else { Vec::new() };
    let mut found: Vec<(Insight, Option<(List<'_>, usize)>)> = Vec::new();
    for cluster in &claims.clusters {
        let shown = &claims.statements[cluster.representative];
        let list = steps::list_of(claims, cluster.representative);
        let sources = || cluster.members.iter().flat_map(|&at| claims.statements[at].sources.iter().copied());
        // What stands below `Common myths:` is no advice.
        let is_asked = || is_to_act && (demands(shown.text) || is_remedy(shown.text));
        // Not the titles of what stands below each.
        let is_of_steps = || list.is_some_and(|list| lists.contains(&list)) && is_step(shown.text);
        let advises = advises(shown.text, sources().next().is_some())
            || is_asked()
            || is_of_steps()
            || is_listed_advice(shown);
        if !advises || Sense::is_no_advice(shown) {
            continue;
        }
        let contributors = cluster.members.iter().map(|&at| claims.statements[at].subagent.to_owned());
        // The same is said about different subjects.
        let lead_in = Sense::condition_of(shown).or_else(|| said_by(shown)).or_else(|| before(shown));
        let lead_in = lead_in.map(str::to_owned).or_else(|| above(cluster.representative));
        let is_known = |(known, _): &(Insight, _)| known.text == shown.text && known.lead_in == lead_in;
        let known = found.iter().position(is_known).unwrap_or(found.len());
        if known == found.len() {
            let (text, sources, contributors) = (shown.text.to_owned(), Vec::new(), Vec::new());
            let insight = Insight { text, lead_in, sources, contributors };
            found.push((insight, list.map(|list| (list, shown.start))));
        }
        found[known].0.add(sources().collect(), contributors.collect());
    }
    let strength = |of: &Insight| (!of.sources.is_empty(), of.contributors.len(), of.sources.len());
    found.sort_by(|(a, _), (b, _)| {
        strength(b).cmp(&strength(a)).then_with(|| (&a.text, &a.lead_in).cmp(&(&b.text, &b.lead_in)))
    });
    let found = steps::in_order(found, |(of, list)| list.map(|(list, start)| ((strength(of), list), start)));
    found.into_iter().map(|(insight, _)| insight).collect()
}

/// Whether a sentence says what to do; one with a source may also warn.
pub(in crate::domain::synthesis) fn advises(text: &str, is_cited: bool) -> bool {
    let counts = |cue: &str| is_cited || !WEAK.contains(&cue);
    if is_clause(text) {
        return false;
    }
    let text = behind_condition(text);
    let (bytes, may_begin, mut at) = (text.as_bytes(), &*MAY_BEGIN, 0);
    let begins_so = || BEGINNING.like(text).any(|phrase| begins_with(text, phrase));
    if begins_so() && !begins(text, NO_BEGINNING)
        || is_for_always(text)
        || is_advice_by_label(text)
        || is_pressing(text) && demands(text)
    {
        return true;
    }
    while let Some(byte) = bytes.get(at) {
        let cue = may_begin[usize::from(*byte)];
        let is_one = match cue {
            Cue::No | Cue::Inside => false,
            Cue::Latin => latin(text, at, &counts),
            Cue::Chinese => chinese((&text[..at], &text[at..]), &counts),
        };
        if is_one {
            return true;
        }
        at += 1;
        // Cues begin with words, not inside of them.
        if matches!(cue, Cue::Latin | Cue::Inside) {
            let is_inside = |byte: &&u8| matches!(may_begin[usize::from(**byte)], Cue::Latin | Cue::Inside);
            at += bytes[at..].iter().take_while(is_inside).count();
        }
    }
    false
}

/// The heading that says whose advice it is: `What critics say`.
fn said_by<'t>(said: &Statement<'t>) -> Option<&'t str> {
    #[rustfmt::skip]
    const SPEAKERS: [&str; 22] = [
        "critic", "opponent", "proponent", "supporter", "advocates", "complain", "objections", " say", " claim", " argue", "kritik", "gegner", "befürworter", "opposant", "partisan", "détracteurs", "crític", "detractores", "opositores", "批评", "反对", "支持者",
    ];
    let lower = said.heading.to_lowercase();
    SPEAKERS.iter().any(|word| lower.contains(word)).then_some(said.heading)
}

/// Whether a statement is an item of a list of what is recommended, which may be no more than a name for it: `Rotation of all keys`.
fn is_listed_advice(said: &Statement<'_>) -> bool {
    #[rustfmt::skip]
    const HEADINGS: [&str; 12] = [
        "recommendations", "our recommendations", "my recommendations", "key recommendations", "recommended actions", "action items", "next steps", "recommended next steps", "empfehlungen", "recommandations", "recomendaciones", "建议",
    ];
    let heading = || said.heading.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    said.row.is_none() && said.around.is_listed && HEADINGS.contains(&heading().as_str())
}

/// The sentence before one that says by a pronoun what it is of: `It should be closed.`
fn before<'t>(said: &Statement<'t>) -> Option<&'t str> {
    const BYTES_MAX: usize = 160;
    let before = said.around.before.trim();
    let is_one = !before.is_empty() && before.len() <= BYTES_MAX && begins_with_pronoun(said.text);
    is_one.then_some(before)
}

/// Whether a text may be a step: a short one, most words of which begin in small letters, as those of titles don't.
fn is_step(text: &str) -> bool {
    /// Longer ones say what should be done by themselves, or don't.
    const BYTES_MAX: usize = 120;
    let words = || text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    text.len() <= BYTES_MAX
        && 2 * words().filter(|word| !word.starts_with(char::is_uppercase)).count() >= words().count()
}

/// Whether a text is what somebody asks, or begins with it: `Who must pay is not clear.`, `What to settle first, and how big it must be.`
fn is_clause(text: &str) -> bool {
    let is_said = || {
        // `What you should do is call.`
        let behind = text.split_once(' ').map_or("", |(_, behind)| behind);
        text.contains(':') || begins(behind, &["you ", "we ", "one ", "sie ", "man "])
    };
    begins(text, CLAUSES) && !is_said()
}

/// What a sentence says behind a condition that it begins with: `If the agency must approve it, it takes longer.` advises nothing.
fn behind_condition(text: &str) -> &str {
    let behind = if begins(text, CONDITIONS) { text.split_once(", ") } else { None };
    behind.map_or(text, |(_, said)| said)
}

/// Whether a sentence tells its reader to do something: `Roll out changes gradually.` Where nobody asked what to do, the same words may be
/// a heading, or the subject of a sentence.
pub(in crate::domain::synthesis) fn demands(text: &str) -> bool {
    let said = text.trim_start_matches(['*', '_', ' ']);
    if !said.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let mut words = said.split(' ');
    let verb = words.next().unwrap_or_default();
    let next = words.next().unwrap_or_default();
    // `Alert Systems …` is a name, and `Test results were good.` has a verb of its own.
    let is_told = next.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '`' || c == '"');
    let verb = verb.trim_end_matches(['*', '_']);
    is_told
        && IMPERATIVES.binary_search(&verb.to_ascii_lowercase().as_str()).is_ok()
        && !STATES.iter().any(|state| said.contains(state))
}

/// `Use a parameterised query instead.`: what presses like this isn't a heading.
fn is_pressing(text: &str) -> bool {
    const PRESSES: [&str; 5] =
        [" instead", " immediately", " as soon as possible", " right away", " at once"];
    let bare = text.trim_end_matches(['.', '!', '*', '_']);
    ends_with_any(bare, &PRESSES)
}

/// `Always wear goggles.`
fn is_for_always(text: &str) -> bool {
    let word = |text: &str| text.split(' ').nth(1).is_some_and(|word| ALWAYS.contains(&word));
    begins(text, &["always "]) && word(text)
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

fn latin(text: &str, at: usize, counts: &dyn Fn(&str) -> bool) -> bool {
    let rest = &text.as_bytes()[at..];
    let Some(beginning) = beginning(rest) else { return false };
    if BEGINNINGS[beginning / 64] >> (beginning % 64) & 1 == 0 {
        return false;
    }
    BY_FIRST[usize::from(rest[0].to_ascii_lowercase())].iter().any(|cue| {
        rest.get(..cue.len()).is_some_and(|head| head.eq_ignore_ascii_case(cue.as_bytes()))
            && !rest.get(cue.len()).is_some_and(u8::is_ascii_alphanumeric)
            && counts(cue)
            && is_advice(cue, &text[..at], text.get(at + cue.len()..).unwrap_or_default())
    })
}

fn chinese((before, rest): (&str, &str), counts: &dyn Fn(&str) -> bool) -> bool {
    /// Cues that are a noun or a machine's verb as often as advice.
    const NAMES: [&str; 3] = ["风险", "推荐", "需要"];
    let is_named = || begins_with_any(rest, &NAMES) && ends_with_any(before, CHINESE_BEFORE);
    rest.starts_with(CHINESE_FIRST)
        && !begins_with_any(rest, CHINESE_NAMES)
        && CHINESE_CUES.iter().any(|cue| rest.starts_with(cue) && counts(cue))
        && !is_named()
        && (!rest.starts_with("风险") || warnings::warns_in_chinese(before))
}

#[cfg(test)]
mod tests {
    use super::warnings::is_risk;
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
            "Upgrade to version 5.3.2 as soon as possible.",
            "Action item: add an alert on pool usage.",
            "Make sure that retries use backoff.",
            "Consider a pilot project in the autumn.",
            "プールサイズを300に増やすことを推奨します。",
            "The recommended approach is to use a pool.",
            "Every house should have a smoke alarm.",
            "Late payment carries the risk of a penalty.",
            "Staff who do not sleep run the risk of errors.",
            "Fix: retry only on connection errors.",
            "Nous recommandons de changer les clés tous les 90 jours.",
            "Recomendamos rotar las claves cada 90 días.",
            "Consigliamo di cambiare le chiavi ogni 90 giorni.",
            "Never raise the limit above 2Gi without approval.",
            "Suggest full jitter and a total deadline of 8 s.",
            "Also consider a load test with carts of more than 20 lines.",
            "I'd go with Dell if they include on-site support, otherwise with Lenovo.",
            "I’d go with Dell.",
            "We advise drilling before 15 September.",
            "We suggest a second sample.",
            "I would choose Meetly.",
            "It would be wise to lime.",
            "You had better wait.",
            "Do not mix bleach and ammonia.",
            "Don't use pliers.",
            "Isolate the water first.",
            "Always wear goggles.",
            "Remember to test it.",
            "La empresa debe revisar las válvulas.",
            "Se debe revisar las válvulas.",
            "You need to turn off the water.",
            "**Fix:** upgrade to 5.2.4, or set the cookie.",
            "💡 Tip: Book at least 3 months ahead.",
            "**My pick: Momentum 4** for most people.",
            "Use a parameterised query instead.",
            "The function loads every row; consider paginating.",
            "Downgrade to 5.4.x immediately.",
            "There is a risk of frost in May.",
            "Das birgt Risiken.",
            "The expiry date should be noted on the label.",
            "If you are under 26, you should buy the youth pass.",
            "What you should do is call the hotline.",
            "When the pump runs dry, you must stop it.",
        ] {
            assert!(advises(text, true), "{text}");
        }
        for text in [
            "The valves were tested twice.",
            "Die Ventile wurden geprüft.",
            "这种阀门很便宜。",
            "Mustard is yellow, 2must is none.",
            "The recommended retail price is $9.",
            "The committee recommended no changes last year.",
            "Vitamin D supplementation did not reduce the risk of fractures.",
            "There is no risk of data loss.",
            "The train should arrive at 9:00.",
            "The supply chain must have been interrupted.",
            "Investors should have sold in 2021.",
            "They considered a pilot project.",
            "Coffee is linked to a lower risk of liver cancer.",
            "In 2018 a judge ruled that sellers must carry a warning.",
            "It is rated as high, since the archive must be opened by the user.",
            "推奨価格は9ドルです。",
            "建议零售价为499元。",
            "系统为学生智能推荐资源与讲解路径。",
            "欧盟将教育列为高风险应用。",
            "平台开展风险评估与分流。",
            "用户不需要重新登录。",
            "他建议的方案被否决了。",
            "Revenue should reach $5 million by 2025.",
            "Prices should rise by 3% in May.",
            "El retraso se debe a una avería del camión.",
            "Los retrasos se deben a la huelga.",
            "Le retard est dû à une grève.",
            "You don't need to turn off the water.",
            "You do not need to turn off the water.",
            "There is no need to lime.",
            "It should be noted that prices change.",
            "I should note that I couldn't verify the figure.",
            "Don't know was the answer of 12%.",
            "We suggest that the effect is due to chance.",
            "We suggested a second sample.",
            "Always the same driver won.",
            "Always available support is offered.",
            "Do nothing is the title.",
            "The risk of infection is 2%.",
            "Serious risks are birth defects.",
            "Recurrent falls, severe freezing of gait, very high risk of injuries",
            "Das Risiko beträgt 2 %.",
            "地方债风险可控。",
            "目标风险公募基金规模保持两位数增长。",
            "It is fueled by online recommendation engines.",
            "NICE: no recommendation on cancer.",
            "Smart locks are becoming must-haves.",
            "We consider paginating a detail.",
            "Tips: the hotel has a pool.",
            "They moved immediately.",
            "Who must pay is not clear.",
            "What to settle before the first user, how big it must be, and what each alert means.",
            "If the agency must approve the job, it can take longer.",
            "Wenn die Behörde zustimmen muss, dauert es länger.",
        ] {
            assert!(!advises(text, true), "{text}");
        }
    }

    #[test]
    fn imperatives_are_told_from_subjects() {
        assert!(IMPERATIVES.is_sorted());
        for text in [
            "Alert on pool usage above 80%.",
            "Roll out configuration changes gradually.",
            "**Add** a load test with 40 lines.",
        ] {
            assert!(demands(text), "{text}");
        }
        for text in [
            "Alert systems are expensive.",
            "Test results were good.",
            "Add Ons GmbH sells tools.",
            "Set in stone, the date is fixed.",
            "Prices rose.",
            "add a test",
        ] {
            assert!(!demands(text), "{text}");
        }
    }

    #[test]
    fn without_a_source_a_warning_is_no_advice() {
        for (text, is_one) in [
            ("Retries must use backoff.", true),
            ("Action item: add an alert on pool usage.", true),
            ("建议增加连接池。", true),
            ("Late payment carries the risk of a penalty.", false),
            ("价格波动带来风险。", false),
            ("New plants carry risks and should be tested.", true),
        ] {
            assert_eq!(advises(text, false), is_one, "{text}");
            assert!(advises(text, true), "{text}");
        }
    }

    #[test]
    fn every_cue_can_be_found() {
        for cue in CUES.iter().chain(CHINESE_CUES) {
            let before = if *cue == "风险" {
                "带来"
            } else if is_risk(cue) {
                "carries "
            } else {
                ""
            };
            assert!(advises(&format!("{before}{cue}"), true), "{cue}");
        }
    }
}
