// The slider through the sequence: the state as it was after any event, and back to now. Arrows step by one event, Page by fifty.

import { glyph, h, set, text } from "./dom.js";
import { clock } from "./format.js";

/** `go(sequence)` shows the state after it; Infinity is now. */
export function replayBar(go) {
  let followed = null;
  let place = Infinity;

  const slider = h("input.slider", { type: "range", min: "0", max: "0", step: "1", value: "0", "aria-label": "Replay, place in the sequence", oninput: () => to(Number(slider.value)), onkeydown: (event) => key(event) });
  const told = h("output.place");
  const button = (label, words, onclick) => h("button.icon", { type: "button", "aria-label": words, title: words, onclick }, glyph(label));
  const live = h("button", { type: "button", onclick: () => to(Infinity), title: "Back to what is now (L)" }, "Now");
  const element = h("div.replay", { role: "group", "aria-label": "Replay" }, button("first", "To the first event", () => to(followed.first)), button("back", "One event back ([)", () => move(-1)), slider, button("on", "One event on (])", () => move(1)), live, told);

  function to(sequence) {
    place = sequence >= followed.last ? Infinity : Math.max(followed.first, sequence);
    draw();
    go(place);
  }

  /** So many events on or back: a step's sequence has holes, the events of other steps. */
  function move(by) {
    const { events } = followed;
    if (!events.length) return;
    to(events[Math.max(0, Math.min(events.length - 1, indexOf(events, place) + by))].sequence);
  }

  function key(event) {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 50, PageDown: -50 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  }

  function draw() {
    const { events, first, last } = followed;
    const at = indexOf(events, place);
    const event = events[at];
    set(slider, { min: first, max: last, disabled: events.length < 2 });
    const value = String(place === Infinity ? last : place);
    if (slider.value !== value) slider.value = value;
    slider.style.setProperty("--part", last > first ? (Number(value) - first) / (last - first) : 0);
    element.classList.toggle("past", place !== Infinity);
    set(live, { "aria-pressed": place === Infinity ? "true" : "false" });
    const gist = event ? `${event.type.replaceAll("_", " ")}${event.content?.stage ? ` of ${event.content.stage}` : ""}` : "";
    set(slider, { "aria-valuetext": place === Infinity ? `now, ${last}` : `${place} of ${last}, ${gist}` });
    text(told, place === Infinity ? `${last}` : `${place} / ${last} · ${event ? clock(event.timestamp) : ""}`);
  }

  return {
    element,
    move,
    to,
    update(given, wanted) {
      [followed, place] = [given, wanted];
      draw();
    },
  };
}

/** Where the last event at or before a place is. */
export function indexOf(events, place) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].sequence <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
