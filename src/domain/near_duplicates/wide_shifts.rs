//! Words of Chinese and Japanese that change what is said where only one of two texts has them: `努力義務` is no `義務`, and who is
//! `代理市长` isn't `市长`.
//!
//! They are the same as those of languages with spaces in [`joints`](super::joints), but stand within runs of characters, where a few
//! more characters than the other text has are harmless otherwise.

#[rustfmt::skip]
const SHIFTING: &[&str] = &[
    "努力", "任意", "推奨", "原則", "例外", "予定", "計画", "見込", "可能性", "おそらく", "たぶん", "恐らく", "一部", "暫定", "代理", "代行", "容疑", "疑い", "試験的", "ほぼ", "主に", "最大", "最低", "以上", "以下", "未満",
    "部分", "原则", "计划", "预计", "预期", "可能", "或许", "也许", "据称", "涉嫌", "疑似", "拟议", "试点", "临时", "暂时", "几乎", "接近", "主要", "大部分", "多数", "少数", "最多", "最少", "至少", "至多", "副", "前任", "候任", "所谓",
];

/// Whether both texts have the same of them.
pub(super) fn agree(one: &str, other: &str) -> bool {
    SHIFTING.iter().all(|word| one.contains(word) == other.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::{Reader, near};

    #[test]
    fn words_that_shift_keep_texts_of_characters_apart() {
        let mut reader = Reader::default();
        let mut are_near = |one, other| near(&reader.read(one), &reader.read(other));
        for (one, other) in [
            ("ヘルメットの着用は努力義務です。", "ヘルメットの着用は義務です。"),
            ("该市将于明年开通地铁五号线", "该市计划将于明年开通地铁五号线"),
            ("他是这座沿海城市的市长和党委书记", "他是这座沿海城市的副市长和党委书记"),
        ] {
            assert!(!are_near(one, other) && !are_near(other, one), "{one}");
        }
        for (one, other) in [
            ("ヘルメットの着用は義務です。", "ヘルメットの着用は義務です"),
            ("该市将于明年开通地铁五号线", "据悉该市将于明年开通地铁五号线"),
        ] {
            assert!(are_near(one, other) && are_near(other, one), "{one}");
        }
    }
}
