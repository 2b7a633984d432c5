//! Reports with a fixed seed, where there are no real ones.

/// `count` reports with headings, sentences, lists, tables, code and references, in two scripts.
pub fn reports(count: u64) -> Vec<(String, String)> {
    (0..count).map(|seed| (format!("generated {seed}"), report(seed))).collect()
}

/// A linear congruential generator (Knuth, MMIX): enough to choose words with.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const WORDS: [&str; 16] = [
    "market", "the", "growth", "of", "energy", "Siemens", "in", "2024", "policy", "and", "3.14", "report",
    "OECD", "a", "risk", "model",
];
const CHINESE: [&str; 8] = ["市场", "增长", "能源", "政策", "2024年", "报告", "风险", "模型"];

fn report(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut out = format!("# Report {seed}\n\n");
    let chinese = seed.is_multiple_of(3);
    for section in 0..6 {
        out += &format!("## {section}. Section\n\n");
        for _ in 0..3 {
            for _ in 0..4 {
                out += &sentence(&mut dice, chinese);
            }
            out += "\n\n";
        }
        for _ in 0..5 {
            out += &format!("- **Point**: {}\n", sentence(&mut dice, chinese));
        }
        out += "\n| name | value |\n|------|-------|\n";
        for row in 0..6 {
            out += &format!("| row {row} | {} |\n", dice.below(9999));
        }
        out += "\n```text\n";
        for line in 0..6 {
            out += &format!("let x{line} = {};\n", dice.below(99));
        }
        out += "```\n\n";
    }
    out += "## Sources\n\n";
    for entry in 1..20 {
        out += &format!(
            "[{entry}] Title {entry}: https://example.com/{}/page.html?id={entry}  \n",
            dice.below(999)
        );
    }
    out
}

fn sentence(dice: &mut Dice, chinese: bool) -> String {
    // A number that no other sentence has, so that the checker can tell them apart.
    let mut out = format!("{}", dice.below(1_000_000));
    for at in 0..8 + dice.below(12) {
        if chinese {
            out += CHINESE[dice.below(CHINESE.len())];
            out += if at % 5 == 4 { "，" } else { "" };
        } else {
            out += if at == 0 { " However" } else { " " };
            out += if at == 0 { "" } else { WORDS[dice.below(WORDS.len())] };
        }
    }
    let cited = 1 + dice.below(19);
    out + &if chinese { format!("[{cited}]。") } else { format!(" [{cited}]. ") }
}
