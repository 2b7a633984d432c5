//! What the service says itself in an answer, in the language that is asked for; English where it isn't, or isn't known here.

use crate::domain::synthesis::compose::{Language, language};

/// What is said around an answer; `{}` stands for what differs.
pub(super) struct Labels {
    /// Above what was found until the work ended otherwise.
    pub incomplete: &'static str,
    /// In place of an answer of an empty sheet.
    pub empty: &'static str,
    /// The same where the work ended otherwise.
    pub ended: &'static str,
    /// In place of one that is withheld.
    pub withheld: &'static str,
    /// Above what contradicts in it.
    pub contradictions: &'static str,
    pub references: &'static str,
    pub unused: &'static str,
    pub confidence: &'static str,
    pub unknown_quality: &'static str,
}

const ENGLISH: Labels = Labels {
    incomplete: "> **Incomplete:** the work ended as “{}”; this is what was found until then.",
    empty: "There is no answer: the context sheet is empty.",
    ended: "There is no answer: the work ended as “{}” before anything was found.",
    withheld: "There is no answer: {}.",
    contradictions: "Contradictions",
    references: "References",
    unused: "Not cited",
    confidence: "**Confidence:** {} of 100",
    unknown_quality: "unknown quality",
};

const GERMAN: Labels = Labels {
    incomplete: "> **Unvollständig:** Die Arbeit endete als „{}“; das ist, was bis dahin gefunden wurde.",
    empty: "Es gibt keine Antwort: Im Kontextblatt steht nichts.",
    ended: "Es gibt keine Antwort: Die Arbeit endete als „{}“, bevor etwas gefunden wurde.",
    withheld: "Es gibt keine Antwort: {}.",
    contradictions: "Widersprüche",
    references: "Quellen",
    unused: "Nicht zitiert",
    confidence: "**Konfidenz:** {} von 100",
    unknown_quality: "unbekannte Qualität",
};

const CHINESE: Labels = Labels {
    incomplete: "> **未完成：** 工作以“{}”结束；以下是截至当时的结果。",
    empty: "没有答案：上下文表为空。",
    ended: "没有答案：工作以“{}”结束，尚未找到任何内容。",
    withheld: "没有答案：{}。",
    contradictions: "相互矛盾之处",
    references: "参考来源",
    unused: "未引用",
    confidence: "**置信度：** {}/100",
    unknown_quality: "质量未知",
};

/// Those of a language: a BCP 47 tag or a name.
pub(super) fn of(asked: Option<&str>) -> &'static Labels {
    match asked.and_then(language) {
        Some(Language::German) => &GERMAN,
        Some(Language::Chinese) => &CHINESE,
        Some(Language::English) | None => &ENGLISH,
    }
}
