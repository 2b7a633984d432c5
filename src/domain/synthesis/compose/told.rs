//! What the service says itself in a synthesis, in the language of the headings.
//!
//! A result's fields are English. In the text, a line of which the headings' language has no sentence stays English as a
//! whole: nobody reads half a line in another language.

use std::borrow::Cow;

use super::labels::{Labels, Language, language};
use crate::domain::synthesis::claims::{DISPUTED, OF_A_PART};

/// A sentence in English, German and Chinese; what stands in for `{}` is kept.
type Sentence = [&'static str; 3];

#[rustfmt::skip]
const SENTENCES: &[Sentence] = &[
    // What to check of a finding.
    [DISPUTED, "Eine andere Aussage widerspricht dieser; beide Quellen vergleichen.", "另有陈述与此矛盾；请对比双方来源。"],
    ["No source is given; look for one before relying on it.", "Es ist keine Quelle angegeben; eine suchen, bevor man sich darauf verlässt.", "未给出来源；采信前请先查找来源。"],
    ["Its sources were rejected; look for another before relying on it.", "Die Quellen wurden verworfen; eine andere suchen, bevor man sich darauf verlässt.", "其来源已被否决；采信前请查找其他来源。"],
    ["Only one site says this; look for an independent source.", "Nur eine Website sagt das; eine unabhängige Quelle suchen.", "仅有一个网站这样说；请查找独立来源。"],
    ["All who say this cite one site; look for another.", "Alle, die das sagen, nennen dieselbe Website; eine andere suchen.", "这样说的各方引用的是同一网站；请查找其他来源。"],
    ["All sources that say this are of low quality; look for a better one.", "Alle Quellen, die das sagen, sind von geringer Qualität; eine bessere suchen.", "这样说的来源质量都较低；请查找更好的来源。"],
    ["Only one source that says this is of more than low quality; look for another.", "Nur eine der Quellen, die das sagen, ist von mehr als geringer Qualität; eine weitere suchen.", "这样说的来源中只有一个质量不低；请再查找一个。"],
    ["It rests on {} sources, which its text doesn't tell apart; look for the one that says this.", "Es stützt sich auf {} Quellen, die der Text nicht auseinanderhält; die suchen, die das sagt.", "此说依据 {} 个来源，但原文未加区分；请找出这样说的那一个。"],
    ["Its text doesn't say which of its {} sources says this; check that one does.", "Der Text sagt nicht, welche seiner {} Quellen das sagt; prüfen, ob es eine tut.", "原文未说明其 {} 个来源中是哪一个这样说；请核实。"],
    [OF_A_PART, "Es stammt aus einem Teil eines Ergebnisses: Der Rest ist nicht gekommen.", "此说出自不完整的结果：其余部分没有到达。"],
    // Gaps.
    ["No finding covers “{}”.", "Kein Ergebnis betrifft „{}“.", "没有发现涉及“{}”。"],
    ["{} brought no result ({}).", "{} hat kein Ergebnis geliefert ({}).", "{} 没有给出结果（{}）。"],
    ["{} brought no result ({}): {}", "{} hat kein Ergebnis geliefert ({}): {}", "{} 没有给出结果（{}）：{}"],
    ["{} brought only a part of its result ({}).", "{} hat nur einen Teil seines Ergebnisses geliefert ({}).", "{} 只给出了部分结果（{}）。"],
    ["{} brought only a part of its result ({}): {}", "{} hat nur einen Teil seines Ergebnisses geliefert ({}): {}", "{} 只给出了部分结果（{}）：{}"],
    ["1 finding rests on a single source: {}.", "1 Ergebnis stützt sich auf eine einzige Quelle: {}.", "1 条发现仅有单一来源：{}。"],
    ["1 finding rests on a single source.", "1 Ergebnis stützt sich auf eine einzige Quelle.", "1 条发现仅有单一来源。"],
    ["{} of {} findings rest on a single source.", "{} von {} Ergebnissen stützen sich auf eine einzige Quelle.", "{} 条（共 {} 条）发现仅有单一来源。"],
    ["{} of {} findings rest on a single source, for example {}.", "{} von {} Ergebnissen stützen sich auf eine einzige Quelle, zum Beispiel {}.", "{} 条（共 {} 条）发现仅有单一来源，例如 {}。"],
    ["1 result is left out, the least relevant: no more results are asked for.", "1 Resultat ist weggelassen, das am wenigsten relevante: Mehr sind nicht verlangt.", "已略去 1 个相关性最低的结果：未要求更多结果。"],
    ["{} results are left out, the least relevant: no more results are asked for.", "{} Resultate sind weggelassen, die am wenigsten relevanten: Mehr sind nicht verlangt.", "已略去 {} 个相关性最低的结果：未要求更多结果。"],
    ["1 result is left out further down, the least relevant of each node: no more results are asked for.", "1 Resultat ist weiter unten weggelassen, das am wenigsten relevante seines Knotens: Mehr sind nicht verlangt.", "下级节点已略去 1 个相关性最低的结果：未要求更多结果。"],
    ["{} results are left out further down, the least relevant of each node: no more results are asked for.", "{} Resultate sind weiter unten weggelassen, die am wenigsten relevanten jedes Knotens: Mehr sind nicht verlangt.", "下级节点已略去 {} 个相关性最低的结果：未要求更多结果。"],
    ["Only the first {} KiB of {} were searched for findings.", "Nur die ersten {} KiB von {} wurden nach Ergebnissen durchsucht.", "仅在前 {} KiB（{}）中查找了发现。"],
    ["Nothing of {} is quoted: it has no whole sentence.", "Von {} ist nichts zitiert: Es hat keinen ganzen Satz.", "未引用 {} 的内容：其中没有完整的句子。"],
    ["Nothing of {} is quoted: it has no sentences.", "Von {} ist nichts zitiert: Es hat keine Sätze.", "未引用 {} 的内容：其中没有句子。"],
    ["{} of {} findings aren't listed: they stand in the full texts of the results; nothing of {} is listed.", "{} von {} Ergebnissen sind nicht aufgeführt: Sie stehen in den vollen Texten der Resultate; nichts von {} ist aufgeführt.", "{} 条（共 {} 条）发现未列出：见各结果的全文；未列出 {} 的任何内容。"],
    ["{} of {} findings aren't listed: they stand in the full texts of the results.", "{} von {} Ergebnissen sind nicht aufgeführt: Sie stehen in den vollen Texten der Resultate.", "{} 条（共 {} 条）发现未列出：见各结果的全文。"],
    ["More sentences are alike than are compared with each other ({}): contradictions among them may be missing.", "Mehr Sätze gleichen sich, als miteinander verglichen werden ({}): Widersprüche darunter können fehlen.", "相似的句子多于相互比较的数量（{}）：其中的矛盾可能有遗漏。"],
    ["1 sentence of {} is longer than {} KiB and not quoted: it stands in the full texts of the results.", "1 Satz von {} ist länger als {} KiB und nicht zitiert: Er steht in den vollen Texten der Resultate.", "{} 有 1 个句子超过 {} KiB，未予引用：见各结果的全文。"],
    ["{} sentences of {} are longer than {} KiB and not quoted: they stand in the full texts of the results.", "{} Sätze von {} sind länger als {} KiB und nicht zitiert: Sie stehen in den vollen Texten der Resultate.", "{} 个句子（{}）超过 {} KiB，未予引用：见各结果的全文。"],
    // What an answer's confidence is made of, and why one is withheld.
    ["nothing is cited", "nichts ist zitiert", "没有引用任何来源"],
    ["the work wasn't completed", "die Arbeit wurde nicht abgeschlossen", "工作未完成"],
    ["only one source is cited", "nur eine Quelle ist zitiert", "仅引用了一个来源"],
    ["1 source is of unknown quality", "1 Quelle ist von unbekannter Qualität", "1 个来源的质量未知"],
    ["{} sources are of unknown quality", "{} Quellen sind von unbekannter Qualität", "{} 个来源的质量未知"],
    ["1 source is rejected", "1 Quelle ist verworfen", "1 个来源已被否决"],
    ["{} sources are rejected", "{} Quellen sind verworfen", "{} 个来源已被否决"],
    ["1 source is of {} quality", "1 Quelle hat die Qualität {}", "1 个来源的质量为 {}"],
    ["{} sources are of {} quality", "{} Quellen haben die Qualität {}", "{} 个来源的质量为 {}"],
    ["withheld: its quality is {}, wanted is {}", "zurückgehalten, denn die Qualität ist {}, und verlangt ist {}", "未予提供，其质量为 {}，要求为 {}"],
    // Contradictions.
    ["Check in both sources which number applies, and whether scope, unit and year are the same.", "In beiden Quellen prüfen, welche Zahl gilt, und ob Umfang, Einheit und Jahr dieselben sind.", "请在双方来源中核对哪个数字适用，以及范围、单位和年份是否相同。"],
    ["Check the date in both sources, or in a primary source.", "Das Datum in beiden Quellen oder in einer Primärquelle prüfen.", "请在双方来源或原始来源中核对日期。"],
    ["Read both sources, and check whether they speak of the same conditions.", "Beide Quellen lesen und prüfen, ob sie von denselben Bedingungen sprechen.", "请阅读双方来源，并核对所述条件是否相同。"],
];

/// What stands between [`SUBJECTS`] and the values that differ.
const DIFFER: &[Sentence] = &[
    ["give different numbers", "nennen verschiedene Zahlen", "给出了不同的数字"],
    ["give different dates", "nennen verschiedene Daten", "给出了不同的日期"],
    ["differ in a negation", "unterscheiden sich in einer Verneinung", "在肯定与否定上不同"],
    ["name different ones", "nennen Verschiedene", "所指不同"],
    ["say the opposite", "sagen das Gegenteil voneinander", "说法相反"],
    ["answer the question differently", "beantworten die Frage verschieden", "对问题的回答不同"],
];
const SUBJECTS: [Sentence; 2] = [
    [
        "Two statements about the same subject ",
        "Zwei Aussagen über denselben Gegenstand ",
        "关于同一主题的两条陈述",
    ],
    ["Two statements ", "Zwei Aussagen ", "两条陈述"],
];
const VALUES: &[Sentence] = &[
    ["“{}” and “{}”", "„{}“ und „{}“", "“{}”与“{}”"],
    ["“{}” stands in one only", "„{}“ steht nur in einer", "“{}”仅见于其中一条"],
];

/// A line as the labels' language has it; as it is, where that has none.
pub(super) fn told<'t>(text: &'t str, labels: &Labels) -> Cow<'t, str> {
    translated(text, labels.language).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A reason in the language that is asked for, a BCP 47 tag or a name; `None` where that has no sentence for it, or is English.
pub fn in_language(reason: &str, asked: Option<&str>) -> Option<String> {
    translated(reason, asked.and_then(language)?)
}

/// Whether a text has a line of a result, `shown` as it is there, in whatever language.
pub fn has_line(text: &str, line: &str, shown: fn(&str) -> String) -> bool {
    let others = [Language::German, Language::Chinese].into_iter();
    text.contains(&shown(line))
        || others.filter_map(|other| translated(line, other)).any(|told| text.contains(&shown(&told)))
}

/// What to check of a finding, behind what introduces it: both in one language.
pub(super) fn verify(text: &str, labels: &Labels) -> String {
    match translated(text, labels.language) {
        Some(told) => format!("{}: {told}", labels.verify),
        None => format!("{}: {text}", Labels::ENGLISH.verify),
    }
}

/// The same of several findings at once, or of all. How many they are isn't told: numbers among findings are what somebody said.
pub(super) fn verify_several(text: &str, is_all: bool, labels: &Labels) -> String {
    let (text, labels) = match translated(text, labels.language) {
        Some(told) => (Cow::Owned(told), labels),
        None => (Cow::Borrowed(text), Labels::ENGLISH),
    };
    format!("{}: {text}", if is_all { labels.all } else { labels.several })
}

/// Whether what to check of a finding says nothing of that finding alone, so that it may be told once of all.
pub(super) fn is_of_several(verify: &str) -> bool {
    verify != DISPUTED
}

fn translated(text: &str, language: Language) -> Option<String> {
    if language == Language::English {
        return None;
    }
    let of = |table: &[Sentence], text| table.iter().find_map(|sentence| filled(sentence, text, language));
    of(SENTENCES, text).or_else(|| {
        let (subject, rest) =
            SUBJECTS.iter().find_map(|subject| Some((subject, text.strip_prefix(subject[0])?)))?;
        let rest = rest.strip_suffix('.')?;
        let (differ, values) = rest.split_once(": ").map_or((rest, None), |(one, other)| (one, Some(other)));
        let differ = of(DIFFER, differ)?;
        let (colon, stop) = if language == Language::Chinese { ("：", "。") } else { (": ", ".") };
        let values = match values {
            Some(values) => format!("{colon}{}", of(VALUES, values)?),
            None => String::new(),
        };
        Some(format!("{}{differ}{values}{stop}", subject[language as usize]))
    })
}

/// A text that is the sentence's English, in another language.
fn filled(sentence: &Sentence, text: &str, language: Language) -> Option<String> {
    let mut pieces = sentence[0].split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut slots = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        // The last piece ends the text: what stands in for a slot may have the same in it.
        let end = if pieces.peek().is_none() { rest.strip_suffix(piece)?.len() } else { rest.find(piece)? };
        slots.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    if !rest.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len() * 2);
    for (at, piece) in sentence[language as usize].split("{}").enumerate() {
        if let Some(slot) = at.checked_sub(1).and_then(|before| slots.get(before)) {
            out.push_str(slot);
        }
        out.push_str(piece);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::aggregate::result::SourceQuality;
    use crate::domain::synthesis::claims::{Backing, Site, judge, which_of};
    use crate::domain::synthesis::confidence::confidence_v1;
    use crate::domain::synthesis::examine::withheld;
    use crate::domain::synthesis::gaps::single_sources;

    const LANGUAGES: [Language; 2] = [Language::German, Language::Chinese];

    #[test]
    fn every_sentence_has_the_same_slots_in_each_language() {
        for sentence in SENTENCES.iter().chain(DIFFER).chain(VALUES) {
            let slots = |of: &str| of.matches("{}").count();
            assert!(sentence.iter().all(|told| slots(told) == slots(sentence[0])), "{sentence:?}");
        }
    }

    #[test]
    fn all_that_findings_tell_to_check_is_told_in_each_language() {
        let site = |name: &str, quality| Site { domain: name.to_owned(), quality };
        let low = Some(SourceQuality::Low);
        let sites = [
            vec![],
            vec![site("a", Some(SourceQuality::Rejected))],
            vec![site("a", None)],
            vec![site("a", low), site("b", low)],
            vec![site("a", low), site("b", None)],
        ];
        let mut told = vec![which_of(3)];
        for sites in &sites {
            for (contributors, disputed) in [(1, false), (2, false), (1, true)] {
                let backing = Backing::of(sites.len(), sites.iter());
                told.extend(judge(backing, contributors, disputed).1.map(str::to_owned));
            }
        }
        assert!(told.len() > 12, "{told:?}");
        let (cost, time) = (("Cost", "It costs $9."), ("Time", "It takes 9 h."));
        for said in [vec![Some(cost)], vec![Some(cost), Some(time)], vec![None], vec![None, None]] {
            told.extend(single_sources(said.into_iter().map(|said| (said, 1))));
        }
        for (text, language) in told.iter().flat_map(|text| LANGUAGES.map(|language| (text, language))) {
            assert!(translated(text, language).is_some(), "{text}");
        }
    }

    #[test]
    fn all_that_a_confidence_is_made_of_is_told_in_each_language() {
        use SourceQuality::{High, Low, Medium, Rejected};
        let one_each = [Some(High), Some(Medium), Some(Low), Some(Rejected), None];
        let two_each = [one_each, one_each].concat();
        let mut told = vec![withheld(0.41, 0.9)];
        for references in [&one_each[..0], &one_each[..1], &one_each[..], &two_each[..]] {
            for completed in [true, false] {
                told.extend(confidence_v1(completed, references).1.into_iter().map(|factor| factor.why));
            }
        }
        assert!(told.len() > 20, "{told:?}");
        for (text, asked) in told.iter().flat_map(|text| ["de-AT", "Chinese"].map(|asked| (text, asked))) {
            assert!(in_language(text, Some(asked)).is_some(), "{text}");
            assert_eq!(in_language(text, Some("en")), None);
        }
        let rejected = in_language("2 sources are rejected", Some("de"));
        assert_eq!(rejected.as_deref(), Some("2 Quellen sind verworfen"));
    }

    #[test]
    fn what_stands_in_a_sentence_is_kept_and_other_sentences_are() {
        let german = |text: &str| translated(text, Language::German);
        for (text, expected) in [
            (
                "No finding covers “which “pump” is best”.",
                Some("Kein Ergebnis betrifft „which “pump” is best“."),
            ),
            (
                "crm brought no result (timeout): no answer (8 s): none",
                Some("crm hat kein Ergebnis geliefert (timeout): no answer (8 s): none"),
            ),
            ("crm brought no result (timeout).", Some("crm hat kein Ergebnis geliefert (timeout).")),
            (
                "Two statements about the same subject give different numbers: “5” and “7”.",
                Some("Zwei Aussagen über denselben Gegenstand nennen verschiedene Zahlen: „5“ und „7“."),
            ),
            (
                "Two statements about the same subject differ in a negation: “not” stands in one only.",
                Some(
                    "Zwei Aussagen über denselben Gegenstand unterscheiden sich in einer Verneinung: „not“ steht nur in einer.",
                ),
            ),
            (
                "Two statements answer the question differently: “A” and “B”.",
                Some("Zwei Aussagen beantworten die Frage verschieden: „A“ und „B“."),
            ),
            (
                "3 of 90 findings aren't listed: they stand in the full texts of the results; nothing of crm, web is listed.",
                Some(
                    "3 von 90 Ergebnissen sind nicht aufgeführt: Sie stehen in den vollen Texten der Resultate; nichts von crm, web ist aufgeführt.",
                ),
            ),
            ("No finding covers the price.", None),
            ("Die Preise fehlen.", None),
        ] {
            assert_eq!(german(text).as_deref(), expected, "{text}");
            assert_eq!(translated(text, Language::English), None);
        }
    }

    #[test]
    fn a_line_is_found_in_each_language() {
        let gap = "No finding covers “price”.";
        let shown: fn(&str) -> String = |line| format!("- {line}");
        for (text, expected) in [
            ("## Gaps\n\n- No finding covers “price”.", true),
            ("## Lücken\n\n- Kein Ergebnis betrifft „price“.", true),
            ("## 缺失信息\n\n- 没有发现涉及“price”。", true),
            ("## Lücken\n\n- Kein Ergebnis betrifft „colour“.", false),
        ] {
            assert_eq!(has_line(text, gap, shown), expected, "{text}");
        }
    }
}
