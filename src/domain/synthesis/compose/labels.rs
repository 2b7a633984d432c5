//! Headings of a synthesis, in the language that is asked for, or that the findings are written in.

use crate::domain::aggregate::result::Finding;
use crate::domain::directive::SynthesisOptions;
use crate::domain::text::clean::one_line;
use crate::domain::text::language::{asked_for, is_english, surely, told};

/// Findings whose words tell their language.
const READ_MAX: usize = 8;
/// Characters of a language's name that are shown.
const SHOWN_CHARS_MAX: usize = 40;

/// A language that there are headings in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `en`
    English,
    /// `de`
    German,
    /// `zh`
    Chinese,
}

/// The headings of one language.
#[derive(Debug)]
pub(super) struct Labels {
    pub language: Language,
    pub findings: &'static str,
    pub contradictions: &'static str,
    pub gaps: &'static str,
    pub failures: &'static str,
    pub verify: &'static str,
    /// What something is told of: of all findings, or of more than one.
    pub all: &'static str,
    pub several: &'static str,
    /// What is a failure only where nobody waits for it any more.
    pub unfinished: &'static str,
    /// What stands above a text that more may follow.
    pub draft: &'static str,
    pub position: &'static str,
    pub sources: &'static str,
    /// How many findings a text has no room for; `{}` is their number.
    pub more: &'static str,
    /// The same of a single one.
    pub one_more: &'static str,
    /// How many contradictions a text has no room for; `{}` is their number.
    pub more_contradictions: &'static str,
}

const ENGLISH: Labels = Labels {
    language: Language::English,
    findings: "Findings",
    contradictions: "Contradictions",
    gaps: "Gaps",
    failures: "What failed",
    unfinished: "Not finished",
    draft: "A draft: more may follow.",
    verify: "To verify",
    all: "All findings",
    several: "Several findings",
    position: "Position",
    sources: "Sources",
    more: "Not quoted here for its length: {} more findings.",
    one_more: "Not quoted here for its length: 1 more finding.",
    more_contradictions: "More contradictions, not quoted here for their length: {}.",
};

const CHINESE: Labels = Labels {
    language: Language::Chinese,
    findings: "主要发现",
    contradictions: "相互矛盾之处",
    gaps: "缺失信息",
    failures: "失败的任务",
    unfinished: "尚未完成的任务",
    draft: "草稿：后续可能还有补充。",
    verify: "需要核实",
    all: "所有发现",
    several: "多条发现",
    position: "观点",
    sources: "参考来源",
    more: "因篇幅所限，另有 {} 条发现未在此引用。",
    one_more: "因篇幅所限，另有 1 条发现未在此引用。",
    more_contradictions: "因篇幅所限，未在此列出的矛盾：{} 处。",
};

const GERMAN: Labels = Labels {
    language: Language::German,
    findings: "Ergebnisse",
    contradictions: "Widersprüche",
    gaps: "Lücken",
    failures: "Fehlgeschlagen",
    unfinished: "Nicht beendet",
    draft: "Ein Entwurf: Es kann noch etwas hinzukommen.",
    verify: "Zu prüfen",
    all: "Alle Ergebnisse",
    several: "Mehrere Ergebnisse",
    position: "Position",
    sources: "Quellen",
    more: "Der Länge wegen hier nicht zitiert: {} weitere Ergebnisse.",
    one_more: "Der Länge wegen hier nicht zitiert: 1 weiteres Ergebnis.",
    more_contradictions: "Weitere Widersprüche, der Länge wegen hier nicht zitiert: {}.",
};

impl Labels {
    /// Those that are there for every language.
    pub(super) const ENGLISH: &'static Self = &ENGLISH;

    /// By what is asked for, a BCP 47 tag or a name; without that, or for a language without headings here, by the findings.
    pub(super) fn of(language: Option<&str>, findings: &[Finding]) -> &'static Self {
        language.and_then(Self::named).unwrap_or_else(|| by_findings(findings))
    }

    fn named(language: &str) -> Option<&'static Self> {
        let name = asked_for(language)?.to_lowercase();
        match name.as_str() {
            "english" => Some(&ENGLISH),
            "chinese" | "traditional chinese" => Some(&CHINESE),
            "german" | "deutsch" => Some(&GERMAN),
            _ => None,
        }
    }
}

/// The one that is asked for, a BCP 47 tag or a name, where there are headings in it.
pub fn language(asked: &str) -> Option<Language> {
    Labels::named(asked).map(|labels| labels.language)
}

/// What tells that there are no headings in the language that is asked for, and which those are.
pub fn lacks_headings(language: Option<&str>, findings: &[Finding]) -> Option<String> {
    let asked =
        language.filter(|language| !language.trim().is_empty() && Labels::named(language).is_none())?;
    let asked = one_line(asked, SHOWN_CHARS_MAX);
    let instead = by_findings(findings).language;
    Some(format!("there are no headings in `{asked}`: they are in {instead:?}"))
}

/// Options with the language that a question tells, where they name none and there are headings in it.
pub fn in_language_of(question: &str, options: &SynthesisOptions) -> SynthesisOptions {
    let asked = options.language.as_ref().filter(|language| !language.trim().is_empty());
    let language = asked.cloned().or_else(|| told_by(question).map(str::to_owned));
    SynthesisOptions { language, ..options.clone() }
}

/// The language of a question that there are headings in, where its script, two of its words, or the one with which it asks tell it.
fn told_by(question: &str) -> Option<&'static str> {
    match told(question) {
        "Chinese" => Some("zh"),
        "German" if surely(question).is_some() => Some("de"),
        "English" if is_english(question) => Some("en"),
        "German" | "English" if asks_in_german(question) => Some("de"),
        _ => None,
    }
}

/// Whether a question begins as none of English does: `Wie teuer …`, `Was kostet …`.
fn asks_in_german(question: &str) -> bool {
    #[rustfmt::skip]
    const ASKS: [&str; 13] = [
        "wer", "wen", "wem", "wie", "wo", "wann", "warum", "wieso", "welche", "welcher", "welches", "wieviel", "wozu",
    ];
    // Behind `was`, which begins questions in English as well.
    const VERBS: [&str; 12] = [
        "ist", "sind", "macht", "gilt", "bringt", "heißt", "sagt", "hilft", "tut", "tun", "kann", "passiert",
    ];
    let lower = question.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    ASKS.contains(&first) || first == "was" && (VERBS.contains(&second) || second.ends_with("et"))
}

/// By what the findings are written in.
fn by_findings(findings: &[Finding]) -> &'static Labels {
    let by_script = by_script(findings);
    if by_script.language == Language::English && is_german(findings) { &GERMAN } else { by_script }
}

/// Whether the first findings are in German.
fn is_german(findings: &[Finding]) -> bool {
    let first: Vec<&str> = findings.iter().take(READ_MAX).map(|finding| finding.content.as_str()).collect();
    surely(&first.join("\n")) == Some("German")
}

fn by_script(findings: &[Finding]) -> &'static Labels {
    let characters = || findings.iter().flat_map(|finding| finding.content.chars());
    let beyond_ascii = || findings.iter().filter(|finding| !finding.content.is_ascii());
    let is_han = |c: &char| matches!(c, '\u{3400}'..='\u{9FFF}');
    let han = beyond_ascii().flat_map(|finding| finding.content.chars()).filter(is_han).count();
    if han == 0 {
        return &ENGLISH;
    }
    // Looking up what is known to be a letter takes long.
    let is_letter = |c: &char| matches!(c, '\u{4E00}'..='\u{9FFF}') || c.is_alphabetic();
    let letters = characters().filter(is_letter).count();
    let kana = characters().any(|c| matches!(c, '\u{3041}'..='\u{30FF}'));
    if han * 2 > letters && !kana { &CHINESE } else { &ENGLISH }
}
