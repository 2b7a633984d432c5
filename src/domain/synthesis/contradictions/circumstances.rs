//! For whom, where, before or after what something is so, and which of several it is, where two statements say it in the same place:
//! `Chez l’adulte …` and `Chez l’enfant …`, `Vor dem Update …` and `Nach dem Update …`, `The Golf costs …` and `The Golf GTI costs …`.
//!
//! By the place of a word, whatever the word is: behind the same preposition, or inserted between the same neighbours. Asked last, of
//! statements that differ in one thing.

use self::longer::is_longer;
use self::pieces::{Piece, pieces};
use crate::domain::near_duplicates::Features;
use crate::domain::text::letter_pairs::Searched;
use crate::domain::text::words::Kind;

mod longer;
mod pieces;

/// What leads in for whom, where or with what something is so; `of` joins what may be told in other words.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "for", "in", "at", "among", "under", "with", "without", "during", "für", "bei", "im", "unter", "mit", "ohne", "während", "chez", "pour", "dans", "en", "sous", "avec", "sans", "aux", "para", "con", "sin", "bajo",
    "nel", "nella", "nello", "nei", "nelle", "negli", "nell'", "negl'", "senza", "tra", "em", "no", "na", "nos", "nas", "com", "sem", "bij", "met", "zonder", "dla", "u", "przy", "bez", "у", "для", "при", "без", "в", "во", "на",
];
/// What stands between those and what they lead in.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "the", "a", "an", "all", "every", "each", "le", "la", "les", "l'", "un", "une", "des", "d'", "el", "los", "las", "una", "unos", "unas", "il", "lo", "i", "gli", "uno", "un'", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "einem", "einer",
    "o", "os", "as", "um", "uma", "het", "de", "een",
];
/// Words for `before` and for `after` of one language each; those that say something else as well stand behind none of both.
const BEFORE_AND_AFTER: [(&str, &str); 8] = [
    ("before", "after"),
    ("vor", "nach"),
    ("avant", "après"),
    ("antes", "después"),
    ("antes", "depois"),
    ("до", "после"),
    ("перед", "после"),
    ("قبل", "بعد"),
];
/// The same behind what it is before or after.
const BEHIND: [(char, &[char]); 1] = [('前', &['后', '後'])];
/// What ends a phrase beside a stop.
#[rustfmt::skip]
const VERBS: [&str; 16] = ["is", "are", "was", "were", "est", "sont", "es", "son", "è", "sono", "é", "são", "ist", "sind", "beträgt", "составляет"];
/// Words of a phrase that are looked at.
const WORDS_MAX: usize = 6;

/// Whether two statements are of others, or of other times, by that.
pub(super) fn differ(one: &Features<'_>, other: &Features<'_>) -> bool {
    // Of most pairs only figures differ, which is soon told.
    let [said, also] =
        [one, other].map(|of| of.words.iter().filter(|word| word.kind != Kind::Number).map(|word| word.term));
    if said.eq(also) {
        return false;
    }
    let [mine, theirs] = [one, other].map(pieces);
    are_on_and_off(one.text, other.text)
        || is_on_other_days(one.text, other.text)
        || are_before_and_after(&mine, &theirs)
        || are_before_and_after(&theirs, &mine)
        || stand_before_and_behind(one.text, other.text)
        || stand_before_and_behind(other.text, one.text)
        || are_led_in_otherwise(&mine, &theirs)
        || is_longer(&mine, &theirs)
        || is_longer(&theirs, &mine)
}

/// `with ANC off`, `with ANC on`.
fn are_on_and_off(one: &str, other: &str) -> bool {
    let ends = |text: &str, end: &str| text.trim_end_matches(['.', ' ', '!']).ends_with(end);
    ends(one, " off") && ends(other, " on") || ends(one, " on") && ends(other, " off")
}

/// Days of which others are told apart: only one says that it speaks of them.
fn is_on_other_days(one: &str, other: &str) -> bool {
    const DAYS: [&str; 8] = ["土日", "週末", "平日", "祝日", "周末", "工作日", "节假日", "夜间"];
    !(one.is_ascii() && other.is_ascii())
        && DAYS.iter().any(|days| one.contains(days) != other.contains(days))
        || is_on_days(one) != is_on_days(other)
}

/// Whether a text says that it speaks of a day of the week or of weekends, in languages where that is no figure: `le dimanche`.
fn is_on_days(text: &str) -> bool {
    #[rustfmt::skip]
    const DAYS: [&str; 32] = [
        " le lundi", " le mardi", " le mercredi", " le jeudi", " le vendredi", " le samedi", " le dimanche", " le week-end", " les week-ends", " am wochenende", " an wochenenden", " im wochenende", " in het weekend", " los fines de semana", " el fin de semana",
        " nel fine settimana", " nei fine settimana", " il lunedì", " il martedì", " il mercoledì", " il giovedì", " il venerdì", " il sabato", " la domenica", " aos domingos", " aos sábados", " ao domingo", " ao sábado", " no fim de semana", " aos fins de semana", " op zondag", " op zaterdag",
    ];
    // `le dimanche 5 mai` is a date.
    let is_day = |behind: &str| {
        let behind = behind.trim_start_matches(['s', ' ']);
        !behind.starts_with(|c: char| c.is_ascii_digit())
    };
    let lower = text.to_lowercase();
    let searched = Searched::new(&lower);
    DAYS.iter().any(|day| searched.find(day).is_some_and(|at| is_day(&lower[at + day.len()..])))
}

/// Whether the first is so before something, and the second after something; `до 5 кг` and `vor 3 Jahren` are neither.
fn are_before_and_after(one: &[Piece], other: &[Piece]) -> bool {
    let says = |pieces: &[Piece], word: &str| {
        let mut pairs = pieces.windows(2);
        pairs.any(|pair| pair[0].lower == word && !pair[1].is_figure)
    };
    BEFORE_AND_AFTER.iter().any(|(before, after)| {
        says(one, before) && says(other, after) && !says(one, after) && !says(other, before)
    })
}

/// The same where the word stands behind: `更新前`, `更新后`.
fn stand_before_and_behind(one: &str, other: &str) -> bool {
    !one.is_ascii()
        && BEHIND.iter().any(|(before, after)| {
            one.match_indices(*before).any(|(at, _)| {
                let Some(what) = one[..at].chars().next_back().filter(|c| c.is_alphabetic()) else {
                    return false;
                };
                let has = |text: &str, place: char| text.contains(&String::from_iter([what, place]));
                let is_after = |text: &str| after.iter().any(|after| has(text, *after));
                is_after(other) && !is_after(one) && !has(other, *before)
            })
        })
}

/// Whether behind the same preposition each has a word that the other hasn't.
fn are_led_in_otherwise(one: &[Piece], other: &[Piece]) -> bool {
    let led = |pieces: &[Piece]| -> Vec<usize> {
        // `per hour` is no `per gli adulti`.
        let has_article =
            |at: usize| pieces.get(at + 1).is_some_and(|next| BETWEEN.contains(&next.lower.as_str()));
        let leads = |at: &usize| {
            let word = pieces[*at].lower.as_str();
            LEADING.contains(&word) || word == "per" && has_article(*at)
        };
        (0..pieces.len()).filter(leads).collect()
    };
    let (mine, theirs) = (led(one), led(other));
    mine.iter().any(|&from| {
        let same = theirs.iter().filter(|to| other[**to].lower == one[from].lower);
        same.into_iter().any(|&to| differ_behind((one, from), (other, to)))
    })
}

fn differ_behind((one, from): (&[Piece], usize), (other, to): (&[Piece], usize)) -> bool {
    let phrase = |pieces: &'_ [Piece], at: usize| -> Vec<usize> {
        let mut said = (at + 1..pieces.len()).filter(|at| !BETWEEN.contains(&pieces[*at].lower.as_str()));
        said.by_ref().take(WORDS_MAX).collect()
    };
    let lacks = |pieces: &[Piece], word: &str| pieces.iter().all(|piece| piece.stem() != word);
    let ends = |pieces: &[Piece], at: usize| {
        pieces[at].is_last
            || pieces.get(at + 1).is_none_or(|next| {
                let next = next.lower.as_str();
                VERBS.contains(&next) || BETWEEN.contains(&next)
            })
    };
    for (rank, (&mine, &theirs)) in phrase(one, from).iter().zip(&phrase(other, to)).enumerate() {
        let (a, b) = (&one[mine], &other[theirs]);
        if a.is_compared() || b.is_compared() {
            return false;
        }
        if a.stem() != b.stem() {
            let is_told = rank == 0 || ends(one, mine) && ends(other, theirs);
            return is_told && a.says() && b.says() && lacks(other, a.stem()) && lacks(one, b.stem());
        }
        if a.is_last || b.is_last {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_is_led_in_otherwise_contradicts_nothing() {
        for (one, other) in [
            (
                "Chez l’adulte, la dose maximale est de 4 g par jour.",
                "Chez l’enfant, la dose maximale est de 2 g par jour.",
            ),
            ("Pour l'homme, la dose est de 4 g par jour.", "Pour la femme, la dose est de 2 g par jour."),
            ("En insuffisance rénale la dose est de 4 g.", "En insuffisance hépatique la dose est de 2 g."),
            (
                "En cas d’insuffisance rénale, la dose est de 4 g.",
                "En cas d’insuffisance hépatique, la dose est de 2 g.",
            ),
            ("Nell'adulto la dose è di 400 mg.", "Nell'anziano la dose è di 200 mg."),
            ("У взрослых доза составляет 400 мг.", "У детей доза составляет 200 мг."),
            ("Vor dem Update lag die Latenz bei 300 ms.", "Nach dem Update lag die Latenz bei 120 ms."),
            (
                "Avant la mise à jour, la latence était de 300 ms.",
                "Après la mise à jour, la latence était de 120 ms.",
            ),
            (
                "Antes de la actualización la latencia era de 300 ms.",
                "Después de la actualización la latencia era de 120 ms.",
            ),
            (
                "Antes da atualização a latência era de 300 ms.",
                "Depois da atualização a latência era de 120 ms.",
            ),
            ("До обновления задержка составляла 300 мс.", "После обновления задержка составляла 120 мс."),
            ("更新前延迟为300毫秒。", "更新后延迟为120毫秒。"),
            ("The battery lasts 30 hours with ANC off.", "The battery lasts 20 hours with ANC on."),
            ("営業時間は10時からです。", "土日の営業時間は11時からです。"),
            ("更新前の遅延は300ミリ秒です。", "更新後の遅延は120ミリ秒です。"),
            ("قبل التحديث كان زمن الاستجابة 300 مللي ثانية.", "بعد التحديث كان زمن الاستجابة 120 مللي ثانية."),
            ("Le musée ouvre à 10 h.", "Le musée ouvre à 11 h le dimanche."),
            ("Der Aufzug ist in Betrieb.", "Der Aufzug ist am Wochenende nicht in Betrieb."),
            ("In the basement the temperature is 12 °C.", "In the attic the temperature is 25 °C."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
        for (one, other) in [
            (
                "Chez l’adulte, la dose maximale est de 4 g par jour.",
                "Chez l’adulte, la dose maximale est de 3 g par jour.",
            ),
            ("Vor dem Update lag die Latenz bei 300 ms.", "Vor dem Update lag die Latenz bei 120 ms."),
            ("У взрослых доза составляет 400 мг.", "У взрослых доза составляет 200 мг."),
            ("更新前延迟为300毫秒。", "更新前延迟为120毫秒。"),
            ("In the attic the temperature is 12 °C.", "The temperature in the attic is 25 °C."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
        }
        // What is led in is the opposite itself.
        let (one, other) =
            ("The firm ended the year with a profit in Ulm.", "The firm ended the year with a loss in Ulm.");
        assert_eq!(kind(one, other), Some(Kind::Polarity));
        let (one, other) = (
            "Die Impfung wird ab dem zweiten Trimester empfohlen.",
            "Die Impfung wird ab dem zweiten Trimester nicht empfohlen.",
        );
        assert_eq!(kind(one, other), Some(Kind::Negation));
    }
}
