// Who contributed what: a map of subagents × findings, and of each result what became of it.

import { h, words } from "./dom.js";
import { figure, percent } from "./format.js";

/** The map of a result, or nothing where it has no findings. */
export function contributions(result) {
  const findings = result.findings ?? [];
  const names = [...new Set([...findings.flatMap((finding) => finding.contributors ?? []), ...(result.results ?? []).map((one) => one.subagent)])];
  if (!findings.length || !names.length) return null;
  const total = (name) => findings.filter((finding) => finding.contributors?.includes(name)).length;
  const head = h("tr", {}, h("th", { scope: "col" }, "Finding"), names.map((name) => h("th.turned", { scope: "col" }, h("span", {}, name))));
  const row = (finding, at) =>
    h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#finding-${at + 1}`, onclick: (event) => jump(event, `finding-${at + 1}`) }, `${at + 1}`), " ", finding.topic), names.map((name) => cell(finding, name)));
  const foot = h("tr", {}, h("th", { scope: "row" }, "Findings in all"), names.map((name) => h("td", {}, String(total(name)))));
  const table = h("table.map", {}, h("caption.sr", {}, "Which subagent contributed to which finding"), h("thead", {}, head), h("tbody", {}, findings.map(row)), h("tfoot", {}, foot));
  return h("div.map-scroll", { tabindex: "0", role: "region", "aria-label": "Contribution map" }, table);
}

function cell(finding, name) {
  const has = finding.contributors?.includes(name);
  return h("td", { dataset: { level: has ? (finding.confidence ?? "low") : "none" } }, has ? h("span.dot", { title: `${name}: ${finding.confidence} confidence` }, h("span.sr", {}, `yes, ${finding.confidence}`)) : h("span.sr", {}, "no"));
}

/** Goes to an element of this page: the fragment belongs to the router. */
export function jump(event, id) {
  event.preventDefault();
  const target = document.getElementById(id);
  if (!target) return;
  target.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  target.focus({ preventScroll: true });
}

/** What each subagent brought, and what became of it. */
export function brought(result) {
  const rows = (result.results ?? []).map((one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, one.subagent, one.partial ? " (partial)" : ""),
      h("td", {}, one.task ?? ""),
      h("td.number", {}, figure(one.relevance)),
      h("td.number", {}, percent(result.quality?.per_result_coverage?.[one.task_id])),
      h("td.number", {}, String(one.sources?.length ?? 0)),
      h("td.number", {}, `${one.tokens ?? "–"}${one.truncated ? " (cut)" : ""}`),
    ),
  );
  if (!rows.length) return null;
  const head = ["Subagent", "Task", "Relevance", "Covered", "Sources", "Tokens"].map((name, at) => h(at > 1 ? "th.number" : "th", { scope: "col" }, name));
  return h("div.map-scroll", { tabindex: "0", role: "region", "aria-label": "Results of the subagents" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
}

/** What failed, with its reason. */
export function failed(result) {
  const rows = (result.failures ?? []).map((failure) => h("li", { dataset: { status: failure.status } }, h("strong", {}, failure.subagent ?? failure.task_id), ` ${words(failure.status)}: ${failure.error ?? ""}`, failure.task ? h("span.quiet.block", {}, failure.task) : null));
  return rows.length ? h("ul.failures", {}, rows) : null;
}
