//! The words that link facts, by language.

use super::Kind;

/// Words that link what stands before them and behind.
pub(super) struct Link {
    pub words: &'static str,
    pub kind: Kind,
    /// Whether the cause, or what came first, stands behind.
    pub is_first_behind: bool,
    /// Whether they link so only behind a comma, or first.
    pub needs_comma: bool,
    /// Before one of these they say something else.
    pub not_before: &'static str,
}

const fn link(words: &'static str, kind: Kind, is_first_behind: bool) -> Link {
    Link { words, kind, is_first_behind, needs_comma: false, not_before: "" }
}

/// What stands behind is the cause.
const fn why(words: &'static str) -> Link {
    link(words, Kind::Cause, true)
}

/// What stands behind is the effect.
const fn so(words: &'static str) -> Link {
    link(words, Kind::Cause, false)
}

/// The same, only behind a comma, and not before some words.
const fn so_behind(words: &'static str, not_before: &'static str) -> Link {
    Link { needs_comma: true, not_before, ..so(words) }
}

const fn why_behind(words: &'static str) -> Link {
    Link { needs_comma: true, ..why(words) }
}

const fn after(words: &'static str) -> Link {
    link(words, Kind::Order, true)
}

const fn before(words: &'static str) -> Link {
    link(words, Kind::Order, false)
}

const fn to(words: &'static str) -> Link {
    link(words, Kind::Purpose, false)
}

#[rustfmt::skip]
pub(super) const LINKS: &[(&str, &[Link])] = &[
    ("English", &[
        why("because"), why("because of"), why("due to"), why("owing to"), why("thanks to"), why("result of"), why("in response to"), why("caused by"), why("triggered by"), why("prompted by"), why("resulted from"),
        why("since it"), why("since he"), why("since she"), why("since they"), why("since there"),
        so_behind("so", "that far called"), so("so that"), so("therefore"), so("thus"), so("hence"), so("consequently"), so_behind("which means", ""), so("as a consequence"), Link { not_before: "of", ..so("as a result") },
        so("which led to"), so("leading to"), so("led to"), so("resulting in"), so("resulted in"), so("causing"), so("caused"), so("causes"), so("prompting"), so("triggering"), so("forcing"),
        after("after"), before("before"),
        to("in order to"), to("so as to"), to("with the aim of"), to("for the purpose of"),
    ]),
    ("German", &[
        why("weil"), why("wegen"), why("aufgrund"), why("infolge"), why("dank"), why_behind("da"), why("denn"),
        so("deshalb"), so("daher"), so("darum"), so("deswegen"), so("folglich"), so("sodass"), so("so dass"), so("wodurch"), so("weshalb"), so("infolgedessen"), so("führte zu"), so("führte zum"), so("führte zur"), so("verursachte"), so("verursacht"),
        after("nachdem"), before("bevor"), before("ehe"),
        link("um", Kind::Purpose, false), to("damit"),
    ]),
    ("French", &[
        why("parce que"), why("parce qu'il"), why("parce qu'elle"), why("parce qu'ils"), why("parce qu'elles"), why("parce qu'un"), why("parce qu'une"), why("à cause de"), why("à cause du"), why("à cause des"), why("en raison de"), why("en raison du"), why("en raison des"), why("grâce à"), why("grâce au"), why("grâce aux"), why("puisque"), why("suite à"), why_behind("car"),
        so("donc"), so("c'est pourquoi"), so("par conséquent"), so("ce qui a"), so("de sorte que"), so("si bien que"), so("entraînant"), so("provoquant"), so("a provoqué"), so("a entraîné"), so("a causé"), so("provoque"), so("entraîne"),
        after("après que"), after("après avoir"), after("après le"), after("après la"), after("après l'arrivée"), before("avant de"), before("avant que"),
        to("pour"), to("afin de"), to("afin d"),
    ]),
    ("Spanish", &[
        why("porque"), why("debido a"), why("debido al"), why("a causa de"), why("a causa del"), why("gracias a"), why("gracias al"), why("ya que"), why("puesto que"),
        so("por lo que"), so("por eso"), so("por ello"), so("así que"), so("por tanto"), so("de modo que"), so("lo que llevó"), so("lo que provocó"), so("lo que hizo"), so("lo que causó"), so("provocando"), so("provocó"), so("causó"), so("provoca"), so("causa"),
        after("después de"), after("después de que"), after("tras"), before("antes de"), before("antes de que"),
        to("para"), to("con el fin de"), to("a fin de"),
    ]),
    ("Italian", &[
        why("perché"), why("a causa di"), why("a causa del"), why("a causa della"), why("grazie a"), why("grazie al"), why("grazie alla"), why("poiché"), why("siccome"), why("dovuto a"), why("in seguito a"),
        so("quindi"), so("perciò"), so("pertanto"), so("il che ha"), so("di conseguenza"), so("per cui"), so("provocando"), so("causando"), so("ha provocato"), so("ha causato"), so("provoca"), so("causa"),
        after("dopo che"), after("dopo aver"), after("dopo essere"), after("dopo il"), after("dopo la"), before("prima di"), before("prima che"),
        to("per"), to("allo scopo di"), to("al fine di"),
    ]),
    ("Portuguese", &[
        why("porque"), why("devido a"), why("devido ao"), why("por causa de"), why("por causa da"), why("por causa do"), why("graças a"), why("graças ao"), why("já que"),
        so("por isso"), so("portanto"), so("de modo que"), so("o que levou"), so("provocando"),
        after("depois de"), after("depois que"), after("após"), before("antes de"), before("antes que"),
        to("para"), to("a fim de"),
    ]),
    ("Dutch", &[
        why("omdat"), why("vanwege"), why("doordat"), why("dankzij"), why("wegens"), so("daarom"), so("daardoor"), so("zodat"), so("waardoor"), so("dus"), so("bijgevolg"), so("leidde tot"),
        after("nadat"), before("voordat"), link("om", Kind::Purpose, false),
    ]),
    ("Russian", &[
        why("потому что"), why("из-за"), why("благодаря"), why("вследствие"), so("поэтому"), so("в результате чего"), so("вследствие чего"), after("после того как"), before("прежде чем"), to("чтобы"),
    ]),
];

/// Words of a sentence that says why something is so; `*` stands for any ending.
#[rustfmt::skip]
pub(super) const CAUSING: &[&str] = &[
    "because", "since", "due", "owing", "thanks", "result*", "consequen*", "response", "so", "therefore", "thus", "hence", "cause*", "causing", "led", "lead", "leads", "leading", "forc*", "prompt*", "trigger*", "driv*", "drove", "made", "make", "makes", "making", "mean", "means", "meant",
    "reason*", "blame*", "attribut*", "contribut*", "effect*", "impact*", "responsible", "bring*", "brought", "allow*", "enabl*", "help*", "stem*", "why", "explain*", "amid", "given", "follow*", "when", "enough", "too", "spark*", "leave*", "left", "spur*", "fuel*", "boost*", "keep*", "kept", "let", "prevent*",
    "weil", "wegen", "aufgrund", "infolge", "dank", "da", "denn", "deshalb", "daher", "darum", "deswegen", "folg*", "sodass", "wodurch", "weshalb", "führ*", "verursach*", "ausgelöst", "auslös*", "löste", "zwang", "zwingt", "gezwungen", "grund", "gründe*", "ursache*", "bewirk*", "beitrag*", "trug", "machte", "ließ",
    "parce", "car", "puisque", "cause", "causé*", "raison*", "grâce", "suite", "donc", "conséquen*", "sorte", "entraîn*", "provoqu*", "amen*", "pouss*", "oblig*", "forcé*", "pourquoi", "après", "conduit", "permis", "permet*", "mène", "rendu", "dû", "due",
    "porque", "debid*", "causa*", "gracias", "ya", "puesto", "eso", "ello", "así", "tanto", "modo", "llev*", "provoc*", "hizo", "oblig*", "forz*", "motiv*", "raíz", "consecuencia*", "tras", "permit*", "deb*", "ante",
    "perché", "grazie", "poiché", "siccome", "dovut*", "seguito", "quindi", "perciò", "pertanto", "conseguenza", "cui", "spint*", "costrett*", "portat*", "permess*", "motivo", "indott*",
    "devido", "graças", "já", "isso", "portanto", "levou", "após", "omdat", "vanwege", "doordat", "dankzij", "door", "wegens", "daarom", "daardoor", "zodat", "waardoor", "dus", "bijgevolg", "leidde", "оттого", "потому", "из-за", "благодаря", "вследствие", "поэтому", "результате", "привел*", "вызвал*", "причин*",
];
/// Words that may say why in a sentence that joins nothing else.
#[rustfmt::skip]
pub(super) const LEADING: &[&str] = &["as", "for", "over", "through", "by", "from", "with", "under", "to", "durch", "mit", "par", "comme", "face", "con", "por", "per"];
/// What joins facts without saying why.
#[rustfmt::skip]
pub(super) const ALONGSIDE: &[&str] = &["and", "but", "while", "und", "aber", "et", "mais", "y", "pero", "e", "ed", "ma", "mas", "en", "maar", "и", "но"];
/// Words of a sentence that says what came when.
#[rustfmt::skip]
pub(super) const ORDERING: &[&str] = &[
    "after", "afterwards", "afterward", "before", "follow*", "once", "when", "then", "later", "since", "until", "till", "prior", "subsequent*", "soon", "wake", "previous*", "earlier", "already", "first", "finally", "eventually", "next", "upon", "having", "thereafter", "ahead", "preced*", "succeed*", "had", "became", "while", "during", "end*", "began", "start*", "led", "result*", "because",
    "nachdem", "nach", "bevor", "ehe", "vor", "dann", "danach", "später", "zuvor", "vorher", "als", "seit", "bis", "anschließend", "daraufhin", "zunächst", "erst", "sobald", "folg*",
    "après", "avant", "puis", "ensuite", "lorsque", "quand", "depuis", "jusqu*", "suite", "dès", "ayant", "auparavant", "d'abord",
    "después", "tras", "antes", "luego", "cuando", "desde", "hasta", "posteriormente", "previamente",
    "dopo", "prima", "poi", "quando", "successivamente", "seguito", "appena",
    "depois", "após", "antes", "então", "até", "nadat", "na", "voordat", "voor", "toen", "daarna", "sinds", "после", "до", "перед", "затем", "потом", "когда",
];
/// Words of a sentence that says what something was done for.
#[rustfmt::skip]
pub(super) const PURPOSING: &[&str] = &[
    "to", "for", "aim*", "purpose*", "goal*", "intend*", "intent*", "design*", "hope*", "hoping", "want*", "plan*", "seek*", "sought", "try*", "tried", "effort*", "so", "order", "meant", "um", "zu", "damit", "ziel*", "zweck*", "soll*", "will", "wollen", "wollte*", "für", "zum", "zur", "pour", "afin", "but", "objectif*", "vise*", "veut", "veulent", "souhaite*", "para", "fin", "objetivo*", "quiere*", "per", "scopo", "fine", "obiettivo", "vuole", "mira*", "om", "чтобы", "для", "цель*",
];
/// How a sentence begins that says why or when what was said before it is so.
#[rustfmt::skip]
pub(super) const POINTING: &[&str] = &[
    "as a result", "this", "that", "therefore", "thus", "hence", "consequently", "so ", "because of this", "it ", "they ", "he ", "she ", "these", "those", "the result", "the reason", "the cause", "afterwards", "after that", "then", "later", "subsequently", "in response", "following this",
    "deshalb", "daher", "das ", "dies", "darum", "danach", "dadurch", "infolge", "grund", "cela", "ce ", "c'est", "ensuite", "puis", "par conséquent", "eso", "esto", "por eso", "por ello", "después", "luego", "questo", "ciò", "perciò", "quindi", "poi", "dopo",
];
/// Words of sides that say nothing of what is linked.
#[rustfmt::skip]
pub(super) const SMALL: &[&str] = &["its", "their", "his", "her", "it", "they", "he", "she", "which", "that", "ihr", "ihre", "sein", "seine"];
