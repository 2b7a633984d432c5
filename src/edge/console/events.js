// The list of events: search, filters, one event in full. The search runs in slices of a few milliseconds between two frames of
// the screen, so that typing stays smooth however long the list is.

import { h, text } from "./dom.js";
import { why, textOf } from "./fold.js";
import { clock, count, plural, pretty } from "./format.js";
import { indexOf } from "./replay.js";
import { VirtualList, fillRow, rowOf } from "./virtual.js";

const SLICE_MS = 5;

/** `replayTo(sequence)` is asked for with a button. */
export function eventsPane(replayTo) {
  let followed = null;
  let generation = -1;
  let looked = 0; //      events that the filter has seen
  let found = []; //      those that match
  let scheduled = false;
  let known = -1; //      the last event whose type and subagent can be chosen
  let at = Infinity; //   the place of the replay

  const list = new VirtualList("Events, newest last", {
    make: rowOf("seq", "type", "who", "what"),
    fill: (row, event) => {
      const content = event.content ?? {};
      const status = content.status ?? content.decision ?? "";
      row.dataset.status = status;
      row.classList.toggle("later", event.sequence > at);
      fillRow(row, event.sequence, SHORT[event.type] ?? event.type, content.stage ?? "plan", [status, gist(event)].filter(Boolean).join(" "));
    },
    choose: (event) => open(event),
  });

  const search = h("input", { type: "search", id: "search", placeholder: "Search  /", "aria-label": "Search events", autocomplete: "off", spellcheck: "false", oninput: () => restart() });
  const type = select("Type", "Every type", () => restart());
  const who = select("Subagent", "Everybody", () => restart());
  const told = h("span.quiet", { role: "status" });
  const detail = h("div.detail", { hidden: true });
  const element = h("div.pane-body", {}, h("div.filters", {}, search, type, who, told), list.element, detail);

  function restart() {
    [looked, found] = [0, []];
    list.show(found, true);
    detail.hidden = true;
    slice();
  }

  /** Looks at some more events, and says for how many there is no time now. */
  function slice() {
    const wanted = { words: search.value.toLowerCase().split(/\s+/).filter(Boolean), type: type.value, who: who.value };
    const { events } = followed;
    const begin = performance.now();
    if (!wanted.words.length && !wanted.type && !wanted.who) [found, looked] = [events, events.length];
    else {
      if (found === events) [found, looked] = [[], 0];
      while (looked < events.length && (looked % 16 || performance.now() - begin < SLICE_MS)) {
        const event = events[looked++];
        if (matches(event, wanted)) found.push(event);
      }
    }
    list.show(found);
    text(told, found === events ? plural(events.length, "event") : `${count(found.length)} of ${count(events.length)}`);
    if (looked < events.length && !scheduled) {
      scheduled = true;
      requestAnimationFrame(() => ((scheduled = false), slice()));
    }
  }

  function open(event) {
    detail.hidden = false;
    const replay = h("button", { type: "button", onclick: () => replayTo(event.sequence) }, "Replay to here");
    const copy = h("button", { type: "button", onclick: () => navigator.clipboard?.writeText(JSON.stringify(event)) }, "Copy");
    const close = h("button", { type: "button", onclick: () => ((detail.hidden = true), list.element.focus()) }, "Close");
    const head = h("div.detail-head", {}, h("strong", {}, `${event.sequence} ${event.type}`), h("span.quiet", {}, clock(event.timestamp)), h("span.grow"), replay, copy, close);
    detail.replaceChildren(head, h("pre", { tabindex: "0", role: "region", "aria-label": `Event ${event.sequence}` }, pretty(event)));
  }

  return {
    element,
    search,
    update(given, place) {
      followed = given;
      if (known !== followed.last) options(type, new Set(followed.events.slice(-2000).map((event) => event.type)));
      if (known !== followed.last) options(who, new Set([...followed.state.steps.values()].flatMap((step) => [...step.lanes.values()].map((lane) => lane.stage))));
      known = followed.last;
      if (generation !== followed.generation) {
        generation = followed.generation;
        [looked, found] = [0, []];
      }
      const moved = at !== place;
      at = place;
      slice();
      if (moved && place === Infinity) list.toEnd();
      else if (moved) list.pick(indexOf(found, place), false);
    },
  };
}

const SHORT = { planner_stream: "event", subagent_started: "started", subagent_completed: "completed", planner_progress: "progress", policy_outcome: "policy", plan_step_completed: "end of step", step_started: "step", step_completed: "all in", synthesis_delta: "delta" };

function matches(event, { words, type, who }) {
  if (type && event.type !== type) return false;
  if (who && event.content?.stage !== who) return false;
  if (!words.length) return true;
  const hay = JSON.stringify(event).toLowerCase();
  return words.every((word) => hay.includes(word));
}

/** An event in a line. */
function gist({ content = {}, type }) {
  if (type === "planner_progress") return `${content.percent ?? ""}${content.percent === undefined ? "" : " % "}${content.message ?? ""}`;
  if (type === "subagent_completed") return `after ${content.latency_ms} ms, attempt ${content.attempts}`;
  if (type === "step_started") return content.query ?? "";
  if (type === "synthesis_delta") return `${content.path} ${content.text}`;
  if (type === "policy_outcome") return `${content.policy}: ${content.reason}`;
  const words = why(content) || content.summary || textOf(content.payload);
  // Of a partial its end is what is new.
  const most = content.status === "partial" ? 60 : 200;
  return `${content.revision ? `r${content.revision} ` : ""}${words.length > most ? `…${words.slice(-most)}` : words}`;
}

function select(label, all, onchange) {
  return h("select", { "aria-label": label, onchange }, h("option", { value: "" }, all));
}

function options(element, values) {
  const had = new Set([...element.options].map((option) => option.value));
  for (const value of values) if (value && !had.has(value)) element.append(h("option", { value }, value.replaceAll("_", " ")));
}
