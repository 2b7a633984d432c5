//! The small words by which it is told what stands around a verb, in the languages in which the order of words tells who does what.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use crate::domain::synthesis::verify::meaning::Tongue;
use crate::domain::text::phrases::begins_with_any;

/// What a word is to those around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// It leads to what it belongs to.
    Article,
    /// It stands with a verb in the active voice, and changes nothing of who does it.
    Passes,
    /// It joins clauses, or tells what the same does as well.
    Joins,
    /// It begins a clause that says more of another one, or of a word.
    Begins,
    /// Another small word: most lead to when, where, with what; some say that it is done to what stands before.
    Small,
    /// It says something.
    Word,
}

/// Of one language, by [`Tongue::name`], words divided by blanks.
struct Listed {
    name: &'static str,
    articles: &'static str,
    passes: &'static str,
    joins: &'static str,
    begins: &'static str,
    /// Small words that claims are compared by elsewhere.
    small: &'static str,
    /// Verbs of what two do together, by their beginnings.
    mutual: &'static str,
    /// What may stand before whom something is done to.
    object: &'static str,
    /// Whether to whom it is done may stand first; how then the perfect is made.
    free: Option<&'static str>,
}

#[rustfmt::skip]
const LISTED: &[Listed] = &[
    Listed {
        name: "English",
        articles: "the a an its their his her our your my these those this all both every each some many most several no any",
        passes: "has have had will would can could may might must should shall did does do not never also already still now often usually always regularly don't doesn't didn't won't can't cannot",
        joins: "and or but",
        begins: "while whereas although though because since if when that as who whom whose which what how",
        small: "over across above below beside except near against inside outside onto upon",
        mutual: "meet met marr border resembl equal match join fac connect touch cross neighbo fought fight differ share follow precede merge",
        object: "", free: None,
    },
    Listed {
        name: "German",
        articles: "der die das den dem des ein eine einen einem einer eines ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner diese dieser dieses diesen alle viele mehrere einige kein keine keinen",
        passes: "hat haben hatte hatten kann können konnte konnten will wollen wollte wollten soll sollen sollte sollten muss müssen musste mussten darf dürfen wird werden nicht auch noch schon bereits oft immer nie",
        joins: "und oder aber sondern",
        begins: "während obwohl weil wenn dass als welche welcher deren dessen wie",
        small: "",
        mutual: "treff traf heirat ehelich gleich ähnel grenz berühr kreuz verb folg",
        object: "", free: Some("hat haben hatte hatten"),
    },
    Listed {
        name: "French",
        articles: "le la les l un une des du ses son sa leur leurs ces cet cette ce nos notre tous toutes plusieurs certains certaines",
        passes: "a ont avait avaient aura auront peut peuvent doit doivent veut veulent va vont ne pas jamais aussi déjà encore souvent toujours",
        joins: "et ou mais",
        begins: "tandis lorsque quand si car que qu qui dont où comme",
        small: "",
        mutual: "rencontr épous ressembl égal rejoi crois touch suit suiv précèd",
        object: "", free: None,
    },
    Listed {
        name: "Spanish",
        articles: "el la los las un una unos unas su sus este esta estos estas ese esa todos todas varios varias algunos algunas",
        passes: "ha han había habían habrá habrán puede pueden debe deben quiere quieren va van no nunca también ya todavía siempre",
        joins: "y e o u pero",
        begins: "mientras cuando si porque que quien quienes cuyo cuya donde como",
        small: "",
        mutual: "conoc encuentr encontr parec iguala limita tocan cruza sigue",
        object: "a al", free: None,
    },
    Listed {
        name: "Italian",
        articles: "il lo la i gli le l un uno una suo sua suoi sue loro questo questa questi queste tutti tutte alcuni alcune",
        passes: "ha hanno aveva avevano avrà avranno può possono deve devono vuole vogliono non mai anche già ancora sempre",
        joins: "e ed o ma",
        begins: "mentre quando se perché che cui dove come",
        small: "",
        mutual: "incontr spos somigl ugual confin tocc incroc segu preced",
        object: "", free: None,
    },
    Listed {
        name: "Portuguese",
        articles: "o a os as um uma uns umas seu sua seus suas este esta estes estas todos todas vários várias alguns algumas",
        passes: "tem têm tinha tinham pode podem deve devem quer querem vai vão não nunca também já ainda sempre",
        joins: "e ou mas",
        begins: "enquanto quando se porque que quem cujo cuja onde como",
        small: "",
        mutual: "encontr conhec cas parec igual limita toca cruza segue preced",
        object: "ao aos", free: None,
    },
    Listed {
        name: "Dutch",
        articles: "de het een zijn haar hun deze dit die alle veel enkele geen",
        passes: "heeft hebben had hadden kan kunnen wil willen zal zullen moet moeten mag niet ook nog al vaak altijd nooit",
        joins: "en of maar",
        begins: "terwijl hoewel omdat als wanneer dat wie wiens",
        small: "",
        mutual: "ontmoet trouw lijk grens raakt kruis volg",
        object: "", free: Some("heeft hebben had hadden"),
    },
];

type Classes = HashMap<&'static str, Class, RandomState>;

static CLASSES: LazyLock<Vec<Classes>> = LazyLock::new(|| {
    let of = |listed: &Listed| {
        let all = [
            (listed.small, Class::Small),
            (listed.begins, Class::Begins),
            (listed.joins, Class::Joins),
            (listed.passes, Class::Passes),
            (listed.articles, Class::Article),
        ];
        let words =
            all.into_iter().flat_map(|(words, class)| words.split(' ').map(move |word| (word, class)));
        words.collect()
    };
    LISTED.iter().map(of).collect()
});

/// What is known of a language.
pub(super) struct Grammar {
    listed: &'static Listed,
    classes: &'static Classes,
    tongue: Tongue,
    /// Whether to whom something is done may stand first.
    pub is_free: bool,
}

impl Grammar {
    /// That of a language, where it is one of those.
    pub fn of(name: &str) -> Option<Self> {
        let at = LISTED.iter().position(|listed| listed.name == name)?;
        let listed = &LISTED[at];
        let tongue = Tongue::named(name)?;
        Some(Self { listed, classes: &CLASSES[at], tongue, is_free: listed.free.is_some() })
    }

    /// A word in small letters as it is compared, and what it is; `is_led` where an article stands before it.
    pub fn read(&self, word: &str, is_led: bool) -> (String, Class) {
        if let Some(class) = self.classes.get(word) {
            return (word.to_owned(), *class);
        }
        let bare = self.tongue.bare(word);
        // `l'adulte` has its article, `d'avance` what leads to it.
        let is_elided = bare.len() < word.len() && !self.tongue.is_english();
        let leads = begins_with_any(word, &["l'", "l’", "un'", "un’"]);
        let class = match () {
            () if is_elided && !leads => Class::Small,
            () if is_elided || is_led => Class::Word,
            () if self.tongue.is_light(bare) => Class::Small,
            () => Class::Word,
        };
        (bare.to_owned(), class)
    }

    /// Whether a word may stand before whom something is done to.
    pub fn marks_object(&self, word: &str) -> bool {
        self.listed.object.split(' ').any(|marker| marker == word)
    }

    /// Whether a verb says what two do together, so that either may be told first.
    pub fn is_mutual(&self, verb: &str) -> bool {
        self.listed.mutual.split(' ').any(|beginning| verb.starts_with(beginning))
    }

    /// Whether the perfect is made with a word.
    pub fn is_perfect(&self, word: &str) -> bool {
        self.listed.free.is_some_and(|words| words.split(' ').any(|other| other == word))
    }
}
