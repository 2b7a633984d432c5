//! What a statement is about, where another sentence or line says it: `Berlin is the capital of Germany. It has 3.7 million inhabitants.`
//!
//! Asked last, of statements that differ in one thing and in nothing else that they say themselves.

use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_about_others, time_of_log};
use crate::domain::text::figures::{self, Unit};
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Words of what stands before a time with which a sentence begins: `In the first quarter of 2022`.
const FRAME_WORDS_MAX: usize = 5;
/// Bytes of a sentence that is looked at.
const BYTES_MAX: usize = 2_048;

/// Whether two statements are about others, or about another time, by what stands around them.
pub(super) fn are_of_others(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    lexicon: &mut Lexicon,
) -> bool {
    // What a log tells was so at its time.
    let logged = time_of_log(a.text).zip(time_of_log(b.text));
    if logged.is_some_and(|(mine, theirs)| mine != theirs) {
        return true;
    }
    a.around != b.around
        && (are_about_others((a, one), (b, other), lexicon)
            || follow_others((a, one), (b, other), lexicon)
            || are_of_other_times((a, one), (b, other), lexicon))
}

/// Whether both speak of what the sentence before them names, and these name others.
fn follow_others(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    lexicon: &mut Lexicon,
) -> bool {
    if !(begins_with_pronoun(a.text) && begins_with_pronoun(b.text)) {
        return false;
    }
    let (Some(before), Some(their_before)) = (read(a, lexicon), read(b, lexicon)) else { return false };
    let (Some(mine), Some(theirs)) = (subject(&before), subject(&their_before)) else { return false };
    let has = |of: &Features<'_>, term: Term| of.words.iter().any(|word| word.term == term);
    !has(&their_before, mine) && !has(other, mine) && !has(&before, theirs) && !has(one, theirs)
}

/// Whether the sentences before them begin with another time each, and they have none themselves.
fn are_of_other_times(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    lexicon: &mut Lexicon,
) -> bool {
    let is_timeless = |of: &Features<'_>| !of.figures.iter().any(|figure| figure.unit == Unit::Date);
    if !is_timeless(one) || !is_timeless(other) {
        return false;
    }
    // Nearly none does, and what doesn't need not be read.
    if ![a, b].into_iter().all(|said| may_begin_with_time(said.around.before, lexicon)) {
        return false;
    }
    let (Some(before), Some(their_before)) = (read(a, lexicon), read(b, lexicon)) else { return false };
    let frame = |of: &Features<'_>| {
        let figure = of.figures.first().filter(|figure| figure.unit == Unit::Date).copied()?;
        let leading = of.words.iter().take_while(|word| word.end <= figure.start);
        (leading.count() <= FRAME_WORDS_MAX && may_begin(&of.text[..figure.start])).then_some(figure)
    };
    matches!((frame(&before), frame(&their_before)), (Some(mine), Some(theirs)) if !mine.same(&theirs))
}

/// What stands before a time: `In the spring of 2022`.
#[rustfmt::skip]
const FRAMES: [&str; 14] =
    ["in", "by", "during", "for", "as", "at", "since", "until", "im", "am", "en", "au", "nel", "em"];

/// Whether a sentence may begin with a time, by its first word alone.
fn may_begin_with_time(text: &str, lexicon: &mut Lexicon) -> bool {
    let Some(first) = text.split_whitespace().next() else { return false };
    let begins = |word: &Word| match word.kind {
        Kind::Number | Kind::Cjk => true,
        Kind::Content | Kind::Stopword => {
            figures::may_begin(word) || first.as_bytes()[word.range()].iter().any(u8::is_ascii_digit)
        }
    };
    FRAMES.iter().any(|frame| frame.eq_ignore_ascii_case(first))
        || !first.is_ascii()
        || lexicon.words(first).iter().any(begins)
}

/// Whether what stands before a time says no more than that it is one: `In the spring of 2022`, not `Acme was founded in 2022`.
fn may_begin(before: &str) -> bool {
    let first = before.split_whitespace().next().map(str::to_lowercase);
    first.is_none_or(|first| FRAMES.contains(&first.as_str()))
}

fn read<'t>(statement: &Statement<'t>, lexicon: &mut Lexicon) -> Option<Features<'t>> {
    let before = statement.around.before;
    (!before.is_empty() && before.len() <= BYTES_MAX).then(|| Features::of(lexicon, before))
}

/// What a sentence is about: its first name, where it begins with one, or its first word that says something.
fn subject(of: &Features<'_>) -> Option<Term> {
    let is_name =
        |word: &&Word| word.kind == Kind::Content && of.text[word.start..].starts_with(char::is_uppercase);
    let name = of.words.iter().find(is_name);
    let first = of.words.iter().find(|word| word.is_content());
    name.or(first).map(|word| word.term)
}

#[cfg(test)]
mod tests {
    use super::super::contradictions;
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::{Said, statements};

    fn contradict(one: &str, other: &str, tasks: [&str; 2]) -> bool {
        let read = |text: &'static str, subagent, task| {
            let mut said = statements(Said { subagent, ..Said::uncited(text) });
            said.iter_mut().for_each(|statement| statement.around.task = task);
            said
        };
        let [task, their_task] = tasks.map(|task| -> &'static str { task.to_owned().leak() });
        let mut said = read(one.to_owned().leak(), "a", task);
        said.extend(read(other.to_owned().leak(), "b", their_task));
        let mut reader = Reader::default();
        let features: Vec<_> = said.iter().map(|statement| reader.read(statement.text)).collect();
        !contradictions(&said, &features).found.is_empty()
    }

    #[test]
    fn the_sentence_before_tells_what_a_statement_is_about() {
        for (one, other) in [
            (
                "Berlin is the capital of Germany. It has 3.7 million inhabitants.",
                "Paris is the capital of France. It has 2.1 million inhabitants.",
            ),
            (
                "In 2022 the market was weak. Sales were $5 million.",
                "In 2023 the market recovered. Sales were $7 million.",
            ),
            (
                "Here is what I found about Berlin:\n\nThe notice period is 30 days.",
                "Here is what I found about Paris:\n\nThe notice period is 90 days.",
            ),
            ("- Berlin:\n  - The notice period is 30 days.", "- Paris:\n  - The notice period is 90 days."),
        ] {
            assert!(!contradict(one, other, ["", ""]), "{one} / {other}");
        }
        for (one, other) in [
            (
                "Berlin is the capital of Germany. It has 3.7 million inhabitants.",
                "Berlin is a city in Europe. It has 2.1 million inhabitants.",
            ),
            (
                "Germany has a large capital in Berlin. It has 3.7 million inhabitants.",
                "Berlin is the capital of Germany. It has 2.1 million inhabitants.",
            ),
            (
                "In 2022 the market was weak. Sales were $5 million.",
                "In 2022 the market recovered. Sales were $7 million.",
            ),
            ("The market was weak. Sales were $5 million.", "The market recovered. Sales were $7 million."),
            (
                "Here is what I found about Berlin:\n\nThe notice period is 30 days.",
                "Berlin, in short:\n\nThe notice period is 90 days.",
            ),
            (
                "- Terms:\n  - The notice period is 30 days.",
                "- Key facts:\n  - The notice period is 90 days.",
            ),
        ] {
            assert!(contradict(one, other, ["", ""]), "{one} / {other}");
        }
    }

    #[test]
    fn lines_of_a_log_tell_what_was_at_their_time() {
        let depth = |time: &str, depth: u8| format!("{time} ERROR queue: depth is {depth} now");
        for (time, other) in [
            ("12:00:01", "12:00:07"),
            ("2026-01-03 12:00:01", "2026-01-04 12:00:01"),
            ("[2026-01-03T12:00Z]", "[2026-01-03T12:01Z]"),
        ] {
            assert!(!contradict(&depth(time, 5), &depth(other, 5), ["", ""]), "{time} / {other}");
            assert!(!contradict(&depth(time, 5), &depth(other, 9), ["", ""]), "{time} / {other}");
            assert!(contradict(&depth(time, 5), &depth(time, 9), ["", ""]), "{time}");
        }
    }

    #[test]
    fn tasks_that_name_others_are_about_others() {
        let (one, other) = ("The notice period is 30 days.", "The notice period is 90 days.");
        assert!(!contradict(one, other, ["Notice period in Berlin", "Notice period in Rome"]));
        assert!(contradict(one, other, ["Notice period in Berlin", "Notice period in Berlin"]));
        assert!(contradict(one, other, ["Notice period in Berlin", "Look for the law of Rome"]));
        assert!(contradict(one, other, ["", "Notice period in Berlin"]));
        for tasks in [
            ["Berlin", "Munich"],
            ["adults", "children"],
            ["staging", "production"],
            ["2023", "2024"],
            ["Pixel 9", "Xperia 1"],
            ["Research the Google Pixel 9", "Look into the Sony Xperia 1"],
            ["vendor A", "vendor B"],
            ["Specs of the Pixel 9", "Details about the Xperia 1"],
        ] {
            assert!(!contradict(one, other, tasks), "{tasks:?}");
        }
        for tasks in [
            ["pricing", "overview"],
            ["reviewer", "critic"],
            ["web", "docs"],
            ["Agent A", "Agent B"],
            ["Berlin", "Berlin"],
            ["Berlin", "the law of Berlin"],
            ["market size", "market growth"],
            ["Subtask 1", "Subtask 2"],
            ["optimist", "pessimist"],
            ["Find the notice period", "Verify the notice period"],
        ] {
            assert!(contradict(one, other, tasks), "{tasks:?}");
        }
        let (one, other) = ("营收为56亿元。", "营收为52亿元。");
        assert!(!contradict(one, other, ["分析A公司", "分析B公司"]));
        assert!(contradict(one, other, ["分析公司", "评估公司"]));
    }

    #[test]
    fn headings_and_tasks_that_only_say_where_it_stands_name_no_other_subject() {
        let (one, other) = ("The licence costs 40 euros a month.", "The licence costs 55 euros a month.");
        let under = |heading: &str, said: &str| format!("## {heading}\n\n{said}");
        for (mine, theirs) in
            [("Answer", "Result"), ("Pricing", "Overview"), ("Costs", "Prices"), ("Report A", "Report B")]
        {
            assert!(contradict(&under(mine, one), &under(theirs, other), ["", ""]), "{mine} / {theirs}");
        }
        for (mine, theirs) in [("Pixel 9", "iPhone 16"), ("Students", "Companies"), ("Paris", "Lyon")] {
            assert!(!contradict(&under(mine, one), &under(theirs, other), ["", ""]), "{mine} / {theirs}");
        }
        let (one, other) = ("It has 2 million inhabitants.", "It has 3 million inhabitants.");
        assert!(!contradict(&under("Paris", one), &under("Lyon", other), ["", ""]));
        let (one, other) = ("Solar power costs 40 euros per MWh.", "Solar power costs 55 euros per MWh.");
        for tasks in [
            ["Search Reuters for the costs", "Search Bloomberg for the costs"],
            ["Check Confluence", "Check Jira"],
            ["Search the Wiki", "Search Slack"],
            ["Look at Wikipedia", "Look at Britannica"],
            ["Costs by IRENA", "Costs by IEA"],
        ] {
            assert!(contradict(one, other, tasks), "{tasks:?}");
        }
        for tasks in [
            ["Price in Germany", "Price in France"],
            ["Look at Germany", "Look at France"],
            ["Check Slack pricing", "Check Notion pricing"],
        ] {
            assert!(!contradict(one, other, tasks), "{tasks:?}");
        }
        let tasks = ["Check Slack", "Check Notion"];
        assert!(!contradict("It costs $8 per user.", "It costs $10 per user.", tasks));
    }
}
