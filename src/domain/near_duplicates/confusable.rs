//! Words that one letter tells apart and that are no typing errors of each other: `nitrate` and `nitrite`, `casual` and `causal`.

/// Endings that name other substances (IUPAC), or who does and to whom it is done.
const ENDINGS: &[&[&str]] =
    &[&["ate", "ite", "ide"], &["ane", "ene", "yne"], &["anol", "anal"], &["er", "ee"], &["or", "ee"]];

#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("access", "excess"), ("adapt", "adopt"), ("addiction", "addition"), ("adverse", "averse"), ("affect", "effect"), ("allusion", "illusion"),
    ("angel", "angle"), ("assure", "ensure"), ("calvary", "cavalry"), ("casual", "causal"), ("casualty", "causality"), ("cease", "seize"), ("cite", "site"), ("collision", "collusion"),
    ("complement", "compliment"), ("confirm", "conform"), ("conservation", "conversation"), ("contact", "contract"),
    ("cooperation", "corporation"), ("country", "county"), ("decent", "descent"), ("defuse", "diffuse"), ("desert", "dessert"), ("device", "devise"),
    ("diary", "dairy"), ("efferent", "afferent"), ("emigrate", "immigrate"), ("eminent", "imminent"), ("exercise", "exorcise"), ("exist", "exit"), ("expand", "expend"), ("extant", "extent"), ("formally", "formerly"),
    ("human", "humane"), ("illicit", "elicit"), ("ingenious", "ingenuous"), ("insulin", "inulin"), ("later", "latter"), ("loose", "lose"),
    ("marital", "martial"), ("median", "medium"), ("moral", "morale"), ("morality", "mortality"), ("naval", "navel"), ("patent", "patient"), ("perspective", "prospective"), ("personal", "personnel"), ("precede", "proceed"),
    ("prescribe", "proscribe"), ("principal", "principle"), ("prostate", "prostrate"), ("quiet", "quite"), ("raise", "rise"), ("reality", "realty"), ("recent", "resent"), ("respectively", "respectfully"),
    ("stationary", "stationery"), ("statue", "statute"), ("stature", "statute"), ("statue", "status"), ("suit", "suite"), ("thorough", "through"), ("trail", "trial"), ("trails", "trials"),
    ("united", "untied"), ("unites", "unties"), ("weather", "whether"),
];

/// Whether two words, in lower case, are two words.
pub(super) fn confusable(one: &str, other: &str) -> bool {
    let stem = |word: &'_ str| -> String {
        let word =
            word.strip_suffix('s').filter(|rest| rest.len() > 3 && !rest.ends_with('s')).unwrap_or(word);
        word.to_owned()
    };
    let (one, other) = (stem(one), stem(other));
    let listed = |a: &str, b: &str| PAIRS.iter().any(|(first, second)| *first == a && *second == b);
    let with_ending = |endings: &&&[&str]| {
        let of = |word: &str| {
            let ending = endings.iter().find(|ending| word.ends_with(*ending))?;
            Some((word.len() - ending.len(), *ending))
        };
        matches!((of(&one), of(&other)), (Some((a, mine)), Some((b, theirs)))
            if mine != theirs && a >= 3 && one.get(..a) == other.get(..b))
    };
    listed(&one, &other) || listed(&other, &one) || ENDINGS.iter().any(|endings| with_ending(&endings))
}
