//! Words that narrow a statement, and those that show that a claim keeps it narrow.

/// What a phrase of place or of those whom it is about begins with.
#[rustfmt::skip]
pub(super) const LEADING: &[&str] = &[
    "in", "among", "within", "under", "at", "for", "across", "inside", "bei", "im", "unter", "innerhalb", "für", "dans", "chez", "parmi", "pour", "sous", "en", "entre", "para", "bajo",
];
/// Words of phrases that only lead over, or say when or where it is written. `*` stands for any ending.
#[rustfmt::skip]
pub(super) const ASIDE: &[&str] = &[
    "article", "beginning", "case", "century", "contrast", "day*", "decade*", "effect", "end", "essence", "example", "fact", "figure*", "future", "general", "instance", "interview", "last",
    "letter", "meantime", "month*", "night*", "paper", "particular", "past", "post", "practice", "present", "press", "principle", "quarter", "recent", "release", "report*", "response", "review", "short", "speech",
    "statement", "study", "table", "time*", "total", "trial", "tweet", "turn", "view", "week*", "year*", "beispiel", "jahr*", "letzte*", "exemple", "année*", "ejemplo", "año*", "同时", "此外",
];
/// What names who says something.
pub(super) const SPEAKERS: &[&str] = &["according", "laut", "selon", "según"];
/// What is named as who says it, and speaks for itself where it is cited.
pub(super) const STUDIES: &[&str] = &[
    "study", "studies", "report", "reports", "research", "survey", "analysis", "data", "figures", "studie",
    "bericht", "étude", "estudio",
];
/// With these a claim says that somebody says it.
#[rustfmt::skip]
pub(super) const SAYS: &[&str] = &[
    "according", "accus*", "add", "adds", "added", "alleg*", "announc*", "argu*", "assert*", "believ*", "claim*", "conclud*", "critic*", "describ*", "estimat*", "expect*", "find*", "found", "forecast*", "hold*", "indicat*",
    "maintain*", "note*", "predict*", "project*", "put", "puts", "report*", "said", "say*", "show*", "stat*", "suggest*", "survey*", "told", "view*", "warn*", "writ*", "wrote", "laut", "zufolge", "sagt*", "selon", "d'après", "según",
];
/// What excepts something; behind `nobody` and the like, `but` does too.
#[rustfmt::skip]
pub(super) const EXCEPTS: &[&str] = &["except", "excepting", "excluding", "barring", "außer", "ausgenommen", "sauf", "hormis", "excepté", "salvo", "excepto"];
pub(super) const EVERYBODY: &[&str] =
    &["nobody", "none", "nothing", "everybody", "everyone", "everything", "anyone", "all"];
pub(super) const EXCEPTING: &[&str] = &[
    "apart",
    "but",
    "except*",
    "exclud*",
    "exempt*",
    "only",
    "other",
    "outside",
    "save",
    "unless",
    "without",
    "außer*",
    "ausgenommen",
    "nur",
    "sauf",
    "hormis",
    "seul*",
    "salvo",
    "sólo",
    "除",
];
pub(super) const BUT: &[&str] = &["but", "though", "although", "albeit", "aber", "jedoch", "mais", "pero"];
pub(super) const NOT: &[&str] = &["not", "never", "nicht", "nie", "pas", "non", "no"];
pub(super) const BUT_CHINESE: &[&str] = &["但", "然而", "不过"];
pub(super) const NOT_CHINESE: &[char] = &['不', '无', '未', '没', '非'];
/// With these a claim keeps what is taken back.
#[rustfmt::skip]
pub(super) const CONTRASTS: &[&str] = &[
    "although", "albeit", "but", "despite", "except*", "however", "inconclusive", "no", "not", "only", "though", "unlike", "whereas", "while", "without", "yet", "aber", "jedoch", "nicht", "nur",
    "obwohl", "mais", "sauf", "pas", "pero", "sino", "但", "尚", "仅", "只",
];
