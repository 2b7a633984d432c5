//! The words by which advice is known.

use crate::domain::text::first_letters::Beginnings;

/// What recommends or warns, in small letters.
#[rustfmt::skip]
pub(super) const CUES: &[&str] = &[
    "should", "recommend", "recommended", "recommends", "recommendation", "must", "need to", "needs to", "next step", "next steps", "risk of", "risks", "it is advisable", "advised to", "best practice",
    "crucial to", "essential to", "important to", "prioritize", "beware", "caution", "consider using", "avoid", "ensure that", "consider",
    "sollte", "sollten", "muss", "müssen", "empfehlen", "empfiehlt", "empfohlen", "empfehlenswert", "empfehlung", "ratsam", "vermeiden", "vermieden werden", "unbedingt", "nächste schritte", "risiko", "risiken", "vorsicht",
    "notwendig", "erforderlich", "devrait", "devraient", "doit", "doivent", "recommande", "recommandons", "recommandent", "recommandé", "recommandée", "il faut", "prochaine étape", "prochaines étapes", "risque", "risques", "attention à", "veiller à", "conseillé",
    "debe", "deben", "debería", "deberían", "recomienda", "recomiendan", "recomendamos", "recomenda", "recomendado", "recomendable", "aconseja", "evitar", "hay que", "riesgo", "riesgos", "próximos pasos", "es necesario", "conviene", "cuidado con",
    "raccomandiamo", "raccomandato", "si raccomanda", "consigliamo", "dovrebbe", "dovrebbero", "aanbevolen", "zalecamy", "zaleca",
];

/// The same in Chinese and Japanese.
#[rustfmt::skip]
pub(super) const CHINESE_CUES: &[&str] = &["建议", "应当", "应该", "需要", "必须", "亟需", "有必要", "下一步", "风险", "注意", "推荐", "应加强", "应建立", "避免", "优先", "切勿", "不宜", "警惕", "务必", "推奨しま", "推奨する", "推奨され", "お勧めしま", "おすすめしま", "べきで", "望ましい"];

/// How a sentence begins that tells its reader what to do.
pub(super) static BEGINNING: Beginnings = Beginnings::new(&[
    "upgrade to ",
    "update to ",
    "consider ",
    "make sure ",
    "please make sure ",
    "be sure to ",
    "action item",
    "action items",
    "action: ",
    "never ",
    "fix: ",
    "suggest ",
    "suggestion: ",
    "suggested fix: ",
    "next step: ",
    "also consider ",
    "also, consider ",
    "i'd go with ",
    "i'd choose ",
    "i would choose ",
    "i'd pick ",
    "i would pick ",
    "i would go with ",
    "we'd go with ",
    "i advise ",
    "i'd advise ",
    "i suggest ",
    "i'd suggest ",
    "we advise ",
    "we suggest ",
    "we'd suggest ",
    "my advice is ",
    "our advice is ",
    "it would be wise to ",
    "you had better ",
    "you'd better ",
    "do not ",
    "don't ",
    "please do not ",
    "please don't ",
    "remember to ",
    "isolate the ",
    "turn off the ",
]);

/// How other sentences begin that begin like those: `Don't know` is an answer of a survey, and what `we suggest that` is mostly a result.
pub(super) const NO_BEGINNING: &[&str] = &[
    "don't know",
    "do not know",
    "don't worry",
    "do not worry",
    "don't hesitate",
    "do not hesitate",
    "do not apply",
    "we suggest that the ",
    "we suggest that this ",
    "we suggest that these ",
];

/// Cues that warn, or weigh, rather than say what to do: without a source that is no advice.
#[rustfmt::skip]
pub(super) const WEAK: &[&str] = &[
    "risk of", "risks", "crucial to", "essential to", "important to", "caution", "risiko", "risiken", "vorsicht", "notwendig", "erforderlich", "risque", "risques", "attention à", "riesgo", "riesgos", "cuidado con",
    "需要", "必须", "有必要", "下一步", "风险", "注意", "优先", "警惕", "推荐", "避免", "亟需",
];

/// What one is told to do always: other words tell what always is so.
#[rustfmt::skip]
pub(super) const ALWAYS: &[&str] = &[
    "wear", "use", "check", "keep", "store", "test", "read", "ask", "verify", "consult", "make", "back", "follow", "turn", "isolate", "ensure", "disconnect", "unplug", "wash", "clean", "carry", "inform", "call", "remove",
    "set", "run", "review", "confirm", "start", "add", "take", "wait", "have", "get", "inspect", "measure", "lock", "save", "tell", "bring", "validate", "apply", "prefer", "pin", "include", "request", "double-check",
];

/// What one is told to do where one has asked; sorted.
#[rustfmt::skip]
pub(super) const IMPERATIVES: &[&str] = &[
    "add", "agree", "alert", "allow", "apply", "ask", "assign", "audit", "automate", "avoid", "back", "block", "book", "build", "buy", "call", "cancel", "change", "check", "choose",
    "clean", "clear", "click", "close", "collect", "combine", "configure", "confirm", "connect", "contact", "convert", "copy", "cover", "create", "cut", "decide", "define", "delay", "delete", "deploy",
    "disable", "disconnect", "document", "double", "downgrade", "drop", "enable", "encrypt", "ensure", "establish", "extend", "file", "fill", "find", "fix", "follow", "freeze", "get", "give", "hire",
    "hold", "improve", "include", "increase", "inform", "inspect", "install", "introduce", "invest", "keep", "label", "launch", "leave", "limit", "lock", "log", "lower", "maintain", "make", "measure",
    "merge", "migrate", "monitor", "move", "negotiate", "notify", "offer", "open", "order", "patch", "pause", "pay", "pin", "plan", "plug", "postpone", "pour", "prepare", "press", "prevent",
    "print", "publish", "put", "raise", "read", "reduce", "refactor", "reject", "remove", "rename", "renew", "repair", "replace", "replicate", "report", "request", "require", "reserve", "reset", "restart",
    "restore", "restrict", "retry", "return", "review", "revise", "roll", "rotate", "run", "save", "schedule", "secure", "select", "sell", "send", "separate", "set", "share", "shorten", "sign",
    "simplify", "split", "start", "stop", "store", "strengthen", "submit", "switch", "take", "tell", "terminate", "test", "tighten", "track", "train", "try", "turn", "uninstall", "unplug", "update",
    "upgrade", "use", "validate", "verify", "wait", "warn", "wash", "wear", "withdraw", "write",
];
/// Verbs of a sentence that states something.
pub(super) const STATES: &[&str] =
    &[" is ", " are ", " was ", " were ", " has ", " have ", " had ", " costs ", " cost "];
