//! Which figures say the same, which differ, and where in a text they stand.

use proptest::prelude::*;

use super::*;
use crate::domain::text::words::Lexicon;

fn found(text: &str) -> Vec<Figure> {
    figures(text, &Lexicon::default().words(text))
}

fn keys(text: &str) -> Vec<(Unit, Value, Value, Bound)> {
    found(text).iter().map(Figure::key).collect()
}

#[test]
fn values_of_a_row_are_no_number() {
    for row in ["North,80,3100", "3100,2024,North", "\"North, upper\",80,3100", "12%,80,3100"] {
        assert!(found(row).iter().all(|figure| figure.unit != Unit::Plain), "{row}");
    }
    for (text, like) in [
        ("It was 12,5 units.", "It was 12.5 units."),
        ("(3,200), and", "(3200), and"),
        ("2023年,3,200人", "2023年,3200人"),
    ] {
        assert_eq!(keys(text), keys(like), "{text}");
    }
}

#[test]
fn what_goes_on_in_no_smaller_unit_is_another_figure() {
    for text in [
        "40 minutes and 3 hours",
        "2 hours and 90 minutes",
        "3 hours, 40 minutes",
        "3 hours or 40 minutes",
        "3 hours and 40 m",
        "1 year and 2 hours",
        "2.5 hours and 10 minutes",
    ] {
        assert_eq!(found(text).len(), 2, "{text}");
    }
}

#[test]
fn what_says_the_same() {
    for (one, other) in [
        ("1.2 million", "1,200,000"),
        ("120万", "1.2 million"),
        ("$3bn", "3 billion dollars"),
        ("US$3 billion", "30亿美元"),
        ("45%", "45 percent"),
        ("45 per cent", "45 per cent"),
        ("12,5 %", "12.5 percent"),
        ("March 4, 2024", "2024-03-04"),
        ("4 March 2024", "2024年3月4日"),
        ("march 4, 2024", "March 4th, 2024"),
        ("5 ms", "0.005 seconds"),
        ("5ms", "5 milliseconds"),
        ("5 km", "5,000 m"),
        ("90 Minuten", "1,5 Stunden"),
        ("14 Tage", "2 semanas"),
        ("24 mois", "2 años"),
        ("120 minuti", "2 hours"),
        ("3 hours 40 minutes", "220 minutes"),
        ("3 hours and 40 minutes", "3 h 40 min"),
        ("3 Stunden 40 Minuten", "220 min"),
        ("3 kg 200 g", "3,200 g"),
        ("2 years and 6 months", "30 months"),
        ("3–5 %", "3% to 5%"),
        ("sank 2023 um 89 %", "2023: 89 %"),
        ("5 um", "0.005 mm"),
        ("between 3 and 5 percent", "3-5%"),
        ("3 to 5 million", "3,000,000 – 5,000,000"),
        ("three", "3"),
        ("twenty-five percent", "25%"),
        ("one million euros", "€1m"),
        ("two hundred", "200"),
        ("drei Millionen Euro", "€3 million"),
        ("quatre-vingt-dix %", "90 %"),
        ("treinta y cinco por ciento", "35 %"),
        ("三亿", "3亿"),
        ("三亿人", "3亿人"),
        ("两个", "2个"),
        ("十五年", "15年"),
        ("三分之二", "two-thirds"),
        ("百分之十", "10%"),
        ("一半", "half"),
        ("第三", "third"),
        ("Q3 2024", "2024Q3"),
        ("2024年三季度", "Q3 2024"),
        ("about 45%", "45%"),
        ("over 45%", "more than 45 percent"),
        ("超过45%", "over 45%"),
        ("４２", "42"),
        ("２０２４年３月４日", "2024年3月4日"),
        ("１１,５２７", "11,527"),
        ("1990s", "1990s"),
        ("doubled", "double"),
        ("5个百分点", "5 percentage points"),
        ("12 Prozent", "12 %"),
        ("12 per cent", "12 %"),
        ("12 procent", "12%"),
        ("5 Mio. Euro", "5 Millionen Euro"),
        ("5 Mrd. Euro", "€5 billion"),
        ("3 milliards d'euros", "3 milliards d'euros"),
        ("5 mil millones de euros", "5.000 millones de euros"),
        ("5 million US dollars", "$5 million"),
        ("5 million U.S. dollars", "US$5 million"),
        ("5 March 2021", "05.03.2021"),
        ("3. Mai 2022", "3 de mayo de 2022"),
        ("3 mai 2022", "2022-05-03"),
        ("third quarter of 2022", "Q3 2022"),
        ("first half of 2022", "H1 2022"),
        ("1200 people", "1,200 people"),
        ("Plus de 10 000 clients", "Plus de 10.000 clients"),
        ("12\u{a0}400 clients", "12,400 clients"),
        ("12\u{202f}400 km", "12,400 km"),
        ("1 234 567 clients", "1,234,567 clients"),
        ("Il a coûté 12 400,50 €", "Il a coûté 12400.50 €"),
        ("12 400 €", "12,400 €"),
        ("entre 10 000 et 12 000 clients de plus", "entre 10.000 et 12.000 clients de plus"),
        ("de 10 000-12 000 clients", "de 10.000-12.000 clients"),
        ("$12 400", "$12,400"),
        ("la ville a 10 000 habitants", "la ville a 10,000 habitants"),
        ("El precio es de 5 300 euros", "El precio es de 5.300 euros"),
    ] {
        let (left, right) = (keys(one), keys(other));
        let bare = |keys: Vec<(Unit, Value, Value, Bound)>| {
            keys.into_iter().map(|(_, low, high, _)| (low, high)).collect::<Vec<_>>()
        };
        if one.ends_with('亿') || one == "两个" || one == "120万" {
            assert_eq!(bare(left), bare(right), "{one} {other}");
        } else {
            assert_eq!(left, right, "{one} {other}");
        }
    }
}

#[test]
fn what_differs() {
    for (one, other) in [
        ("5 km", "5 miles"),
        ("$5 million", "€5 million"),
        ("5%", "5 percentage points"),
        ("1.2 million", "1.2 billion"),
        ("March 4, 2024", "March 5, 2024"),
        ("June", "July"),
        ("2023", "2024"),
        ("GPT-4", "GPT-5"),
        ("H100", "H200"),
        ("1.2.3", "1.2.4"),
        ("over 45%", "45%"),
        ("over 45%", "under 45%"),
        ("5 km", "5 km/h"),
        ("1.5", "15"),
        ("first", "second"),
        ("Monday", "Tuesday"),
        ("-5 °C", "5 °C"),
        ("version 2.1", "version 2.10"),
        ("chapter 3", "chapter 4"),
        ("phase 3", "3"),
        ("Python 3.1", "Python 3.10"),
        ("版本2.1", "版本2.10"),
        ("3亿", "3万"),
        ("两种", "三种"),
        ("星期一", "星期二"),
        ("5 Mio.", "5 Mrd."),
        ("03.05.2022", "05.03.2022"),
        ("third quarter", "second quarter"),
        ("2024年3月", "2024年4月"),
    ] {
        assert_ne!(keys(one), keys(other), "{one} {other}");
        assert_eq!(found(one).len(), 1, "{one}");
        assert_eq!(found(other).len(), 1, "{other}");
    }
}

#[test]
fn how_many_there_are() {
    for (text, count) in [
        ("", 0),
        ("no figures here, one of them says", 0),
        ("在一些国家，一般一定", 0),
        ("In 2023 it was 4%, and 5% in 2024.", 4),
        ("2020-2024", 1),
        ("2020 to 2024", 1),
        ("从2020年到2024年", 1),
        ("$3–5 billion", 1),
        ("10 of 27 countries", 2),
        ("版本 v1.2.3", 1),
        ("10:30", 2),
        ("Er kostet 5 Mio. Das ist viel.", 1),
        ("The 4 Mars rovers of 2004.", 2),
        ("In 1815 people fled.", 1),
        ("They scored in the first half.", 2),
        ("The film made $5 mil.", 1),
        ("In 2023 120 patients came.", 2),
        ("The chapter 5 200 pages long is read.", 2),
        ("They ran the 12 400 m races.", 2),
        ("Call +49 170 123.", 3),
        ("It has 12 0400 and 12 4000 of them.", 4),
        ("Las salas 12 400 500 6.", 4),
    ] {
        assert_eq!(found(text).len(), count, "{text} {:?}", found(text));
    }
}

proptest! {
    #[test]
    fn any_text_has_figures_at_its_characters(text in "\\PC*|[0-9.,%$€年月日三十万亿第个–kmK MarchQa-z/ ]{0,60}") {
        for figure in found(&text) {
            prop_assert!(text.get(figure.range()).is_some());
            prop_assert!(figure.start < figure.end);
            prop_assert!(figure.low.approximate() <= figure.high.approximate());
        }
    }

    #[test]
    fn a_value_is_as_near_as_parsing_comes(digits in any::<u128>(), shift in 0_u32..128, exponent in -340_i32..340) {
        let digits = digits >> shift;
        let parsed: f64 = format!("{digits}e{exponent}").parse().expect("a number");
        prop_assert_eq!(Value::new(digits, exponent).approximate(), parsed);
    }
}

#[test]
fn bounds_are_found_whatever_their_case() {
    for (text, bound) in [
        ("Über 500 Personen", Bound::AtLeast),
        ("MÁS DE 500 personas", Bound::AtLeast),
        ("Jusqu’à 500 personnes", Bound::AtMost),
        ("plus d’un million", Bound::AtLeast),
        ("Gegenüber 500 Personen", Bound::Exact),
    ] {
        let found = figures(text, &Lexicon::default().words(text));
        assert_eq!(found.first().map(|figure| figure.bound), Some(bound), "{text}");
    }
}

#[test]
fn a_version_with_a_v_is_the_same_version() {
    assert_eq!(keys("Kubernetes v1.30"), keys("Kubernetes 1.30"));
    assert_eq!(keys("Foo v2.14.1"), keys("Foo 2.14.1"));
    assert_ne!(keys("Kubernetes v1.30"), keys("Kubernetes v1.31"));
    assert_ne!(keys("Foo H100"), keys("Foo 100"));
}
