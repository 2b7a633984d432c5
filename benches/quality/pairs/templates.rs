//! Sentences from templates. `{n}` is a number, `{y}` a year, `{d}` a date, `{u}` a unit, `{N}` a name, `{M}` another one.

use super::Random;

/// Sentences, and whether their template is held out.
pub fn sentences(random: &mut Random) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (at, template) in TEMPLATES.iter().enumerate() {
        for _ in 0..12 {
            found.push((fill(template, random), at % 3 == 2));
        }
    }
    found
}

fn fill(template: &str, random: &mut Random) -> String {
    let chinese = !template.is_ascii();
    let names = if chinese { CHINESE_NAMES } else { NAMES };
    let first = random.below(names.len());
    let second = (first + 1 + random.below(names.len() - 1)) % names.len();
    let month =
        *random.of(&["January", "February", "April", "June", "August", "October", "November", "December"]);
    let date = if chinese {
        format!("2024年{}月{}日", 1 + random.below(12), 1 + random.below(28))
    } else {
        format!("{month} {}, 20{}", 1 + random.below(28), 10 + random.below(15))
    };
    let number = match random.below(4) {
        0 => format!("{}", 2 + random.below(97)),
        1 => format!("{}.{}", 1 + random.below(60), 1 + random.below(9)),
        2 => format!("{},{:03}", 1 + random.below(60), random.below(1000)),
        _ => format!("{}", 100 + random.below(800)),
    };
    let unit = if chinese {
        *random.of(&["亿美元", "万吨", "公里", "亿元"])
    } else {
        *random.of(&["million dollars", "km", "GWh", "tonnes", "percent"])
    };
    template
        .replace("{n}", &number)
        .replace("{y}", &format!("20{}", 10 + random.below(15)))
        .replace("{d}", &date)
        .replace("{u}", unit)
        .replace("{N}", names[first])
        .replace("{M}", names[second])
}

const NAMES: &[&str] = &[
    "Siemens",
    "Toyota",
    "Germany",
    "Brazil",
    "the World Bank",
    "Oxford",
    "Huawei",
    "Nokia",
    "Pfizer",
    "Kenya",
    "Microsoft",
    "Norway",
    "Airbus",
    "Chile",
];
const CHINESE_NAMES: &[&str] =
    &["华为", "腾讯", "日本", "德国", "比亚迪", "清华大学", "印度", "小米", "巴西", "阿里巴巴"];

const TEMPLATES: &[&str] = &[
    "In {y}, {N} invested {n} {u} in a new battery plant near the northern border of {M}.",
    "Revenue of {N} increased by {n} {u} after the merger with {M} was completed on {d}.",
    "{N} supports the agreement with {M}, which is required before the end of {y}.",
    "Researchers at {N} found that the new sensor measures {n} {u} more than the older instrument.",
    "The average cost of a home fell below {n} {u} in {y}, while demand for rental flats in {M} remained high.",
    "On {d}, the parliament of {N} approved a law that allows companies from {M} to build wind farms.",
    "According to the survey, patients who exercise regularly report fewer symptoms than patients who rest.",
    "The vaccine developed by {N} is effective in adults and was tested in {n} hospitals across {M}.",
    "Output at the {N} mine reached {n} {u} in {y}, the highest level since the site was opened.",
    "When the temperature rises above the limit, the controller of the {N} engine disables the second pump.",
    "{N} acquired the software division of {M} for {n} {u} and closed two older offices.",
    "Most teachers in {N} believe that digital tools improve the attention of younger students.",
    "The railway between {N} and {M} is {n} {u} long and carries freight during the night.",
    "{N}在{y}年投资{n}{u}，在{M}附近建设新的电池工厂。",
    "{d}，{N}宣布支持与{M}签署的合作协议，预计带动当地就业增长。",
    "与{M}合并之后，{N}的年度营业收入增长了{n}{u}，超出市场预期。",
    "研究人员发现，{N}开发的新型传感器能够提高检测准确率，并且降低维护成本。",
    "{N}的出口总额在{y}年上升至{n}{u}，主要来自汽车和机械产品。",
    "该铁路连接{N}与{M}，全长{n}公里，夜间主要承担货物运输任务。",
    "调查显示，经常锻炼的患者比长期休息的患者症状更少，恢复也更快。",
    "{N}计划在{y}年之前关闭全部燃煤电厂，并扩大与{M}的天然气贸易。",
];
