//! Contradictions that something beside the subject hides, and what must stay none.

use super::{Kind, kind};

#[test]
fn what_names_a_source_hides_no_contradiction() {
    for (one, other, expected) in [
        (
            "The CSU received 37.0% of the vote.",
            "The CSU received 31.0% of the vote (https://b.org/1).",
            Kind::Number,
        ),
        (
            "The CSU received 37.0% of the vote.",
            "According to [Reuters](https://b.org/1), the CSU received 31.0% of the vote.",
            Kind::Number,
        ),
        (
            "The drug increases mortality (Smith et al., 2019).",
            "The drug does not increase mortality (Lee et al., 2021).",
            Kind::Negation,
        ),
        (
            "In Germany the tenant's notice period is three months (§ 573c BGB).",
            "In Germany the tenant's notice period is six months.",
            Kind::Number,
        ),
        (
            "Operating margin was 12.5% in Q3 2023.",
            "Operating margin was 11.2% in Q3 2023 (Reuters).",
            Kind::Number,
        ),
        (
            "Employees get 30 vacation days per year.",
            "Employees get 28 vacation days per year (HR handbook, p. 5).",
            Kind::Number,
        ),
        (
            "Die CSU erhielt 37,0 % der Stimmen.",
            "Laut Reuters erhielt die CSU 31,0 % der Stimmen.",
            Kind::Number,
        ),
        (
            "Selon Reuters, la CSU a obtenu 37,0 % des voix.",
            "Selon Le Monde, la CSU a obtenu 31,0 % des voix.",
            Kind::Number,
        ),
        ("2023年公司营收为50亿元（新华社）。", "据路透社报道，2023年公司营收为70亿元。", Kind::Number),
    ] {
        both_ways(one, other, Some(expected));
    }
    for (one, other) in [
        ("The rate was 5% (Germany).", "The rate was 7% (France)."),
        ("The rate was 5% (net).", "The rate was 7% (gross)."),
        ("The rate was 5% (in 2019).", "The rate was 7% (in 2020)."),
        ("The dose is 5 mg (adults).", "The dose is 2 mg (children)."),
        ("The notice period is three months (§ 573c BGB).", "The notice period is six months (§ 580a BGB)."),
        (
            "The CSU received 37.0% of the vote (Reuters).",
            "The CSU received 37.0% of the vote (Smith et al., 2019).",
        ),
    ] {
        both_ways(one, other, None);
    }
}

fn both_ways(one: &str, other: &str, expected: Option<Kind>) {
    assert_eq!(kind(one, other), expected, "{one} / {other}");
    assert_eq!(kind(other, one), expected, "{other} / {one}");
}
