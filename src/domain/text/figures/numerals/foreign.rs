//! Cardinals in German, French and Spanish letters, from two on: one is an article there.
//!
//! Words that alone are mostly something else, there or in English, aren't read alone: `elf`, `sept`, `neuf`, `seize`, `once`.

#[rustfmt::skip]
pub(super) const NUMBERS: &[(&str, u32)] = &[
    ("zwei", 2), ("drei", 3), ("vier", 4), ("fünf", 5), ("sechs", 6), ("sieben", 7), ("acht", 8), ("neun", 9), ("zehn", 10), ("zwölf", 12),
    ("dreizehn", 13), ("vierzehn", 14), ("fünfzehn", 15), ("sechzehn", 16), ("siebzehn", 17), ("achtzehn", 18), ("neunzehn", 19),
    ("zwanzig", 20), ("dreißig", 30), ("vierzig", 40), ("fünfzig", 50), ("sechzig", 60), ("siebzig", 70), ("achtzig", 80), ("neunzig", 90),
    ("deux", 2), ("trois", 3), ("quatre", 4), ("cinq", 5), ("huit", 8), ("dix", 10), ("onze", 11), ("douze", 12), ("treize", 13), ("quatorze", 14),
    ("quinze", 15), ("vingt", 20), ("trente", 30), ("quarante", 40), ("cinquante", 50), ("soixante", 60),
    ("dos", 2), ("tres", 3), ("cuatro", 4), ("cinco", 5), ("seis", 6), ("siete", 7), ("ocho", 8), ("nueve", 9), ("diez", 10), ("doce", 12), ("trece", 13),
    ("catorce", 14), ("quince", 15), ("veinte", 20), ("treinta", 30), ("cuarenta", 40), ("cincuenta", 50), ("sesenta", 60), ("setenta", 70),
    ("ochenta", 80), ("noventa", 90),
];
/// What else a number goes on with.
#[rustfmt::skip]
const PARTS: &[(&str, u32)] = &[
    ("un", 1), ("une", 1), ("uno", 1), ("una", 1), ("six", 6), ("sept", 7), ("neuf", 9), ("seize", 16), ("vingts", 20),
];
/// What joins the parts of a number.
const JOINTS: [&str; 4] = ["-et-", "-", " et ", " y "];

/// The number that a text begins with, and its bytes: `drei`, `vingt et un`, `quatre-vingt-dix-sept`, `treinta y cinco`. In
/// small letters: `DoS` and `Acht` are names.
pub(super) fn read(text: &str) -> Option<(u32, usize)> {
    let first = first_word(text);
    let (mut number, mut used) = (find(NUMBERS, first)?, first.len());
    while let Some((sum, bytes)) = goes_on(number, &text[used..]) {
        (number, used) = (sum, used + bytes);
    }
    Some((number, used))
}

fn goes_on(number: u32, rest: &str) -> Option<(u32, usize)> {
    let joint = JOINTS.iter().find(|joint| rest.starts_with(**joint))?;
    let next = first_word(&rest[joint.len()..]);
    let part = find(NUMBERS, next).or_else(|| find(PARTS, next))?;
    let is_tens = number >= 20 && number.is_multiple_of(10);
    let sum = match (number, part) {
        (4, 20) => 80,
        (10, 7..10) | (60 | 80, 10..20) => number + part,
        (_, 1..10) if is_tens => number + part,
        _ => return None,
    };
    Some((sum, joint.len() + next.len()))
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())]
}

fn find(words: &[(&str, u32)], word: &str) -> Option<u32> {
    words.iter().find(|(name, _)| *name == word).map(|(_, number)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_parts() {
        for (text, number) in [
            ("drei Knoten", 3),
            ("dix-huit mois", 18),
            ("vingt-cinq", 25),
            ("vingt et un ans", 21),
            ("soixante-dix-sept", 77),
            ("quatre-vingts", 80),
            ("quatre-vingt-dix-sept", 97),
            ("treinta y cinco nodos", 35),
            ("treinta y cuarenta", 30),
            ("deux-trois", 2),
            ("dos y tres", 2),
            ("zwei-", 2),
        ] {
            assert_eq!(read(text).map(|(number, _)| number), Some(number), "{text}");
        }
        assert_eq!(read("quatre-vingt-dix % des"), Some((90, 16)));
    }

    #[test]
    fn names_and_other_words_are_none() {
        for text in ["DoS attacks", "Acht", "dosis", "once", "elf", "un", "", "seises", "neuf"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
