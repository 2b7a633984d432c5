//! Two questions in one sentence: `Was kostet es und wie lange dauert es?`
//!
//! Only in front of a word that asks do the words for `and` part questions here; what else they join may be one thing.

/// Words for `and`, and what asks in their language.
#[rustfmt::skip]
const JOINTS: &[(&str, &[&str])] = &[
    (" und ", &["wer ", "wie ", "wieviel ", "was ", "wo ", "wann ", "warum ", "wieso ", "welche ", "welcher ", "welches ", "welchen ", "wen ", "wem ", "woher ", "wohin ", "wozu "]),
    (" et ", &["qui ", "quel ", "quelle ", "quels ", "quelles ", "combien ", "comment ", "pourquoi ", "où ", "quand ", "qu'est-ce "]),
    (" y ", &["quién ", "quiénes ", "qué ", "cuánto ", "cuánta ", "cuántos ", "cuántas ", "cuándo ", "cómo ", "dónde ", "por qué ", "cuál ", "cuáles "]),
    (" e ", &["quem ", "quanto ", "quanta ", "quantos ", "quantas ", "quando ", "onde ", "como ", "por que ", "qual ", "quais ", "o que ", "chi ", "quanti ", "quante ", "dove ", "come ", "perché ", "quale ", "quali ", "che cosa ", "cosa ", "qual è "]),
    (" en ", &["wie ", "wat ", "waar ", "waarom ", "wanneer ", "hoe ", "hoeveel ", "welke ", "welk "]),
    (" i ", &["kto ", "co ", "gdzie ", "kiedy ", "dlaczego ", "jak ", "ile ", "jaki ", "jaka ", "jakie ", "który ", "która ", "które "]),
    (" и ", &["кто ", "кого ", "кому ", "что ", "где ", "куда ", "когда ", "почему ", "зачем ", "как ", "сколько ", "какой ", "какая ", "какое ", "какие "]),
];

/// The questions of a part of a query; a part that is one as it is.
pub(super) fn joined(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(part);
    std::iter::from_fn(move || {
        let whole = rest?;
        let (question, after) = match joint(whole) {
            Some((end, start)) => (&whole[..end], Some(&whole[start..])),
            None => (whole, None),
        };
        rest = after;
        Some(question)
    })
}

/// Where the first question ends, and where the next one begins.
fn joint(part: &str) -> Option<(usize, usize)> {
    let places = JOINTS.iter().flat_map(|(and, asks)| {
        let places = part.match_indices(and).map(move |(at, _)| (at, at + and.len()));
        places.filter(move |(_, start)| asks.iter().any(|asks| part[*start..].starts_with(asks)))
    });
    places.min()
}
