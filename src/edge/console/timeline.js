// The timeline: per step its head, progress and policy outcomes, a time axis and a lane per subagent. One tab stop a step; arrows
// go from lane to lane.

import { badge, h, keyed, set, text } from "./dom.js";
import { clock, duration, percent } from "./format.js";
import { makeLane, updateLane } from "./lane.js";

/** A pane that shows every step of a state. `known(step, lane)` gives what the service's own state adds. */
export function timelinePane(known) {
  const empty = h("p.empty", {}, "Nothing has come yet. A step appears here with its first event.");
  const steps = h("div.steps");
  const element = h("div.pane-body.scrolls.timeline", {}, empty, steps);
  return {
    element,
    /** `now` is the time of the service; `live` whether it goes on. */
    update(state, { now, live, alone }) {
      empty.hidden = state.steps.size > 0;
      keyed(steps, [...state.steps.values()], (step) => step.id, makeStep, (section, step) => updateStep(section, step, { now, live, alone, known }));
    },
  };
}

function makeStep(step) {
  const parts = {
    title: h("h2", {}, h("a", { href: `#/sessions/${encodeURIComponent(step.session)}/steps/${encodeURIComponent(step.id)}` }, step.id)),
    status: h("span"), facts: h("span.quiet"), query: h("p.query", { dir: "auto" }), goal: h("p.quiet.goal", { dir: "auto" }),
    bar: h("span.bar", {}, h("span.bar-fill")), note: h("span.progress-note", { dir: "auto" }),
    policies: h("ul.policies"), axis: h("div.axis", { "aria-hidden": "true" }), lanes: h("ul.lanes", { "aria-label": `Subagents of ${step.id}` }),
  };
  parts.progress = h("div.progress", { hidden: true }, parts.bar, parts.note);
  parts.lanes.addEventListener("keydown", (event) => rove(event, parts.lanes));
  parts.lanes.addEventListener("focusin", (event) => hold(parts.lanes, event.target.closest(".lane-head")));
  const section = h("section.step", { "aria-label": `Step ${step.id}` }, h("div.step-head", {}, parts.title, parts.status, parts.facts), parts.query, parts.goal, parts.progress, parts.policies, parts.axis, parts.lanes);
  return Object.assign(section, { parts });
}

function updateStep(section, step, { now, live, alone, known }) {
  const { parts } = section;
  const running = live && !step.ended;
  const end = running ? now : (step.endedAt ?? step.lastAt);
  const scale = scaleOf(step, Math.max(end, step.startedAt + 50), running);
  if (section.dataset.status !== step.status) {
    section.dataset.status = step.status;
    parts.status.replaceChildren(badge(step.status));
  }
  parts.title.hidden = alone;
  parts.status.hidden = alone;
  const terms = [`${running ? "running for" : step.ended ? "took" : "after"} ${duration(end - step.startedAt)}`, `${[...step.lanes.values()].length} subagents`, step.parent && `below ${step.parent}`, `sequence ${step.first}–${step.last}`];
  text(parts.facts, terms.filter(Boolean).join(" · "));
  parts.facts.hidden = alone;
  text(parts.query, alone ? "" : step.query);
  text(parts.goal, alone ? "" : step.goal);
  progress(parts, step);
  keyed(parts.policies, step.policies, (policy, at) => at, (policy) => h("li.policy", { dataset: { decision: policy.decision } }, badge(policy.decision === "refuse" ? "refused" : policy.decision, policy.decision), h("span", {}, h("strong", {}, policy.policy), policy.stage ? ` on ${policy.stage}: ` : ": ", policy.reason ?? ""), h("span.quiet", {}, `${policy.severity ?? ""}${policy.terminate ? ", ends the step" : ""} · ${clock(policy.at)}`)));
  drawAxis(parts.axis, scale);
  keyed(parts.lanes, [...step.lanes.values()], (lane) => lane.key, makeLane, (element, lane) => updateLane(element, lane, scale, known(step, lane)));
  if (!parts.lanes.querySelector('.lane-head[tabindex="0"]')) hold(parts.lanes, parts.lanes.querySelector(".lane-head"));
}

function progress(parts, step) {
  const last = step.progress.at(-1);
  parts.progress.hidden = !last;
  if (!last) return;
  const part = last.percent === undefined ? null : Math.max(0, Math.min(100, last.percent)) / 100;
  parts.bar.hidden = part === null;
  parts.bar.firstElementChild.style.width = `${(part ?? 0) * 100}%`;
  text(parts.note, `${part === null ? "" : `${percent(part)} · `}${last.message ?? ""}`);
}

/** From the step's start to now; a deadline that is near lies inside, one that is far would press everything together. */
function scaleOf(step, now, live) {
  const from = step.startedAt;
  const spent = now - from;
  const near = [...step.lanes.values()].map((lane) => lane.deadline ?? 0).filter((deadline) => deadline > now && deadline - from <= spent * 1.5 + 400);
  const to = Math.max(now + spent * 0.02, ...near.map((deadline) => deadline + spent * 0.02));
  return { from, to, now, live, part: (time) => Math.max(0, (time - from) / (to - from)) };
}

function drawAxis(axis, { from, to }) {
  const span = to - from;
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const each = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const marks = Array.from({ length: Math.min(20, Math.floor(span / each) + 1) }, (_, at) => at * each).filter((mark) => mark / span < 0.95);
  keyed(axis, marks, (mark, at) => at, () => h("span.axis-mark"), (element, mark) => {
    element.style.left = `${(mark / span) * 100}%`;
    text(element, mark === 0 ? "0" : each >= 1000 ? `${Math.round(mark / 100) / 10} s` : `${Math.round(mark)} ms`);
  });
}

/** Arrows, Home and End between lanes. */
function rove(event, lanes) {
  const heads = [...lanes.querySelectorAll(".lane-head")];
  const here = heads.indexOf(document.activeElement);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: heads.length - 1 }[event.key];
  if (here < 0 || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  heads[Math.max(0, Math.min(heads.length - 1, to))].focus();
}

function hold(lanes, head) {
  if (!head) return;
  for (const other of lanes.querySelectorAll('.lane-head[tabindex="0"]')) if (other !== head) set(other, { tabindex: "-1" });
  set(head, { tabindex: "0" });
}
