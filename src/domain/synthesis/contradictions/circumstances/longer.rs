//! What has more of a name, or one more: `The Golf GTI costs`, `de ida y vuelta`, `aller-retour`.

use super::pieces::Piece;

/// Words that a name may have more.
const MORE_MAX: usize = 3;
/// What joins one more.
const AND: [&str; 10] = ["and", "und", "et", "y", "e", "en", "och", "og", "i", "и"];
/// What is written behind the name of a firm, or not.
#[rustfmt::skip]
const FIRMS: &[&str] = &[
    "inc", "corp", "corporation", "co", "company", "ltd", "limited", "llc", "plc", "gmbh", "ag", "se", "sa", "sas", "sarl", "spa", "srl", "nv", "bv", "ab", "asa", "oy", "kg", "kgaa", "group", "holding", "holdings", "ooo", "oao", "university",
];

/// Whether the second has more between the same two neighbours.
pub(super) fn is_longer(one: &[Piece], other: &[Piece]) -> bool {
    let mut pairs =
        one.windows(2).filter(|pair| !pair[0].is_last && (pair[0].has_letter || pair[0].is_figure));
    pairs.any(|pair| {
        let [before, behind] = pair else { return false };
        let starts = (0..other.len()).filter(|at| other[*at].lower == before.lower);
        starts.into_iter().any(|at| {
            let counts = 1..=MORE_MAX.min(other.len().saturating_sub(at + 2));
            counts.into_iter().any(|count| {
                let more = &other[at + 1..=at + count];
                let next = &other[at + count + 1];
                let is_between = next.lower == behind.lower && !behind.is_figure && behind.has_letter;
                let is_unbroken = more.iter().all(|piece| !piece.is_last) && !other[at].is_last;
                let is_new = |piece: &Piece| one.iter().all(|known| known.lower != piece.lower);
                is_between
                    && is_unbroken
                    && more.iter().all(is_new)
                    && (is_name(before, more, behind) || is_one_more(before, more))
            })
        })
    }) || is_joined(one, other)
}

/// `The Golf costs`, `The Golf GTI costs`, with a form of firm being none.
fn is_name(before: &Piece, more: &[Piece], behind: &Piece) -> bool {
    let names = |piece: &Piece| !piece.turns && piece.has_capital || piece.is_figure && piece.has_letter;
    (before.has_capital || before.is_figure)
        && !behind.has_capital
        && more.iter().all(|piece| names(piece) && !FIRMS.contains(&piece.lower.as_str()))
}

/// `ida`, `ida y vuelta`.
fn is_one_more(before: &Piece, more: &[Piece]) -> bool {
    let is_said = |piece: &Piece| piece.has_letter && !piece.is_compared();
    let [joint, rest @ ..] = more else { return false };
    AND.contains(&joint.lower.as_str()) && !rest.is_empty() && is_said(before) && rest.iter().all(is_said)
}

/// `aller`, `aller-retour`.
fn is_joined(one: &[Piece], other: &[Piece]) -> bool {
    let has = |pieces: &[Piece], word: &str| pieces.iter().any(|piece| piece.lower == word);
    one.iter().filter(|piece| piece.says() && !piece.is_figure).any(|piece| {
        let goes_on = |longer: &&Piece| {
            let rest = longer.lower.strip_prefix(piece.lower.as_str());
            rest.is_some_and(|rest| rest.starts_with('-') && rest.len() > 2)
        };
        !has(other, &piece.lower) && other.iter().any(|longer| goes_on(&longer) && !has(one, &longer.lower))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::Kind;
    use super::super::super::tests::kind;

    #[test]
    fn what_has_more_of_a_name_is_another() {
        for (one, other) in [
            ("The Golf costs $28,000.", "The Golf GTI costs $44,000."),
            ("The Golf 8 costs $28,000.", "The Golf 8 GTI costs $44,000."),
            ("The Model 3 costs $40,000.", "The Model 3 Long Range costs $47,000."),
            ("The BMW X5 costs $66,000.", "The BMW X5 M costs $126,000."),
            ("Golf的价格为28万元。", "Golf GTI的价格为44万元。"),
            ("El billete de ida cuesta 45 €.", "El billete de ida y vuelta cuesta 80 €."),
            ("O bilhete de ida custa 45 euros.", "O bilhete de ida e volta custa 80 euros."),
            ("Il biglietto di andata costa 45 euro.", "Il biglietto di andata e ritorno costa 80 euro."),
            ("Le billet aller coûte 45 €.", "Le billet aller-retour coûte 80 €."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
        for (one, other) in [
            ("Acme has 500 employees.", "Acme Inc. has 700 employees."),
            ("The Golf GTI costs $28,000.", "The Golf GTI costs $44,000."),
            ("El billete de ida y vuelta cuesta 45 €.", "El billete de ida y vuelta cuesta 80 €."),
            ("Le billet aller-retour coûte 45 €.", "Le billet aller-retour coûte 80 €."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
        }
    }
}
