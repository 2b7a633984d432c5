//! Texts that nobody would write, put together of what texts are read by.

use proptest::collection::vec;
use proptest::sample::select;

use super::combine;
use crate::domain::aggregate::input::{SourceInput, TaskInput};
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::{Place, Question, Request, Style};
use crate::properties::cases;

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "Output rose to 5 % in 2024", "It did not rise", "the area", "more than", "| a | b |\n|---|---|\n| 1 | 2 |", "a,b\n1,2\n3,4", "<sup>", "</sup>", "[1]", "[^1]", "\\[1\\]", "[1](https://a.example/area²)", "²", "¹",
    "<a href=\"#note¹\">", "</a>", "^1^", "(Source 1)", "(WHO (World Health Organization, 2024))", "(WHO, 2024", "(", ")", "[", "](", "【1】", "`", "\n```\n", "\n\n", "\n", "\n- ", "\n# ", "\n## References\n", "**", "_", "“", "”", "’",
    "{\"answer\": 1}", "https://a.example/?a=1#b", "10.1000/xyz", "İ", "ß", "ﬁ", "e\u{301}", "\u{202e}", "🎉", "中文", "亿亿亿亿亿", "三", "。", "$x^2$", "&amp;", "<table><tr><td>1</td></tr></table>", ". ", ": ", ", ", " ", "I couldn’t open",
];

proptest::proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn anything_is_combined(texts in vec(vec(select(PIECES), 0..24), 1..4), asked in vec(select(PIECES), 0..4)) {
        let source = SourceInput {
            title: Some("WHO (World Health Organization) report 2024".to_owned()),
            url: Some("https://who.example/r".to_owned()),
            ..SourceInput::default()
        };
        let tasks = texts.iter().zip('a'..).map(|(pieces, id)| TaskInput {
            task_id: id.to_string(),
            subagent: id.to_string(),
            content: pieces.concat(),
            sources: vec![source.clone()],
            ..TaskInput::default()
        });
        combine(Request {
            question: Question { query: Some(asked.concat()), goal: None },
            tasks: tasks.collect(),
            options: Options::default(),
            place: Place::nowhere(),
            style: Style::Findings,
        });
    }
}
