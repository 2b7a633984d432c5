//! The words by which it is told that a clause only says how to answer, by their places in it.

/// How a command begins.
#[rustfmt::skip]
pub(super) const BEGINS: &[&str] = &[
    "answer", "respond", "reply", "write", "format", "present", "use", "keep", "make", "be", "give", "provide", "include", "cite", "return", "output", "limit", "structure", "add", "show", "display",
    "organize", "organise", "attach", "avoid", "do", "don't", "no", "please", "end", "start", "begin", "conclude",
    "antworte", "antworten", "bitte", "schreibe", "schreib", "nutze", "verwende", "gib", "fasse", "halte", "nenne", "belege", "réponds", "répondez", "écris", "utilise", "utilisez", "cite", "citez", "donne",
    "sois", "soyez", "responde", "responda", "escribe", "usa", "utiliza", "cita", "incluye", "rispondi", "usa",
];
/// What stands before a form: `in a table`.
#[rustfmt::skip]
pub(super) const BEFORE: &[&str] = &[
    "in", "as", "with", "using", "under", "within", "max", "maximum", "at", "less", "fewer", "up", "about", "approximately", "not",
    "als", "mit", "auf", "maximal", "höchstens", "en", "sous", "avec", "moins", "con", "máximo", "menos",
];
/// How a sentence begins that says what an answer should be.
pub(super) const ABOUT: &[&str] = &["the", "your", "it"];
pub(super) const OUGHT: &[&str] = &["should", "must"];
/// What may stand before a command in a question: `Can you answer in a table?`
pub(super) const ASKED: &[&str] = &["can", "could", "will", "would", "please"];

/// What a form is called by.
#[rustfmt::skip]
pub(super) const FORMS: &[&str] = &[
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
pub(super) const AT_END: &[&str] = &[
    "bullet", "bullets", "bulleted", "words", "sentence", "sentences", "paragraph", "paragraphs", "stichpunkten", "wörtern", "sätzen",
];
/// The same at the end of a command.
pub(super) const AT_END_OF_COMMANDS: &[&str] =
    &["table", "tables", "list", "tabelle", "liste", "tableau", "tabla", "lista"];
/// What stands beside them.
#[rustfmt::skip]
pub(super) const BESIDE: &[&str] = &[
    "a", "an", "and", "or", "your", "you", "me", "i", "us", "our", "my", "this", "that", "these", "of", "to", "for", "from", "by", "on", "than", "more", "most", "least", "over", "above", "below", "around",
    "roughly", "min", "minimum", "only", "each", "every", "all", "any", "both", "claim", "claims", "statement", "statements", "fact", "facts", "point", "points", "form", "style", "language", "length", "long",
    "clear", "clearly", "easy", "readable", "should", "must", "is", "want", "need", "like", "also", "where", "when", "if", "possible", "necessary", "appropriate", "proper", "good", "well", "very", "few", "some",
    "one", "two", "three", "four", "five", "ten", "single", "column", "columns", "row", "rows", "without", "response", "text", "inline", "exactly", "so", "its", "their", "valid", "clickable", "relevant",
    "ein", "eine", "einen", "einer", "eines", "der", "die", "das", "den", "dich", "unter", "weniger", "mehr", "nicht", "und", "oder", "alle", "deine", "ihre", "une", "un", "des", "les", "de", "d", "tes", "vos",
    "plus", "forme", "format", "et", "du", "le", "la", "una", "las", "los", "más", "y", "formato", "forma", "que",
];

/// Forms in Chinese, and what stands beside them.
#[rustfmt::skip]
pub(super) const WIDE_FORMS: &[&str] = &[
    "表格", "列表", "中文", "英文", "简洁", "简短", "简明", "字数", "参考文献", "参考资料", "来源", "出处", "引用", "链接", "分点", "要点", "条理清晰", "字以内", "字以上", "字左右", "字", "报告", "综述",
];
#[rustfmt::skip]
pub(super) const WIDE_BESIDE: &[&str] = &[
    "请", "务必", "用", "以", "使用", "采用", "形式", "格式", "方式", "的", "呈现", "展示", "输出", "回答", "作答", "撰写", "写", "一份", "一篇", "不超过", "不少于", "不低于", "控制在", "左右", "以内", "注明", "标注", "附上",
    "列出", "给出", "并", "和", "及", "要求", "尽量", "语言", "保持", "为", "在", "需要", "要", "提供", "信息", "最后", "所有",
];
