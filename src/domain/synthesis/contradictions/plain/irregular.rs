//! English verbs whose past isn't their base with an ending: `held` is `hold`, as `signed` is `sign`.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use crate::domain::text::terms::{KnownTerms, TermMap};
use crate::domain::text::words::{Lexicon, Term};

/// The base, then the past and the participle where they are others.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "arise arose arisen", "awake awoke awoken", "bear bore borne born", "beat beaten", "become became", "begin began begun", "bend bent", "bind bound", "bite bit bitten", "bleed bled",
    "blow blew blown", "break broke broken", "breed bred", "bring brought", "build built", "burn burnt", "buy bought", "catch caught", "choose chose chosen", "cling clung", "come came",
    "creep crept", "deal dealt", "dig dug", "do did done", "draw drew drawn", "dream dreamt", "drink drank drunk", "drive drove driven", "eat ate eaten", "fall fell fallen", "feed fed",
    "feel felt", "fight fought", "find found", "flee fled", "fling flung", "fly flew flown", "forbid forbade forbidden", "forecast forecasted", "foresee foresaw foreseen",
    "forget forgot forgotten", "forgive forgave forgiven", "freeze froze frozen", "get got gotten", "give gave given", "go went gone", "grind ground", "grow grew grown", "hang hung",
    "hear heard", "hide hid hidden", "hold held", "keep kept", "kneel knelt", "know knew known", "lay laid", "lead led", "lean leant", "leap leapt", "learn learnt", "leave left", "lend lent",
    "lie lain", "light lit", "lose lost", "make made", "mean meant", "meet met", "mislead misled", "mistake mistook mistaken", "misunderstand misunderstood", "outgrow outgrew outgrown",
    "overcome overcame", "oversee oversaw overseen", "overtake overtook overtaken", "overthrow overthrew overthrown", "pay paid", "prove proven", "rebuild rebuilt", "repay repaid",
    "resell resold", "rewrite rewrote rewritten", "ride rode ridden", "ring rang rung", "rise rose risen", "run ran", "say said", "see saw seen", "seek sought", "sell sold", "send sent",
    "sew sewn", "shake shook shaken", "shine shone", "shoot shot", "show shown", "shrink shrank shrunk", "sing sang sung", "sink sank sunk", "sit sat", "sleep slept", "slide slid",
    "sow sown", "speak spoke spoken", "speed sped", "spend spent", "spin spun", "spring sprang sprung", "stand stood", "steal stole stolen", "stick stuck", "sting stung", "stink stank stunk",
    "strike struck stricken", "strive strove striven", "swear swore sworn", "sweep swept", "swell swollen", "swim swam swum", "swing swung", "take took taken", "teach taught",
    "tear tore torn", "tell told", "think thought", "throw threw thrown", "undergo underwent undergone", "understand understood", "undertake undertook undertaken", "undo undid undone",
    "uphold upheld", "wake woke woken", "wear wore worn", "weave wove woven", "weep wept", "win won", "wind wound", "withdraw withdrew withdrawn", "withhold withheld",
    "withstand withstood", "wring wrung", "write wrote written",
];

static BASES: LazyLock<KnownTerms<Term>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    let mut bases = TermMap::default();
    for verb in VERBS {
        let mut forms = lexicon.words(verb).into_iter().map(|word| word.term);
        let Some(base) = forms.next() else { continue };
        // What two verbs share says nothing of which it is.
        forms.for_each(|form| {
            bases.entry(form).or_insert(base);
        });
    }
    bases.into()
});

/// By the past or the participle, the base.
static WRITTEN: LazyLock<HashMap<&'static str, &'static str, RandomState>> = LazyLock::new(|| {
    let forms = VERBS.iter().filter_map(|verb| verb.split_once(' '));
    forms.flat_map(|(base, others)| others.split(' ').map(move |form| (form, base))).collect()
});

/// The base of a verb that is written in lower case, or the word as it is.
pub(in crate::domain::synthesis) fn base_of(written: &str) -> &str {
    WRITTEN.get(written).copied().unwrap_or(written)
}

/// The base of a verb, or the word as it is.
pub(in super::super) fn base(term: Term) -> Term {
    BASES.get(term).copied().unwrap_or(term)
}
