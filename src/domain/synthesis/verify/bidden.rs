//! What must be, should be and may be done: `may give notice` for `must give notice`, `must change the oil` for `should change the oil`.

use std::sync::LazyLock;

use super::listed::Listed;
use super::scope::tokens;

/// How strongly somebody is bidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bidden {
    May,
    Should,
    Must,
}

/// Words that say so only before `to`.
const BEFORE_TO: &[&str] = &["have", "has", "free"];
/// Words that say so; `*` stands for any ending.
#[rustfmt::skip]
const WORDS: &[(Bidden, &[&str])] = &[
    (Bidden::Must, &[
        "must", "shall", "have", "has", "required", "requires", "require", "requirement*", "mandatory", "obliged", "obligation*", "obligatory", "compulsory", "need", "needs", "needed", "necessary", "duty", "muss", "müssen", "musste*", "verpflichtet", "pflicht", "vorgeschrieben", "erforderlich", "nötig", "notwendig",
        "doit", "doivent", "faut", "obligatoire*", "obligé*", "nécessaire*", "requis*", "debe", "deben", "obligatori*", "obligad*", "necesari*", "devono", "deve", "bisogna", "necessari*", "devem", "moet", "moeten", "verplicht", "должен", "должна", "должны", "обязан*",
    ]),
    (Bidden::Should, &["should", "ought", "recommended", "recommends", "recommend", "advised", "advisable", "devrait", "devraient", "debería*", "dovrebbe*", "deveria*", "sollte", "sollten", "empfohlen", "recommandé*", "recomienda*", "consigliat*"]),
    (Bidden::May, &["may", "can", "allowed", "permitted", "optional", "voluntary", "free", "darf", "dürfen", "kann", "können", "freiwillig", "peut", "peuvent", "facultatif*", "puede", "pueden", "opcional*", "può", "possono", "facoltativ*", "pode", "podem", "mag", "mogen", "может", "могут"]),
];

static LISTED: LazyLock<Vec<(Bidden, Listed)>> =
    LazyLock::new(|| WORDS.iter().map(|(kind, words)| (*kind, Listed::of(words))).collect());

/// A word of a claim that bids otherwise than the sentence that it was made from; with it that one's.
pub(super) fn otherwise<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    let mine = bidding(claim);
    let (_, first) = mine.first()?;
    let theirs = bidding(said);
    let (_, other) = theirs.first()?;
    let only = |all: &[(Bidden, &str)]| all.iter().all(|(kind, _)| *kind == all[0].0);
    // One that says both may mean either.
    (only(&mine) && only(&theirs) && mine[0].0 != theirs[0].0).then_some((*first, *other))
}

fn bidding(text: &str) -> Vec<(Bidden, &str)> {
    let words: Vec<_> = tokens(text).collect();
    let mut found = Vec::new();
    for (at, (range, word)) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |(_, next)| next.as_str());
        let is_led = BEFORE_TO.contains(&word.as_str()) && next != "to";
        // `may not`, `must not`: what isn't to be done is told by its negation. `May` is a month.
        let is_other =
            is_led || matches!(next, "not" | "nicht" | "pas") || &text[range.clone()] == "May" && at > 0;
        let kind = LISTED.iter().find(|(_, listed)| listed.has(word));
        found.extend(kind.filter(|_| !is_other).map(|(kind, _)| (*kind, &text[range.clone()])));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_must_may_not_be_told_that_he_may() {
        for (claim, said, expected) in [
            ("Tenants may give notice.", "Tenants must give notice.", Some(("may", "must"))),
            ("Drivers must change the oil.", "Drivers should change the oil.", Some(("must", "should"))),
            ("The key is required.", "The key is optional.", Some(("required", "optional"))),
            ("Tenants have to give notice.", "Tenants must give notice.", None),
            ("A permit is needed.", "A permit is required.", None),
            ("Mieter dürfen kündigen.", "Mieter müssen kündigen.", Some(("dürfen", "müssen"))),
            ("The firm opened in May.", "The firm must open in May.", None),
        ] {
            assert_eq!(otherwise(claim, said), expected, "{claim}");
        }
    }
}
