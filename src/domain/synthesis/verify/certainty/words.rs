//! The words of caution: those with which a source says less than it seems to, and those with which a claim may keep it so.

/// In which way a word says less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It may be so.
    Possible,
    /// It can be so.
    Able,
    /// It should be so.
    Due,
    /// It will be so.
    Coming,
    /// It is so if something else is.
    Condition,
    /// Somebody holds it to be so, or not.
    Held,
    /// Somebody says that it isn't so, or took it back.
    Denied,
    /// Nobody knows whether it is so.
    Open,
    /// Somebody wants it to be so.
    Planned,
    /// Somebody is to do it: another one orders it, asks for it or allows it.
    Asked,
    /// It was tried, or left undone.
    Undone,
    /// It is seldom so, or of few.
    Rare,
    /// It goes together with something, which may not be its cause.
    Linked,
    /// It is nearly so.
    Almost,
}

/// Words as they are written; behind one, `+` for only before `to` or `that` (in other languages, too), `~` for only where `that` or `whether` stands near,
/// `>` for only before a word in `-ing`, `#` for only before a number, `^` for only where `to` stands near behind.
#[rustfmt::skip]
pub(super) const WORDS: &[(Kind, &[&str])] = &[
    (Kind::Possible, &[
        "may", "might", "could", "would", "possibly", "perhaps", "potentially", "maybe", "likely", "probably", "apparently",
        "allegedly", "tentatively", "preliminary", "reportedly", "supposedly", "presumably", "expected", "forecast", "projected", "predicted",
        "könnte", "könnten", "hätte", "hätten", "wäre", "wären", "möglicherweise", "vielleicht", "wahrscheinlich", "voraussichtlich", "dürfte", "dürften", "angeblich",
        "pourrait", "pourraient", "peut-être", "probablement", "podría", "podrían", "quizás", "probablemente", "posiblemente", "supuestamente",
        "potrebbe", "potrebbero", "forse", "probabilmente", "poderia", "poderiam", "poderá", "poderão", "talvez", "provavelmente", "zou", "zouden", "misschien", "mogelijk", "waarschijnlijk",
        "возможно", "вероятно", "предположительно",
    ]),
    (Kind::Able, &["can", "able+", "capable", "kann", "können", "peut", "peuvent", "puede", "pueden", "può", "possono", "pode", "podem", "kan", "kunnen", "может", "могут"]),
    (Kind::Due, &["should", "ought", "devrait", "devraient", "debería", "deberían"]),
    (Kind::Coming, &["will", "shall"]),
    (Kind::Condition, &[
        "if", "unless", "provided+", "providing+", "assuming", "wenn", "falls", "sofern", "sobald", "vorausgesetzt", "если", "dès+", "pourvu+", "siempre+", "vez+", "volta+",
        "purché", "qualora", "caso+", "indien", "tenzij", "mits",
    ]),
    (Kind::Held, &[
        "allege", "alleges", "alleged", "alleging", "claim+", "claims+", "claimed+", "claiming+",
        "believe", "believes", "believed", "suspect", "suspects", "suspected", "argue", "argues", "argued",
        "assume", "assumes", "assumed", "expect^", "expects^", "complain+", "complains+", "complained+", "charge+", "charges+", "charged+", "hope+", "hopes+", "hoped+", "fear+", "fears+", "feared+", "think+", "thinks+", "rumoured", "rumored", "suggest+", "suggests+", "suggested+", "speculate", "speculates",
        "accuse", "accuses", "accused", "accusing", "beschuldigt", "beschuldigte", "beschuldigen", "accusé", "accusent", "acusó", "acusa", "acusan", "acusou", "accusato",
        "complain+", "complains+", "complained+", "contend+", "contends+", "contended+", "insist+", "insists+", "insisted+", "estimate+", "estimates+", "estimated+", "indicate+", "indicates+", "indicated+", "charged+", "charges+",
        "predict+", "predicts+", "imply+", "implies+", "implied+", "reckon+", "reckons+", "assert+", "asserts+", "asserted+", "maintains+", "maintained+", "anticipate+", "anticipates+", "hypothesise+", "hypothesised+", "hypothesize+",
        "hypothesized+", "conjectured+", "behauptet", "behaupten", "vermutet", "vermuten", "prétend", "prétendent",
    ]),
    (Kind::Denied, &[
        "deny", "denies", "denied", "denying", "doubt", "doubts", "doubted", "dispute~", "disputes~", "disputed~", "rejects~", "rejected~", "retracted~",
        "overturned~", "annulled~", "refuted~", "withdrawn~", "debunked~", "bestreitet", "bestreiten", "bestritt", "bestritten", "dementierte", "leugnete", "bezweifelt", "bezweifeln",
        "dément", "démenti", "nié", "nega", "negano", "negato", "negado", "nie", "nient", "doute", "doutent", "niega", "niegan", "negó", "desmintió", "duda", "dudan",
    ]),
    (Kind::Open, &["whether", "ob", "evidence~", "proof~"]),
    (Kind::Linked, &["associated", "correlated", "correlates", "linked"]),
    (Kind::Planned, &[
        "propose", "proposes", "proposed", "proposing", "plan+", "plans+", "planned+", "planning+", "plan#", "plans#", "intend", "intends", "intended", "aim+", "aims+",
        "considers", "considering", "seeks+", "seek+", "wants+", "want+", "threatens", "threatened", "pledged", "pledges", "promises", "promised", "supposed+", "scheduled+", "due+",
        "was+", "were+", "slated", "beabsichtigt", "sollte", "sollten", "soll", "sollen", "envisage", "propone", "proponen", "planea",
    ]),
    (Kind::Undone, &[
        "try+", "tries+", "tried+", "trying+", "attempt+", "attempts+", "attempted+", "fail+", "fails+", "failed+", "forgot+", "refused+", "declined+", "wanted+", "hesitated+",
        "considered>", "mulled>", "avoid", "avoids", "avoided", "avoiding", "short", "versuchte", "versuchten", "versucht", "vergaß", "vermied", "weigerte",
        "tenté", "essayé", "évité", "oublié", "intentó", "evitó", "olvidó",
    ]),
    (Kind::Asked, &[
        "order^", "orders^", "ordered^", "ordering^", "told^", "tells^", "tell^", "ask^", "asks^", "asked^", "asking^", "urge^", "urges^", "urged^", "urging^", "instruct^", "instructs^", "instructed^",
        "require^", "requires^", "required^", "requiring^", "advise^", "advises^", "advised^", "invited^", "invites^", "encourage^", "encourages^", "encouraged^", "request^", "requests^", "requested^",
        "allow^", "allows^", "allowed^", "permit^", "permits^", "permitted^", "authorise^", "authorised^", "authorize^", "authorized^", "commanded^", "directed^", "begged^", "reminded^", "warned^",
        "demand+", "demands+", "demanded+", "recommend+", "recommends+", "recommended+", "obliged^", "obliges^",
    ]),
    (Kind::Rare, &[
        "few", "handful", "sometimes", "occasionally", "often", "manchmal", "gelegentlich", "oft", "parfois", "souvent", "talvolta", "spesso", "hardly", "scarcely", "barely", "rarely", "seldom", "kaum", "selten", "wenige", "rarement", "peu", "guère", "apenas", "raramente", "pocos", "pocas",
    ]),
    (Kind::Almost, &["almost", "nearly", "virtually", "practically", "beinahe", "nahezu", "presque", "quasiment", "casi", "quase"]),
];
/// The same in Chinese and Japanese.
pub(super) const CHINESE: &[(Kind, &[&str])] = &[
    (Kind::Possible, &["可能", "或许", "也许", "或将", "预计", "有望", "据称", "かもしれない"]),
    (
        Kind::Condition,
        &[
            "如果",
            "假如",
            "倘若",
            "若是",
            "一旦",
            "只要",
            "除非",
            "的话",
            "れば",
            "たら",
            "ならば",
            "しだい",
            "次第",
        ],
    ),
    (Kind::Coming, &["将", "予定"]),
    (Kind::Held, &["声称", "据传"]),
    (Kind::Denied, &["否认", "质疑"]),
    (Kind::Open, &["是否"]),
    (Kind::Planned, &["计划", "提议", "打算", "拟于"]),
    (Kind::Undone, &["试图", "企图", "未能", "曾考虑"]),
    (Kind::Due, &["应当", "应该"]),
    (
        Kind::Asked,
        &[
            "命令",
            "责令",
            "下令",
            "要求",
            "敦促",
            "呼吁",
            "请求",
            "命じ",
            "求めた",
            "求めて",
            "要請",
            "促した",
            "명령",
            "요구했",
            "요청했",
            "촉구",
        ],
    ),
    (Kind::Able, &["수 있"]),
    (Kind::Rare, &["一部の", "일부", "部分", "少数", "很少", "几乎不", "几乎没有", "极少", "鲜有"]),
    (Kind::Almost, &["近半", "几乎", "将近", "接近", "差点"]),
];
/// Words that mean so in some languages only, by which they are known there.
pub(super) const IN_LANGUAGES: &[(&str, &str, Kind)] = &[
    ("French", "si", Kind::Condition),
    ("Spanish", "si", Kind::Condition),
    ("Italian", "se", Kind::Condition),
    ("Portuguese", "se", Kind::Condition),
    ("Dutch", "als", Kind::Condition),
    ("German", "fast", Kind::Almost),
];
/// Words with which one says who says something: where a sentence has one already, another one of a claim says nothing of how sure it is.
#[rustfmt::skip]
pub(super) const ATTRIBUTING: &[&str] = &[
    "according", "said", "say", "says", "stated", "reported", "reports", "suggest*", "argu*", "belie*", "claim*", "warn*", "laut", "zufolge", "selon", "según", "secondo", "segundo", "volgens",
];
/// Korean words that end as a verb does which says under which condition something is so.
pub(super) const NO_CONDITIONS: &[&str] =
    &["반면", "측면", "화면", "장면", "표면", "정면", "국면", "내면", "서면", "전면", "지면"];
/// Other words with which a claim leaves open what it says, or says who holds it; `*` stands for any ending.
#[rustfmt::skip]
pub(super) const ALSO: &[&str] = &[
    "according", "accus*", "aim", "aims", "alleg*", "ambition*", "anticipat*", "appear", "appears", "argu*", "assum*", "belie*", "can", "chance*", "claim*",
    "condition*", "consider*", "critic*", "deni*", "deny*", "depend*", "doubt*", "estimat*", "expect*", "fear*", "forecast*", "hope*", "intend*", "intention*", "likel*",
    "once", "oppos*", "opinion*", "outlook*", "plan", "plans", "planned", "planning", "pledg*", "possib*", "potential*", "predict*", "projected", "projection*", "promis*", "propos*",
    "provided", "reported", "reportedly", "reports", "risk*", "rumo*", "said", "say", "says", "scenario*", "seek*", "seem", "seems", "should", "speculat*", "stated", "suggest*",
    "suppos*", "suspect*", "tentative*", "think*", "threat*", "want*", "warn*", "will", "when", "whether", "uncertain*",
    "laut", "zufolge", "soll", "sollen", "geplant*", "selon", "devrait*", "según",
];
/// Those of them that may be what is spoken of.
pub(super) const THINGS: &[&str] =
    &["plan", "plans", "report", "reports", "risk", "risks", "aim", "aims", "chance", "hope", "threat"];
/// Those that do for one kind, where that asks for words of its own.
#[rustfmt::skip]
pub(super) const OF_KIND: &[(Kind, &[&str])] = &[
    (Kind::Able, &["ability", "able", "allow*", "capab*", "capacit*", "could", "design*", "enabl*", "help*", "let", "lets", "may", "might", "permit*", "possib*", "potential*", "up"]),
    (Kind::Coming, &["va", "vont", "van", "vai", "vão", "prévoi*", "prévu*", "prev*", "planea*", "planej*", "pretend*", "doit", "doivent", "debe", "deben", "deve", "devono", "计划", "拟"]),
    (Kind::Due, &["advis*", "call*", "must", "need*", "recommend*", "required", "suppos*", "urge*", "soll*", "müss*", "empf*"]),
    (Kind::Condition, &[
        "assum*", "case", "condition*", "depend*", "if", "long", "once", "provided", "requir*", "scenario*", "subject", "unless", "until", "when", "whenever", "where", "without",
        "with", "under", "bei", "cuando", "lorsque", "quand", "sobald",
    ]),
    (Kind::Denied, &["contest*", "contradict*", "debunk*", "dismiss*", "disput*", "false", "overturn*", "question*", "refut*", "reject*", "retract*", "revers*", "unclear", "uncertain*", "withdr*"]),
    (Kind::Asked, &[
        "must", "need*", "require*", "oblig*", "order*", "told", "ask*", "urge*", "demand*", "call*", "instruct*", "advis*", "advice", "recommend*", "request*", "should", "ought", "liable", "owe*",
        "allow*", "permit*", "permission", "authori*", "let", "lets", "encourag*", "appeal*", "press*", "push*", "want*", "ruling", "injunction", "mandat*", "direct*", "invit*", "command*", "can", "may", "could", "would", "will",
        "muss*", "müss*", "soll*", "darf", "dürfen", "verpflicht*", "auffor*", "aufgefor*", "zu", "doit", "doivent", "ordre", "tenu*", "debe*", "tiene", "orden", "deve*", "ordine", "moet*", "долж*",
    ]),
    (Kind::Linked, &["accompan*", "among", "associat*", "connect*", "correlat*", "go", "goes", "had", "has", "have", "link*", "may", "might", "relat*", "tied", "who"]),
    (Kind::Open, &[
        "evidence", "proof", "prove*", "proven", "show*", "alleg*", "ask*", "decid*", "decision", "if", "question*", "unclear", "unknown", "uncertain*", "unresolved", "may", "might", "could", "doubt*", "unklar", "fraglich", "si",
    ]),
    (Kind::Undone, &["attempt*", "avoid*", "consider*", "declin*", "effort*", "fail*", "forgot*", "hesitat*", "never", "not", "plan", "plans", "planned", "refus*", "tried", "try*", "without"]),
    (Kind::Rare, &[
        "can", "may", "might", "could", "frequent*", "many", "most*", "regularly", "usual*", "typical*", "general*", "commonly", "some", "tend*", "häufig*", "meist*", "fréquem*", "exception*", "fewer", "infrequent*", "limited", "little", "low", "minority", "no", "none", "not", "nobody", "only", "rare", "small", "uncommon", "unusual", "nur", "seul*", "sólo", "solo",
    ]),
    (Kind::Almost, &[
        "about", "approach*", "approximately", "around", "close", "just", "less", "near", "roughly", "some", "under", "up", "etwa", "fast", "knapp", "rund", "environ", "près", "cerca",
    ]),
];
/// Verbs whose past has another beginning.
#[rustfmt::skip]
pub(super) const PASTS: &[(&str, &str)] = &[
    ("be", "was"), ("become", "became"), ("begin", "began"), ("bring", "brought"), ("buy", "bought"), ("come", "came"), ("cut", "cut"), ("fall", "fell"), ("get", "got"), ("give", "gave"), ("go", "went"),
    ("grow", "grew"), ("have", "had"), ("hold", "held"), ("keep", "kept"), ("lead", "led"), ("leave", "left"), ("lose", "lost"), ("make", "made"), ("meet", "met"), ("pay", "paid"), ("rise", "rose"),
    ("run", "ran"), ("sell", "sold"), ("spend", "spent"), ("take", "took"), ("win", "won"), ("write", "wrote"),
];
