//! What says how to answer, and asks for nothing: `Answer in a table`, `keep it under 200 words`, `cite sources`.
//!
//! It is told by all of its words: one that isn't of a form is what is asked about, `a table of prices`. What asks with a question
//! mark is no command: `Is JSON a format?` asks about it.

use crate::domain::text::scripts::is_wide;

/// How a command begins, and what stands before a form: `in a table`.
#[rustfmt::skip]
const BEGINS: &[&str] = &[
    "answer", "respond", "reply", "write", "format", "present", "use", "keep", "make", "be", "give", "provide", "include", "cite", "return", "output", "limit", "structure", "add", "show", "display",
    "organize", "organise", "attach", "avoid", "do", "don't", "no", "please", "end", "start", "begin", "conclude",
    "antworte", "antworten", "bitte", "schreibe", "schreib", "nutze", "verwende", "gib", "fasse", "halte", "nenne", "belege", "réponds", "répondez", "écris", "utilise", "utilisez", "cite", "citez", "donne",
    "sois", "soyez", "responde", "responda", "escribe", "usa", "utiliza", "cita", "incluye", "rispondi", "usa",
];
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "in", "as", "with", "using", "under", "within", "max", "maximum", "at", "less", "fewer", "up", "about", "approximately", "not",
    "als", "mit", "auf", "maximal", "höchstens", "en", "sous", "avec", "moins", "con", "máximo", "menos",
];
/// How a sentence begins that says what an answer should be.
const ABOUT: &[&str] = &["the", "your", "it"];
const OUGHT: &[&str] = &["should", "must"];
/// What may stand before a command in a question: `Can you answer in a table?`
const ASKED: &[&str] = &["can", "could", "will", "would", "please"];

/// What a form is called by.
#[rustfmt::skip]
const FORMS: &[&str] = &[
    "table", "tables", "tabular", "bullet", "bullets", "bulleted", "list", "lists", "json", "markdown", "yaml", "csv", "xml", "html", "word", "words", "sentence", "sentences", "paragraph", "paragraphs",
    "page", "pages", "character", "characters", "citation", "citations", "source", "sources", "reference", "references", "link", "links", "url", "urls", "footnote", "footnotes", "heading", "headings",
    "section", "sections", "concise", "concisely", "brief", "briefly", "short", "succinct", "succinctly", "tone", "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "chinese",
    "japanese", "korean", "russian", "detailed", "thorough", "comprehensive", "specific", "precise", "apa", "mla", "prose", "numbered", "plain", "simple", "professional", "formal", "academic", "jargon",
    "report", "summary", "essay", "overview", "article", "introduction", "conclusion", "step",
    "tabelle", "stichpunkte", "stichpunkten", "aufzählung", "liste", "quelle", "quellen", "quellenangaben", "wort", "wörter", "wörtern", "satz", "sätze", "sätzen", "kurz", "knapp", "deutsch", "englisch",
    "tableau", "puces", "mots", "phrases", "français", "anglais", "concis", "bref", "tabla", "lista", "viñetas", "palabras", "frases", "fuentes", "español", "inglés", "breve", "conciso",
];
/// Those that may stand at the end of what is asked for: `What are the risks in bullet points?` Others are asked about there, too:
/// `errors in JSON`.
#[rustfmt::skip]
const AT_END: &[&str] = &[
    "bullet", "bullets", "bulleted", "words", "sentence", "sentences", "paragraph", "paragraphs", "stichpunkten", "wörtern", "sätzen",
];
/// The same at the end of a command.
const AT_END_OF_COMMANDS: &[&str] =
    &["table", "tables", "list", "tabelle", "liste", "tableau", "tabla", "lista"];
/// What stands beside them.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "a", "an", "and", "or", "your", "you", "me", "i", "us", "our", "my", "this", "that", "these", "of", "to", "for", "from", "by", "on", "than", "more", "most", "least", "over", "above", "below", "around",
    "roughly", "min", "minimum", "only", "each", "every", "all", "any", "both", "claim", "claims", "statement", "statements", "fact", "facts", "point", "points", "form", "style", "language", "length", "long",
    "clear", "clearly", "easy", "readable", "should", "must", "is", "want", "need", "like", "also", "where", "when", "if", "possible", "necessary", "appropriate", "proper", "good", "well", "very", "few", "some",
    "one", "two", "three", "four", "five", "ten", "single", "column", "columns", "row", "rows", "without", "response", "text", "inline", "exactly", "so", "its", "their", "valid", "clickable", "relevant",
    "ein", "eine", "einen", "einer", "eines", "der", "die", "das", "den", "dich", "unter", "weniger", "mehr", "nicht", "und", "oder", "alle", "deine", "ihre", "une", "un", "des", "les", "de", "d", "tes", "vos",
    "plus", "forme", "format", "et", "du", "le", "la", "una", "las", "los", "más", "y", "formato", "forma", "que",
];

/// Forms in Chinese, and what stands beside them.
#[rustfmt::skip]
const WIDE_FORMS: &[&str] = &[
    "表格", "列表", "中文", "英文", "简洁", "简短", "简明", "字数", "参考文献", "参考资料", "来源", "出处", "引用", "链接", "分点", "要点", "条理清晰", "字以内", "字以上", "字左右", "字", "报告", "综述",
];
#[rustfmt::skip]
const WIDE_BESIDE: &[&str] = &[
    "请", "务必", "用", "以", "使用", "采用", "形式", "格式", "方式", "的", "呈现", "展示", "输出", "回答", "作答", "撰写", "写", "一份", "一篇", "不超过", "不少于", "不低于", "控制在", "左右", "以内", "注明", "标注", "附上",
    "列出", "给出", "并", "和", "及", "要求", "尽量", "语言", "保持", "为", "在", "需要", "要", "提供", "信息", "最后", "所有",
];

/// Whether a clause of a query only says how to answer. `follows`: the clause before it does, so this need not say so by its
/// first word.
pub(super) fn is_form(clause: &str, is_question: bool, follows: bool) -> bool {
    if clause.contains(is_wide) {
        return !is_question && is_wide_form(clause);
    }
    let mut words = words(clause).peekable();
    let Some(first) = words.peek().map(|word| word.to_lowercase()) else { return false };
    let is = |listed: &[&str]| listed.contains(&first.as_str());
    let begins = match is_question {
        true => is(BEFORE) || is(ASKED),
        false => [BEGINS, BEFORE, ASKED, ABOUT].into_iter().any(is) || follows || is_number(&first),
    };
    let (mut has_form, mut ought) = (false, follows || !is(ABOUT));
    begins
        && words.all(|word| {
            let word = word.to_lowercase();
            has_form |= FORMS.contains(&word.as_str());
            ought |= OUGHT.contains(&word.as_str());
            is_of_form(&word)
        })
        && has_form
        && ought
}

/// A part of a query without the form at its end: `risks` of `risks in bullet points`.
pub(super) fn without_form(part: &str, is_question: bool) -> &str {
    let (mut end, mut has_form) = (part.len(), false);
    for word in words(part).rev() {
        let lower = word.to_lowercase();
        if !is_of_form(&lower) {
            break;
        }
        has_form |=
            AT_END.contains(&lower.as_str()) || !is_question && AT_END_OF_COMMANDS.contains(&lower.as_str());
        if has_form && BEFORE.contains(&lower.as_str()) {
            end = word.as_ptr() as usize - part.as_ptr() as usize;
        }
    }
    let asked = part[..end].trim_end();
    if asked.is_empty() { part } else { asked }
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn is_of_form(word: &str) -> bool {
    [FORMS, BESIDE, BEGINS, BEFORE, ABOUT, ASKED].iter().any(|listed| listed.contains(&word))
        || is_number(word)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_wide_form(clause: &str) -> bool {
    // `来源` alone is what is asked for, `注明来源` isn't.
    let (mut rest, mut has_form, mut demands) = (clause, false, false);
    while let Some(c) = rest.chars().next() {
        let listed = |listed: &[&'static str]| listed.iter().copied().find(|word| rest.starts_with(word));
        let form = listed(WIDE_FORMS);
        let beside = listed(WIDE_BESIDE);
        has_form |= form.is_some();
        demands |= form.is_none() && (beside.is_some() || c.is_ascii_digit());
        let taken = match form.or(beside) {
            Some(word) => word.len(),
            None if c.is_alphabetic() => return false,
            None => c.len_utf8(),
        };
        rest = &rest[taken..];
    }
    has_form && demands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_form_are_told_by_all_of_their_words() {
        for form in [
            "Answer in a table",
            "Use bullet points",
            "Keep it under 200 words.",
            "cite sources",
            "Cite the sources for each claim",
            "Be concise",
            "Respond in JSON",
            "The answer should be short",
            "no more than 3 paragraphs",
            "in English please",
            "200 words max",
            "Please include links to all sources",
            "Don't use jargon",
            "Write a report",
            "Your answer should be in JSON",
            "Antworte in Stichpunkten",
            "maximal 200 Wörter",
            "auf Deutsch",
            "Réponds en français",
            "Responde en español",
            "请用表格形式回答",
            "不少于2000字",
            "并列出参考文献",
        ] {
            assert!(is_form(form, false, false), "{form}");
        }
        for asked in [
            "",
            "sources of income",
            "Use JSON or YAML for configuration",
            "Give the prices in a table",
            "Provide a list of risks",
            "Write a review of the market",
            "Tables",
            "JSON",
            "Compare JSON and YAML",
            "Make money",
            "in Japan",
            "under 20 dollars",
            "the sources",
            "来源",
            "表格的历史",
            "中文教育",
        ] {
            assert!(!is_form(asked, false, false), "{asked}");
        }
        assert!(is_form("short paragraphs", false, true) && !is_form("short paragraphs", false, false));
        assert!(is_form("Can you answer in a table", true, false) && is_form("in a table", true, false));
        for question in ["Is JSON a format", "What is a table", "Which sources", "Use of tables", "用表格"]
        {
            assert!(!is_form(question, true, true), "{question}");
        }
    }

    #[test]
    fn a_form_at_the_end_is_left_out() {
        for (part, is_question, asked) in [
            ("risks in bullet points", false, "risks"),
            ("risks in a table with two columns", false, "risks"),
            ("risks in bullet points", true, "risks"),
            ("data in JSON", true, "data in JSON"),
            ("errors in JSON", false, "errors in JSON"),
            ("data in a table", true, "data in a table"),
            ("prices in Japan", false, "prices in Japan"),
            ("prices in Japan in under 200 words", false, "prices in Japan"),
            ("in a table", false, "in a table"),
            ("sources", false, "sources"),
        ] {
            assert_eq!(without_form(part, is_question), asked, "{part}");
        }
    }
}
