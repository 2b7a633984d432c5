//! What isn't made a little more, or another's: limits, letters that tell groups apart, superlatives, duties, how often, what comes
//! from where, and what is only meant to be done.

use super::scene::{assert_judged, sources};

/// What sources say, what may be said for it, and what may not.
type Cases = &'static [(&'static [&'static str], &'static [&'static str], &'static [&'static str])];

fn assert_all(cases: Cases) {
    for (said, right, wrong) in cases {
        assert_judged(&sources(said), right, wrong);
    }
}

#[test]
fn limits_stay_with_their_subjects() {
    assert_all(&[
        (
            &["Trucks may carry up to 20 tonnes.", "Vans may carry up to 3 tonnes."],
            &["Trucks may carry up to 20 tonnes.", "Vans may carry up to 3 tonnes."],
            &["Trucks may carry up to 3 tonnes.", "Vans may carry up to 20 tonnes."],
        ),
        (
            &["Boxers weigh at least 25 kg.", "Terriers weigh at least 6 kg."],
            &["Boxers weigh at least 25 kg."],
            &["Boxers weigh at least 6 kg."],
        ),
        (
            &["Der Zug fasst höchstens 400 Reisende.", "Der Bus fasst höchstens 60 Reisende."],
            &["Der Zug fasst höchstens 400 Reisende."],
            &["Der Zug fasst höchstens 60 Reisende."],
        ),
        (
            &["Nantes verse au moins 12 euros.", "Rennes verse au moins 10 euros."],
            &["Nantes verse au moins 12 euros."],
            &["Nantes verse au moins 10 euros."],
        ),
        (
            &["The fund lost more than 3 million euros in 2022 and more than 5 million euros in 2023."],
            &["The fund lost more than 5 million euros in 2023."],
            &["The fund lost more than 5 million euros in 2022."],
        ),
    ]);
}

#[test]
fn letters_and_numerals_tell_groups_apart() {
    assert_all(&[
        (
            &["Tank A holds 300 litres.", "Tank B holds 800 litres."],
            &["Tank B holds 800 litres.", "Tank A holds 300 litres, and tank B holds 800 litres."],
            &["Tank A holds 800 litres.", "Tank B holds 300 litres."],
        ),
        (
            &["Class I devices need a notice.", "Class II devices need an approval."],
            &["Class I devices need a notice."],
            &["Class I devices need an approval."],
        ),
        (
            &["Hepatitis A spreads by water, and hepatitis B spreads by blood."],
            &["Hepatitis A spreads by water."],
            &["Hepatitis A spreads by blood."],
        ),
        (&["Werk A baut Motoren.", "Werk B baut Getriebe."], &[], &["Werk A baut Getriebe."]),
        (
            &["La zone A ouvre le 4 mai.", "La zone B ouvre le 11 mai."],
            &["La zone A ouvre le 4 mai."],
            &["La zone B ouvre le 4 mai."],
        ),
    ]);
}

#[test]
fn superlatives_stay_as_narrow_as_they_are() {
    assert_all(&[
        (
            &["Lake Ohrid is the second deepest lake of the Balkans."],
            &["The second deepest lake of the Balkans is Lake Ohrid."],
            &["Lake Ohrid is the deepest lake of the Balkans."],
        ),
        (
            &["It is one of the most expensive drugs in the world."],
            &["It is among the most expensive drugs in the world."],
            &["It is the most expensive drug in the world."],
        ),
        (
            &["The K4 is the lightest electric bike in the catalogue."],
            &["The K4 is the catalogue's lightest electric bike."],
            &["The K4 is the lightest bike in the catalogue."],
        ),
        (&["Graz ist die zweitgrößte Stadt Österreichs."], &[], &["Graz ist die größte Stadt Österreichs."]),
        (
            &["Der Hafen gehört zu den größten Häfen Europas."],
            &[],
            &["Der Hafen ist der größte Hafen Europas."],
        ),
        (
            &["Lyon est la troisième plus grande ville de France."],
            &["La troisième plus grande ville de France est Lyon."],
            &["Lyon est la plus grande ville de France."],
        ),
    ]);
}

#[test]
fn duties_stay_duties() {
    assert_all(&[
        (
            &["Guests must leave the room by noon."],
            &["Guests have to leave the room by noon."],
            &["Guests may leave the room by noon.", "Guests should leave the room by noon."],
        ),
        (
            &["Pilots should check the fuel before each flight."],
            &["Before each flight, pilots should check the fuel."],
            &["Pilots must check the fuel before each flight."],
        ),
        (
            &["Visitors need not register in advance."],
            &["Visitors don't have to register in advance."],
            &["Visitors must not register in advance."],
        ),
        (
            &["Tenants must give notice in writing, and landlords may inspect the flat."],
            &["Landlords may inspect the flat."],
            &["Landlords must inspect the flat.", "Tenants may give notice in writing."],
        ),
        (
            &["Händler dürfen die Ware zurückgeben."],
            &["Händler können die Ware zurückgeben."],
            &["Händler müssen die Ware zurückgeben."],
        ),
        (
            &["Les employeurs doivent déclarer les accidents."],
            &[],
            &["Les employeurs peuvent déclarer les accidents."],
        ),
    ]);
}

#[test]
fn how_many_times_stays() {
    assert_all(&[
        (
            &["The filter is cleaned once a month."],
            &["Once a month, the filter is cleaned."],
            &["The filter is cleaned twice a month."],
        ),
        (
            &["The mill burned down once and was rebuilt twice."],
            &["The mill was rebuilt twice."],
            &["The mill burned down twice.", "The mill was rebuilt once."],
        ),
        (&["The bonus is paid once the audit ends."], &["The bonus is paid when the audit ends."], &[]),
        (
            &["Das Team gewann dreimal den Pokal."],
            &["Dreimal gewann das Team den Pokal."],
            &["Das Team gewann einmal den Pokal."],
        ),
        (
            &["Le conseil se réunit une fois par mois."],
            &["Une fois par mois, le conseil se réunit."],
            &["Le conseil se réunit deux fois par mois."],
        ),
    ]);
}

#[test]
fn what_comes_from_where_is_not_turned() {
    assert_all(&[
        (
            &["The bank moved its office to Dublin from London."],
            &["The bank moved its office from London to Dublin."],
            &["The bank moved its office to London.", "The bank moved its office from Dublin to London."],
        ),
        (
            &["Jonas Berg joined in May 2020 after six years at Bosch."],
            &["After six years at Bosch, Jonas Berg joined in May 2020."],
            &["Jonas Berg joined Bosch in May 2020."],
        ),
        (
            &["Sales were 12 million euros in 2021 and 9 million euros in 2022."],
            &["Sales were 9 million euros in 2022, down from 12 million euros in 2021."],
            &[
                "Sales were 9 million euros in 2022, up from 12 million euros in 2021.",
                "Sales were 12 million euros in 2021, up from 9 million euros in 2022.",
            ],
        ),
        (
            &["Lena Roth chairs the committee.", "Omar Diaz drafted the law."],
            &["Omar Diaz drafted the law."],
            &["Omar Diaz chairs the committee."],
        ),
        (
            &["Die Leitung führt von Kiel nach Bremen."],
            &["Von Kiel führt die Leitung nach Bremen."],
            &["Die Leitung führt von Bremen nach Kiel."],
        ),
    ]);
}

#[test]
fn what_is_meant_or_seems_is_not_told_as_so() {
    assert_all(&[
        (
            &["Brenner decided to withdraw its bid for Kolbe."],
            &["Brenner has decided to withdraw its bid for Kolbe."],
            &["Brenner withdrew its bid for Kolbe."],
        ),
        (&["The new alloy seems to resist corrosion."], &[], &["The new alloy resists corrosion."]),
        (&["Brenner managed to close the deal in May."], &["Brenner closed the deal in May."], &[]),
        (&["Residents complained that the plant released dust."], &[], &["The plant released dust."]),
        (
            &["Patients sometimes develop a rash after the first dose."],
            &["After the first dose, patients sometimes develop a rash."],
            &["Patients develop a rash after the first dose."],
        ),
        (
            &["Die Firma beschloss, das Werk in Jena zu verkaufen."],
            &["Die Firma will das Werk in Jena verkaufen."],
            &["Die Firma verkaufte das Werk in Jena."],
        ),
        (
            &["La société a décidé de vendre sa filiale."],
            &["La société a décidé de vendre sa filiale."],
            &["La société a vendu sa filiale."],
        ),
    ]);
}
