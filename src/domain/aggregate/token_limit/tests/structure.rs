//! What is kept stands below its own heading, label and lead-in, and none of these stands there for nothing.

use std::collections::BTreeMap;

use super::{body, limited};
use crate::domain::text::tokens::Tokenizer;

const PLUGINS: &str = "# Plugin review\n\n### Bases\n\n**Strengths:**\n\n\
    - Native core feature with fast tables and inline editing for every property in the vault of the user.\n\
    - Works on mobile and desktop without any configuration, and is maintained by the team itself for years.\n\n\
    **Weaknesses:**\n\n\
    - Only table and card views are mature as of August 2025, and calendar views remain unavailable or experimental.\n\
    - No relations between tables exist yet, so rollups cannot be built at all without scripting by the user.\n\n\
    ### Kanban\n\n**Strengths:**\n\n\
    - Boards can be dragged and dropped quickly, and cards link to notes in the vault of the user without friction.\n\n\
    **Weaknesses:**\n\n\
    - There is no table view at all, and the calendar view was removed by the maintainers in an update last year.\n";

const MARKET: &str = "# Market report\n\n## Sectors\n\n### Food\n\n- **Preferences**\n\
    \x20 - Shift toward personalised health and functional nutrition for seniors across all prefectures of the country.\n\
    \x20 - High value is placed on freshness and on domestic products, meal delivery and eco-friendly options everywhere.\n\n\
    ### Housing\n\n- **Market Size & Investment**\n\
    \x20 - Care services: US$11.77 billion in 2024, to reach US$18.17 billion by 2030 at a rate of 7.49 percent a year.\n\
    \x20 - Occupancy rates of senior serviced residences are above 92 percent while standard rentals reach 82 percent.\n\n\
    ### Transport\n\nThe proportion of drivers is rising sharply in all of these prefectures:\n\n\
    - Mobility services: US$429 million in 2024, to reach US$9.58 billion in 2033 at a rate of 41 percent a year.\n\
    - Others are expected to follow soon, which nobody would have thought possible some years ago.\n\n\
    1. **Outlook**\n\
    - Robots will help with most of the work in the homes of the elderly, as the ministry says.\n\
    - Taxis without drivers are tried out in Fukui and Nagano since 2021.\n\n\
    2. **Law**\n\
    - The act on long-term care was changed in 2023.\n";

/// How a line leads others: 1 to 6 a heading, 7 a label or lead-in, 8 an item that is a label; 9 is what they lead to.
fn rank(line: &str) -> usize {
    let marks = line.len() - line.trim_start_matches('#').len();
    match line {
        _ if marks > 0 => marks,
        _ if line.starts_with("- **") || line.starts_with(|c: char| c.is_ascii_digit()) => 8,
        _ if line.ends_with(":**") || line.ends_with(':') => 7,
        _ => 9,
    }
}

/// What each line that leads to no other stands below, by its first words; a line that leads to nothing is told.
fn structure(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut found = BTreeMap::new();
    let mut last = 9;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let rank = rank(line);
        assert!(last == 9 || last < rank, "nothing below the line before {line:?} in:\n{text}");
        last = rank;
        above.retain(|(other, _)| *other < rank);
        if rank < 9 {
            above.push((rank, line));
        } else {
            let words = line.trim_start().chars().take(16).collect();
            found.insert(words, above.iter().map(|(_, line)| (*line).to_owned()).collect());
        }
    }
    assert_eq!(last, 9, "nothing below the last line of:\n{text}");
    found
}

#[test]
fn a_long_list_of_lines_without_stops_is_shortened_by_lines() {
    let lines: String = (0..300).map(|at| format!("{at},{},{}\n", at * 37 % 900, at % 17)).collect();
    let kept = body(&lines, 200);
    assert!(Tokenizer::o200k().count(&kept) > 165, "{kept}");
    assert!(kept.lines().all(|line| lines.lines().any(|own| own == line)), "{kept}");
}

#[test]
fn what_is_kept_stands_below_what_it_stood_below() {
    for text in [PLUGINS, MARKET] {
        let all = structure(text);
        let mut most = 0;
        for max in 50..limited(text, 10_000).of_tokens {
            let kept = body(text, max);
            let found = structure(&kept);
            for (line, above) in &found {
                let before = &all[line];
                // Of a narrow limit a heading would take too much.
                let is_below = if max < 80 { before.ends_with(above) } else { before == above };
                assert!(is_below, "{max}: {line:?} below {above:?} in:\n{kept}");
            }
            most = most.max(found.len());
            assert!(limited(text, max).tokens * 100 >= max * 80, "{max}:\n{kept}");
        }
        assert!(most + 1 >= all.len(), "{most}");
    }
}

#[test]
fn what_introduces_is_kept_for_what_it_introduces_alone() {
    let prose = "Plain words which say nothing go on and on here for the whole of this line. ".repeat(4);
    let text = format!(
        "{prose}\n\nThese are the figures that matter:\n\n| name | value |\n|---|---|\n| a | 17 |\n| b | 18 |\n\n{prose}"
    );
    let kept = body(&text, 62);
    assert!(kept.contains("These are the figures that matter:\n\n| name | value |"), "{kept}");
    // What stands behind the table isn't introduced by it.
    let text = format!("{prose}\n\nMore about this:\n\n{prose}\n\nIBM grew by 12 % in 2024 [1].\n\n{prose}");
    let kept = body(&text, 40);
    assert!(kept.contains("IBM grew by 12 % in 2024 [1].") && !kept.contains("More about this"), "{kept}");
}

#[test]
fn a_line_that_introduces_nothing_is_a_line_like_others() {
    let prose = "plain words which say nothing go on and on here for the whole of this line, ".repeat(9);
    let text = format!("- **Siemens**\n- **ABB in 2024**\n\n{prose}\n\nThe total of 2024 is 17, that is:\n");
    let kept = body(&text, 50);
    assert!(kept.contains("- **ABB in 2024**") && kept.contains("The total of 2024 is 17"), "{kept}");
}

#[test]
fn emphasis_over_several_sentences_stays_in_pairs() {
    let text = "## 菜单\n\n**说明：以下菜单为每天早餐、午餐、晚餐，附主食与蛋白质量及营养亮点，请按需要选择。换算标准：生重。**\n\n\
        每天早餐为小米粥一碗加鸡蛋一个，午餐为米饭一碗加清蒸鱼，晚餐为杂粮粥一碗加豆腐青菜。\n\n\
        Some words **are strong. IBM grew by 12 % in 2024. So they go on** here. Two stars as in 2 ** 3 are none. \
        Others **close in one sentence** and go on. The last one is plain.\n";
    for max in 25..limited(text, 10_000).of_tokens {
        let kept = body(text, max);
        for block in kept.split("\n\n") {
            assert_eq!(block.replace("2 ** 3", "").matches("**").count() % 2, 0, "{max}: {kept}");
            assert!(!block.contains("****"), "{max}: {kept}");
        }
    }
    let text = "**Nobody knew that at all. Nor that, which is plain to see. IBM grew by 12 % in 2024 [1]. They wonder.** \
        It is said, and said again by all of them, that nothing will come of it in the end, as ever.";
    let kept = body(text, 44);
    assert!(kept.starts_with("**") && kept.contains("IBM grew by 12 % in 2024 [1]."), "{kept}");
    assert!(kept.len() < text.len() && kept.matches("**").count() == 2, "{kept}");
}
