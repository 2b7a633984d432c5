//! German verbs, which divide and change their vowels: `trat … ein`, `eingetreten`; `gewann`, `gewonnen`.

use super::Set;

/// What stands before a verb in its other forms and behind it in a main clause.
#[rustfmt::skip]
const PARTICLES: &[&str] = &[
    "ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "fort", "frei", "her", "hin", "los", "mit", "nach", "statt", "teil", "um", "vor", "weg", "weiter", "zu", "zurück", "zusammen",
];
/// Letters of a verb without what stands before it.
const VERB_MIN: usize = 4;
/// Consonants by which a verb is known whatever its vowels are.
const CONSONANTS_MIN: usize = 3;

/// A verb in lower case without its particle and what marks a participle or an infinitive: `lehnt` of `abgelehnt`.
pub(super) fn core(word: &str) -> Option<&str> {
    let rest = PARTICLES.iter().filter_map(|particle| word.strip_prefix(particle));
    let rest = rest.max_by_key(|rest| word.len() - rest.len()).filter(|rest| rest.len() >= VERB_MIN);
    let marked = |word: &'_ str| -> Option<usize> {
        let length = word.strip_prefix("ge").or_else(|| word.strip_prefix("zu"))?.len();
        (length >= VERB_MIN).then_some(length)
    };
    let of = rest.unwrap_or(word);
    let length = marked(of).or(rest.map(str::len))?;
    Some(&of[of.len() - length..])
}

/// A stem without what the past adds to it: `errichtete`, `errichten`.
pub(super) fn without_tense(mut stem: String) -> String {
    for ending in ["et", "t"] {
        let rest = stem.strip_suffix(ending).filter(|rest| rest.len() >= VERB_MIN);
        if let Some(length) = rest.map(str::len) {
            stem.truncate(length);
        }
    }
    stem
}

/// The consonants of a stem, each once where it stands twice.
pub(super) fn consonants(stem: &str) -> Option<String> {
    let mut found = String::new();
    for c in stem.chars().map(|c| if c == 'ß' { 's' } else { c }) {
        if !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'ä' | 'ö' | 'ü' | 'y') && !found.ends_with(c) {
            found.push(c);
        }
    }
    (found.chars().count() >= CONSONANTS_MIN).then_some(found)
}

/// The particles that stand behind a verb at the end of a clause, or in a participle.
pub(super) fn particles(text: &str) -> Set<&'static str> {
    let mut found = Set::default();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let ends = bare.len() < word.len() || matches!(words.peek(), None | Some(&("und" | "oder")));
        let divided = PARTICLES.iter().find(|particle| ends && **particle == bare);
        let begun = || PARTICLES.iter().find(|particle| begins(bare, particle, &["ge"]));
        found.extend(divided.or_else(begun).copied());
    }
    found
}

/// Whether a text has a verb, or a noun that is made of one, with a particle, divided or not.
pub(super) fn has_particle(text: &str, particle: &str) -> bool {
    let of_word = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        begins(&bare, particle, &[""])
    };
    particles(text).contains(particle) || text.split_whitespace().any(of_word)
}

fn begins(word: &str, particle: &str, before_verb: &[&str]) -> bool {
    let rest = word.strip_prefix(particle);
    let verb = rest.and_then(|rest| before_verb.iter().find_map(|marks| rest.strip_prefix(marks)));
    verb.is_some_and(|verb| verb.len() >= VERB_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_known_divided_or_not() {
        for (word, expected) in
            [("abgelehnt", Some("lehnt")), ("gegründet", Some("gründet")), ("einzutreten", Some("treten"))]
        {
            assert_eq!(core(word), expected, "{word}");
        }
        assert_eq!(consonants("gewann"), consonants("gewonn"));
        assert_ne!(consonants("gewann"), consonants("verlor"));
        let joined = particles("Anna trat in die Firma ein.");
        assert!(joined.contains("ein") && joined.len() == 1, "{joined:?}");
        assert!(particles("Sie ist ausgetreten").contains("aus"));
        assert!(has_particle("Ihr Eintritt war im März", "ein") && !has_particle("Sie trat ein", "aus"));
    }
}
