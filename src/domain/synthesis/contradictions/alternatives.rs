//! Words of which each names another thing: what is said of the old pump doesn't contradict what is said of the new one.

use std::sync::LazyLock;

use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::terms::{self, KnownTerms};

mod kinds;
mod taxes;

#[rustfmt::skip]
const GROUPS: &[&[&str]] = &[
    &["old", "new", "current", "previous", "former", "original", "existing", "future"],
    &["first", "second", "third", "fourth", "fifth", "last", "next"],
    &["northern", "southern", "eastern", "western", "north", "south", "east", "west", "central"],
    &["upper", "lower", "middle"], &["left", "right"], &["inner", "outer"], &["front", "rear"],
    &["male", "female"], &["men", "women", "children", "adults", "infants", "adultes", "enfants", "étudiants", "adultos", "niños", "estudiantes", "adulti", "bambini", "anziani", "studenti", "crianças", "idosos", "estudantes", "jubilados", "retraités", "взрослые", "взрослых", "взрослым", "дети", "детей", "детям", "пожилых"], &["boys", "girls"],
    &["day", "night"], &["morning", "afternoon", "evening"], 
    &["summer", "winter", "spring", "autumn", "sommer", "frühling", "herbst", "verano", "invierno", "primavera", "otoño", "été", "hiver", "printemps", "automne", "verão", "inverno", "outono"],
    &["full", "part"], &["treatment", "placebo", "control"], &["live", "test"],
    &["urban", "rural"], &["domestic", "foreign"],
    &["import", "export"], &["minimum", "maximum", "average", "median"], &["gross", "net", "brutto", "netto", "lordo", "bruto", "neto", "brut", "brute", "nette"], &["annual", "monthly", "weekly", "daily", "quarterly"],
    &["standard", "reduced", "regular", "normal", "basic", "premium", "réduit", "général", "reducido", "normale", "ermäßigte", "reguläre"],
    &["alte", "neue"], &["alten", "neuen"], &["ersten", "zweiten", "dritten", "vierten", "letzten"], &["erste", "zweite", "dritte", "vierte", "letzte"],
    &["werktags", "samstags", "sonntags", "feiertags", "wochenends", "montags", "dienstags", "mittwochs", "donnerstags", "freitags"],
    &["zug", "train", "tren", "treno", "bus", "autobús", "auto", "voiture", "coche", "flugzeug", "avion", "avión", "aereo", "fähre", "ferry", "fahrrad", "vélo", "bicicleta", "métro"],
    &["nördlich", "südlich", "östlich", "westlich"], &["männer", "frauen", "kinder", "erwachsene", "rentner"],
    &["premier", "première", "deuxième", "seconde", "troisième", "quatrième", "cinquième"], &["primer", "primera", "segundo", "segunda", "tercer", "tercera", "cuarto", "cuarta", "quinto"],
    &["maximale", "minimale", "moyenne", "durchschnittliche"], &["máxima", "mínima", "media"], &["máximo", "mínimo", "medio"],
    &["hommes", "femmes", "homme", "femme"], &["hombres", "mujeres", "hombre", "mujer"], &["garçons", "filles"],
    &["inkl", "inklusive", "einschließlich", "zzgl", "zuzüglich", "exkl", "exklusive"], &["ttc", "ht"],
    &["inclusa", "incluso", "inclusi", "esclusa", "escluso", "esclusi", "incluida", "incluido", "excluida", "excluido", "incluída", "incluído", "excluída", "excluído"],
    &["chiffre", "bénéfice", "bénéfices"], &["ingresos", "beneficio", "beneficios", "ganancia", "ganancias"], &["umsatz", "gewinn"], &["ventas", "producción"], &["ventes", "production"],
];
/// Characters of which each names another thing: the second half of a year isn't the first, and not all that is made is sold.
const CHARACTERS: &[&[char]] = &[
    &['男', '女'],
    &['左', '右'],
    &['春', '夏', '秋', '冬'],
    &['东', '西', '南', '北'],
    &['東', '西', '南', '北'],
    &['上', '下'],
    &['产', '销'],
    &['産', '販'],
];
/// Parts of texts in Chinese and Japanese of which each names another thing; a longer one stands before what it contains.
#[rustfmt::skip]
const PARTS: &[&[&str]] = &[
    &["成人", "大人", "儿童", "子供", "子ども", "小児", "高齢者", "老年人"],
    &["不含税", "含税", "税込", "税抜", "税別"],
    &["单程", "往返", "片道", "往復"],
];
/// What tells a product from the one of the same name, in texts whose characters hide it among few words.
const VARIANTS: [&str; 9] = ["pro", "max", "plus", "ultra", "mini", "air", "lite", "se", "turbo"];

/// Opposites that name two things beside each other: an order has a minimum and a maximum, a tax a reduced rate and another, some work
/// part-time, and what is done in test mode isn't said to be tested.
const SIDE_BY_SIDE: [&str; 4] = ["minimum", "maximum", "part", "test"];

/// The same of what a firm has beside its revenue, and of people.
const BESIDE_OTHERS: [&str; 7] =
    ["bénéfice", "bénéfices", "ganancia", "ganancias", "gewinn", "maximale", "minimale"];

static GROUP: LazyLock<KnownTerms<u8>> = LazyLock::new(|| {
    let groups = GROUPS.iter().zip(0_u8..);
    terms::table(groups.flat_map(|(group, at)| group.iter().map(move |word| (*word, at)))).into()
});

/// Whether one text has a word, and the other in its place another of which each names something else; or other letters
/// as names (`Hospital A`, `Hospital B`).
pub(super) fn are_others(one: &Features<'_>, other: &Features<'_>) -> bool {
    let groups = |of: &Features<'_>, without: &Features<'_>| -> Vec<u8> {
        let only = of.elements.iter().filter(|element| {
            // Polarity is compared as such.
            (!element.marked || is_side_by_side(of, element))
                && GROUP.may_hold(element.term)
                && without.terms.binary_search(&element.term).is_err()
        });
        only.filter_map(|element| GROUP.get(element.term).copied()).collect()
    };
    let mine = groups(one, other);
    let replaced = !mine.is_empty() && groups(other, one).iter().any(|group| mine.contains(group));
    let (mine, theirs) = (letters(one.text), letters(other.text));
    replaced
        || characters_differ(one, other)
        || kinds::differ(one.text, other.text)
        || has_characters(one) && has_characters(other) && parts_differ(one.text, other.text)
        || variants(one) != variants(other)
        || is_reduced(one) != is_reduced(other)
        || are_the_rest(one.text, other.text)
        || are_the_rest(other.text, one.text)
        || (!mine.is_empty() && !theirs.is_empty() && mine != theirs)
        || taxes::differ(one, other)
}

/// Whether one has such a character, and the other in its place another of its group.
fn characters_differ(one: &Features<'_>, other: &Features<'_>) -> bool {
    let character = |of: &Features<'_>, element: &Element| of.text[element.start..].chars().next();
    let groups = |of: &Features<'_>, without: &Features<'_>| -> Vec<usize> {
        let is_said = |element: &&Element| element.role == Role::Character && !element.marked;
        let found = of.elements.iter().filter(is_said).filter_map(|element| {
            let known = character(of, element)?;
            let group = CHARACTERS.iter().position(|group| group.contains(&known))?;
            let has = without.elements.iter().any(|theirs| theirs.term == element.term);
            (!has).then_some(group)
        });
        found.collect()
    };
    let mine = groups(one, other);
    !mine.is_empty() && groups(other, one).iter().any(|group| mine.contains(group))
}

/// Whether a text has Chinese or Japanese characters.
fn has_characters(of: &Features<'_>) -> bool {
    of.elements.iter().any(|element| element.role == Role::Character)
}

/// Whether one has such a part, and the other in its place another of its group.
fn parts_differ(one: &str, other: &str) -> bool {
    let named = |text: &str, group: &[&'static str]| group.iter().find(|part| text.contains(**part)).copied();
    PARTS.iter().any(|group| {
        let both = named(one, group).zip(named(other, group));
        both.is_some_and(|(mine, theirs)| {
            mine != theirs
                && !other.replace(theirs, "").contains(mine)
                && !one.replace(mine, "").contains(theirs)
        })
    })
}

/// The variants that a text in Chinese or Japanese names.
fn variants(of: &Features<'_>) -> Vec<String> {
    if !has_characters(of) {
        return Vec::new();
    }
    let words = of.elements.iter().filter(|element| element.role != Role::Character);
    let words = words.map(|element| of.text[element.range()].to_lowercase());
    distinct(words.filter(|word| VARIANTS.contains(&word.as_str())))
}

/// Whether the one is said of all but those that the other speaks of: `non-members`, `members`.
fn are_the_rest(one: &str, other: &str) -> bool {
    const BUT: [&str; 4] = ["non-", "Non-", "nicht-", "Nicht-"];
    if !one.is_ascii() && are_the_rest_in_characters(one, other) {
        return true;
    }
    if !one.contains('-') {
        return false;
    }
    let is_rest = |but: &str| {
        one.match_indices(but).any(|(at, _)| {
            let behind = &one[at + but.len()..];
            let end = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
            end > 2 && says_without(other, &behind[..end], but)
        })
    };
    BUT.iter().any(|but| is_rest(but))
}

/// The same in Chinese and Japanese: `非会員`, `会員`.
fn are_the_rest_in_characters(one: &str, other: &str) -> bool {
    const BUT: char = '非';
    one.match_indices(BUT).any(|(at, _)| {
        let behind = &one[at + BUT.len_utf8()..];
        // `非常` is another word.
        let word: String = behind.chars().take_while(|c| is_wide(*c)).take(2).collect();
        word.chars().count() == 2
            && !word.starts_with('常')
            && other.contains(&word)
            && !other.contains(&format!("{BUT}{word}"))
    })
}

/// Whether a text has a word, and nowhere with that before it.
fn says_without(text: &str, word: &str, before: &str) -> bool {
    let lower = text.to_lowercase();
    let (word, before) = (word.to_lowercase(), before.to_lowercase());
    let mut places = lower.match_indices(&word).peekable();
    places.peek().is_some()
        && places.all(|(at, _)| {
            let ahead = &lower[..at];
            !ahead.ends_with(&before) && !ahead.ends_with(char::is_alphanumeric)
        })
}

/// Of what is reduced there is what isn't.
fn is_reduced(of: &Features<'_>) -> bool {
    const REDUCED: [&str; 8] =
        ["ermäßigte", "ermäßigter", "ermäßigten", "réduit", "réduite", "reducido", "reducida", "ridotta"];
    let words = || of.elements.iter().map(|element| &of.text[element.range()]);
    // Most are out by their first letter.
    let may_be = |word: &&str| matches!(word.as_bytes()[0] | 0x20, b'e' | b'r');
    words().filter(may_be).any(|word| match word.is_ascii() {
        true => REDUCED.iter().any(|known| known.eq_ignore_ascii_case(word)),
        false => REDUCED.contains(&word.to_lowercase().as_str()),
    })
}

fn is_side_by_side(of: &Features<'_>, element: &Element) -> bool {
    let written = &of.text[element.range()];
    // Before what it tells apart: `the treatment reduced mortality` is no name.
    let names = written.eq_ignore_ascii_case("reduced") && {
        let next = of.text[element.end..].trim_start().to_ascii_lowercase();
        begins_with_any(&next, &["rate", "vat ", "tax", "price", "fee", "tariff"])
    };
    let is_one_of = |words: &[&str]| match written.is_ascii() {
        true => words.iter().any(|word| word.eq_ignore_ascii_case(written)),
        false => words.contains(&written.to_lowercase().as_str()),
    };
    names || is_one_of(&BESIDE_OTHERS) || is_one_of(&SIDE_BY_SIDE)
}

/// Single capital letters behind a word, which name it, and those that stand among Chinese or Japanese characters (`A公司`).
fn letters(text: &str) -> Vec<u8> {
    let mut letters = behind_words(text);
    if !text.is_ascii() {
        letters.extend(among_characters(text));
    }
    letters
}

fn among_characters(text: &str) -> impl Iterator<Item = u8> {
    let bytes = text.as_bytes();
    let is_alone = |at: &usize| {
        let near = [at.checked_sub(1).map(|before| bytes[before]), bytes.get(at + 1).copied()];
        bytes[*at].is_ascii_uppercase()
            && near.iter().flatten().all(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
            && near.iter().flatten().any(|byte| !byte.is_ascii())
            && text[*at + 1..].chars().next().is_some_and(is_wide)
    };
    (0..bytes.len()).filter(move |at| is_alone(at)).map(|at| bytes[at])
}

fn behind_words(text: &str) -> Vec<u8> {
    // Nearly no text has a capital with no letter on either side; all at once are asked faster than one after the other.
    let bytes = text.as_bytes();
    let [behind, next] = [1, 2].map(|from| bytes.get(from..).unwrap_or_default());
    let is_single = |((before, one), next): ((&u8, &u8), &u8)| {
        !before.is_ascii_alphabetic() & one.is_ascii_uppercase() & !next.is_ascii_alphabetic()
    };
    if !bytes.iter().zip(behind).zip(next).fold(false, |any, three| any | is_single(three))
        && !text.ends_with(|c: char| c.is_ascii_uppercase())
    {
        return Vec::new();
    }
    let mut before = "";
    let letters = text.split_whitespace().filter_map(|word| {
        let before = std::mem::replace(&mut before, word);
        // Nearly all words are longer.
        let letter = word.bytes().next().filter(|first| first.is_ascii_uppercase() && *first != b'I')?;
        let is_alone = word[1..].trim_start_matches([',', '.', ';', ':', ')']).is_empty();
        (is_alone && before.ends_with(|c: char| c.is_ascii_lowercase())).then_some(letter)
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_is_said_of_other_groups_or_with_other_taxes_contradicts_nothing() {
        for (one, other) in [
            ("Взрослым назначают 400 мг.", "Детям назначают 200 мг."),
            ("Der Preis inkl. MwSt. beträgt 119 €.", "Der Preis zzgl. MwSt. beträgt 100 €."),
            ("Il prezzo IVA inclusa è di 122 euro.", "Il prezzo IVA esclusa è di 100 euro."),
            ("El precio es de 121 € (IVA incluido).", "El precio es de 100 € (IVA excluido)."),
            ("Le prix est de 120 € TTC.", "Le prix est de 100 € HT."),
            ("価格は税込1,100円です。", "価格は税抜1,000円です。"),
            ("含税价格为113元。", "不含税价格为100元。"),
            ("成人票价为100元。", "儿童票价为50元。"),
            ("大人の料金は1,000円です。", "子供の料金は500円です。"),
            ("会員は無料です。", "非会員は無料です。"),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
        for (one, other) in [
            ("Der Preis inkl. MwSt. beträgt 119 €.", "Der Preis inkl. MwSt. beträgt 129 €."),
            ("含税价格为113元。", "含税价格为123元。"),
            ("成人票价为100元。", "成人票价为120元。"),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
        }
    }
}
