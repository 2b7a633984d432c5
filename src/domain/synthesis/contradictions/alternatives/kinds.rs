//! Kinds of things in Chinese that one has and the other hasn't by name: `有机肥料` isn't `无机肥料`, and what is said of one says
//! nothing of the other. `该方案有效` and `该方案无效` are no kinds.

use crate::domain::text::phrases::{begins_with_any, ends_with_any};

/// What stands behind `有` and `无` in the names of two kinds.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "机", "线", "限责任", "限公司", "限合伙", "形资产", "形财产", "形文化", "形商品", "形市场", "氧运动", "氧呼吸", "氧训练", "氧代谢", "性繁殖", "性生殖",
    "轨电车", "烟煤", "期徒刑", "源器件", "源滤波", "源光", "刷电机", "籽西瓜", "籽葡萄", "核武器", "核国家", "糖饮料", "糖食品",
];
/// Words with the same beginning that are no kinds: `有机会`, `有线索`.
#[rustfmt::skip]
const OTHERS: &[&str] = &["机会", "机制", "机构", "机遇", "机密", "机关", "机器", "机场", "机可", "线索", "线上", "线下", "线路", "线人"];
/// What says in front of it that something is of a kind: then the other kind is denied.
const COPULAS: [&str; 3] = ["是", "为", "属于"];

/// Whether one text names a kind that has something, and the other the kind that hasn't.
pub(super) fn differ(one: &str, other: &str) -> bool {
    if one.is_ascii() || other.is_ascii() {
        return false;
    }
    KINDS.iter().any(|kind| {
        let has = |text: &str, begins: char| names(text, begins, kind);
        let [(mine, not_mine), (theirs, not_theirs)] =
            [one, other].map(|text| (has(text, '有'), has(text, '无')));
        mine != theirs && not_mine != not_theirs && mine == not_theirs
    })
}

/// Whether a text has a kind's name, and doesn't say that something is of it.
fn names(text: &str, begins: char, kind: &str) -> bool {
    let mut places = text.match_indices(begins).map(|(at, _)| (&text[..at], &text[at + begins.len_utf8()..]));
    places.any(|(before, rest)| {
        rest.starts_with(kind) && !begins_with_any(rest, OTHERS) && !ends_with_any(before, &COPULAS)
    })
}
