//! A state behind a label, `Status: open`, `Severity: high`, and what is chosen, `Recommendation: Postgres`.
//!
//! Many words mean the same state, so two differ only where both are known, and are of one scale. What is chosen has a name that none
//! of these words is.

use super::super::Kind;
use super::super::answers::{Named, product};

/// Scales, each by its steps, each by its words.
type Scale = &'static [&'static [&'static str]];

/// Whose steps are each other's opposites.
#[rustfmt::skip]
const OPPOSITES: &[Scale] = &[
    &[&["open", "active", "ongoing", "unresolved", "in progress", "reopened", "not fixed", "unfixed", "offen", "in arbeit", "ouvert", "en cours", "abierto", "abierta", "en curso", "aperto", "aberto", "开放", "未解决", "进行中", "未修复"],
      &["closed", "resolved", "fixed", "solved", "completed", "complete", "geschlossen", "erledigt", "behoben", "gelöst", "abgeschlossen", "fermé", "résolu", "terminé", "cerrado", "cerrada", "resuelto", "chiuso", "risolto", "fechado", "resolvido", "已关闭", "已解决", "已完成", "已修复"]],
    &[&["pass", "passed", "passes", "bestanden", "réussi", "superado", "aprobado", "通过"],
      &["fail", "failed", "fails", "nicht bestanden", "échoué", "échec", "suspenso", "fallido", "未通过", "不通过"]],
    &[&["approve", "approved", "accept", "accepted", "go", "merge", "genehmigt", "angenommen", "approuvé", "accepté", "aprobado", "aceptado", "批准"],
      &["reject", "rejected", "decline", "declined", "denied", "no-go", "request changes", "changes requested", "do not merge", "abgelehnt", "refusé", "rejeté", "rechazado", "denegado", "拒绝", "驳回"]],
    &[&["up", "online", "operational", "available", "healthy", "running"], &["down", "offline", "unavailable", "unhealthy", "stopped", "out of service"]],
    &[&["in stock", "available", "verfügbar", "lieferbar", "disponible", "有货"], &["out of stock", "unavailable", "sold out", "discontinued", "ausverkauft", "nicht verfügbar", "épuisé", "agotado", "缺货"]],
    &[&["enabled", "on", "active", "aktiviert", "activé"], &["disabled", "off", "inactive", "deaktiviert", "désactivé"]],
    &[&["yes", "true", "supported", "included", "ja", "oui", "sí", "sì", "sim", "是", "✅", "✔", "✓", "☑"], &["no", "false", "unsupported", "not supported", "not included", "none", "nein", "non", "não", "否", "❌", "✗", "✘", "✖"]],
    &[&["safe", "secure", "not vulnerable", "not affected"], &["unsafe", "insecure", "vulnerable", "affected"]],
    &[&["compliant", "konform", "conforme"], &["non-compliant", "noncompliant", "not compliant", "nicht konform", "non conforme"]],
];
/// Whose steps are of more or less.
#[rustfmt::skip]
const LEVELS: &[Scale] = &[
    &[&["buy", "to buy", "kaufen", "acheter", "comprar"], &["hold", "to hold", "halten"], &["sell", "to sell", "verkaufen", "vendre", "vender"], &["wait", "to wait"]],
    &[&["critical", "severe", "kritisch", "critique", "crítica", "crítico", "critico", "严重"],
      &["high", "hoch", "élevé", "élevée", "haute", "alta", "alto", "高"],
      &["medium", "moderate", "mittel", "moyen", "moyenne", "modéré", "modérée", "media", "medio", "média", "médio", "中"],
      &["low", "minor", "niedrig", "gering", "faible", "basse", "baja", "bajo", "bassa", "basso", "baixa", "baixo", "低"]],
];
/// Labels of what all comes to.
#[rustfmt::skip]
const VERDICTS: &[&str] = &[
    "status", "verdict", "final verdict", "overall verdict", "overall status", "decision", "outcome", "result", "overall result", "overall risk", "ergebnis", "entscheidung", "statut", "décision", "résultat",
    "estado", "decisión", "resultado", "stato", "esito", "状态", "结论", "结果",
];
/// Labels of what is chosen: it may be any name.
#[rustfmt::skip]
const CHOICES: &[&str] = &[
    "recommendation", "my pick", "my recommendation", "our recommendation", "top pick", "final recommendation", "overall recommendation", "recommended", "best choice", "best option", "our pick", "choice", "winner", "overall winner", "empfehlung", "gewinner", "sieger",
    "recommandation", "vainqueur", "recomendación", "ganador", "raccomandazione", "vincitore", "recomendação", "vencedor", "推荐", "建议", "获胜者", "胜者",
];

/// How grave something is, by its number.
#[rustfmt::skip]
const GRADES: Scale = &[
    &["p0", "sev0", "sev-0", "sev 0"], &["p1", "sev1", "sev-1", "sev 1"], &["p2", "sev2", "sev-2", "sev 2"], &["p3", "sev3", "sev-3", "sev 3"], &["p4", "sev4", "sev-4", "sev 4"], &["p5", "sev5", "sev-5", "sev 5"],
];

/// Whether a label is of what is chosen.
pub(super) fn is_choice(label: &str) -> bool {
    CHOICES.contains(&label.to_lowercase().as_str())
}

/// Whether what stands behind a label is a grade, which has a number in it.
pub(super) fn is_level(behind: &str) -> bool {
    let said = behind.trim_matches(|c: char| !c.is_alphanumeric());
    said.len() <= 5 && step(GRADES, &said.to_lowercase()).is_some()
}

/// Whether a label is of what all that is said comes to.
pub(super) fn is_verdict(label: &str) -> bool {
    let label = label.to_lowercase();
    [VERDICTS, CHOICES].iter().any(|labels| labels.contains(&label.as_str()))
}

/// What stands behind a label in words.
pub(super) struct State<'s> {
    pub(super) written: &'s str,
    /// In small letters.
    said: String,
    /// What is chosen.
    chosen: Option<Named<'s>>,
}

impl<'s> State<'s> {
    /// `behind` begins with the end of the label.
    pub(super) fn of(label: &str, behind: &'s str) -> Option<Self> {
        let is_mark = |c: char| {
            c.is_whitespace() || matches!(c, '*' | '_' | '`' | ':' | '：' | '.' | '。' | '!' | '\u{FE0F}')
        };
        let written = behind.trim_matches(is_mark);
        let said = written.to_lowercase();
        let is_known = scales().any(|(_, scale)| step(scale, &said).is_some());
        let chosen =
            if !is_known && is_choice(label) { product(written).filter(Named::is_name) } else { None };
        (is_known || chosen.is_some()).then_some(Self { written, said, chosen })
    }

    /// How two differ that can't both be so.
    pub(super) fn differ(&self, other: &Self) -> Option<Kind> {
        let chosen = self.chosen.as_ref().zip(other.chosen.as_ref());
        let of_scales = || {
            scales().find_map(|(kind, scale)| {
                let both = step(scale, &self.said).zip(step(scale, &other.said));
                both.filter(|(mine, theirs)| mine != theirs).map(|_| kind)
            })
        };
        chosen.map_or_else(of_scales, |(mine, theirs)| mine.difference(theirs).map(|found| found.kind))
    }
}

fn scales() -> impl Iterator<Item = (Kind, Scale)> {
    let opposites = OPPOSITES.iter().map(|scale| (Kind::Polarity, *scale));
    opposites.chain(LEVELS.iter().chain([&GRADES]).map(|scale| (Kind::Answer, *scale)))
}

fn step(scale: Scale, said: &str) -> Option<usize> {
    scale.iter().position(|words| words.contains(&said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_differ_on_one_scale() {
        let differ = |label: &str, one: &str, other: &str| {
            let (one, other) = (State::of(label, one)?, State::of(label, other)?);
            assert_eq!(one.differ(&other), other.differ(&one));
            one.differ(&other)
        };
        for (label, one, other, kind) in [
            ("Status", ": open", ": closed", Kind::Polarity),
            ("Status", ":** In progress", ": Resolved.", Kind::Polarity),
            ("Severity", ": high", ": low", Kind::Answer),
            ("Verdict", ": pass", ": fail", Kind::Polarity),
            ("状态", "：进行中", "：已完成", Kind::Polarity),
            ("Gravité", " : élevée", " : faible", Kind::Answer),
            ("Recommendation", ": Postgres", ": MySQL", Kind::Answer),
            ("Recommendation", ": Option A", ": Option B", Kind::Answer),
            ("Empfehlung", ": A", ": B", Kind::Answer),
            ("SCIM", ": ✅", ": ❌", Kind::Polarity),
            ("SCIM", ": ✔️", ": No", Kind::Polarity),
            ("Recommendation", ": to buy", ": to sell", Kind::Answer),
        ] {
            assert_eq!(differ(label, one, other), Some(kind), "{label}{one}{other}");
        }
        for (label, one, other) in [
            ("Status", ": closed", ": resolved"),
            ("Status", ": open", ": high"),
            ("Status", ": open since May", ": closed"),
            ("Owner", ": Ana", ": Ben"),
            ("Recommendation", ": Postgres", ": Postgres with replicas"),
            ("Recommendation", ": approve", ": use Postgres"),
            ("Recommendation", ": Approve", ": Merge"),
            ("Recommendation", ": Postgres or MySQL", ": SQLite"),
        ] {
            assert_eq!(differ(label, one, other), None, "{label}{one}{other}");
        }
    }
}
