//! Whose heading, list or task it is tells subjects apart.

use super::super::tests::read;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::Claims;

/// In how many clusters it is said that something is supported.
fn clustered(texts: &[&str]) -> usize {
    clusters_with(texts, "is supported")
}

fn clusters_with(texts: &[&str], words: &str) -> usize {
    let agents = ["a", "b", "c"];
    let said = texts.iter().zip(agents).flat_map(|(text, agent)| read(text, agent)).collect();
    let claims = Claims::new(said, &mut Reader::default());
    let is_it = |at: &usize| claims.statements[*at].text.contains(words);
    claims.clusters.iter().filter(|cluster| cluster.members.iter().any(is_it)).count()
}

#[test]
fn short_statements_under_the_names_of_others_are_others() {
    let said = "Wireless charging is supported.";
    let under = |heading: &str| format!("## {heading}\n\n{said}");
    for (one, other) in [
        ("Pixel 9", "iPhone 16"),
        ("Berlin", "Paris"),
        ("1. Berlin", "2. Paris"),
        ("Notice period in Berlin", "Notice period in Paris"),
        ("Results of 2023", "Results of 2024"),
    ] {
        assert_eq!(clustered(&[&under(one), &under(other)]), 2, "{one} / {other}");
        assert_eq!(clustered(&[&format!("{}\n\n{}", under(one), under(other))]), 2, "{one} / {other}");
        assert_eq!(clustered(&[&under(one), &under(other), said]), 3, "{one} / {other}");
        assert_eq!(clustered(&[&under(one), &under(one), said]), 1, "{one}");
    }
    for (one, other) in [
        ("Overview", "Berlin"),
        ("Key findings", "Charging"),
        ("Costs", "Pricing"),
        ("Market Size", "Industry Trends"),
        ("Berlin", "Berlin and its rules"),
        ("1. Summary", "2. Details"),
        ("Wireless Charging", "What Is Supported"),
    ] {
        assert_eq!(clustered(&[&under(one), &under(other)]), 1, "{one} / {other}");
    }
    let long =
        "Wireless charging of phones and watches by cars and desks is supported in Europe, Asia and Africa.";
    let under = |heading: &str| format!("## {heading}\n\n{long}");
    assert_eq!(clustered(&[&under("Berlin"), &under("Paris")]), 1);
}

#[test]
fn what_a_pronoun_stands_for_tells_subjects_apart() {
    let said = "It opened in 1889, and is supported.";
    let under = |heading: &str| format!("# {heading}\n\n{said}");
    let behind = |sentence: &str| format!("{sentence} {said}");
    for (one, other, expected) in [
        (under("Eiffel Tower"), under("Moulin Rouge"), 2),
        (under("Eiffel Tower"), under("History of the tower"), 1),
        (under("Summary"), under("Moulin Rouge"), 1),
        (behind("The iPhone 15 is small."), behind("The Pixel 8 is big."), 2),
        (behind("Berlin is the capital of Germany."), behind("The German capital is Berlin."), 1),
        (behind("Berlin is a city."), said.to_owned(), 1),
    ] {
        assert_eq!(clustered(&[&one, &other]), expected, "{one} / {other}");
    }
    let one = "Wireless charging is supported.";
    let behind = |sentence: &str| format!("{sentence} {one}");
    assert_eq!(clustered(&[&behind("The Pixel is big."), &behind("The iPhone is small.")]), 1);
}

#[test]
fn letters_name_what_is_lettered() {
    let list = |name: &str| format!("{name}:\n\n- wireless charging is supported\n- {name} ends here\n");
    for (one, other, expected) in [("Drug A", "Drug B", 2), ("Report A", "Report B", 1)] {
        assert_eq!(clustered(&[&list(one), &list(other)]), expected, "{one} / {other}");
        let both = format!("{}\n{}", list(one), list(other));
        assert_eq!(clustered(&[&both]), expected, "{one} / {other}");
    }
}

#[test]
fn headings_without_telling_capitals_name_places_and_figures() {
    let german = "Kabelloses Laden wird von dem Gerät unterstützt.";
    let chinese = "该设备支持无线充电功能。";
    for (said, one, other, expected) in [
        (german, "Pixel 9", "iPhone 16", 2),
        (german, "Berlin", "Hamburg", 2),
        (german, "Ergebnisse 2023", "Ergebnisse 2024", 2),
        (german, "Kosten", "Preise", 1),
        (german, "Abschnitt 3", "Abschnitt 5", 1),
        (german, "Überblick", "Berlin", 1),
        (chinese, "北京", "上海", 2),
        (chinese, "小米14", "小米15", 2),
        (chinese, "市场规模", "市场趋势", 1),
        (chinese, "第3章", "第5章", 1),
        (chinese, "概述", "北京", 1),
    ] {
        let texts = [one, other].map(|heading| format!("## {heading}\n\n{said}"));
        assert_eq!(clusters_with(&[&texts[0], &texts[1]], said), expected, "{one} / {other}");
    }
}

#[test]
fn items_stand_under_the_item_that_they_are_nested_in() {
    let list = "- Berlin:\n  - Wireless charging is supported\n- Paris:\n  - Wireless charging is supported";
    assert_eq!(clustered(&[list]), 2);
    assert_eq!(clustered(&[&list.replace("Paris", "Facts").replace("Berlin", "Overview")]), 1);
    let said = read(list, "a");
    let announced: Vec<_> = said.iter().map(|statement| statement.around.announced).collect();
    assert_eq!(announced, ["Berlin", "Paris"]);
}
