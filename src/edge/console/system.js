// The service's health: is it ready, what it depends on, and per subagent its figures and its circuit breaker. What needs a scope that
// the token lacks says so; the rest is shown all the same.

import { ask } from "./access.js";
import { badge, h, text } from "./dom.js";
import { clock, count, duration, percent, problemText } from "./format.js";

const REFRESH_MS = 5_000;

export function systemPage() {
  let closed = false;
  const health = h("div.cards");
  const told = h("p.told", { role: "status" });
  const hours = h("select", { "aria-label": "Time of the figures", onchange: () => figures() }, [[1, "last hour"], [24, "last 24 hours"], [168, "last 7 days"], [720, "last 30 days"]].map(([value, name]) => h("option", { value, selected: value === 24 }, name)));
  const table = h("div.map-scroll", { tabindex: "0", role: "region", "aria-label": "Figures of subagents" });
  const source = h("span.quiet");
  const element = h("div.system", {}, h("header.page-head", {}, h("div", {}, h("h1", { tabindex: "-1" }, "System"), h("p.quiet", {}, "Health of this replica, and what its subagents do."))), h("section", { "aria-label": "Health" }, h("h2", {}, "Health"), health), h("section", { "aria-label": "Subagents" }, h("div.section-head", {}, h("h2", {}, "Subagents"), hours, source), told, table));

  async function state() {
    const [alive, ready] = await Promise.all([ask("/healthz").catch((error) => error), ask("/readyz", {}, [503]).catch((error) => error)]);
    if (closed) return;
    const cards = [card("Process", alive instanceof Error ? "failed" : "success", alive instanceof Error ? problemText(alive.problem) : `alive, version ${alive.body.version}`)];
    if (ready instanceof Error) cards.push(card("Readiness", "failed", problemText(ready.problem)));
    else {
      const { ready: takes, dependencies = {}, detail } = ready.body;
      cards.push(card("Traffic", takes ? "success" : "failed", takes ? "is taken" : (detail ?? "isn't taken")));
      for (const [name, dependency] of Object.entries(dependencies)) cards.push(card(name, dependency.ready ? "success" : "failed", ...facts(dependency)));
    }
    health.replaceChildren(...cards);
  }

  async function figures() {
    try {
      const { body } = await ask(`/analytics/subagents?hours=${hours.value}`);
      if (closed) return;
      text(told, body.subagents.length ? "" : "No subagent has done anything in this time.");
      text(source, `from the ${body.source}, until ${clock(body.to)}`);
      draw(table, body.subagents);
    } catch (error) {
      if (closed) return;
      const problem = error.problem ?? { detail: error.message };
      text(told, problem.status === 401 || problem.status === 403 ? `${problemText(problem)} These figures need the scope “admin”.` : problemText(problem));
      table.replaceChildren();
    }
  }

  const load = () => Promise.all([state(), figures()]);
  const refreshing = setInterval(() => !document.hidden && load(), REFRESH_MS);
  load();
  return { element, title: "System", close: () => ((closed = true), clearInterval(refreshing)), moved: () => {}, again: load, keys: {} };
}

function facts({ ready, reason, ...rest }) {
  const said = Object.entries(rest).map(([name, value]) => (name === "backend" ? value : `${count(value)} ${name.replaceAll("_", " ")}`));
  return [ready ? null : (reason ?? "isn't ready"), ...said].filter(Boolean);
}

function card(name, status, ...lines) {
  return h("div.card", { dataset: { status } }, h("h3", {}, name), badge(status, status === "success" ? "ready" : "not ready"), lines.map((line) => h("p", {}, String(line))));
}

function draw(table, subagents) {
  const slowest = Math.max(1, ...subagents.map((one) => one.latency_ms?.p99 ?? 0));
  const names = ["Subagent", "Outputs", "Success", "Errors", "Timeouts", "Refused", "Degraded", "Retries", "Late", "p50", "p95", "p99", "Breaker"];
  const head = h("tr", {}, names.map((name, at) => h(at > 0 && at < 12 ? "th.number" : "th", { scope: "col" }, name)));
  const rows = subagents.map((one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, one.key),
      number(one.outputs), number(one.counts.success), number(one.counts.error, "bad", one.error_rate), number(one.counts.timeout, "warn", one.timeout_rate), number(one.counts.refused, "warn"),
      number(one.counts.degraded, "warn"), number(one.retries), number(one.late, "warn"),
      ["p50", "p95", "p99"].map((name) => latency(one.latency_ms?.[name], slowest)),
      h("td", {}, breaker(one.breaker)),
    ),
  );
  // What has the focus or is scrolled stays: only the rows are new.
  const body = table.querySelector("tbody");
  if (!subagents.length) table.replaceChildren();
  else if (body) body.replaceChildren(...rows);
  else table.replaceChildren(h("table.figures-table", {}, h("thead", {}, head), h("tbody", {}, rows)));
}

const number = (n, tone = "some", part) => h(`td.number.${n ? tone : "zero"}`, {}, part ? `${count(n)} (${percent(part)})` : count(n));

function latency(ms, slowest) {
  const fill = h("span.bar-fill");
  fill.style.width = `${((ms ?? 0) / slowest) * 100}%`;
  return h("td.number.latency", {}, duration(ms), h("span.bar", { "aria-hidden": "true" }, fill));
}

function breaker(found) {
  if (!found) return h("span.quiet", {}, "not called here");
  const open = found.state !== "closed";
  return h("span", {}, badge(open ? "degraded" : "success", found.state.replaceAll("_", " ")), h("span.quiet", {}, ` ${percent(found.failure_rate)} of ${count(found.calls)} calls failed${found.since ? `, since ${clock(found.since)}` : ""}${found.reason ? `: ${found.reason}` : ""}`));
}
