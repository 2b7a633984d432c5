//! Minutes of a meeting: who was there says nothing of what was found, and what is to be done is told with who does it, and by when.

use super::cells::{cells, plain};

/// What the lines begin with that only list who was there.
#[rustfmt::skip]
const ATTENDING: &[&str] = &[
    "attendees", "attendees present", "participants", "present", "in attendance", "attending", "absent", "absentees", "apologies", "regrets", "invitees", "also present",
    "teilnehmer", "teilnehmende", "teilnehmerinnen und teilnehmer", "anwesend", "abwesend", "entschuldigt", "présents", "participants présents", "absents", "excusés",
    "asistentes", "participantes", "ausentes", "与会人员", "参会人员", "出席人员", "参加者", "出席者", "欠席者",
];
/// Bytes of the longest of these with its marks, of the line, and words of a name.
const KEY_BYTES_MAX: usize = 48;
const LINE_BYTES_MAX: usize = 1_000;
const NAME_WORDS_MAX: usize = 5;
/// What stands between names.
const BETWEEN: [char; 6] = [',', ';', '、', '，', '；', '/'];
/// Small words in a name, and between names.
const SMALL: [&str; 16] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "la", "le", "bin", "and", "und", "et", "y",
];
/// What heads the columns of what is to be done.
#[rustfmt::skip]
const OF_TASKS: &[&str] = &[
    "owner", "assignee", "assigned to", "responsible", "due", "due date", "deadline", "verantwortlich", "zuständig", "fällig", "frist", "responsable", "échéance", "plazo", "负责人", "截止日期", "担当", "担当者", "期限",
];
/// Columns of them: who and when.
const OF_TASKS_MIN: usize = 2;

/// Whether a line only lists who was there: `Attendees: Anna Schmidt, Bob Lee (PM)`.
pub(super) fn lists_attendees(line: &str) -> bool {
    if line.len() > LINE_BYTES_MAX {
        return false;
    }
    let head = &line[..line.floor_char_boundary(KEY_BYTES_MAX)];
    let Some(end) = head.find([':', '：']) else { return false };
    let key = head[..end].trim_matches(['*', '_', ' ']).to_lowercase();
    let names = line[end..].trim_start_matches([':', '：', '*', '_', ' ']);
    ATTENDING.contains(&key.as_str()) && !names.is_empty() && names.split(BETWEEN).all(is_name)
}

/// Whether nothing but a name stands here, and what the named is in brackets.
fn is_name(part: &str) -> bool {
    let bare = part.split(['(', '（']).next().unwrap_or_default();
    let mut words = bare.split_whitespace();
    let is_of_name = |word: &str| {
        word.starts_with(|c: char| !c.is_lowercase() && c.is_alphabetic())
            || SMALL.contains(&word)
            || word == "&"
    };
    let part = part.trim_end_matches(['.', ' ', '*']);
    !part.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '!' | '?') && !part.contains(". "))
        && bare.split_whitespace().count() <= NAME_WORDS_MAX
        && words.all(is_of_name)
}

/// Whether columns are those of what is to be done: who does it, and by when.
pub(super) fn are_of_tasks(columns: &str) -> bool {
    cells(columns).filter(|cell| OF_TASKS.contains(&plain(cell).as_str())).count() >= OF_TASKS_MIN
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn who_was_there_is_told_from_what_says_something() {
        for line in [
            "Attendees: Anna Schmidt, Bob Lee, Carla Gomez",
            "**Attendees:** Anna (PM), Bob (Eng) and Carla van der Berg",
            "Absent: Dave Roe.",
            "Present: J. Smith; A. B. Jones",
            "Teilnehmer: Anna Schmidt, Jörg Über",
            "与会人员：张伟、李娜",
        ] {
            assert!(lists_attendees(line), "{line}");
        }
        for line in [
            "Attendees: 40 people from Berlin",
            "Participants: all of them were older than 60",
            "Present: the board approved the budget",
            "Attendees: Anna joined at 10:15",
            "Attendees:",
            "Authors: Anna Schmidt, Bob Lee",
            "Anna Schmidt, Bob Lee",
        ] {
            assert!(!lists_attendees(line), "{line}");
        }
    }

    #[test]
    fn minutes_are_read_line_by_line() {
        let minutes = "Minutes of Project Falcon\nDate: 4 March 2026\nLocation: Room 5\nAttendees: Anna Schmidt, Bob Lee\n\nThe budget of 40,000 euros was approved.\n\nAction items:\n- Anna: send the contract to Acme by 10 March\n- Bob: fix the login page, due Friday";
        let found = read(minutes, "a");
        let texts: Vec<_> = found.iter().map(|said| said.text).collect();
        let tasks = ["Anna: send the contract to Acme by 10 March", "Bob: fix the login page, due Friday"];
        assert_eq!(
            texts[..3],
            ["Date: 4 March 2026", "Location: Room 5", "The budget of 40,000 euros was approved."]
        );
        assert_eq!(texts[3..], tasks);
        assert_eq!(found[0].heading, "Minutes of Project Falcon");
        // A label at the end of such lines heads what follows.
        let bold = "**Date:** 4 March 2026\n**Attendees:** Anna (PM), Bob\n**Action items:**\n- **Anna** – send the contract (due: 10 March)\n- **Bob** – fix the login page (due: Friday)";
        let found = read(bold, "a");
        let texts: Vec<_> = found.iter().map(|said| (said.text, said.around.announced)).collect();
        assert_eq!(
            texts,
            [
                ("**Date:** 4 March 2026", ""),
                ("**Anna** – send the contract (due: 10 March)", "Action items"),
                ("**Bob** – fix the login page (due: Friday)", "Action items"),
            ]
        );
        // Where nothing else is said they are the answer.
        assert_eq!(stated("Attendees: Anna Schmidt, Bob Lee").len(), 1);
    }

    #[test]
    fn lines_below_a_title_are_told_from_wrapped_prose() {
        assert_eq!(stated("Acme Pro\nPrice: $10\nUsers: 5"), ["Price: $10", "Users: 5"]);
        for text in [
            "The plan has two prices in\nEurope: it costs 10 euros there\nAsia: it costs 8 euros there",
            "Sales grew strongly in Europe\nGermany: 5 percent\nFrance: 3 percent",
            "The plan has two prices.\nEurope: it costs 10 euros\nAsia: it costs 8 euros",
        ] {
            assert_eq!(stated(text).concat().replace('\n', ""), text.replace('\n', ""));
        }
    }

    #[test]
    fn rows_of_tasks_beside_prose_are_quoted() {
        let prose =
            "The launch was moved to May because the audit isn't done, and all agreed to that. ".repeat(4);
        let table = "| Task | Owner | Due |\n|---|---|---|\n| Fix the login page | Bob | Friday |";
        assert_eq!(stated(&format!("{prose}\n\n{table}")).last(), Some(&"Fix the login page | Bob | Friday"));
        let other = table.replace("Due", "Place");
        assert_eq!(stated(&format!("{prose}\n\n{other}")).len(), 4);
    }
}
