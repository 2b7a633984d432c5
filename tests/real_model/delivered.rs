//! What of a delivered result can be proven, and what became of what the model drafted.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::questions::Question;

/// Sentences that cite a source, where there are sources.
const CITATION_RATE_MIN: f64 = 0.95;
/// Of what the service itself finds wanting.
const ISSUES_SHOWN: usize = 3;

/// What is wrong with a delivered result; nothing may be.
///
/// What a model wrote must pass every check of the service's own. What was extracted is held against the reports alone:
/// quotations of sentences that cite nothing are delivered too, and `quality` says that they aren't verified.
pub fn faults(question: &Question, result: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut demand = |holds: bool, what: String| {
        if !holds {
            faults.push(format!("{}: {what}", question.id));
        }
    };
    let (quality, is_written) = (&result["quality"], result["metadata"]["method"] == "llm");
    let issues = || items(quality, "issues").take(ISSUES_SHOWN).map(|issue| issue["detail"].to_string());
    demand(
        !is_written || quality["verified"] == true,
        format!("not verified: {:?}", Vec::from_iter(issues())),
    );
    for name in ["numeric_fidelity", "quote_fidelity"] {
        let is_whole = quality[name].is_null() || quality[name] == 1.0;
        demand(
            !is_written || is_whole,
            format!("{name} is {}: {:?}", quality[name], Vec::from_iter(issues())),
        );
    }
    let ids: BTreeSet<u64> = items(result, "sources").filter_map(|source| source["id"].as_u64()).collect();
    let rate = quality["citation_rate"].as_f64().unwrap_or(1.0);
    // Who names no sources can only be quoted without one.
    let all_name_sources = question.reports.iter().all(|(_, report)| report.contains("http"));
    let is_cited = !is_written || ids.is_empty() || !all_name_sources || rate >= CITATION_RATE_MIN;
    demand(is_cited, format!("only {rate} of the sentences cite: {:?}", Vec::from_iter(issues())));
    for shown in shown(result) {
        let dangling: Vec<u64> = cited(shown).filter(|number| !ids.contains(number)).collect();
        demand(dangling.is_empty(), format!("{dangling:?} is cited, and isn't there: {shown}"));
    }
    for part in items(result, "findings").chain(items(result, "contradictions")) {
        let numbers: BTreeSet<u64> = items(part, "sources").filter_map(Value::as_u64).collect();
        demand(numbers.is_subset(&ids), format!("{numbers:?} aren't all sources: {part}"));
    }
    let said: BTreeSet<&str> = question.reports.iter().flat_map(|(_, report)| figures(report)).collect();
    let reports: Vec<String> = question.reports.iter().map(|(_, report)| letters(report)).collect();
    for finding in items(result, "findings") {
        let content = finding["content"].as_str().unwrap_or_default();
        // Where a citation stands, its number is no figure of anybody's.
        let foreign: Vec<&str> = figures(content)
            .filter(|figure| !said.contains(figure) && !content.contains(&format!("[{figure}]")))
            .collect();
        demand(foreign.is_empty(), format!("nobody said {foreign:?}: {finding}"));
        let is_said = |text: &str| reports.iter().any(|report| report.contains(&letters(text)));
        let is_quoted = || is_said(content) || content.split(". ").all(is_said);
        let is_paraphrase = is_written && (ids.is_empty() || items(finding, "sources").next().is_some());
        demand(is_paraphrase || is_quoted(), format!("nobody's words, and no source: {finding}"));
    }
    let noted: Vec<&str> = items(result, "gaps").filter_map(Value::as_str).collect();
    for (subagent, _) in &question.reports {
        let is_covered = quality["per_result_coverage"][subagent].as_f64().is_some_and(|share| share > 0.0);
        let is_noted = noted.iter().any(|gap| gap.contains(subagent.as_str()));
        demand(is_covered || is_noted, format!("nothing of {subagent}, and no note"));
    }
    let reason = &result["metadata"]["reason"];
    demand(is_written || reason.is_string(), "extracted for no reason".to_owned());
    faults
}

fn items<'v>(value: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    value[member].as_array().into_iter().flatten()
}

/// The texts in which sources are cited.
fn shown(result: &Value) -> Vec<&str> {
    let findings = items(result, "findings").filter_map(|finding| finding["content"].as_str());
    let whole = ["synthesis", "summary"].into_iter().filter_map(|member| result[member].as_str());
    findings.chain(whole).collect()
}

/// The numbers in `[n]`, but not in the text of a link, `[n](…)`.
fn cited(text: &str) -> impl Iterator<Item = u64> {
    text.split('[').skip(1).filter_map(|rest| {
        let (inside, behind) = rest.split_once(']')?;
        if behind.starts_with('(') { None } else { inside.parse().ok() }
    })
}

/// Letters and digits, without markup and citations.
fn letters(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        rest = behind
            .trim_start_matches(|character: char| character.is_ascii_digit() || ", -–".contains(character));
    }
    out.push_str(rest);
    out.retain(char::is_alphanumeric);
    out
}

/// Runs of digits.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

/// What was delivered, over many questions.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Results by what they are made of: the draft alone, some of it repaired, some of it quoted, all of it quoted.
    pub drafts: usize,
    pub repaired: usize,
    pub with_twins: usize,
    pub extractive: usize,
    /// Of the extractive ones, those that say that not all of it is verified.
    pub unverified: usize,
    /// Findings by what became of them.
    pub items: Items,
    /// Why results are extractive.
    pub reasons: Vec<String>,
}

/// Findings that models drafted, and what became of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Items {
    pub drafted: u64,
    pub kept: u64,
    pub repaired: u64,
    pub twins: u64,
    pub dropped: u64,
    pub added: u64,
}

impl Tally {
    pub fn add(&mut self, question: &Question, result: &Value) {
        let metadata = &result["metadata"];
        let count = |name: &str| metadata["synthesis"][name].as_u64().unwrap_or(0);
        self.items.drafted += count("drafted");
        self.items.dropped += count("dropped");
        if metadata["method"] != "llm" {
            self.extractive += 1;
            self.unverified += usize::from(result["quality"]["verified"] != true);
            self.reasons.push(format!("{}: {}", question.id, metadata["reason"].as_str().unwrap_or("?")));
            return;
        }
        self.items.kept += count("kept");
        self.items.repaired += count("repaired");
        self.items.twins += count("twins");
        self.items.added += count("added");
        match (count("twins") + count("added"), count("repaired")) {
            (0, 0) => self.drafts += 1,
            (0, _) => self.repaired += 1,
            _ => self.with_twins += 1,
        }
    }

    pub fn results(&self) -> usize {
        self.drafts + self.repaired + self.with_twins + self.extractive
    }

    /// Both tables, and the reasons.
    pub fn table(&self) -> String {
        let Items { drafted, kept, repaired, twins, dropped, added } = self.items;
        let mut text = format!(
            "| results | draft as it was | with repairs | with quotations | extractive | of them unverified |\n\
             |--:|--:|--:|--:|--:|--:|\n| {} | {} | {} | {} | {} | {} |\n\n\
             | findings drafted | kept | of them repaired | twins | dropped | added |\n|--:|--:|--:|--:|--:|--:|\n\
             | {drafted} | {kept} | {repaired} | {twins} | {dropped} | {added} |\n",
            self.results(),
            self.drafts,
            self.repaired,
            self.with_twins,
            self.extractive,
            self.unverified,
        );
        for reason in &self.reasons {
            let _ = writeln!(text, "- extractive, {reason}");
        }
        text
    }
}
