//! Negations and opposite sides are found, at characters of the text.

use proptest::prelude::*;

use super::*;
use crate::domain::text::words::Lexicon;

fn marks(text: &str) -> Vec<Mark> {
    polarity(text, &Lexicon::default().words(text)).into_iter().map(|marked| marked.mark).collect()
}

#[test]
fn negations_are_found() {
    for text in [
        "it is not so",
        "It isn’t",
        "NOT",
        "never again",
        "it fails to",
        "without it",
        "并不是",
        "没有效果",
        "未能实现",
        "cannot",
    ] {
        assert_eq!(marks(text).iter().filter(|mark| mark.is_negation()).count(), 1, "{text}");
    }
    for text in [
        "not only this",
        "No. 5",
        "不同的方法",
        "未来趋势",
        "非常好",
        "南非政府",
        "不断创新",
        "note",
        "nothingness",
    ] {
        assert!(!marks(text).iter().any(|mark| mark.is_negation()), "{text}");
    }
}

#[test]
fn a_clause_of_any_language_has_its_negation_once() {
    for (positive, negative) in [
        ("Der Dienst ist im Norden verfügbar", "Der Dienst ist im Norden nicht verfügbar"),
        ("Es gibt Belege für diese Wirkung", "Es gibt keine Belege für diese Wirkung"),
        ("Le service est disponible dans le nord", "Le service n’est pas disponible dans le nord"),
        ("Le service a été disponible", "Le service n'a jamais été disponible"),
        ("Il y a des données", "Il n'y a aucune donnée"),
        ("Le produit est en vente", "Le produit n'est plus en vente"),
        ("El servicio está disponible", "El servicio nunca está disponible"),
        ("Hay pruebas de ello en el informe", "No hay ninguna prueba de ello en el informe"),
        ("Il servizio è disponibile", "Il servizio non è disponibile"),
        ("Qualcuno ha visto il rapporto", "Non ha visto nessuno il rapporto"),
        ("O serviço está disponível", "O serviço não está disponível"),
        ("O serviço foi testado", "O serviço não foi nunca testado"),
        ("De dienst is beschikbaar", "De dienst is niet beschikbaar"),
        ("Er is bewijs voor", "Er is geen bewijs voor"),
        ("Tjänsten är tillgänglig", "Tjänsten är inte tillgänglig"),
        ("Usługa jest dostępna", "Usługa nie jest dostępna"),
        ("Услуга доступна", "Услуга не доступна"),
        ("Услуга была доступна", "Услуга никогда не была доступна"),
        ("Η υπηρεσία είναι διαθέσιμη", "Η υπηρεσία δεν είναι διαθέσιμη"),
        ("الخدمة متاحة", "الخدمة غير متاحة"),
        ("الخدمة متاحة", "الخدمة ليست متاحة"),
        ("השירות זמין", "השירות לא זמין"),
        ("सेवा उपलब्ध है", "सेवा उपलब्ध नहीं है"),
        ("Hizmet kullanılabilir", "Hizmet kullanılabilir değil"),
        ("Layanan tersedia", "Layanan tidak tersedia"),
        ("Dịch vụ có sẵn", "Dịch vụ không có sẵn"),
        ("บริการพร้อมใช้งาน", "บริการไม่พร้อมใช้งาน"),
        ("売上は増加した", "売上は増加しなかった"),
        ("利用できます", "利用できません"),
        ("서비스를 사용할 수 있다", "서비스를 사용할 수 없다"),
        ("매출이 증가했다", "매출이 증가하지 않았다"),
    ] {
        let negations = |text| marks(text).iter().filter(|mark| mark.is_negation()).count();
        assert_eq!((negations(positive), negations(negative)), (0, 1), "{positive} / {negative}");
    }
}

#[test]
fn words_that_negate_elsewhere_do_not_in_other_languages() {
    for text in [
        "It was a sin to wear a sans serif font, said Mai",
        "the pas de deux of Nada and the others",
        "Il primo maggio ne parliamo, il rapporto è del mese di maggio",
        "Il est né à Paris en mai",
        "Der Mai ist ein Monat",
        "Il n'a que trois employés",
        "San Francisco",
        "少ない人数",
        "そうかもしれない",
        "確認しなければならない",
    ] {
        assert!(!marks(text).iter().any(|mark| mark.is_negation()), "{text}");
    }
}

#[test]
fn sides_oppose() {
    for (one, other) in [
        ("increased", "decreases"),
        ("rising", "falling"),
        ("more", "less"),
        ("above", "below"),
        ("before", "after"),
        ("supports", "opposed"),
        ("enables", "disabled"),
        ("allowed", "prohibits"),
        ("true", "false"),
        ("first", "last"),
        ("best", "worst"),
        ("minimum", "maximum"),
        ("required", "optional"),
        ("all", "some"),
        ("must", "may"),
        ("增长", "下降"),
        ("支持", "反对"),
        ("提高", "降低"),
    ] {
        let (one_marks, other_marks) = (marks(one), marks(other));
        assert!(one_marks[0].opposes(other_marks[0]), "{one} {other}");
    }
    assert!(marks("increase")[0].strong() && !marks("before")[0].strong());
}

#[test]
fn what_only_has_the_stem_of_a_side_is_none() {
    for text in ["the law", "Laws", "the author", "the authorities"] {
        assert!(marks(text).is_empty(), "{text}");
    }
    for (one, other) in [("The law allows it", "The law bans it"), ("It is lawful", "It is unlawful")] {
        let (mine, theirs) = (marks(one), marks(other));
        assert!(mine.len() == 1 && theirs.len() == 1 && mine[0].opposes(theirs[0]), "{one} / {other}");
    }
}

#[test]
fn may_with_a_number_is_a_month() {
    assert!(marks("on May 4").is_empty());
    assert_eq!(marks("it may rain").len(), 1);
}

proptest! {
    #[test]
    fn any_text_has_marks_at_its_characters(text in "\\PC*|[不没无未非来常同洲aint’' ]{0,40}") {
        for marked in polarity(&text, &Lexicon::default().words(&text)) {
            prop_assert!(text.get(marked.range()).is_some(), "{:?} {:?}", text, marked);
        }
    }
}

/// What two pairs have belongs to the first: then its opposite must stand there, too.
#[test]
fn what_a_pair_sets_against_each_other_is_opposed() {
    let strong = table::PAIRS.iter().filter(|(strength, _)| *strength == Strength::Strong);
    let latin = |words: &'static str| words.split(' ').filter(|word| word.is_ascii());
    for [one, other] in strong.map(|(_, sides)| [latin(sides[0]), latin(sides[1])]) {
        for (a, b) in one.flat_map(|a| other.clone().map(move |b| (a, b))) {
            let (mine, theirs) = (marks(a), marks(b));
            assert!(mine.iter().any(|mine| theirs.iter().any(|theirs| mine.opposes(*theirs))), "{a}, {b}");
        }
    }
}

#[test]
fn lowering_is_a_fall_and_what_is_lower_is_below() {
    let fall = marks("falls");
    assert!(
        ["lowers", "was lowered", "lowering", "can lower", "to lower"]
            .iter()
            .all(|text| marks(text).ends_with(&fall))
    );
    assert!(["lower", "the lower", "is lower"].iter().all(|text| marks(text) == marks("below")));
}

#[test]
fn what_is_no_longer_is_negated_and_no_shorter() {
    for text in ["is no longer maintained", "isn't maintained any longer"] {
        let longer = marks(text)[1];
        assert!(longer.belongs_to_negation() && !longer.is_negation(), "{text}");
    }
    assert!(!marks("the longer")[0].belongs_to_negation());
}

#[test]
fn a_negated_comparison_with_a_number_denies_nothing() {
    for text in [
        "no more than 5 users",
        "not less than $3",
        "nicht mehr als 5",
        "no más de tres nodos",
        "no longer than two years",
    ] {
        let marks = marks(text);
        assert!(
            marks.iter().all(|mark| mark.belongs_to_negation() && !mark.is_negation()),
            "{text}: {marks:?}"
        );
    }
    for text in ["no more than before", "no better than 5", "not more", "no more use"] {
        assert!(marks(text).iter().any(|mark| mark.is_negation()), "{text}");
    }
}
