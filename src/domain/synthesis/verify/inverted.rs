//! A comparison told from the other side: `the old pump is louder than the new one` for `the new pump is quieter than the old one`, `fewer men
//! than women` for `more women than men`.

use std::ops::Range;

use super::scope::tokens;

/// Words that compare from opposite sides, by language.
#[rustfmt::skip]
const OPPOSITES: &[(&str, &[(&str, &str)])] = &[
    ("English", &[
        ("louder", "quieter"), ("larger", "smaller"), ("bigger", "smaller"), ("heavier", "lighter"), ("longer", "shorter"), ("taller", "shorter"), ("higher", "lower"), ("faster", "slower"), ("quicker", "slower"), ("older", "younger"), ("older", "newer"), ("better", "worse"), ("earlier", "later"), ("stronger", "weaker"),
        ("warmer", "colder"), ("warmer", "cooler"), ("hotter", "colder"), ("richer", "poorer"), ("wider", "narrower"), ("thicker", "thinner"), ("easier", "harder"), ("closer", "farther"), ("deeper", "shallower"), ("brighter", "darker"), ("wetter", "drier"), ("greater", "smaller"), ("more", "fewer"), ("more", "less"),
    ]),
    ("German", &[
        ("schneller", "langsamer"), ("größer", "kleiner"), ("teurer", "billiger"), ("teurer", "günstiger"), ("länger", "kürzer"), ("höher", "niedriger"), ("höher", "tiefer"), ("älter", "jünger"), ("älter", "neuer"), ("schwerer", "leichter"), ("mehr", "weniger"), ("stärker", "schwächer"), ("besser", "schlechter"), ("lauter", "leiser"),
        ("breiter", "schmaler"), ("wärmer", "kälter"), ("früher", "später"), ("dicker", "dünner"), ("reicher", "ärmer"), ("heller", "dunkler"),
    ]),
    ("French", &[("plus", "moins"), ("meilleur", "pire")]),
    ("Spanish", &[("más", "menos"), ("mayor", "menor"), ("mejor", "peor")]),
    ("Italian", &[("più", "meno"), ("maggiore", "minore"), ("migliore", "peggiore")]),
    ("Portuguese", &[("mais", "menos"), ("maior", "menor"), ("melhor", "pior")]),
    ("Dutch", &[("sneller", "langzamer"), ("groter", "kleiner"), ("duurder", "goedkoper"), ("langer", "korter"), ("hoger", "lager"), ("ouder", "jonger"), ("zwaarder", "lichter"), ("meer", "minder")]),
];
/// Words of one side, each with that of the other.
type Opposites = &'static [(&'static str, &'static str)];

/// Adjectives of opposite sides in languages that compare by a word before them; by their beginnings.
#[rustfmt::skip]
const ADJECTIVES: &[(&str, &str, Opposites)] = &[
    ("French", "plus", &[("rapide", "lent"), ("grand", "petit"), ("cher", "abordable"), ("lourd", "léger"), ("long", "court"), ("haut", "bas"), ("vieux", "jeune"), ("fort", "faible"), ("chaud", "froid"), ("large", "étroit"), ("facile", "difficile")]),
    ("Spanish", "más", &[("rápid", "lent"), ("grand", "pequeñ"), ("car", "barat"), ("pesad", "liger"), ("larg", "cort"), ("alt", "baj"), ("viej", "joven"), ("fuert", "débil"), ("anch", "estrech"), ("fácil", "difícil")]),
    ("Italian", "più", &[("veloc", "lent"), ("grand", "piccol"), ("car", "economic"), ("pesant", "legger"), ("lung", "cort"), ("alt", "bass"), ("vecchi", "giovan"), ("fort", "debol"), ("larg", "strett"), ("facil", "difficil")]),
];
/// What stands before whom something is compared with.
const THAN: &[(&str, &[&str])] = &[
    ("English", &["than"]),
    ("German", &["als"]),
    ("French", &["que"]),
    ("Spanish", &["que"]),
    ("Italian", &["di", "del", "della", "dell"]),
    ("Portuguese", &["que"]),
    ("Dutch", &["dan"]),
];
/// Words between a word that compares and that.
const BETWEEN_MAX: usize = 2;

/// A comparison of a claim as a text that compares from the other side would have it; nothing where none does.
pub(super) fn inverted(claim: &str, said: &str, language: &str) -> Option<String> {
    let than = THAN.iter().find(|(of, _)| *of == language)?.1;
    let words: Vec<(Range<usize>, String)> = tokens(claim).collect();
    let at = words.iter().position(|(_, word)| than.contains(&word.as_str())).filter(|at| *at > 0)?;
    let theirs: Vec<String> = tokens(said).map(|(_, word)| word).collect();
    if !theirs.iter().any(|word| than.contains(&word.as_str())) {
        return None;
    }
    let (by, other) = compared(&words, at, &theirs, language)?;
    let end = claim.trim_end_matches(['.', '!', ' ']).len();
    // `Fewer men than women applied.`
    if by == 0 {
        // `More than 120 people died` compares nobody.
        if at < 2 {
            return None;
        }
        let (one, two) = (words.get(1)?, words.get(at + 1)?);
        let (first, second) = (&claim[one.0.start..words[at - 1].0.end], &claim[two.0.clone()]);
        let rest = &claim[two.0.end..];
        let compares = format!("{other} {second} {} {first}", words[at].1);
        let says = said.to_lowercase().contains(&compares.to_lowercase());
        return says.then(|| format!("{} {second} {} {first}{rest}", capital(&other), words[at].1));
    }
    // `más` stays where it is.
    let is_led = ADJECTIVES.iter().any(|(of, more, _)| *of == language && by > 1 && words[by - 1].1 == *more);
    let verb = &words[by.checked_sub(1 + usize::from(is_led))?];
    let other = if is_led { format!("{} {other}", words[by - 1].1) } else { other };
    let (subject, rival) = (claim[..verb.0.start].trim_end(), claim.get(words.get(at + 1)?.0.start..end)?);
    let rival = rival.trim_end();
    let between = claim[words[by].0.end..words[at].0.start].trim();
    let between = if between.is_empty() { String::new() } else { format!("{between} ") };
    // Those who stand before it there must stand behind it here, and the other way round.
    let middle = theirs.iter().position(|word| than.contains(&word.as_str()))?;
    let (before, behind) = theirs.split_at(middle);
    let crosses = |text: &str, there: &[String], here: &[String]| {
        let mut words = tokens(text).map(|(_, word)| word).filter(|word| word.len() > 2);
        words.any(|word| there.contains(&word) && !here.contains(&word))
    };
    if !crosses(subject, behind, before) || !crosses(rival, before, behind) {
        return None;
    }
    let than = &words[at].1;
    Some(format!(
        "{} {} {other} {between}{than} {}.",
        capital(rival),
        &claim[verb.0.clone()],
        lowered(subject)
    ))
}

/// Where a claim compares, and the word of the other side that a text has.
fn compared(
    words: &[(Range<usize>, String)],
    at: usize,
    theirs: &[String],
    language: &str,
) -> Option<(usize, String)> {
    let pairs = OPPOSITES.iter().find(|(of, _)| *of == language)?.1;
    let from = at.saturating_sub(BETWEEN_MAX + 1);
    let places = (if words[0].1.ends_with("er") || words[0].1 == "more" { 0 } else { from })..at;
    for by in places {
        let word = words[by].1.as_str();
        let has = |other: &str| theirs.iter().any(|word| word == other);
        let both = pairs.iter().flat_map(|(one, two)| [(*one, *two), (*two, *one)]);
        let mut opposite = both
            .filter(|(own, other)| *own == word && has(other) && !has(own))
            .map(|(_, other)| other.to_owned());
        if let Some(other) = opposite.next() {
            return Some((by, other));
        }
        // `más lento`, of `más rápido`.
        let Some((_, more, adjectives)) = ADJECTIVES.iter().find(|(of, ..)| *of == language) else {
            continue;
        };
        if word != *more {
            continue;
        }
        let adjective = words.get(by + 1)?.1.as_str();
        let both = adjectives.iter().flat_map(|(one, two)| [(*one, *two), (*two, *one)]);
        let mut stems = both.filter(|(own, _)| adjective.starts_with(own)).map(|(_, other)| other);
        let other = stems.find_map(|stem| theirs.iter().find(|word| word.starts_with(stem)));
        if let Some(other) = other {
            return Some((by + 1, other.clone()));
        }
    }
    None
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A text that began a sentence, within one: its article is a small one.
fn lowered(text: &str) -> String {
    const ARTICLES: &[&str] = &[
        "The", "A", "An", "Der", "Die", "Das", "Le", "La", "Les", "El", "Los", "Las", "Il", "Lo", "I", "O",
        "De", "Het",
    ];
    let first = text.split(' ').next().unwrap_or_default();
    if ARTICLES.contains(&first) {
        format!("{}{}", first.to_lowercase(), &text[first.len()..])
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparison_is_told_from_the_other_side() {
        for (language, claim, said, expected) in [
            (
                "English",
                "The old pump is louder than the new pump.",
                "The new pump is quieter than the old pump.",
                Some("The new pump is quieter than the old pump."),
            ),
            (
                "English",
                "Fewer men than women applied.",
                "More women than men applied.",
                Some("More women than men applied."),
            ),
            (
                "French",
                "Le train est plus cher que le bus.",
                "Le bus est moins cher que le train.",
                Some("Le bus est moins cher que le train."),
            ),
            (
                "Spanish",
                "El autobús es más lento que el tren.",
                "El tren es más rápido que el autobús.",
                Some("El tren es más rápido que el autobús."),
            ),
            (
                "German",
                "Der Bus ist langsamer als der Zug.",
                "Der Zug ist schneller als der Bus.",
                Some("Der Zug ist schneller als der Bus."),
            ),
            ("English", "The old pump is louder than the new one.", "The old pump is louder.", None),
            ("English", "More than 120 people died.", "Less than 120 people died.", None),
            ("English", "Higher than expected.", "Lower than expected.", None),
        ] {
            assert_eq!(inverted(claim, said, language).as_deref(), expected, "{claim}");
        }
    }
}
