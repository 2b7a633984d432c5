//! Lines of a paragraph that are items of a list in other marks than those of Markdown: `✅ …`, `→ …`, `(1) …`, `一、…`.

use std::ops::Range;

use super::bold_values::tells_bold_value;
use super::entries::before_source;
use super::items::says;
use super::labels::{lead, names_part};
use super::least::{Least, is_sentence};
use super::marked::behind_mark;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::values::is_labelled_value;

/// Characters of the narrowest column that prose is wrapped to.
const WIDTH_MIN: usize = 60;
/// Words of a line that is a statement, or Chinese and Japanese characters.
const WORDS_MIN: usize = 5;
const WIDE_MIN: usize = 8;
/// Words behind which a line goes on, in lower case.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "a", "an", "the", "of", "in", "on", "at", "by", "to", "for", "from", "with", "and", "or", "but", "as", "than", "that", "this", "is", "are", "was", "were", "its", "their", "new", "san", "los", "st",
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einer", "eines", "und", "oder", "aber", "von", "vom", "im", "am", "zu", "zum", "zur", "für", "mit", "aus", "bei", "nach", "ist", "als", "wie",
    "le", "la", "les", "l'", "un", "une", "du", "de", "et", "ou", "en", "dans", "pour", "par", "avec", "sur", "au", "aux", "est", "que", "el", "las", "una", "y", "o", "del", "con", "por", "para", "se", "es",
];

/// What the answer of a report is called by, in a line of its own.
#[rustfmt::skip]
const VERDICTS: &[&str] = &[
    "verdict", "final verdict", "overall verdict", "recommendation", "final recommendation", "decision", "answer", "short answer", "final answer", "conclusion", "rating", "overall rating", "status", "winner", "overall winner", "outcome", "gewinner", "sieger", "vainqueur", "ganador", "vincitore", "vencedor", "获胜者", "胜者",
    "fazit", "empfehlung", "entscheidung", "antwort", "recommandation", "réponse", "recomendación", "respuesta", "veredicto", "结论", "建议", "答案",
];

/// How much a paragraph of these lines must say, where other text must say as much as `least`: one line below such a label is an
/// answer in a few words, `**Verdict:** Request changes`, and so is a label with its value, `BLEU: 41.3`, `Allergies: penicillin`,
/// unless it says something of the text.
pub(super) fn least(text: &str, lines: &[Range<usize>], least: Least) -> Least {
    match lines {
        [only]
            if least == Least::Sentence
                && (is_verdict(text[only.clone()].trim())
                    || is_last_value(text, only)
                    || tells_value(text[only.clone()].trim())
                    || tells_bold_value(text[only.clone()].trim())
                    || tells_figure(text[only.clone()].trim(), &text[only.end..])) =>
        {
            Least::Point
        }
        _ => least,
    }
}

/// Labels of what a text is, who wrote it and what it is made from.
#[rustfmt::skip]
const ABOUT_THE_TEXT: &[&str] = &[
    "date", "author", "authors", "by", "prepared by", "prepared for", "written by", "version", "title", "subject", "topic", "to", "from", "cc", "re", "page", "tags", "keywords", "language", "source", "sources", "note",
    "query", "question", "input", "task", "step", "role", "user", "assistant", "system", "thought", "thinking", "action", "observation", "tool", "tool call", "result", "output", "search", "searching", "last updated", "updated", "confidence", "word count",
    "datum", "autor", "autorin", "erstellt von", "betreff", "thema", "an", "von", "seite", "quelle", "quellen", "hinweis", "frage", "stand", "auteur", "objet", "sujet", "autor", "fecha", "asunto", "fuente", "fuentes", "tema",
    "日期", "作者", "标题", "主题", "来源", "关键词", "问题", "备注", "注", "日付", "著者", "件名", "出典", "質問",
];

/// Whether a label, in small letters, is of the text that it stands in.
pub(super) fn is_about_the_text(label: &str) -> bool {
    ABOUT_THE_TEXT.contains(&label)
}

/// Whether a line is a label in plain letters and its value, and not of the text that it stands in.
fn tells_value(line: &str) -> bool {
    let Some((label, value)) = line.split_once([':', '：']).filter(|_| is_led(line)) else { return false };
    let label = label.trim_matches(['*', '_', ' ']).to_lowercase();
    let last = label.rsplit(' ').next().unwrap_or_default();
    value.contains(char::is_alphanumeric)
        && !line.contains('\n')
        && !names_part(last)
        && !ABOUT_THE_TEXT.contains(&label.as_str())
}

/// Whether a line of a few words has a figure and what joins that, `Shipped on 9 May`, and heads nothing.
fn tells_figure(line: &str, behind: &str) -> bool {
    let next = behind.trim_start().chars().next();
    let words = || line.split(' ');
    line.starts_with(char::is_uppercase)
        && line.ends_with(char::is_alphanumeric)
        && words().nth(WORDS_MIN - 1).is_none()
        && line.contains(|c: char| c.is_ascii_digit())
        && !line.contains([':', '*', '_', '[', '(', '\n'])
        && words().skip(1).any(goes_on)
        && !next.is_some_and(|c| matches!(c, '-' | '*' | '+' | '•' | '|' | '`' | '<') || c.is_ascii_digit())
}

fn is_last_value(text: &str, line: &Range<usize>) -> bool {
    let said = text[line.clone()].trim();
    let said = before_source(said).unwrap_or(said);
    text[line.end..].trim().is_empty() && is_labelled_value(said)
}

/// Whether a line says what the answer is: `**Verdict:** Request changes`, `**Answer: 6**`.
pub(super) fn is_verdict(line: &str) -> bool {
    let bare = line.trim_matches(['*', '_', ' ']);
    let is_listed = |label: &str| VERDICTS.contains(&label.trim().to_lowercase().as_str());
    let label = || bare.split_once([':', '：']).map(|(label, _)| label);
    !line.contains('\n')
        && (is_led(line) || is_labelled(bare))
        && (lead(line).is_some_and(is_listed) || label().is_some_and(is_listed))
}

/// Whether a line that ends with this word, in small letters, goes on.
pub(super) fn goes_on(last: &str) -> bool {
    OPEN.contains(&last)
}

/// The lines of a range of a text that begin with a mark, where the first does or announces them, and those that all are
/// statements of their own. Otherwise the range as it is: lines without marks may be prose that was wrapped, and one goes on
/// with the line before it.
pub(super) fn items(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let body = text[range.clone()].trim_end();
    if memchr::memchr(b'\n', body.trim_start().as_bytes()).is_none() {
        return vec![range];
    }
    let first = body.trim_start().lines().next().unwrap_or_default();
    let label =
        first.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | ' '));
    let is_bold = label.starts_with("**") && label.ends_with("**");
    let are_marked = is_marked(first) || is_bold || first.ends_with([':', '：']);
    let are_own = are_led(body) || !are_marked && are_statements(body);
    let are_mixed = !are_own && !are_marked && are_mostly_led(body);
    let (mut found, mut start, mut at) = (Vec::new(), range.start, range.start);
    for line in body.split_inclusive('\n') {
        let is_item = are_own
            || are_marked && is_marked(line)
            || are_mixed && begins_own(line, text[start..at].trim_end());
        if is_item && !text[start..at].trim().is_empty() {
            found.push(start..at);
            start = at;
        }
        at += line.len();
    }
    found.push(start..range.end);
    found
}

/// Where the first line ends, where that is a title and each line below it a label with what it says: `Acme Pro`, `Price: $10`.
pub(super) fn title_end(body: &str) -> Option<usize> {
    /// Bytes and words of a title.
    const TITLE: (usize, usize) = (80, 10);
    /// Bytes of a word that titles have in small letters, too.
    const SMALL_BYTES_MAX: usize = 3;
    let lead = body.len() - body.trim_start().len();
    let end = lead + memchr::memchr(b'\n', &body.as_bytes()[lead..])?;
    let (title, below) = (body[lead..end].trim(), body[end..].trim());
    // A sentence has more words in small letters: `Sales grew strongly in Europe`.
    let is_small = |word: &&str| word.len() > SMALL_BYTES_MAX && word.starts_with(char::is_lowercase);
    let last = || title.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_title = title.len() <= TITLE.0
        && title.split(' ').count() <= TITLE.1
        && title.starts_with(|c: char| c.is_uppercase() || is_wide(c))
        && title.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | ')'))
        && title.split(' ').filter(is_small).nth(1).is_none()
        && !goes_on(&last())
        && !is_led(title);
    (is_title && below.contains('\n') && below.lines().all(is_led)).then_some(end + 1)
}

/// The lines above the last, where that is a label with nothing behind it and each of them is one with what it says.
pub(super) fn label_start(body: &str) -> Option<usize> {
    let body = body.trim_end();
    let (above, label) = body.split_at(memchr::memrchr(b'\n', body.as_bytes())?);
    let label = label.trim().trim_end_matches('*').trim_end();
    let is_label = label.ends_with([':', '：']) && !above.trim().is_empty();
    (is_label && above.trim().lines().all(is_led)).then_some(above.len() + 1)
}

/// Whether every line is a label with what it says, or a key of YAML with its value.
pub(super) fn are_led(body: &str) -> bool {
    let lines = || body.trim().lines();
    lines().all(is_led) || lines().nth(1).is_some() && lines().all(is_pair)
}

/// Whether the first line and most others are labels with what they say: what stands between and below those says it without one.
fn are_mostly_led(body: &str) -> bool {
    if !is_led(body.trim_start().lines().next().unwrap_or_default()) {
        return false;
    }
    let (all, led) =
        body.trim().lines().fold((0, 0), |(all, led), line| (all + 1, led + usize::from(is_led(line))));
    led >= 2 && 2 * led > all
}

/// Whether a line says something, with a label or without, and doesn't go on with those above it.
fn begins_own(line: &str, above: &str) -> bool {
    let (line, last) = (line.trim(), above.rsplit('\n').next().unwrap_or_default());
    let word = last.rsplit(' ').next().unwrap_or_default().to_lowercase();
    if goes_on(&word) || is_led(line) {
        return !goes_on(&word);
    }
    let has_stop = last.ends_with(['.', '!', '?', '。', '！', '？', ']']);
    let is_full = last.chars().count() >= WIDTH_MIN && !has_stop;
    let is_open = last.ends_with([',', ';', ':', '-', '–', '(', '，', '、', '；', '：', '（']);
    line.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || is_wide(c))
        && !(is_full || is_open)
        && (is_sentence(line) || says(line, Least::Point))
}

/// Whether a line is a key of data and its value: `max_users: 50`.
pub(super) fn is_pair(line: &str) -> bool {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    line.trim().split_once(": ").is_some_and(|(key, value)| {
        key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(is_of_key)
            && !value.trim().is_empty()
    })
}

/// Whether every line is a statement without a stop. Nobody wraps prose so narrowly that the next line's first word had room, at a
/// word that no line ends with, and before a capital each time.
fn are_statements(body: &str) -> bool {
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    let says = |line: &&str| {
        let wide = line.chars().filter(|c| is_wide(*c)).take(WIDE_MIN).count();
        let last = line.rsplit(' ').next().unwrap_or_default().to_lowercase();
        let ends = !goes_on(last.trim_matches('.'));
        let words = line.split(' ').filter(|word| word.contains(char::is_alphanumeric)).count();
        let begins = line.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || is_wide(c));
        let open = line.ends_with([',', ';', ':', '-', '–', '，', '、', '；', '：', '(', '（']);
        begins && !open && (wide >= WIDE_MIN || words >= WORDS_MIN && ends)
    };
    let has_room = |pair: &[&str]| {
        let next = pair[1].split(' ').next().unwrap_or_default();
        pair[0].chars().count() + 1 + next.chars().count() <= WIDTH_MIN
    };
    let has_stop = |line: &&str| line.ends_with(['.', '!', '?', '。', '！', '？']);
    lines.len() > 1 && !lines.iter().any(has_stop) && lines.iter().all(says) && lines.windows(2).all(has_room)
}

/// Whether a line begins with a bold label: `**Founded:** 2015`.
pub(super) fn is_led(line: &str) -> bool {
    let line = line.trim();
    lead(line).is_some() || is_labelled(line)
}

/// Whether a line is a label of a word or a few and what it says: `Founded: 2015`.
fn is_labelled(line: &str) -> bool {
    /// Words and bytes of a label.
    const LABEL: (usize, usize) = (4, 48);
    let head = &line[..line.floor_char_boundary(LABEL.1)];
    // Sooner looked for than a character of any width: `：` begins with this byte.
    if memchr::memchr2(b':', 0xEF, head.as_bytes()).is_none() {
        return false;
    }
    let Some((label, _)) = head.split_once([':', '：']) else { return false };
    let behind = line[label.len()..].trim_start_matches([':', '：']);
    let is_apart = line[label.len()..].starts_with('：') || behind.starts_with(' ');
    let begins = label.starts_with(|c: char| c.is_uppercase() || is_wide(c) || c == '@');
    let is_plain = !label.contains(['.', ',', '(', '[', '"', '“', '|', '。', '，']);
    is_apart && begins && is_plain && label.split(' ').count() <= LABEL.0 && !behind.trim().is_empty()
}

/// Whether a line begins with the mark of an item.
pub(super) fn is_marked(line: &str) -> bool {
    let line = line.trim_start();
    let Some(mark) = line.chars().next() else { return false };
    let keycap = || line.chars().take(3).any(|c| c == '\u{20E3}');
    match mark {
        '\u{B9}' | '\u{B2}' | '\u{B3}' | '\u{2070}'..='\u{2079}' => true,
        '\u{2190}'..='\u{2BFF}' | '\u{1F300}'..='\u{1FAFF}' | '·' | '•' => true,
        '0'..='9' => keycap() || behind_mark(line, 0..line.len()).start > 0,
        '(' | '（' => {
            let inside = line[mark.len_utf8()..].split([')', '）']).next().unwrap_or_default();
            (1..=6).contains(&inside.len()) && inside.chars().all(char::is_alphanumeric)
        }
        'a'..='z' => line[1..].starts_with(") ") || line[1..].starts_with(". "),
        '@' => is_message(&line[1..]),
        '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' => {
            line.chars().take(4).any(|c| c == '、')
        }
        _ => false,
    }
}

/// Whether a message of a chat goes on behind its `@`: `maria: I'd go with the first one`.
fn is_message(line: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let said = line.trim_start_matches(is_of_name);
    said.len() < line.len() && said.starts_with(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        items(text, 0..text.len()).into_iter().map(|range| text[range].trim()).collect()
    }

    #[test]
    fn lines_with_marks_are_items() {
        for text in [
            "✅ Order 123 shipped\n✅ Carrier is DHL\n⚠️ It may be late",
            "→ Revenue rose\n→ Costs fell",
            "1️⃣ Revenue rose\n2️⃣ Costs fell",
            "(1) Revenue rose\n(2) Costs fell",
            "a) Revenue rose\nb) Costs fell",
            "3. **What we saw**\na. Revenue rose\nb. Costs fell",
            "一、收入增长了\n二、成本下降了",
            "¹ A title, https://a.example\n² Another, https://b.example",
            "What we saw:\n→ Revenue rose\n→ Costs fell",
            "@maria: I'd take the first one\n@jon: +1 for it",
            "name: checkout\nreplicas: 3\nowner: the payments team in Berlin",
        ] {
            assert_eq!(lines(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
        assert_eq!(lines("→ Revenue rose\nby 5%\n→ Costs fell"), ["→ Revenue rose\nby 5%", "→ Costs fell"]);
    }

    #[test]
    fn a_line_below_what_calls_it_the_answer_is_one() {
        let stated = |text: &str| {
            super::super::super::tests::read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>()
        };
        const SAID: &str = "The retry loop has no upper bound.";
        for line in [
            "**Verdict:** Request changes",
            "**Recommendation**: Do not merge",
            "Verdict: Request changes",
            "**Status:** Approved",
            "**Answer: 6**",
            "**Final answer: 6 flips**",
            "**Answer: Paris**",
        ] {
            let said = line.strip_suffix("**").map_or(line, |line| line.trim_start_matches('*'));
            assert_eq!(stated(&format!("{line}\n\n{SAID}")), [said, SAID]);
            assert_eq!(stated(&format!("## Review\n\n{SAID}\n\n{line}")), [SAID, said]);
        }
        for line in ["**Verdict:**", "**Author:** Anna Schmidt", "Conclusion", "**Recommendation**"] {
            assert_eq!(stated(&format!("{line}\n\n{SAID}")), [SAID], "{line}");
        }
    }

    #[test]
    fn a_label_with_its_value_says_something_where_it_is_not_of_the_text() {
        let stated = |text: &str| {
            super::super::super::tests::read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>()
        };
        const SAID: &str = "The patient was seen twice in May.";
        for line in [
            "Allergies: penicillin",
            "Allergies: penicillin (rash, 2011)",
            "**Payment:** by card",
            "过敏：青霉素",
            "Shipped on 9 May",
        ] {
            assert_eq!(stated(&format!("{line}\n\n{SAID}")), [line, SAID], "{line}");
            assert_eq!(stated(&format!("{SAID}\n\n{line}\n\n{SAID} So it was.")).len(), 4, "{line}");
        }
        for line in [
            "Date: 3 May 2025",
            "Prepared by: Ana",
            "Summary: Overview",
            "Figure 3",
            "Top 10 tools",
            "作者：张三",
        ] {
            // As the first words of a text they would be an answer.
            assert_eq!(stated(&format!("{SAID}\n\n{line}\n\n{SAID}")), [SAID; 2], "{line}");
        }
        assert_eq!(stated(&format!("{SAID}\n\nTools as of 2025\n\n- **Git**\n\n{SAID}")), [SAID; 2]);
    }

    #[test]
    fn lines_with_labels_are_items_beside_others() {
        let stated = |text: &str| {
            super::super::super::tests::read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>()
        };
        for text in [
            "Model: S200\nCartridge: 40 mm ceramic\nGrub screw: 3 mm hex\nTurn off the water before servicing.",
            "Melting point: 142–144 °C\nWater solubility: insoluble\nH302 Harmful if swallowed",
            "Input: 300 square feet\nThe regular method is better by $1,308.\nSimplified method: $1,500",
            "型号：S200型\n滤芯：40毫米陶瓷\n维修前请先关闭供水阀门。",
        ] {
            assert_eq!(stated(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
        // What goes on with the line above it, or says nothing, stays with it.
        for (text, said) in [
            (
                "Model: S200\nNotes: the device is made for homes with soft water, which it should\nNever be without for long.",
                &[
                    "Model: S200",
                    "Notes: the device is made for homes with soft water, which it should\nNever be without for long.",
                ][..],
            ),
            (
                "Model: S200\nColour: red,\nGreen and blue are made, too.",
                &["Model: S200", "Colour: red,\nGreen and blue are made, too."],
            ),
            (
                "Model: S200\nColour: red\nand green or blue on demand.",
                &["Model: S200", "Colour: red\nand green or blue on demand."],
            ),
            ("Model: S200\nColour: red\nItaly", &["Model: S200", "Colour: red\nItaly"]),
            (
                "Note: the lines are short.\nThey were written so. Why is\nThat: nobody knows.",
                &["Note: the lines are short.", "They were written so. Why is\nThat: nobody knows."],
            ),
        ] {
            assert_eq!(lines(text), said, "{text}");
        }
        for text in [
            "Note: it rose by 5% in\nGermany and then it fell in the year.",
            "It has two parts.\nModel: S200\nColour: red",
        ] {
            assert_eq!(lines(text), [text]);
        }
    }

    #[test]
    fn keys_with_values_are_items() {
        let stated = |text: &str| {
            super::super::super::tests::read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>()
        };
        let yaml = "plan: pro\nmax_users: 50\nprice.monthly: 20 EUR";
        assert_eq!(stated(yaml), yaml.lines().collect::<Vec<_>>());
        let below = format!("It is set so.\n\n{yaml}");
        assert_eq!(stated(&below)[1..], yaml.lines().collect::<Vec<_>>());
        for text in ["plan: pro", "note: it rose by 5% in\nGermany alone", "https://a.example\nport: 80"] {
            assert_eq!(lines(text), [text]);
        }
    }

    #[test]
    fn a_label_with_its_value_at_the_end_is_stated() {
        let last =
            |text: &str| super::super::super::tests::read(text, "a").pop().map(|said| said.text.to_owned());
        for value in ["Winner: Postgres", "**Winner:** Postgres", "Cause: power failure", "BLEU: 41.3"] {
            assert_eq!(last(&format!("It was measured.\n\n{value}")).as_deref(), Some(value), "{value}");
        }
        assert_eq!(
            last("It was measured.\n\n**Winner:** Postgres\n\nIt is fast.").as_deref(),
            Some("It is fast.")
        );
        for value in ["Author: Anna Schmidt", "Source: internal wiki"] {
            assert_eq!(
                last(&format!("It was measured.\n\n{value}")).as_deref(),
                Some("It was measured."),
                "{value}"
            );
        }
    }

    #[test]
    fn lines_that_say_something_each_are_items() {
        for text in [
            "The bridge opened in 1932\nIt carries 160,000 vehicles per day\nTolls are collected southbound only",
            "大桥于1932年通车运营\n每天通过车辆16万辆左右\n只对南行车辆收取费用",
        ] {
            assert_eq!(lines(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn wrapped_prose_is_one() {
        for text in [
            "The bridge was opened by the mayor of New\nYork in May of the year 1932",
            "The bridge was opened in the\nMay of the year 1932 by the Queen",
            "The bridge that was built for the trains was opened in 1932 in\nGermany by the Queen of Spain",
            "The bridge opened in 1932 and\ncarries 160,000 vehicles each day",
            "There are (1) revenue and\n(2) costs.",
            "@maria and\n@jon: are away",
            "Revenue rose by 5% in\nGermany and by 3% in\nFrance alone this year",
            "Revenue rose by 5%\nCosts fell by 3%",
            "Revenue rose by 5%,\nCosts fell by 3%,\nRents rose too",
            "It rose.",
            "note: it rose by 5% in\nGermany and in France",
        ] {
            assert_eq!(lines(text), [text]);
        }
    }
}
