//! Words by which the clauses of a sentence are told apart.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

/// What a word does in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A verb of a main clause, and nothing else.
    Verb,
    /// A verb, or a noun or an adjective.
    MaybeVerb,
    /// What joins clauses, one as true as the other.
    And,
    /// Stands between what joins and a verb.
    Adverb,
    /// `it`, `they`: what the clause before is about.
    Pronoun,
    /// `its`.
    Possessive,
    /// `the`, `a`: begins a noun.
    Article,
    /// `which`, `who`.
    Relative,
    /// `founded`, `based`: what something was, behind its name and a comma.
    Participle,
    /// Begins what is said by the way, behind a comma.
    Aside,
    /// `in`, `during`: begins a time or a place.
    Narrowing,
    /// Begins a sentence, and not what it is about.
    Lead,
    /// Who says so does it.
    Says,
    /// Begins a clause that the rest hangs on, or says that it isn't so, or not always.
    Hedge,
}

#[rustfmt::skip]
const PARTS: &[(Part, &str)] = &[
    (Part::Verb, "is are was were has have had does did can cannot can't isn't aren't wasn't weren't doesn't don't didn't hasn't haven't became becomes remains remained employs operates contains consists requires provides weighs generates produces grew rose fell reached began took went came gave made said says sold won lost stood stands ran sits lasts lasted sells includes included serves allows connects carries receives received achieved earned attracted raised recorded reported announced acquired spent generated employed exceeded increased decreased dropped climbed declined doubled tripled covered stretches ranked holds held keeps kept pays paid weighed measured opened closed started ended launched died killed injured affected caused replaced happened occurred arrived departs departed"),
    (Part::Verb, "ist sind waren haben hatte hatten wird wurde wurden beschäftigt beträgt betrug kostet kostete dauert dauerte liegt wiegt bietet umfasst zählt erreichte erzielte stieg sank führt fährt öffnet schließt"),
    (Part::Verb, "est sont était étaient ont avait avaient emploie coûte dure compte comprend pèse propose atteint mesure fut furent"),
    (Part::Verb, "es eran fue fueron ha han tenía tiene tienen emplea cuesta dura cuenta pesa ofrece mide alcanzó está están"),
    (Part::MaybeVerb, "costs offers supports ships uses covers ranks lies makes founded based opens closes starts ends runs works needs plans measures houses employs reports lists hosts plays leads owns manages processes handles stores charges attacks treats reduces increases causes affects blocks protects performs published released built designed written directed developed founded established located headquartered completed introduced discovered born married moved joined left studied served taught emigrated settled scored finished beat defeated signed appointed elected named added removed fixed patched deployed hired invested expects targets trades crosses spans flows grows lives eats flies swims reaches rises falls drops takes goes comes gives gets got set sets put"),
    (Part::And, "and but so while whereas und aber et mais y e pero"),
    (Part::Adverb, "also now currently today thus therefore still since typically auch heute aussi también"),
    (Part::Pronoun, "it they he she er sie il elle ils elles ella ellos"),
    (Part::Possessive, "its their his her"),
    (Part::Article, "the a an this that der die das ein eine le la les un une el los las una"),
    (Part::Relative, "which who qui que"),
    (Part::Participle, "founded based headquartered established located born built completed opened released launched written directed designed developed owned known published introduced created constructed inaugurated"),
    (Part::Aside, "which who whose where a an the making bringing giving leaving allowing reflecting marking putting ranking serving driven led up down according with due because thanks surprising beating helped followed each some just half roughly nearly almost after less more well wovon wobei womit welche welcher welches der die das qui que dont ce lo"),
    (Part::Narrowing, "in during for by among within across under at of from through im en"),
    (Part::Lead, "in on at by for during since as according under with overall however moreover additionally today meanwhile after before following currently nevertheless furthermore finally notably specifically generally nach seit bei selon en según depuis desde im am laut despite because from to of per among"),
    (Part::Says, "says said warns notes noted shows showed reports reported states stated puts explains explained confirms confirmed announced announces told wrote writes adds added concluded concludes found finds précisé indique annoncé déclaré asegura afirma informa señala"),
    (Part::Hedge, "if unless when whenever until till only except excluding without would could may might should provided assuming although though instead rather expected planned expects plans scheduled initially originally previously formerly initial neither nor either then again postponed moved delayed cancelled canceled rescheduled likely reportedly allegedly claimed claims hypothetical example whether or wenn falls sofern sobald plus incl nur außer ohne würde könnte sollte soll geplant zunächst ursprünglich oder si sauf seulement sans pourrait devrait prévu ou sólo solo salvo sin podría debería previsto o another respectively jeweils respectivement respectivamente"),
];

/// All that a word may do, a bit for each: every word of a sentence is asked several times.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts(u16);

impl Parts {
    pub(super) fn has(self, part: Part) -> bool {
        self.0 >> part as u16 & 1 == 1
    }
}

static KNOWN: LazyLock<HashMap<&'static str, Parts, RandomState>> = LazyLock::new(|| {
    let mut known: HashMap<&'static str, Parts, RandomState> = HashMap::default();
    for (part, words) in PARTS {
        for word in words.split(' ') {
            known.entry(word).or_default().0 |= 1 << *part as u16;
        }
    }
    known
});

/// What a word in small letters may do.
pub(super) fn parts(word: &str) -> Parts {
    KNOWN.get(word).copied().unwrap_or_default()
}
