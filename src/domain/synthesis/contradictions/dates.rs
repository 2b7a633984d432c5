//! Dates that say when something happened, not since or until when something is looked at.
//!
//! `Revenue was high in 2019` and `… in 2020` may both be true; `Acme was founded in 2015` and `… in 2017` may not.

use super::weekdays;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit, is_english_day};
use crate::domain::text::phrases::{ends_with_any, has_any};

/// What happens to a thing once: no figure beside the date makes another fact of it.
#[rustfmt::skip]
const ONCE: &[&str] = &[
    "founded", "established", "incorporated", "born", "died", "enacted", "abolished", "dissolved", "discovered", "invented", "independence",
    "starts", "started", "begins", "began", "ends on", "ended on", "ends in", "ended in", "applies", "effective", "takes effect", "took effect", "enters into force",
    "entered into force", "came into force", "comes into force", "expires", "expired", "scheduled", "takes place", "took place", "held on", "moved to", "postponed to", "rescheduled", "pushed back to", "verschoben auf", "reporté au", "aplazado al", "due on", "due by", "deadline",
    "gegründet", "geboren", "gestorben", "in kraft", "läuft aus", "verfällt", "verfallen am", "endet", "beginnt", "a lieu", "fixée au", "fixé au", "tiene lugar", "fondée", "fondé en", "née en", "né en", "décédé", "entre en vigueur", "expire",
    "fundada", "fundado", "nació", "murió", "entra en vigor", "vence el", "fondata", "fondato", "nato nel", "nata nel", "entra in vigore", "scade il", "opgericht", "geboren",
    "fundó", "tuvo lugar", "tendrá lugar", "a eu lieu", "aura lieu", "ha avuto luogo", "成立", "创立", "颁布", "生效", "截止", "出生", "逝世", "設立", "創業", "施行",
    "основан", "учрежден", "учреждён", "родился", "родилась", "умер", "скончал", "вступил в силу", "вступает в силу", "تأسس", "设立", "설립", "창립", "태어났",
];

/// What may happen again with another figure: `opened 3 plants in 2015`, `… in 2017`.
#[rustfmt::skip]
const EVENTS: &[&str] = &[
    "launched", "released", "introduced", "acquired", "published", "signed", "opened", "closed on", "completed", "approved", "created", "elected", "appointed", "resigned",
    "retired", "ratified", "adopted", "filed", "built", "merged", "granted", "awarded", "married", "terminated", "renewed", "delivered on", "arrived on", "occurred", "happened",
    "settled", "concluded", "finished", "passed", "sold", "bought", "hired", "fired", "inaugurated", "discontinued", "shut down", "collapsed", "convicted", "arrested",
    "went live", "goes live", "crashed", "landed", "veröffentlicht", "eröffnet", "publié", "lancé", "publicado", "lanzado", "pubblicato", "lanciato",
    "launches", "will launch", "moves on", "will move", "deployed", "rolled out", "ships on", "signé", "inauguré", "firmó", "firmado", "unterzeichnet", "inauguró", "lanzó", "publicó", "firmato", "inaugurato",
    "完成", "竣工", "開業", "開通", "发布", "推出", "收购", "上市", "出版", "签署", "启动", "举行", "発売", "発表", "開始",
];

/// What happens once where a day is told, not where a year or a day of the week is: `opens on 3 March`, not `opens on Mondays`.
#[rustfmt::skip]
const ON_A_DAY: &[&str] = &[
    "opens on", "reopens on", "closes on", "departs on", "returns on", "meets on", "celebrated on", "sank", "exploded", "derailed", "broke out", "erupted",
    "öffnet am", "schließt am", "eingestürzt", "stürzte", "spätestens", "findet am", "endete", "beginnt am",
    "vindt plaats", "vond plaats", "vinden plaats", "vindt op", "eindigt", "eindigde", "begint op", "begon op", "start op", "opent op", "sluit op", "ingestort", "stortte", "verloopt", "uiterlijk", "overleden", "treedt in werking",
    "si tiene", "si terrà", "si è tenut", "si svolge", "si svolgerà", "si è svolt", "inizia il", "inizia l'", "comincia il", "termina il", "finisce il", "crollat", "crollò", "apre il", "chiude il", "entro il", "scadenza", "inaugurat", "avvenut", "nato il", "nata il",
    "effondr", "écroulé", "commence le", "débute le", "se termine le", "prend fin le", "se tient le", "se tiendra", "s'est tenu", "s’est tenu", "ouvre le", "ferme le", "au plus tard le", "échéance", "date limite", "expire le", "est mort",
    "derrumb", "desplom", "colapsó", "empieza el", "comienza el", "termina el", "finaliza el", "se celebra", "se celebró", "abre el", "cierra el", "plazo", "hasta el",
    "desabou", "desabaram", "ruiu", "começa em", "começa a ", "começa no dia", "inicia em", "termina em", "termina a ", "encerra em", "realiza-se", "realizad", "realizará", "abre em", "fecha em", "prazo", "até ", "inaugurada em",
    "坍塌", "倒塌", "举办", "召开", "开幕", "闭幕", "开始", "结束", "开放", "开业", "到期", "去世", "爆炸", "发生", "開催", "締め切り", "締切", "期限", "開幕", "閉幕", "崩落", "崩壊", "倒壊", "発生", "終了", "開店", "閉店", "死去",
    "обрушил", "состоится", "состоялся", "состоялась", "начинается", "начнется", "начнётся", "заканчивается", "открывается", "истекает", "개최", "마감", "붕괴", "시작", "종료", "열립니다", "열린다", "odbędzie się", "odbyło się", "zawalił", "rozpoczyna się", "kończy się",
];
/// What says since when something is in a state.
const SINCE: [&str; 7] = [" since", " seit", " seit dem", " depuis le", " desde el", " dal", " sinds"];

/// What stands between a date and the verb that it belongs to.
const BETWEEN: &[&str] = &["on", "in", "at", "the", "for", "by", "set", "am", "le", "el", "il", "de"];
/// The verb of `the meeting is on 4 March`.
const IS: &[&str] = &[
    "is", "was", "are", "were", "be", "been", "ist", "war", "est", "était", "es", "fue", "è", "fu", "era",
    "foi",
];

/// What stands before and behind a day of the week in Japanese and Chinese, where it is then.
const TOPICS: [char; 5] = ['は', 'が', '是', '在', '于'];
#[rustfmt::skip]
const WIDE: &[&str] = &[
    "", "です", "だ", "である", "でした", "に行われます", "に行われる", "に開催されます", "に開催される", "に開かれます", "に開かれる", "に始まります", "に始まる", "举行", "召开",
];

/// Whether a date of a statement says when something happened.
pub(super) fn is_point(of: &Features<'_>, date: &Figure) -> bool {
    let lower = of.text.to_lowercase();
    let says = |list: &[&str]| has_any(&lower, list);
    let is_beside =
        |figure: &Figure| names(of, figure) || is_time_before(of, figure) || weekdays::is_of_date(of, figure);
    let alone = of.figures.iter().all(|figure| figure == date || is_beside(figure));
    date.low == date.high
        && (says(ONCE)
            || takes_place(&lower)
            || (alone
                && (says(EVENTS)
                    || is_first(&lower)
                    || is_then(of, date)
                    || is_day(date) && says(ON_A_DAY)
                    || is_begun(of, date))))
}

/// Whether a date says the day.
fn is_day(date: &Figure) -> bool {
    date.unit == Unit::Date && date.low.whole().is_some_and(|day| !day.is_multiple_of(100))
}

/// Whether something is in a state since that day: `has been failing since 3 November`. What hasn't happened since one day hasn't since the
/// next, either.
fn is_begun(of: &Features<'_>, date: &Figure) -> bool {
    const IS: [&str; 9] = [" been ", " is ", " are ", " ist ", " sind ", " est ", " está ", " è ", " zijn "];
    let before = of.text[..weekdays::start_of(of, date)].trim_end();
    (is_day(date) || date.unit == Unit::Weekday)
        && ends_with_any(before, &SINCE)
        && has_any(before, &IS)
        && !of.marks.iter().any(|marked| marked.mark.is_negation() && !fails(marked.written(of.text)))
}

/// Whether what denies says that something is so: `failing`.
fn fails(written: &str) -> bool {
    written.to_lowercase().starts_with("fail")
}

/// Whether the sentence says nothing but that its subject is at that date. `Das Museum ist am Montag geschlossen` may be so on
/// Tuesday, too.
fn is_then(of: &Features<'_>, date: &Figure) -> bool {
    let behind = of.text[date.end..].trim_matches(['.', '!', '。', ' ']);
    let is_foreign = date.unit == Unit::Weekday && !is_english_day(&of.text[date.range()]);
    let before = &of.text[..weekdays::start_of(of, date)];
    (is_copula(before) && (!is_foreign || !behind.contains(char::is_alphabetic)))
        || is_foreign && before.ends_with(TOPICS) && WIDE.contains(&behind)
}

/// Whether a statement says of something that happens once, and of no more than that, when it does.
pub(super) fn is_once(of: &Features<'_>) -> bool {
    let lower = of.text.to_lowercase();
    let says = |list: &[&str]| has_any(&lower, list);
    let counts_nothing = of
        .figures
        .iter()
        .all(|figure| matches!(figure.unit, Unit::Date | Unit::Weekday) || names(of, figure));
    let allows = [" can ", " could ", " may ", " might ", " often ", " sometimes "];
    counts_nothing && !says(&allows) && (says(ONCE) || says(EVENTS) || says(&[" must "]))
}

/// `after ten years of work`: how long it took makes no other event of it.
fn is_time_before(of: &Features<'_>, figure: &Figure) -> bool {
    let is_time = matches!(figure.unit, Unit::Measure { base: "s" | "month", per: 0 });
    let before = of.text[..figure.start].trim_end();
    is_time && ends_with_any(before, &["after", "nach", "après"])
}

/// `fand … statt`.
fn takes_place(lower: &str) -> bool {
    let ends = lower.trim_end_matches(['.', '!', ' ']).ends_with(" statt");
    ends && has_any(lower, &["fand ", "fanden ", "findet ", "finden "])
}

/// `The first case was reported on`: nothing is the first twice.
fn is_first(lower: &str) -> bool {
    const SEEN: [&str; 8] =
        ["reported", "detected", "observed", "identified", "confirmed", "recorded", "seen", "diagnosed"];
    lower.contains("first ") && has_any(lower, &SEEN)
}

/// Whether a figure belongs to a name, as in `Foo 4.2` and `the first case`: it counts nothing.
pub(super) fn names(of: &Features<'_>, figure: &Figure) -> bool {
    // Most count something, or are dates.
    if figure.unit != Unit::Plain {
        return matches!(figure.unit, Unit::Label | Unit::Ordinal);
    }
    let before = of.text[..figure.start].trim_end();
    let blank = before.as_bytes().iter().rposition(|byte| *byte == b' ');
    let before = &before[blank.map_or(0, |blank| blank + 1)..];
    figure.start > before.len()
        && before.starts_with(char::is_uppercase)
        && before.ends_with(char::is_alphabetic)
}

/// Whether a figure is a version in which something changed: `was fixed in version 5.3.2`.
pub(super) fn is_version(of: &Features<'_>, figure: &Figure) -> bool {
    #[rustfmt::skip]
    const CHANGED: [&str; 12] = [
        "fixed", "introduced", "added", "removed", "deprecated", "resolved", "patched", "dropped", "behoben", "entfernt", "corrigé", "修复",
    ];
    let written = &of.text[figure.range()];
    let is_dotted =
        written.contains('.') && written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let lower = of.text.to_lowercase();
    is_dotted && has_any(&lower, &CHANGED)
}

/// Whether the sentence says nothing but that its subject is at that date.
fn is_copula(before: &str) -> bool {
    let mut words = before.split_whitespace().rev().map(str::to_lowercase);
    let verb = words.find(|word| !BETWEEN.contains(&word.as_str()));
    verb.is_some_and(|verb| IS.contains(&verb.as_str()))
}

/// A date that says less fits one that says more: `2024` and `March 2024`, `March 2024` and `March 6, 2024`.
pub(super) fn dates_fit(a: &Figure, b: &Figure) -> bool {
    let single = |figure: &Figure| figure.low.whole().filter(|_| figure.low == figure.high);
    if let (Some(a), Some(b)) = (single(a), single(b)) {
        let parts = |date: u64| [date / 10_000, date / 100 % 100, date % 100];
        // What isn't said is 0.
        let fits = |(one, other): (u64, u64)| one == other || one == 0 || other == 0;
        return parts(a).into_iter().zip(parts(b)).all(fits);
    }
    let (Some((a_from, a_to)), Some((b_from, b_to))) = (a.years(), b.years()) else { return false };
    let whole = |figure: &Figure| figure.low.whole().is_some_and(|date| date % 10_000 == 0);
    (whole(a) || whole(b)) && a_from <= b_to && b_from <= a_to
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_happens_once_has_one_day_in_any_language() {
        for (said, mine, theirs) in [
            ("The backup has been failing since {}.", "3 November", "5 November"),
            ("The service has been down since {}.", "Monday", "Tuesday"),
            ("The museum opens on {}.", "3 March", "4 March"),
            ("Il ponte è crollato il {}.", "3 marzo 2024", "4 marzo 2024"),
            ("Le pont s'est effondré le {}.", "3 mars", "4 mars"),
            ("El puente se derrumbó el {}.", "3 de marzo", "4 de marzo"),
            ("A ponte desabou em {}.", "3 de março", "4 de março"),
            ("O pedido pode ser feito até {}.", "30 de junho", "31 de julho"),
            ("O prazo termina em {}.", "12 de maio", "19 de maio"),
            ("De verhuizing vindt plaats op {}.", "1 juni", "15 juni"),
            ("De termijn eindigt op {}.", "12 mei", "19 mei"),
            ("La riunione si tiene il {}.", "12 maggio", "19 maggio"),
            ("Il contratto inizia il {}.", "2 settembre", "2 ottobre"),
            ("Le contrat commence le {}.", "1er septembre", "1er octobre"),
            ("El contrato empieza el {}.", "1 de septiembre", "1 de octubre"),
            ("大桥于{}坍塌。", "3月3日", "3月4日"),
            ("セミナーは{}に開催されます。", "5月12日", "5月19日"),
            ("締め切りは{}です。", "5月12日", "5月19日"),
        ] {
            let [one, other] = [mine, theirs].map(|day| said.replace("{}", day));
            assert_eq!(kind(&one, &other), Some(Kind::Date), "{one} / {other}");
            assert_eq!(kind(&other, &one), Some(Kind::Date), "{other} / {one}");
        }
        for (said, mine, theirs) in [
            ("The shop is open on {}.", "7 March", "10 March"),
            ("Le magasin est ouvert le {}.", "7 mars", "10 mars"),
            ("De winkel is open op {}.", "3 mei", "5 mei"),
            ("Il treno parte il {}.", "3 marzo", "4 marzo"),
            ("The museum opens on {}.", "Monday", "Tuesday"),
            ("Markus visited Rome on {}.", "3 March", "4 March"),
            ("No incident has been reported since {}.", "3 March", "5 March"),
            ("The team has won 5 games since {}.", "3 March", "5 March"),
            ("A reunião termina em {}.", "2024", "maio de 2024"),
            ("La fiera si tiene il {}.", "3 maggio a Milano", "5 maggio a Torino"),
        ] {
            let [one, other] = [mine, theirs].map(|day| said.replace("{}", day));
            assert_eq!(kind(&one, &other), None, "{one} / {other}");
            assert_eq!(kind(&other, &one), None, "{other} / {one}");
        }
    }
}
