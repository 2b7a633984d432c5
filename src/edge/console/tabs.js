// Tabs as the ARIA practices describe them: arrows choose, Tab goes into the panel.

import { h, set } from "./dom.js";

let made = 0;

/** Tabs of `[id, name, element]`; `changed` is told of a choice. */
export function tabs(label, entries, first, changed) {
  const group = `tabs${++made}`;
  let chosen = entries.some(([id]) => id === first) ? first : entries[0][0];
  const buttons = entries.map(([id, name]) => h("button.tab", { type: "button", role: "tab", id: `${group}-${id}`, "aria-controls": `${group}-${id}-panel`, onclick: () => choose(id, true), dataset: { id } }, name));
  const panels = entries.map(([id, , element]) => h("div.panel", { role: "tabpanel", id: `${group}-${id}-panel`, "aria-labelledby": `${group}-${id}` }, element));
  const list = h("div.tablist", { role: "tablist", "aria-label": label, onkeydown: (event) => key(event) }, buttons);

  function draw() {
    entries.forEach(([id], at) => {
      set(buttons[at], { "aria-selected": id === chosen ? "true" : "false", tabindex: id === chosen ? "0" : "-1" });
      panels[at].hidden = id !== chosen;
    });
  }

  function choose(id, tell = false) {
    const wanted = entries.some(([other]) => other === id) ? id : entries[0][0];
    if (wanted === chosen) return;
    chosen = wanted;
    draw();
    if (tell) changed();
  }

  function key(event) {
    const here = entries.findIndex(([id]) => id === chosen);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1 + entries.length, Home: 0, End: entries.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(entries[to % entries.length][0], true);
    buttons[to % entries.length].focus();
  }

  draw();
  return { element: h("section.tabs", { "aria-label": label }, list, panels), chosen: () => chosen, choose };
}
