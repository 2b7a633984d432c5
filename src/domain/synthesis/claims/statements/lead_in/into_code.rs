//! What leads in code: of "Use the `omniauth` gem:" above a fence the step, as the code itself isn't quoted.

use super::super::edges::trimmed;
use super::super::opening::{ascending, within_marks};
use super::super::{Said, Statement};
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::sentences::sentences;

/// What such a step begins with.
#[rustfmt::skip]
const STEPS: [&str; 44] = [
    "add", "append", "apply", "build", "bump", "call", "change", "check", "configure", "create", "declare", "define", "deploy", "disable", "edit", "enable", "export", "generate", "grant",
    "import", "include", "initialise", "initialize", "insert", "install", "migrate", "mount", "open", "patch", "pin", "put", "register", "remove", "rename", "replace", "restart", "run", "set", "start",
    "update", "upgrade", "use", "wrap", "write",
];
/// What may stand before it.
const ORDER: [&str; 7] = ["first", "then", "next", "now", "finally", "second", "and"];
/// Words of a step that says nothing without its code: `Run the following command`.
const WORDS_MIN: usize = 5;

/// Tells the last sentence of a block, where it is a step that ends in a colon above code, and isn't among what was `found` yet.
pub(in super::super) fn tell_step<'t>(
    said: Said<'t, '_>,
    blocks: (&Block, Option<&Block>),
    heading: &'t str,
    found: &mut Vec<Statement<'t>>,
) {
    if let Some(step) = step_above(said, blocks, heading)
        && found.last().is_none_or(|told| told.start + told.text.len() <= step.start)
    {
        found.push(step);
    }
}

fn step_above<'t>(
    said: Said<'t, '_>,
    (block, next): (&Block, Option<&Block>),
    heading: &'t str,
) -> Option<Statement<'t>> {
    let is_code = |next: &Block| matches!(next.kind, Kind::Code { fenced: true, .. });
    let is_told = matches!(block.kind, Kind::Paragraph | Kind::ListItem { .. });
    let body = said.text.get(block.range.clone()).filter(|_| is_told && next.is_some_and(is_code))?;
    if !body.trim_end().ends_with(':') {
        return None;
    }
    let last = sentences(body).pop()?;
    let range = block.range.start + last.start..block.range.start + last.end;
    let marks = within_marks(said.marks, range.clone());
    let mut place = trimmed(said.text, range, marks);
    place.end -= usize::from(said.text[place.clone()].ends_with(':'));
    let text = &said.text[place.clone()];
    is_step(text).then(|| Statement {
        text,
        start: place.start,
        heading: if heading.starts_with(text) { "" } else { heading },
        subagent: said.subagent,
        sources: ascending(marks.iter().map(|mark| mark.source).collect()),
        ..Statement::default()
    })
}

fn is_step(text: &str) -> bool {
    let words = || text.split([' ', ',']).filter(|word| !word.is_empty());
    let is_among = |word: &str, list: &[&str]| list.iter().any(|one| word.eq_ignore_ascii_case(one));
    let mut own = words().skip_while(|word| is_among(word, &ORDER));
    let begins = own.next().is_some_and(|word| is_among(word, &STEPS));
    begins && (own.count() + 1 >= WORDS_MIN || text.contains('`'))
        || text.contains(|c: char| c.is_ascii_digit()) && words().count() >= WORDS_MIN
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    fn stated(text: &str) -> Vec<&str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn a_step_above_code_is_told() {
        const CODE: &str =
            "```ruby\nuse OmniAuth::Builder\n```\n\nThe tokens expire after an hour of no use.";
        const EXPIRE: &str = "The tokens expire after an hour of no use.";
        for (above, step) in [
            ("Use the `omniauth` gem:", "Use the `omniauth` gem"),
            ("Then add it to the file of gems:", "Then add it to the file of gems"),
            ("1. Install the gem and its parts with bundler:", "Install the gem and its parts with bundler"),
            ("Two of 212 hosts need it:", "Two of 212 hosts need it"),
        ] {
            let text = format!("{above}\n\n{CODE}");
            let told: Vec<_> = stated(&text).into_iter().filter(|told| !told.starts_with("use ")).collect();
            assert_eq!(told, [step, EXPIRE], "{above}");
        }
        assert_eq!(stated(&format!("For example:\n\n{CODE}")), [EXPIRE]);
        for above in ["Here is the code:", "Run the following command:", "The output is this one:"] {
            let code = "use OmniAuth::Builder";
            assert_eq!(stated(&format!("{above}\n\n{CODE}")), [code, EXPIRE], "{above}");
        }
        // Without code it heads what follows.
        assert_eq!(stated(&format!("Use the `omniauth` gem:\n\n{EXPIRE}")), [EXPIRE]);
    }
}
