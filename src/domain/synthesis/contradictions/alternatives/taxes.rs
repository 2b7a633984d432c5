//! With tax and without: `(incl. VAT)` and `(excl. VAT)`, `IVA incluido` and `IVA no incluido` say so beside the word for the tax.

use std::sync::LazyLock;

use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::Unit;
use crate::domain::text::terms::{self, KnownTerms};

/// Taxes on what is sold, in small letters.
#[rustfmt::skip]
const TAXES: [&str; 26] = [
    "vat", "gst", "tax", "taxes", "iva", "impuesto", "impuestos", "tva", "taxe", "taxes", "mwst", "ust", "mehrwertsteuer", "umsatzsteuer", "imposte", "impostos", "btw", "moms", "dph", "kdv", "áfa", "vergi",
    "ндс", "пдв", "podatku", "podatek",
];
/// What says that it is in a price, and that it isn't.
#[rustfmt::skip]
const WITH: [&str; 33] = [
    "incl", "inc", "including", "includes", "included", "inclusive", "with", "after", "inkl", "inklusive", "einschließlich", "enthalten", "mit", "ttc", "inclus", "incluse", "incluses", "compris", "comprise", "comprises",
    "avec", "incluido", "incluida", "incluidos", "con", "inclusa", "incluso", "inclusi", "incluído", "com", "inclusief", "включая", "с",
];
#[rustfmt::skip]
const WITHOUT: [&str; 25] = [
    "excl", "ex", "excluding", "excludes", "excluded", "exclusive", "without", "before", "plus", "exkl", "exklusive", "zzgl", "zuzüglich", "ohne", "hors", "sans", "excluido", "excluida", "sin", "esclusa", "escluso", "senza",
    "sem", "exclusief", "без",
];
const NEGATIONS: [&str; 9] = ["no", "not", "non", "nicht", "não", "pas", "n't", "не", "isn"];
/// Words before and behind a tax that say so.
const BESIDE: (usize, usize) = (3, 3);

static TAX: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(TAXES.iter().map(|word| (*word, ()))).into());

/// Whether one text speaks of a price with tax, and the other of one without.
pub(super) fn differ(one: &Features<'_>, other: &Features<'_>) -> bool {
    // A bit says of nearly all words that they are no tax.
    let may_tell = |of: &Features<'_>| {
        let has_price = of.figures.iter().any(|figure| matches!(figure.unit, Unit::Money(_)));
        has_price && of.elements.iter().any(|element| TAX.get(element.term).is_some())
    };
    may_tell(one)
        && may_tell(other)
        && is_with(one.text).zip(is_with(other.text)).is_some_and(|(mine, theirs)| mine != theirs)
}

/// Whether the tax that a text names is in what it tells; `None` where it doesn't say.
fn is_with(text: &str) -> Option<bool> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let tax = words.iter().position(|word| TAXES.contains(word))?;
    let beside = &words[tax.saturating_sub(BESIDE.0)..words.len().min(tax + BESIDE.1 + 1)];
    let has = |listed: &[&str]| beside.iter().any(|word| listed.contains(word));
    if has(&WITHOUT) || has(&WITH) && has(&NEGATIONS) {
        return Some(false);
    }
    has(&WITH).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::super::super::Kind;
    use super::super::super::tests::kind;
    use super::*;

    #[test]
    fn taxes_are_in_a_price_or_not() {
        for (text, expected) in [
            ("The price is $120 (incl. VAT).", Some(true)),
            ("The price is $100 (excl. VAT).", Some(false)),
            ("The fee is $100 plus VAT.", Some(false)),
            ("El precio es de 99 € (IVA no incluido).", Some(false)),
            ("El precio es de 120 € con IVA.", Some(true)),
            ("El precio es de 99 € sin IVA.", Some(false)),
            ("Le prix est de 100 €, TVA non comprise.", Some(false)),
            ("Le prix est de 120 €, TVA comprise.", Some(true)),
            ("Der Preis beträgt 100 € ohne MwSt.", Some(false)),
            ("VAT is not included in the price.", Some(false)),
            ("Цена 120 евро без НДС.", Some(false)),
            ("The VAT rate is 19%.", None),
            ("The price is $120.", None),
        ] {
            assert_eq!(is_with(text), expected, "{text}");
        }
    }

    #[test]
    fn prices_with_tax_and_without_contradict_nothing() {
        for (one, other) in [
            ("The price is $120 (incl. VAT).", "The price is $100 (excl. VAT)."),
            ("The price is $120 with tax.", "The price is $100 before tax."),
            ("El precio es de 120 € (IVA incluido).", "El precio es de 99 € (IVA no incluido)."),
            ("El precio es de 120 € con IVA.", "El precio es de 99 € sin IVA."),
            ("O preço é de 120 € com IVA.", "O preço é de 99 € sem IVA."),
            ("Le prix est de 120 € (TTC).", "Le prix est de 100 € (HT)."),
        ] {
            assert_eq!((kind(one, other), kind(other, one)), (None, None), "{one} / {other}");
        }
        for (one, other) in [
            ("The price is $120 (incl. VAT).", "The price is $100 (incl. VAT)."),
            ("El precio es de 120 € con IVA.", "El precio es de 99 € con IVA."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
        }
    }
}
