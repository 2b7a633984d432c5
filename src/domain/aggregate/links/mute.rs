//! Texts of links that only say that there is one: `([source](https://…))`, `[来源](https://…)`, `[pricing](https://…)`.

/// Letters and digits of such a text.
const CHARS_MAX: usize = 20;
/// Such words, and what a page is for, in small letters; `·` divides them.
const WORDS: [&str; 4] = [
    "source·sources·original source·link·here·click here·see here·read more·more·learn more·details·more details·this·this page·this link·this article·page·web page·webpage·website·site·\
     official site·official website·official page·homepage·url·article·post·blog·blog post·report·study·paper·news·announcement·press release·via·ref·reference·cite·citation·pdf·docs·\
     documentation·manual·pricing·pricing page·prices·faq·about·changelog·release notes·issue·thread·video",
    "quelle·quellen·hier·mehr·mehr dazu·siehe hier·siehe·artikel·seite·webseite·beitrag·bericht·studie·preise·ici·lien·voir·site officiel·prix·fuente·fuentes·enlace·aquí·ver más·sitio web·\
     artículo·precios·fonte·fonti·qui·collegamento·aqui·ligação·saiba mais·bron·hier·źródło·tutaj·kaynak·źródła·zdroj·källa·kilde·lähde",
    "来源·来源链接·链接·出处·原文·原文链接·官网·官方网站·网页·网站·这里·此处·点击这里·点击查看·查看·详情·查看详情·参考·参考链接·资料来源·來源·連結·出處·此處·價格·价格·出典·リンク·こちら·参照·公式サイト·詳細",
    "출처·링크·여기·자세히·источник·ссылка·здесь·подробнее·джерело·المصدر·رابط·هنا·מקור·קישור·स्रोत·nguồn·tại đây·sumber·แหล่งที่มา",
];

/// Whether the text of a link names no page. A name that looks so, `[Pricing](…)`, is no loss: the address says as much.
pub(in crate::domain::aggregate) fn names_nothing(text: &str) -> bool {
    let mut said = text.trim_matches(|c: char| !c.is_alphanumeric());
    if said.chars().filter(|c| c.is_alphanumeric()).nth(CHARS_MAX).is_some() {
        return false;
    }
    // `source 2`
    said = said.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let said = said.to_lowercase();
    said.is_empty() || WORDS.iter().any(|words| words.split('·').any(|word| word == said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_link_are_no_title() {
        for text in [
            "source",
            "Source",
            "link",
            "here",
            "**here**",
            "pricing",
            "Quelle",
            "来源",
            "出典",
            "source 2",
            "[link]",
            "→ Read more",
            "…",
        ] {
            assert!(names_nothing(text), "{text}");
        }
        for text in
            ["Reuters", "pandas", "Source code", "The link", "Pricing of EC2", "来源网", "K2", "Docs.rs"]
        {
            assert!(!names_nothing(text), "{text}");
        }
    }
}
