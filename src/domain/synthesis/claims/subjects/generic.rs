//! What headings are made of that name nothing.

use std::sync::LazyLock;

use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Term;

/// Whether a word of a heading names nothing, though it has a capital.
pub(super) fn is_generic(word: Term) -> bool {
    GENERIC.get(word).is_some()
}

/// Whether a letter behind a word tells one part of a text from another, and names nothing: `Report A`.
pub(super) fn is_enumerated(word: Term) -> bool {
    PARTS.get(word).is_some()
}

static PARTS: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(ENUMERATED.iter().map(|word| (*word, ()))).into());

#[rustfmt::skip]
const ENUMERATED: &[&str] = &[
    "report", "answer", "result", "response", "reply", "summary", "finding", "section", "part", "chapter", "step", "appendix", "annex", "table", "figure", "phase", "question", "point",
    "item", "theme", "topic", "abschnitt", "kapitel", "teil", "schritt", "punkt", "tabelle", "abbildung", "anhang", "anlage", "frage",
];

static GENERIC: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(WORDS.iter().map(|word| (*word, ()))).into());

/// By stem, so that `Costs` is `cost`.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "abstract", "access", "accuracy", "action", "additional", "adoption", "advantages", "advice", "alternatives", "analysis", "answer", "appendix", "applications", "approach", "architecture",
    "aspects", "assessment", "assumptions", "availability", "background", "barriers", "basics", "battery", "benefits", "billing", "budget", "business", "camera", "caveats", "challenges", "changes",
    "charging", "climate", "comparison", "competition", "competitors", "compliance", "composition", "conclusion", "conclusions", "connectivity", "considerations", "consumers", "context", "contracts", "cost",
    "customers", "data", "deadlines", "definition", "demand", "deployment", "design", "details", "differences", "disadvantages", "discussion", "display", "distribution", "drawbacks", "drivers",
    "duration", "economics", "economy", "education", "effects", "efficacy", "efficiency", "employees", "employment", "energy", "environment", "evidence", "evaluation", "examples", "exceptions", "executive",
    "experience", "facts", "factors", "faq", "features", "fees", "figures", "final", "finance", "financials", "findings", "forecast", "funding", "future", "general", "geography", "goals", "governance", "growth",
    "guidance", "health", "highlights", "history", "housing", "impact", "implementation", "implications", "important", "industry", "information", "infrastructure", "innovation", "insights", "installation", "integration",
    "introduction", "investment", "issues", "key", "labor", "labour", "landscape", "law", "leadership", "legal", "legislation", "lessons", "licence", "license", "licensing", "limitations", "limits", "location", "maintenance",
    "management", "manufacturing", "market", "materials", "measures", "mechanism", "methodology", "methods", "metrics", "migration", "mitigation", "model", "motivation", "names", "next", "notes", "numbers", "objectives",
    "observations", "operations", "opinion", "opportunities", "options", "origin", "other", "outcomes", "outlook", "overview", "ownership", "payment", "people", "performance", "plan", "plans", "players", "policy", "politics",
    "population", "position", "practice", "predictions", "prerequisites", "prevention", "price", "pricing", "privacy", "problem", "process", "product", "production", "products", "projections", "pros", "cons", "purpose",
    "quality", "question", "ranking", "rationale", "recommendation", "reception", "references", "refunds", "regulation", "regulations", "related", "release", "reliability", "remarks", "renewal", "rent", "reporting", "requirements", "research",
    "response", "result", "returns", "revenue", "review", "rights", "risk", "rules", "safety", "sales", "scalability", "schedule", "scope", "section", "part", "chapter", "step", "point", "theme", "topic", "area", "security", "services", "setup", "shipping", "side", "size", "software",
    "solution", "sources", "specifications", "specs", "staffing", "standards", "statistics", "status", "storage", "strategy", "strengths", "structure", "summary", "supply", "support", "sustainability", "takeaways", "target", "tax", "taxes",
    "team", "technical", "technology", "termination", "terms", "testing", "theory", "threats", "timeline", "tools", "topics", "trade", "training", "transport", "treatment", "trends", "types", "usage", "users", "validation",
    "valuation", "value", "verdict", "version", "warnings", "warranty", "weaknesses", "weather", "work", "workforce",
    "aperçu", "avantages", "conclusiones", "coûts", "costes", "costi", "détails", "detalles", "introducción", "limites", "précio", "precios", "prezzi", "prix", "recommandations", "recomendaciones", "resultados", "resumen", "résultats", "résumé",
    "riesgos", "riepilogo", "risques", "sécurité", "seguridad", "sintesi", "synthèse", "ventajas",
    "abschnitt", "kapitel", "teil", "schritt", "punkt", "tabelle", "abbildung", "anhang", "anlage", "variante", "option", "phase", "stufe", "frage", "ziel", "artikel", "absatz",
    "briefing", "digest", "explainer", "factsheet", "guide", "handbook", "memo", "primer", "whitepaper",
    "api", "apis", "ki", "ai", "ict", "it", "hr", "r&d", "seo", "ui", "ux", "kpi", "kpis", "roi", "swot", "esg", "tl", "dr", "tldr", "faqs", "q&a",
];
