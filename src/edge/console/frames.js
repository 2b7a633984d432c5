// The connection as it is: frames as they came (the last ones), and every verdict, held against what was there.

import { h, text } from "./dom.js";
import { clock, count, plural } from "./format.js";
import { VirtualList, fillRow, rowOf } from "./virtual.js";

/** Frames as they came. */
export function framesPane() {
  const raw = h("pre", { tabindex: "0", role: "region", "aria-label": "Frame" });
  const detail = h("div.detail", { hidden: true }, raw);
  const list = new VirtualList("Raw frames, newest last", {
    make: rowOf("seq", "type", "who", "what"),
    fill: (row, frame) => fillRow(row, frame.number, frame.name.replace("planner_stream", "events"), `${count(frame.data.length)} B`, frame.data.slice(0, 240)),
    choose: (frame) => {
      detail.hidden = false;
      text(raw, `${frame.id ? `id: ${frame.id}\n` : ""}event: ${frame.name}\ndata: ${frame.data.slice(0, 100_000)}\n`);
    },
  });
  const told = h("span.quiet");
  return {
    element: h("div.pane-body", {}, h("div.filters", {}, told), list.element, detail),
    update(followed) {
      text(told, `The last ${plural(followed.frames.length, "frame")}, as they came. A cut keeps the last id as the cursor.`);
      list.show(followed.frames);
    },
  };
}

const MEANS = {
  new: "a new start", ok: "continued, nothing missed", trimmed: "what followed is no longer kept: a snapshot replaces it",
  epoch_changed: "the log was made anew: a snapshot replaces it", diverged: "another branch of the log: a snapshot replaces it",
  ahead: "the cursor is beyond the log: a snapshot replaces it", expired: "the data has expired", unknown: "not there yet: waiting for it",
  closed: "everything was read, nothing will come",
};

/** What a verdict came to. */
export function verdictText(verdict) {
  if (!verdict) return "no connection yet";
  const held = verdict.again ? (verdict.whole ? ` at ${verdict.from}` : `, but ${verdict.covered} was read and ${verdict.from} follows`) : "";
  const replayed = verdict.again ? `, ${plural(verdict.replayed, "event")} replayed` : "";
  return `${verdict.reason}: ${MEANS[verdict.reason] ?? "unheard of"}${held}${replayed}`;
}

/** Every verdict of this page, newest first. */
export function verdictsPane() {
  const rows = h("tbody");
  const table = h("table", {}, h("thead", {}, h("tr", {}, ["When", "Verdict", "Had", "From", "Tail", "Epoch"].map((name) => h("th", { scope: "col" }, name)))), rows);
  let shown = "";
  return {
    element: h("div.pane-body.scrolls", { tabindex: "0", role: "region", "aria-label": "Verdicts" }, table),
    update({ verdicts }) {
      const now = verdicts.map((verdict) => `${verdict.at}.${verdict.replayed}`).join();
      if (now === shown) return;
      shown = now;
      const line = (verdict) =>
        h("tr", { dataset: { recovered: verdict.recovered && verdict.whole } }, [clock(verdict.at), verdictText(verdict), verdict.covered ?? "–", verdict.from, verdict.tail, verdict.epoch ?? "–"].map((value) => h("td", {}, String(value))));
      rows.replaceChildren(...verdicts.toReversed().map(line));
    },
  };
}
