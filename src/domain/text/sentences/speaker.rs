//! Who says a quotation that is a sentence of its own, where that is said behind it: `“很好。”李医生说。`, `「はい。」と言った。`

mod spoken;

pub(super) use self::spoken::speaker_end;

/// How a clause ends that only says who says something.
#[rustfmt::skip]
const SAYING: [&str; 24] = [
    "说", "说道", "表示", "指出", "认为", "写道", "称", "强调", "补充道", "解释道", "回答", "问道", "道", "告诉记者", "說", "說道", "稱", "認為", "寫道", "強調", "告訴記者", "回應", "回应", "透露",
];
/// Characters of such a clause at most.
const CHARS_MAX: usize = 20;
/// What ends it; behind a colon it speaks of what follows.
const ENDS: [char; 5] = ['。', '！', '[', '【', '［'];

/// Whether a sentence that has ended with a quotation goes on: what was quoted is said, named or limited.
pub(super) fn goes_on(said: &str, rest: &str) -> bool {
    let is_japanese = || rest.starts_with(['と', 'っ', 'を', 'は', 'の']);
    match said.chars().next_back() {
        Some('」' | '』') => is_japanese() || said.starts_with(['「', '『']) && names_speaker(rest),
        Some('”') => said.starts_with('“') && names_speaker(rest),
        Some(_) | None => false,
    }
}

fn names_speaker(rest: &str) -> bool {
    let near = rest.char_indices().take(CHARS_MAX + 1);
    let end = near
        .clone()
        .find(|(_, c)| matches!(c, '，' | ',' | '：' | ':' | '“' | '「' | '\n' | '；') || ENDS.contains(c));
    let end = match end {
        Some((at, c)) => ENDS.contains(&c).then_some(at),
        None => (near.count() <= CHARS_MAX).then_some(rest.len()),
    };
    end.is_some_and(|end| {
        let clause = rest[..end].trim_end();
        SAYING.iter().any(|verb| clause.strip_suffix(verb).is_some_and(|who| !who.is_empty()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_goes_on_where_its_speaker_follows() {
        for (said, rest) in [
            ("“每天两杯就够了。”", "李医生说[2]。"),
            ("“每天两杯就够了。”", "世界卫生组织的专家表示。另一位不同意。"),
            ("“每天两杯就够了。”", "他补充道"),
            ("「每天兩杯就夠了。」", "李醫生說。"),
            ("「はい。」", "と言った。"),
        ] {
            assert!(goes_on(said, rest), "{said}{rest}");
        }
        for (said, rest) in [
            ("“每天两杯就够了。”", "随后上涨。"),
            ("“每天两杯就够了。”", "李医生说：“三杯也行。”"),
            ("“每天两杯就够了。”", "李医生说，每天三杯也行。"),
            ("他说：“市场下跌。”", "王先生说。"),
            ("“每天两杯就够了。”", "说。"),
            ("“每天两杯就够了。”", "这是一个很长的句子其中没有任何标点符号而且最后才出现他说。"),
            ("\"It fell.\"", "李医生说。"),
        ] {
            assert!(!goes_on(said, rest), "{said}{rest}");
        }
    }
}
