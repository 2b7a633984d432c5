//! Attributes in other words, and what only looks like the same one.

use crate::domain::synthesis::contradictions::Kind;
use crate::domain::synthesis::contradictions::tests::kinds_between as kinds;

#[test]
fn an_attribute_is_the_same_in_whatever_words() {
    for (one, other) in [
        ("The bridge is 120 m long.", "The bridge has a length of 150 m."),
        ("The Golden Gate Bridge, opened in 1937, is 2.7 km long.", "The length of the bridge is 3.1 km."),
        ("The tower is 300 m tall.", "The tower has a height of 324 m."),
        ("The tower is 300 m high.", "The height of the tower is 324 m."),
        ("The lake is 90 m deep.", "The lake reaches a depth of about 120 m."),
        ("The table is 80 cm wide.", "The table's width is 90 cm."),
        ("The phone weighs 180 g.", "The phone’s weight is 210 g."),
        ("The town has a population of 12,000.", "The town has 15,000 inhabitants."),
        ("The town has 12,000 residents.", "About 25,000 people live in the town."),
        ("The population of Lisbon is 545,000.", "Lisbon has 410,000 inhabitants."),
        ("The company raised a total of $120 million.", "The company's total funding is $95 million."),
        ("The company employs 400 people.", "The company has 550 employees."),
        ("The company has a headcount of 400.", "The company employs 550 people."),
        ("The movie runs 128 minutes.", "The movie has a running time of 142 minutes."),
        ("The flight takes 3 hours.", "The flight duration is 5 hours."),
        ("The battery lasts 10 hours.", "The battery life is 14 hours."),
        ("The stadium holds 60,000 spectators.", "The stadium has a capacity of 75,000."),
        ("The tank has a capacity of 50 litres.", "The tank holds 65 litres."),
        ("The context window is 128k tokens.", "The model supports a context of 200k tokens."),
        ("The warranty is 2 years.", "It comes with a 3-year warranty."),
        ("The product carries a two-year warranty.", "The product has a warranty period of 36 months."),
        ("The interest rate is 3.5%.", "The loan carries interest of 4.2%."),
        ("The apartment is 75 square metres.", "The apartment has an area of 90 m²."),
        ("The rent is 1,200 euros a month.", "The apartment rents for 1,450 euros per month."),
        ("The ticket costs 25 euros.", "The price of a ticket is 30 euros."),
        ("The model has 7 billion parameters.", "It is a 13B-parameter model."),
        ("Water boils at 100 °C.", "The boiling point of water is 95 °C."),
        ("Die Brücke ist 120 m lang.", "Die Brücke hat eine Länge von 150 m."),
        ("Die Stadt hat 12.000 Einwohner.", "Die Einwohnerzahl der Stadt liegt bei 15.000."),
        ("Le pont mesure 120 m de long.", "La longueur du pont est de 150 m."),
    ] {
        assert_eq!(kinds(one, other), [Kind::Number], "{one} / {other}");
        assert_eq!(kinds(other, one), [Kind::Number], "{other} / {one}");
    }
}

#[test]
fn other_things_parts_times_and_terms_have_their_own() {
    for (one, other) in [
        ("The bridge is 120 m long.", "The bridge has a length of 0.12 km."),
        ("The bridge is 120 m long.", "The tunnel has a length of 150 m."),
        ("The bridge is 120 m long.", "The bridge has a width of 15 m."),
        ("The bridge is 120 m long.", "The bridge deck has a length of 150 m."),
        ("The bridge is 120 m long.", "The pedestrian bridge has a length of 150 m."),
        ("The tower is 300 m tall.", "With its antenna the tower has a height of 324 m."),
        ("The North Tower is 300 m tall.", "The South Tower has a height of 324 m."),
        ("The town has a population of 12,000.", "In 1990 the town had 15,000 inhabitants."),
        ("The town has 12,000 residents.", "The county has 25,000 inhabitants."),
        ("Lisbon has a population of 545,000.", "The city has 2,900,000 inhabitants."),
        ("The company employs 400 people.", "The company has 550 employees in Germany."),
        ("The company employs about 400 people.", "The company has 402 employees."),
        ("The warranty is 2 years.", "Acme's Bolt comes with a 3-year warranty."),
        ("The rent is 1,200 euros a month.", "The apartment rents for 300 euros a week."),
        ("The ticket costs 25 euros.", "The price of a ticket for children is 12 euros."),
        ("The battery lasts 10 hours.", "The battery life is 14 hours with the screen off."),
        ("The Pro weighs 180 g.", "The weight of the Max is 210 g."),
        ("The Pro weighs 180 g and the Max weighs 210 g.", "The weight of the Max is 210 g."),
    ] {
        assert_eq!(kinds(one, other), [], "{one} / {other}");
        assert_eq!(kinds(other, one), [], "{other} / {one}");
    }
}
