//! Lines that are records: of a log, `2026-01-03 12:00:01 ERROR …`, and of values with one mark between them, `Pro,20,monthly`.
//!
//! Each is read alone, with all that stands in it: a stop in it ends nothing, and the next line doesn't go on with it. One line
//! alone may be anything; of two or more below each other each is one. Linear.

use std::ops::Range;

use super::asides::{begins, is_small_talk};
use crate::domain::text::scripts::is_wide;

/// What stands between values, and how many of it a line has at least: a tab stands in no sentence.
const BETWEEN: [(char, usize); 3] = [('\t', 1), (',', 2), (';', 2)];
/// Bytes of a record: a longer line is prose behind a time.
const BYTES_MAX: usize = 600;
/// Words of a line of a log that says something.
const WORDS_MIN: usize = 3;
/// How bad what a log tells is.
#[rustfmt::skip]
const LEVELS: [&str; 10] =
    ["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "SEVERE"];
/// What is said to who listens, and words of it.
#[rustfmt::skip]
const LISTENERS: &[&str] = &[
    "hey everyone", "hi everyone", "hello everyone", "hey guys", "hi guys", "hello guys", "hey all", "hi all", "welcome back", "thanks for watching", "thank you for watching", "thanks for listening",
    "thank you for listening", "like and subscribe", "please subscribe", "don't forget to subscribe", "see you next time", "see you in the next",
];
const GREETING_WORDS_MAX: usize = 8;
/// Names of months, as logs begin with them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What a line is like: records below each other are alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Log,
    /// Values, by what stands between them and how often.
    Values(char, usize),
}

/// A part of a range of a text: a record, or all lines between two that are none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub range: Range<usize>,
    pub is_record: bool,
}

/// The records of a range of a text, and what stands around them. The whole where it has none.
pub(super) fn parts(text: &str, range: Range<usize>) -> Vec<Part> {
    let body = text[range.clone()].trim_end();
    if memchr::memchr(b'\n', body.trim_start().as_bytes()).is_none() {
        return vec![Part { range, is_record: false }];
    }
    let mut lines: Vec<(Range<usize>, Option<Shape>)> = Vec::new();
    let mut at = range.start;
    for line in body.split_inclusive('\n') {
        lines.push((at..at + line.len(), shape(line.trim())));
        at += line.len();
    }
    let is_alike = |at: usize, other: Option<usize>| {
        let other = other.and_then(|other| lines.get(other)).and_then(|(_, shape)| *shape);
        lines[at].1.is_some() && lines[at].1 == other
    };
    let mut found: Vec<Part> = Vec::new();
    for (at, (line, _)) in lines.iter().enumerate() {
        let is_record = is_alike(at, at.checked_sub(1)) || is_alike(at, Some(at + 1));
        match found.last_mut().filter(|last| !is_record && !last.is_record) {
            Some(last) => last.range.end = line.end,
            None => found.push(Part { range: line.clone(), is_record }),
        }
    }
    if let Some(last) = found.last_mut() {
        last.range.end = range.end;
    }
    found
}

/// Whether a record says something: a line of a log has some words, and of values one is a name and one a figure.
pub(super) fn says(record: &str) -> bool {
    match shape(record) {
        Some(Shape::Log) => {
            record.contains(char::is_alphabetic)
                && record.split_whitespace().nth(WORDS_MIN - 1).is_some()
                && !greets(record)
        }
        Some(Shape::Values(..)) => {
            record.contains(char::is_alphabetic) && record.contains(|c: char| c.is_ascii_digit())
        }
        None => false,
    }
}

/// Whether a record names the values of those below it: it has no figure.
pub(super) fn is_head(record: &str) -> bool {
    matches!(shape(record), Some(Shape::Values(..))) && !record.contains(|c: char| c.is_ascii_digit())
}

/// Whether a record is like what heads those below it.
pub(super) fn is_headed(record: &str, head: &str) -> bool {
    !head.is_empty() && shape(record) == shape(head)
}

fn shape(line: &str) -> Option<Shape> {
    if line.len() > BYTES_MAX {
        return None;
    }
    if time_of_log(line).is_some() || behind_stamp(line).is_some() { Some(Shape::Log) } else { values(line) }
}

/// What a line says behind the time of a transcript, `[00:12] hey everyone`, or of a log, `12:01 INFO started`.
fn behind_stamp(line: &str) -> Option<&str> {
    let is_of_time = |c: char| c.is_ascii_digit() || c == ':';
    if let Some(time) = line.strip_prefix('[') {
        let behind = time.trim_start_matches(is_of_time);
        let time = &time[..time.len() - behind.len()];
        let is_time = (4..=8).contains(&time.len()) && time.ends_with(|c: char| c.is_ascii_digit());
        return behind.strip_prefix(']').filter(|_| is_time && time[1..].contains(':')).map(str::trim_start);
    }
    let behind = line.strip_prefix(|c: char| c.is_ascii_digit()).filter(|_| is_like(line, "00:00 "))?;
    let said = behind["0:00 ".len()..].trim_start();
    let level = said.split([' ', ':']).next().unwrap_or_default().trim_matches(['[', ']']);
    LEVELS.contains(&level).then_some(said)
}

/// Whether a line of a transcript only greets or thanks who listens: `[00:12] hey everyone welcome back`.
fn greets(record: &str) -> bool {
    let said = behind_stamp(record).unwrap_or_default();
    is_small_talk(said)
        || begins(said, LISTENERS)
            && said.split_whitespace().count() <= GREETING_WORDS_MAX
            && !said.contains(|c: char| c.is_ascii_digit())
}

/// The time to the second, or the date with a time, that a line of a log begins with; `None` where it is none.
pub(in crate::domain::synthesis) fn time_of_log(line: &str) -> Option<&str> {
    let inside = line.strip_prefix(['[', '(']).unwrap_or(line);
    let time = if is_like(inside, "00:00:00") {
        inside
    } else {
        let behind = if is_like(inside, "0000-00-00") || is_like(inside, "0000/00/00") {
            &inside["0000-00-00".len()..]
        } else {
            let month = MONTHS.iter().find(|month| inside.starts_with(**month))?;
            inside[month.len()..].trim_start_matches(' ').trim_start_matches(|c: char| c.is_ascii_digit())
        };
        behind.strip_prefix(['T', ' ', '_']).filter(|time| is_like(time, "00:00"))?
    };
    let behind = time.trim_start_matches(|c: char| !c.is_whitespace() && c != ']' && c != ')');
    Some(&line[..line.len() - behind.len()])
}

/// Whether a text begins like a pattern, in which a zero stands for a digit.
fn is_like(text: &str, pattern: &str) -> bool {
    let is_same = |(byte, like): (u8, u8)| byte == like || like == b'0' && byte.is_ascii_digit();
    text.len() >= pattern.len() && text.bytes().zip(pattern.bytes()).all(is_same)
}

/// What stands between the values of a line, and how often: no blank behind it, and not only between the digits of numbers.
fn values(line: &str) -> Option<Shape> {
    let (mark, count) = BETWEEN
        .into_iter()
        .map(|(mark, least)| (mark, line.matches(mark).count(), least))
        .find_map(|(mark, count, least)| (count >= least).then_some((mark, count)))?;
    if mark != '\t' && (line.ends_with(['.', '!', '?', ':']) || line.contains(is_wide)) {
        return None;
    }
    let (mut is_apart, mut before) = (mark == '\t', ' ');
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == mark && mark != '\t' {
            let next = chars.peek().copied();
            if next == Some(' ') {
                return None;
            }
            is_apart |= !(before.is_ascii_digit() && next.is_some_and(|next| next.is_ascii_digit()));
        }
        before = c;
    }
    is_apart.then_some(Shape::Values(mark, count))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn lines_of_a_log_are_statements() {
        for log in [
            "2026-01-03 12:00:01 ERROR db: Connection lost. Retrying in 5 s\n2026-01-03 12:00:07 INFO db: Connected again",
            "2026-01-03T12:00:01.123Z ERROR db: Connection lost! See v1.2 docs\n2026-01-03T12:00:07Z INFO connected",
            "[2026-01-03 12:00] Backup began. It takes long\n[2026-01-03 13:00] Backup ended",
            "Jan  3 12:00:01 web1 sshd: Failed password. Bye\nJan 13 12:00:07 web1 sshd: Session opened",
            "12:00:01 build failed. Stopping\n12:00:07 build restarted",
        ] {
            let lines: Vec<&str> = log.lines().collect();
            assert_eq!(stated(log), lines, "{log}");
            let around = format!("The log says this:\n{log}\nThe database was down for six seconds.");
            let found = stated(&around);
            assert_eq!(
                found[found.len() - 3..],
                [lines[0], lines[1], "The database was down for six seconds."]
            );
        }
    }

    #[test]
    fn lines_of_a_transcript_are_statements() {
        let text = "[00:12] hey everyone welcome back\n[01:40] so for this loaf the hydration is 80 percent. it is wet\n[1:04:05] bulk ferment takes about six hours at 24 degrees";
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(stated(text), lines[1..]);
        let log = "12:01 INFO service started\n12:02 ERROR disk full on node 3. It stopped\n12:04 [WARN] restarted after cleanup";
        assert_eq!(stated(log), log.lines().collect::<Vec<_>>());
        // A greeting that says something, and what is no time.
        let told = "[00:12] welcome back to part 3 of it\n[01:40] the hydration is 80 percent";
        assert_eq!(stated(told), told.lines().collect::<Vec<_>>());
        for text in [
            "[2024] it rose in Rome\n[2025] it fell in Oslo",
            "12:01 was the time when it\n12:02 was the time of the end",
            "[1:2:3:4:5] it rose\n[a:b] it fell",
        ] {
            assert!(parts(text, 0..text.len()).iter().all(|part| !part.is_record), "{text}");
        }
    }

    #[test]
    fn rows_of_values_are_statements() {
        for (rows, said) in [
            ("name,price,qty\nWidget,5.99,10\nGadget A,7.50,3", &["Widget,5.99,10", "Gadget A,7.50,3"][..]),
            (
                "plan;price;term\nPro;$20;monthly. Yes\nTeam;$30;yearly",
                &["Pro;$20;monthly. Yes", "Team;$30;yearly"],
            ),
            ("plan\tprice\nPro\t$20\nTeam\t$30", &["Pro\t$20", "Team\t$30"]),
        ] {
            assert_eq!(stated(rows), said, "{rows}");
            let head = rows.lines().next().unwrap();
            assert!(read(rows, "a").iter().all(|found| found.heading == head), "{rows}");
        }
        assert_eq!(read("Widget,5.99,10\nGadget A,7.50,3", "a")[0].heading, "");
    }

    #[test]
    fn what_is_no_record_is_read_as_before() {
        for text in [
            "2026-01-03 12:00:01 ERROR db: connection lost.",
            "On 3 May, in Rome, it rose\nin June, in Oslo, it fell.",
            "It cost 1,200,000 euros in 2020\nand 1,300,000 euros in 2021.",
            "Revenue,costs,and rents rose in 2020.\nTaxes,fees,and wages fell in 2021.",
            "收入增长了5%,利润下降了3%,成本上升了\n债务增长了5%,现金下降了3%,税收上升了",
            &format!("12:00:01 {said}\n12:00:09 {said}", said = "It rose in Rome. ".repeat(40)),
            "Jan told it 12:00 times in 2020\nand May did as well in 2021.",
        ] {
            assert!(parts(text, 0..text.len()).iter().all(|part| !part.is_record), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn parts_are_all_of_a_text(text in "([a1é,;\t\n .]|2026-01-03 12:00 |a,b,1\n){0,24}") {
            let mut at = 0;
            for Part { range, .. } in parts(&text, 0..text.len()) {
                proptest::prop_assert_eq!(at, range.start);
                at = range.end;
            }
            proptest::prop_assert_eq!(at, text.len());
        }
    }
}
