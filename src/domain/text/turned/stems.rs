//! How words begin that say that something is so, isn't so, isn't true, or is so under a condition.

/// What a list may be of: how words begin that say so, and that say the opposite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides {
    pub(super) affirming: &'static [&'static str],
    pub(super) denying: &'static [&'static str],
}

/// What belongs to something, what may be done, what works, what is good.
#[rustfmt::skip]
pub(super) const SIDES: &[Sides] = &[
    Sides {
        affirming: &["includ", "inclus", "cover", "enthalten", "inbegriffen", "abgedeckt", "versichert", "couvert", "compris", "incluid", "cubiert", "包括", "包含", "涵盖", "含まれ"],
        denying: &["exclu", "ausgeschlossen", "ausschl", "排除", "除外", "対象外", "不包括", "不包含", "不涵盖", "未包含", "未包括"],
    },
    Sides {
        affirming: &["allow", "permit", "erlaubt", "gestattet", "zulässig", "autoris", "permitid", "允许", "许可"],
        denying: &["prohibit", "forbid", "banned", "disallow", "verboten", "untersagt", "unzulässig", "interdit", "prohibid", "禁止", "不得"],
    },
    Sides {
        affirming: &["support", "compatib", "availab", "unterstütz", "kompatib", "verfügbar", "disponib", "支持", "兼容", "可用"],
        denying: &["unsupported", "incompatib", "unavailable", "deprecat", "discontinu", "inkompatib", "不支持", "不兼容"],
    },
    Sides {
        affirming: &["recommend", "suitable", "empfohlen", "geeignet", "recommand", "recomendad", "推荐", "建议", "适用"],
        denying: &["avoid", "contraindicat", "unsuitable", "vermeid", "ungeeignet", "kontraindiziert", "évit", "避免", "不推荐", "不建议", "不宜", "不适用"],
    },
];

/// Deny what follows, beside negations and those that call it [untrue](UNTRUE).
#[rustfmt::skip]
pub(super) const DENYING: &[&str] = &[
    "remov", "reject", "ineligible", "unaffected", "missing", "obsolete", "entfernt", "fehlend", "abgelehnt", "supprim", "manquant", "eliminad", "faltante",
    "不予", "不可", "不能", "不要", "不应", "请勿", "切勿", "无法", "ません", "ない",
];
/// Of all those, words that are something else.
#[rustfmt::skip]
pub(super) const NOT_DENYING: &[&str] = &[
    "exclusive", "exclusives", "exclusively", "exklusiv", "不可替代", "不可或缺", "不可逆", "不可避免", "不能忽视", "不可忽视", "错误率",
];
/// Say that what follows is held to be so, and isn't.
#[rustfmt::skip]
pub(super) const UNTRUE: &[&str] = &[
    "myth", "misconception", "fals", "untrue", "wrong", "incorrect", "debunk", "hoax", "fake", "refut", "disprov", "irrt", "faux", "fauss", "mitos", "误区", "误解", "错误", "谣言", "誤解",
];

/// Restrict what follows: whole words, phrases, and what is written without spaces.
#[rustfmt::skip]
pub(super) const RESTRICTING: &[&str] = &[
    "if", "only", "unless", "except", "excepting", "wenn", "falls", "sofern", "nur", "außer", "ausgenommen", "si", "sauf", "seulement", "uniquement", "solo", "sólo", "solamente", "salvo", "excepto",
];
pub(super) const RESTRICTING_PHRASES: &[&str] = &[
    "provided that",
    "in case of ",
    "in case you ",
    "in case the ",
    "as long as ",
    "à condition",
    "a condición",
    "con la condición",
];
/// Of each of those phrases a word: where none of these is, no phrase is.
pub(super) const PHRASE_WORDS: &[&str] = &["provided", "case", "long", "condition", "condición"];
#[rustfmt::skip]
pub(super) const RESTRICTING_WIDE: &[&str] = &["如果", "倘若", "只有", "仅", "除非", "除外", "只能", "场合", "場合", "のみ", "もし"];
/// Restrict nothing, though such a word is in them.
#[rustfmt::skip]
pub(super) const NOT_ONLY: &[&str] = &["not only", "nicht nur", "non seulement", "no solo", "no sólo", "不仅", "不只"];

/// Negations of one thing in a line, `patients without diabetes`, and of none.
pub(super) const OF_ONE_THING: &[&str] = &["without", "absence", "absent", "ohne", "sans", "sin", "non"];
/// Negations that turn what stands below a heading, too: `No clear winner` doesn't.
#[rustfmt::skip]
pub(super) const OF_ALL: &[&str] = &[
    "not", "never", "cannot", "nicht", "nie", "niemals", "pas", "jamais", "nunca", "não",
];
/// Of those that affirm, words that are as often the name of a thing: `Support` heads what is done for customers.
pub(super) const NAMES: &[&str] = &["support", "permit", "permits", "cover"];
/// Say of what a list is no more than that it is one.
#[rustfmt::skip]
pub(super) const GENERIC: &[&str] = &[
    "what", "here", "item", "thing", "service", "feature", "following", "list", "leistung", "folgend", "élément", "suivant", "elemento", "siguiente", "以下", "项目", "内容",
];
/// Say below a line that turns that this is otherwise: `Exceptions`, `Alternatives`.
#[rustfmt::skip]
pub(super) const OTHERWISE: &[&str] = &[
    "except", "alternativ", "instead", "facts", "truth", "reality", "correct", "ausnahme", "stattdessen", "fakten", "wahrheit", "realit", "excepci", "hecho", "verdad", "例外", "替代", "事实", "真相",
];
