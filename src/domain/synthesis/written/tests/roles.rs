//! Who does something and to whom, what only a condition says, and a phrase for a word, in the languages that are read.

use super::scene::{assert_judged, sources};

/// What a source says, what may be said for it, and what may not.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

fn judge(cases: &[Case]) {
    for (said, right, wrong) in cases {
        assert_judged(&sources(&[said]), right, wrong);
    }
}

#[test]
fn who_does_it_and_to_whom_it_is_done_do_not_change_places() {
    judge(&[
        (
            "The union sued the ministry over the new dam.",
            &["The ministry was sued by the union over the new dam."],
            &["The ministry sued the union over the new dam.", "The ministry sued the union."],
        ),
        (
            "Die Genossenschaft verkauft ihren Kaffee an Röster in Genua und bezahlt die Bauern im Voraus.",
            &["Die Bauern bezahlt die Genossenschaft im Voraus."],
            &["Die Bauern bezahlen die Genossenschaft im Voraus."],
        ),
        (
            "Le syndicat a critiqué le ministère en mai.",
            &["En mai, le syndicat a critiqué le ministère."],
            &["Le ministère a critiqué le syndicat en mai."],
        ),
        (
            "La cooperativa vende su café a tostadores de Génova y paga a los agricultores por adelantado.",
            &["A los agricultores les paga la cooperativa por adelantado."],
            &["Los agricultores pagan a la cooperativa por adelantado."],
        ),
        (
            "Il sindacato ha criticato il ministero a maggio.",
            &["A maggio il sindacato ha criticato il ministero."],
            &["Il ministero ha criticato il sindacato a maggio."],
        ),
        (
            "O sindicato criticou o ministério em maio.",
            &["Em maio, o sindicato criticou o ministério."],
            &["O ministério criticou o sindicato em maio."],
        ),
        (
            "Het bedrijf heeft de boeren uit het dal vooraf betaald.",
            &["Vooraf heeft het bedrijf de boeren uit het dal betaald."],
            &["De boeren uit het dal hebben het bedrijf vooraf betaald."],
        ),
    ]);
}

#[test]
fn what_a_condition_says_is_not_told_as_done() {
    judge(&[
        (
            "The mayor will resign if the vote fails.",
            &["If the vote fails, the mayor will resign."],
            &["The vote failed.", "The vote has failed."],
        ),
        (
            "Le maire démissionnera si le vote échoue.",
            &["Si le vote échoue, le maire démissionnera."],
            &["Le vote a échoué.", "Le vote échoue."],
        ),
        (
            "El alcalde dimitirá si la votación fracasa.",
            &["Si la votación fracasa, el alcalde dimitirá."],
            &["La votación fracasó.", "La votación ha fracasado."],
        ),
        (
            "Lo stabilimento chiuderà se il consiglio della regione respinge il piano.",
            &["Se il consiglio della regione respinge il piano, lo stabilimento chiuderà."],
            &[
                "Il consiglio della regione ha respinto il piano.",
                "Il consiglio della regione respinge il piano.",
            ],
        ),
        (
            "O prefeito renunciará se a votação fracassar.",
            &["Se a votação fracassar, o prefeito renunciará."],
            &["A votação fracassou."],
        ),
        (
            "De burgemeester stapt op als de stemming mislukt.",
            &["Als de stemming mislukt, stapt de burgemeester op."],
            &["De stemming is mislukt.", "De stemming mislukte."],
        ),
    ]);
}

#[test]
fn phrase_may_stand_for_the_word_that_says_the_same() {
    judge(&[
        (
            "Novak resigned as mayor after the audit and now teaches law in Brno.",
            &["Novak stepped down as mayor after the audit."],
            &[
                "Novak stepped down as minister after the audit.",
                "Novak stepped up as mayor after the audit.",
            ],
        ),
        (
            "Novak will resign as mayor after the audit.",
            &["Novak will step down as mayor after the audit."],
            &["Novak stepped down as mayor after the audit."],
        ),
        (
            "Tarn Foods dismissed 300 workers in Leeds.",
            &["Tarn Foods laid off 300 workers in Leeds."],
            &["Tarn Foods took on 300 workers in Leeds."],
        ),
    ]);
}
