//! Plain contradictions of short sentences: another day of the week, what fails, what isn't needed, a small number in words.

use super::{Kind, kind};

#[test]
fn another_day_of_the_week_is_another_date_where_it_is_then() {
    for (one, other) in [
        ("Die Sitzung ist am Montag.", "Die Sitzung ist am Dienstag."),
        ("Die Sitzung findet am Montag statt.", "Die Sitzung findet am Mittwoch statt."),
        ("Die Frist endet am Freitag.", "Die Frist endet am Samstag."),
        ("La reunión es el lunes.", "La reunión es el martes."),
        ("El plazo vence el viernes.", "El plazo vence el sábado."),
        ("会議は月曜日です。", "会議は火曜日です。"),
        ("会議は月曜日に行われます。", "会議は水曜日に行われます。"),
    ] {
        both_ways(one, other, Some(Kind::Date));
    }
    for (one, other) in [
        ("Das Museum ist am Montag geschlossen.", "Das Museum ist am Dienstag geschlossen."),
        ("Die Sitzung ist am Montag.", "Die Prüfung ist am Dienstag."),
        ("Das Museum öffnet am Montag.", "Das Museum öffnet am Dienstag."),
        ("El museo abre el lunes.", "El museo abre el martes."),
        ("会議は月曜日です。", "試験は火曜日です。"),
        ("博物館は月曜日に休みます。", "博物館は火曜日に休みます。"),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn what_succeeds_does_not_fail_and_what_one_needs_is_needed() {
    for (one, other) in [
        ("The migration succeeded.", "The migration failed."),
        ("A license is required.", "No license is required."),
    ] {
        both_ways(one, other, Some(Kind::Negation));
    }
    for (one, other) in [
        ("The migration succeeded.", "The rollback failed."),
        ("The first migration succeeded.", "The second migration failed."),
        ("A license is required for lorries.", "No license is required for bicycles."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn small_number_in_words_counts_what_there_is() {
    for (one, other) in [
        ("Mars has three moons.", "Mars has two moons."),
        ("The house has four floors.", "The house has five floors."),
    ] {
        both_ways(one, other, Some(Kind::Number));
    }
    for (one, other) in [
        ("Mars has two moons.", "Jupiter has four moons."),
        ("Mars has two moons.", "Mars has three craters."),
    ] {
        both_ways(one, other, None);
    }
}

fn both_ways(one: &str, other: &str, expected: Option<Kind>) {
    assert_eq!(kind(one, other), expected, "{one} / {other}");
    assert_eq!(kind(other, one), expected, "{other} / {one}");
}
