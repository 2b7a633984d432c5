//! Statements of which one is of a part, a kind or a condition that the other doesn't name: `The room costs €120 per night` and `The
//! room costs €150 per night with breakfast`, `The fee is €10` and `The reduced fee is €6`.

use std::sync::LazyLock;

use crate::domain::near_duplicates::Features;
use crate::domain::text::language::told;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Word};

/// What says which of several it is, before what it is of.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "reduced", "average", "upload", "download", "larger", "smaller", "largest", "smallest", "single", "multi", "discounted", "ermäßigt", "online", "offline", "peak", "idle", "student", "concession", "division", "subsidiary", "segment", "branch", "annex", "wing", "affiliate", "originally", "initially", "previously", "formerly", "roundtrip", "return",
];
/// What says in other languages that it is the average, a bound, what the law or a seller recommends, what it was, or a reduced one, and what it is
/// without. Written out, as they are inflected.
#[rustfmt::skip]
pub(super) const ABROAD: &[&str] = &[
    "durchschnittlich", "durchschnittliche", "durchschnittlicher", "durchschnittlichen", "durchschnittliches", "mittlere", "mittlerer", "mittleren", "empfohlen", "empfohlene", "empfohlener", "empfohlenen", "gesetzlich", "gesetzliche", "gesetzlicher", "gesetzlichen",
    "maximal", "maximale", "maximaler", "maximalen", "minimal", "minimale", "minimaler", "minimalen", "üblich", "übliche", "üblicher", "üblichen", "früher", "frühere", "früherer", "früheren", "ehemalige", "ehemaliger", "bisherige", "bisheriger", "vorherige", "ursprüngliche", "ursprünglicher", "ermäßigt", "ermäßigte", "ermäßigter", "geschätzte", "geplante", "ohne",
    "moyen", "moyenne", "moyens", "moyennes", "légal", "légale", "légaux", "légales", "recommandé", "recommandée", "conseillé", "conseillée", "ancien", "ancienne", "maximal", "maximum", "minimal", "minimum", "habituel", "habituelle", "précédent", "précédente", "initial", "initiale", "réduit", "réduite", "estimé", "estimée", "prévu", "prévue", "sans",
    "medio", "media", "promedio", "recomendado", "recomendada", "sugerido", "sugerida", "legal", "máximo", "máxima", "mínimo", "mínima", "anterior", "antiguo", "antigua", "habitual", "inicial", "reducido", "reducida", "estimado", "estimada", "previsto", "prevista", "sin",
    "médio", "média", "antigo", "antiga", "reduzido", "reduzida", "consigliato", "consigliata", "raccomandato", "raccomandata", "legale", "massimo", "massima", "minimo", "minima", "precedente", "vecchio", "vecchia", "abituale", "iniziale", "ridotto", "ridotta", "ridotti", "ridotte", "scontato", "scontata", "stimato", "stimata", "senza", "sem",
    "gemiddeld", "gemiddelde", "wettelijk", "wettelijke", "aanbevolen", "vorige", "voormalige", "vroegere", "oorspronkelijke", "gebruikelijke", "gereduceerd", "gereduceerde", "geschatte", "zonder",
];
/// The same in Chinese and Japanese.
#[rustfmt::skip]
const WIDE: [&str; 18] = [
    "平均", "最大", "最小", "最高", "最低", "推奨", "法定", "推荐", "建议", "通常", "以前", "希望小売", "旧価格", "旧价", "旧料金", "旧モデル", "旧型", "旧版",
];
/// What leads in a part or a condition.
#[rustfmt::skip]
const LEADING: &[&str] = &["with", "without", "if", "unless", "during", "mit", "avec", "con", "com", "met"];
/// The same, behind an amount.
const BEHIND: &[&str] = &["for", "in", "on", "für", "im", "pour", "en", "para", "voor"];

static KIND: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(KINDS.iter().chain(ABROAD).map(|word| (*word, ()))).into());
static LEADS: LazyLock<KnownTerms<bool>> = LazyLock::new(|| {
    let [leads, behind] = [LEADING, BEHIND].map(|words| words.iter().copied());
    terms::table(leads.map(|word| (word, false)).chain(behind.map(|word| (word, true)))).into()
});

/// Whether one names a kind, a part or a condition that the other doesn't.
pub(super) fn are_narrowed(one: &Features<'_>, other: &Features<'_>) -> bool {
    is_narrower(one, other) || is_narrower(other, one) || differ_in_characters(one.text, other.text)
}

/// Whether one says of a place, or of a time, what the other says of all: `ist in Österreich nicht rezeptfrei`. In English what stands there is
/// known by its place.
pub(super) fn is_placed(one: &Features<'_>, other: &Features<'_>) -> bool {
    told(one.text) != "English" && (names_place(one, other) || names_place(other, one))
}

fn names_place(of: &Features<'_>, than: &Features<'_>) -> bool {
    #[rustfmt::skip]
    const AT: [&str; 18] = [
        "in", "im", "am", "auf", "bei", "en", "dans", "chez", "nel", "nella", "nei", "nelle", "em", "no", "na", "op", "bij", "ai",
    ];
    const YEARS: [&str; 8] = ["jahr", "jahre", "quartal", "année", "año", "anno", "ano", "jaar"];
    let lower = |word: &Word| of.text[word.range()].to_lowercase();
    let lacks = |word: &Word| than.words.iter().all(|their| their.term != word.term);
    of.words.windows(2).any(|pair| {
        let [lead, what] = pair else { return false };
        AT.contains(&lower(lead).as_str())
            && lacks(lead)
            && what.kind == Kind::Content
            && lacks(what)
            && !YEARS.contains(&lower(what).as_str())
    })
}

/// Whether one names such a kind in Chinese or Japanese, and the other doesn't.
fn differ_in_characters(one: &str, other: &str) -> bool {
    !(one.is_ascii() || other.is_ascii())
        && WIDE.iter().any(|kind| one.contains(kind) != other.contains(kind))
}

/// Whether a text has another form of a word of [`KIND`]: `durchschnittliche`, `durchschnittlichen`.
fn has_form(of: &Features<'_>, written: &str) -> bool {
    const SAME: usize = 5;
    let begin = |word: &str| word.chars().take(SAME).flat_map(char::to_lowercase).collect::<String>();
    let known = of.words.iter().filter(|word| KIND.get(word.term).is_some());
    known.map(|word| begin(&of.text[word.range()])).any(|known| known == begin(written))
}

fn is_narrower(of: &Features<'_>, than: &Features<'_>) -> bool {
    let lacks = |word: &Word| than.words.iter().all(|their| their.term != word.term);
    let amount = of.figures.last().map_or(usize::MAX, |figure| figure.end);
    let mut is_inside = false;
    let mut end = 0;
    for word in &of.words {
        let gap = of.text.get(end..word.start).unwrap_or_default();
        end = word.end;
        if KIND.get(word.term).is_some() && lacks(word) && !has_form(than, &of.text[word.range()]) {
            return true;
        }
        if let Some(is_behind) = LEADS.get(word.term).copied() {
            is_inside = (!is_behind || word.start >= amount) && lacks(word);
            continue;
        }
        is_inside &= !gap.contains([',', ';', '.', ':', '(', ')']);
        if is_inside && word.is_content() && lacks(word) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::tests::kinds_between as kinds;

    #[test]
    fn a_kind_a_part_or_a_condition_has_its_own_amount() {
        for (one, other) in [
            ("The fee is €10.", "The reduced fee is €6."),
            ("The VAT rate is 19%.", "The reduced VAT rate is 7%."),
            ("The speed is 50 Mbit/s.", "The upload speed is 10 Mbit/s."),
            (
                "The phone scores 1,200 in Geekbench single-core.",
                "The phone scores 4,100 in Geekbench multi-core.",
            ),
            ("The event takes place on 5 May.", "The event takes place on 6 May if it rains."),
            ("The price is €10.", "Online the price is €8."),
            ("The hotel costs €120 per night.", "The hotel costs €150 per night with breakfast."),
            ("The hotel costs €120 per night.", "The hotel costs €150 per night in summer."),
            ("The ticket costs $50 per person.", "The ticket costs $40 per person for groups."),
            ("Das Zimmer kostet 120 € pro Nacht.", "Das Zimmer kostet 150 € pro Nacht mit Frühstück."),
            ("The API limit is 100 requests per minute.", "The API limit is 5,000 requests per hour."),
            ("The machine makes 20 parts per minute.", "The machine makes 1,000 parts per hour."),
            ("The model has 7 billion parameters.", "The larger model has 13 billion parameters."),
            ("De prijs is € 142 per maand.", "De gemiddelde prijs in de markt is € 155 per maand."),
            (
                "Der Preis beträgt 142 € pro Monat.",
                "Der durchschnittliche Preis am Markt beträgt 155 € pro Monat.",
            ),
            ("Le prix est de 142 € par mois.", "Le prix moyen du marché est de 155 € par mois."),
            ("El precio es de 142 € al mes.", "El precio medio del mercado es de 155 € al mes."),
            ("O aluguel é de R$ 900.", "O aluguel médio da cidade é de R$ 1.100."),
            ("価格は499円です。", "平均価格は599円です。"),
            ("価格は499円です。", "旧価格は599円です。"),
            ("Der Preis beträgt 499 €.", "Der empfohlene Preis beträgt 599 €."),
            ("El precio es de 499 €.", "El precio recomendado es de 599 €."),
            ("Die Kündigungsfrist beträgt 3 Monate.", "Die gesetzliche Kündigungsfrist beträgt 4 Wochen."),
            ("Le délai est de 30 jours.", "Le délai légal est de 14 jours."),
            ("El plazo es de 30 días.", "El plazo legal es de 14 días."),
            ("Die Wartezeit beträgt 3 Wochen.", "Die maximale Wartezeit beträgt 8 Wochen."),
            ("Der Preis beträgt 499 € ohne Montage.", "Der Preis beträgt 649 € mit Montage."),
            ("Il biglietto costa 12 €.", "Il biglietto ridotto costa 8 €."),
            ("Het kaartje kost € 12.", "Het kaartje kost € 8 voor kinderen."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
            assert_eq!(kinds(other, one), [], "{other} / {one}");
        }
    }

    #[test]
    fn what_is_so_at_a_place_alone_denies_nothing() {
        for (one, other) in [
            ("Das Medikament ist rezeptfrei.", "Das Medikament ist in Österreich nicht rezeptfrei."),
            ("Il wifi è gratuito.", "Il wifi non è gratuito in camera."),
            ("Der Aufzug ist in Betrieb.", "Der Aufzug ist am Wochenende nicht in Betrieb."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
            assert_eq!(kinds(other, one), [], "{other} / {one}");
        }
        for (one, other) in [
            ("Das Medikament ist rezeptfrei.", "Das Medikament ist nicht rezeptfrei."),
            (
                "Das Medikament ist in Österreich rezeptfrei.",
                "Das Medikament ist in Österreich nicht rezeptfrei.",
            ),
            ("Il wifi in camera è gratuito.", "Il wifi non è gratuito in camera."),
        ] {
            assert_eq!(kinds(one, other).len(), 1, "{one} / {other}");
        }
    }

    #[test]
    fn what_both_name_narrows_neither() {
        for (one, other) in [
            (
                "The hotel costs €120 per night with breakfast.",
                "The hotel costs €150 per night with breakfast.",
            ),
            ("The reduced fee of the museum is €10.", "The reduced fee of the museum is €6."),
            ("The event takes place on 5 May in Lyon.", "The event takes place on 6 May in Lyon."),
            ("Der durchschnittliche Preis beträgt 142 €.", "Der durchschnittliche Preis beträgt 155 €."),
            ("Le prix moyen est de 142 €.", "Le prix moyen est de 155 €."),
            ("平均価格は499円です。", "平均価格は599円です。"),
        ] {
            assert_eq!(kinds(one, other).len(), 1, "{one} / {other}");
            assert_eq!(kinds(other, one).len(), 1, "{other} / {one}");
        }
    }
}
