// One subagent's lane: a bar from its start to now or to its end, ticks where it said something, its deadline as a mark, its text as
// it grows. The row is a button that opens what else is known.

import { badge, glyph, h, set, text, words } from "./dom.js";
import { isTerminal, sourcesOf, textOf, why } from "./fold.js";
import { clock, count, duration, plural, pretty } from "./format.js";
import { link } from "./markdown.js";

const SVG = "http://www.w3.org/2000/svg";

/** An empty lane; `updateLane` writes it. */
export function makeLane(lane) {
  const name = h("span.lane-name", {}, h("span.lane-key", {}, lane.stage), h("span.lane-sub"));
  const status = h("span.lane-status");
  const ticks = document.createElementNS(SVG, "path");
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 1000 10", preserveAspectRatio: "none", class: "ticks" })) svg.setAttribute(key, value);
  svg.append(ticks);
  const segments = h("span.segments");
  const deadline = h("span.deadline", { hidden: true });
  const track = h("span.track", { "aria-hidden": "true" }, segments, svg, deadline);
  const facts = h("span.lane-facts");
  const head = h("button.lane-head", { type: "button", "aria-expanded": "false", tabindex: "-1" }, name, status, track, facts);
  const said = h("p.lane-text", { dir: "auto" });
  const note = h("p.lane-note");
  const more = h("div.lane-more", { hidden: true });
  const element = h("li.lane", {}, head, note, said, more);
  head.addEventListener("click", () => {
    const open = head.getAttribute("aria-expanded") !== "true";
    set(head, { "aria-expanded": open ? "true" : "false" });
    more.hidden = !open;
    element.classList.toggle("open", open);
    element.dispatchEvent(new CustomEvent("lane"));
  });
  element.parts = { name, status, segments, ticks, deadline, facts, said, note, more, head };
  return element;
}

/** Writes a lane as it stands. `scale` turns a time into a part of the track; `known` is what the service's state adds. */
export function updateLane(element, lane, scale, known) {
  const { parts } = element;
  if (element.dataset.status !== lane.status) {
    element.dataset.status = lane.status;
    parts.status.replaceChildren(badge(lane.status));
  }
  text(parts.name.lastElementChild, lane.key === lane.stage ? "" : lane.key);
  drawTrack(parts, lane, scale);
  const facts = [
    [lane.latency !== null ? duration(lane.latency) : lane.segments.length ? duration(scale.now - lane.segments[0].from) : "", "time"],
    [lane.attempt > 1 ? `attempt ${lane.attempt}` : "", "attempt"],
    [known?.late ? `${known.late} late` : "", "late"],
  ];
  if (parts.facts.childElementCount !== facts.length) parts.facts.replaceChildren(...facts.map(([, name]) => h(`span.fact-${name}`)));
  facts.forEach(([value], at) => text(parts.facts.children[at], value));
  const note = noteOf(lane);
  text(parts.note, note);
  parts.note.hidden = !note;
  const said = textOf(lane.payload);
  if (parts.said.shown !== said) {
    parts.said.shown = said;
    text(parts.said, said.length > 20_000 ? `…${said.slice(-20_000)}` : said);
  }
  parts.said.hidden = !said;
  if (!parts.more.hidden && parts.more.of !== `${lane.sequence}.${known?.late}`) {
    parts.more.of = `${lane.sequence}.${known?.late}`;
    parts.more.replaceChildren(...details(lane, known, scale));
  }
}

/** Why it isn't well: its retries, its failure, what held it back. */
function noteOf(lane) {
  if (lane.status === "success") return lane.retries.length ? `succeeded at attempt ${lane.attempt}, after ${lane.retries.at(-1).why || "a failure"}` : "";
  const reason = why(lane);
  if (isTerminal(lane.status)) return lane.status === "degraded" ? `held back: ${reason || "its circuit breaker is open"}` : reason;
  const last = lane.retries.at(-1);
  return last ? `attempt ${last.attempt} follows ${last.why}` : "";
}

function drawTrack(parts, lane, scale) {
  const { segments } = parts;
  while (segments.childElementCount > lane.segments.length) segments.lastElementChild.remove();
  lane.segments.forEach((segment, at) => {
    const drawn = segments.children[at] ?? segments.appendChild(h("span.seg"));
    const from = scale.part(segment.from);
    const to = scale.part(segment.to ?? scale.now);
    const last = at === lane.segments.length - 1;
    drawn.dataset.status = last && isTerminal(lane.status) ? lane.status : segment.status;
    drawn.classList.toggle("running", segment.to === null && scale.live);
    drawn.style.left = `${from * 100}%`;
    drawn.style.width = `${Math.max(0.15, (to - from) * 100)}%`;
  });
  // What falls together is drawn once.
  const drawn = [...new Set(lane.marks.map((mark) => Math.round(scale.part(mark.at) * 500)))].map((at) => `M${at * 2} 0V10`).join("");
  if (parts.ticks.getAttribute("d") !== drawn) parts.ticks.setAttribute("d", drawn);
  const due = lane.deadline === null ? NaN : scale.part(lane.deadline);
  parts.deadline.hidden = !(due <= 1);
  if (due <= 1) parts.deadline.style.left = `${due * 100}%`;
}

/** What else is known of it, as a list of terms. */
function details(lane, known, scale) {
  const sources = sourcesOf(lane.payload);
  const term = (name, ...value) => (value.some(Boolean) ? h("div", {}, h("dt", {}, name), h("dd", {}, ...value)) : null);
  return [
    h(
      "dl.terms",
      {},
      term("Task", lane.task),
      term("Output", lane.key),
      term("Deadline", lane.deadline && `${clock(lane.deadline)}, ${duration(lane.deadline - scale.from)} after the start`),
      term("Latency", lane.latency !== null && duration(lane.latency)),
      term("Attempts", lane.attempt && String(lane.attempt)),
      term("Revision", String(lane.revision)),
      term("Late results", known && count(known.late)),
      term("How", lane.mode === "invoke" ? "called by the service" : lane.mode && "pushes its events"),
      term("Trace", lane.trace && h("code", {}, lane.trace)),
      term("Retries", lane.retries.length > 0 && h("ol.plain", {}, lane.retries.map((retry) => h("li", {}, glyph("retry"), ` attempt ${retry.attempt} at ${duration(retry.at - scale.from)}: ${retry.why}`)))),
      term(lane.status === "degraded" ? "Breaker" : words(lane.status), isTerminal(lane.status) && why(lane)),
      term(plural(sources.length, "source"), sources.length > 0 && h("ol.sources-small", {}, sources.slice(0, 50).map((source) => h("li", {}, link(source.url ?? "", source.title || source.url || source.id))))),
    ),
    lane.payload && h("details", {}, h("summary", {}, "Payload"), h("pre", { tabindex: "0", role: "region", "aria-label": `Payload of ${lane.stage}` }, pretty(lane.payload))),
  ].filter(Boolean);
}
