//! What somebody is ordered, asked or allowed to do, which isn't done for that: `the court ordered Acme to pay`.

use std::ops::Range;

use crate::domain::synthesis::verify::scope::tokens;

/// Words of a language with which somebody orders, asks or allows another one to do something.
#[rustfmt::skip]
const ASKING: &[(&str, &[&str])] = &[
    ("German", &["forderte", "forderten", "fordert", "fordern", "verpflichtete", "verpflichteten", "verpflichtet", "befahl", "befahlen", "bat", "baten", "bittet", "drängte", "drängten", "riet", "rieten", "empfahl", "empfahlen", "erlaubte", "erlaubten", "verlangte", "verlangten", "ermahnte"]),
    ("French", &["ordonné", "ordonne", "ordonnent", "exhorté", "exhorte", "exhortent", "demandé", "demande", "demandent", "enjoint", "sommé", "conseillé", "recommandé", "autorisé", "invité", "prié", "appelé"]),
    ("Spanish", &["ordenó", "ordenaron", "ordena", "pidió", "pidieron", "pide", "instó", "instaron", "exigió", "exigieron", "aconsejó", "recomendó", "recomendaron", "autorizó", "exhortó"]),
    ("Italian", &["ordinò", "ordinato", "ordina", "chiese", "chiesto", "chiede", "esortato", "esortò", "intimato", "consigliato", "raccomandato", "autorizzato", "invitato"]),
    ("Portuguese", &["ordenou", "ordenaram", "pediu", "pediram", "pede", "instou", "exigiu", "exigiram", "aconselhou", "recomendou", "autorizou", "determinou"]),
    ("Dutch", &["beval", "bevolen", "verzocht", "verzochten", "gelastte", "eiste", "eisten", "adviseerde", "adviseerden", "verplichtte", "verplichtten"]),
    ("Russian", &["обязал", "обязала", "обязали", "приказал", "приказала", "приказали", "попросил", "попросила", "попросили", "призвал", "призвала", "призвали", "потребовал", "потребовала", "потребовали", "велел", "велела", "поручил", "поручила", "рекомендовал", "рекомендовала", "рекомендовали", "разрешил", "разрешила", "разрешили"]),
];

/// Those of a language.
pub(super) fn asking(language: &str) -> &'static [&'static str] {
    ASKING.iter().find(|(of, _)| *of == language).map_or(&[][..], |(_, listed)| *listed)
}

/// Whether a claim says of somebody that he has something to do: `is to pay`, `had to pay`.
pub(super) fn is_to_do(claim: &str) -> bool {
    const BEING: &[&str] = &["is", "are", "was", "were", "has", "have", "had"];
    let words: Vec<String> = tokens(claim).map(|(_, word)| word).collect();
    words.windows(2).any(|two| BEING.contains(&two[0].as_str()) && two[1] == "to")
}

/// What somebody is asked for: the rest of the clause, with the infinitive behind its comma (`forderte die Klinik auf, … einzustellen`);
/// in Japanese and Korean what stands before.
pub(super) fn asked(text: &str, parts: &[Range<usize>], own: usize, hedge: &Range<usize>) -> Range<usize> {
    let is_behind = |c: char| matches!(c, '\u{3040}'..='\u{309F}' | '\u{AC00}'..='\u{D7A3}');
    if text.contains(is_behind) {
        return parts[own].start..hedge.start;
    }
    let is_infinitive = |part: &&Range<usize>| {
        tokens(&text[(*part).clone()])
            .any(|(_, word)| word == "zu" || (word.contains("zu") && word.ends_with("en")))
    };
    let end = parts.get(own + 1).filter(is_infinitive).map_or(parts[own].end, |next| next.end);
    hedge.end..end.max(hedge.end)
}
