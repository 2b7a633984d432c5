// A list of any length: only the rows that can be seen exist. A listbox for keyboards and screen readers (arrows, Page, Home, End;
// the chosen row is the active descendant). It stays at its end while it is looked at.

import { h, set, text } from "./dom.js";

/** The height of a row in px, as the style has it: 13/7 rem. */
const rowPx = () => (parseFloat(getComputedStyle(document.documentElement).fontSize) * 13) / 7;
const SPARE = 4; // rows drawn above and below, so that scrolling shows no gap
let lists = 0;

export class VirtualList {
  items = [];
  chosen = -1;
  row = rowPx();
  #rows = [];
  #follow = true;
  #planned = false;

  /** make() gives an empty row, fill(row, item, index) writes it, choose(item, index) is told of a choice. */
  constructor(label, { make, fill, choose, name = (item, index) => index }) {
    Object.assign(this, { make, fill, choose, name, id: `list${++lists}` });
    this.space = h("div.vspace", { role: "presentation" });
    this.element = h(
      "div.vlist",
      {
        role: "listbox", tabindex: "0", "aria-label": label, onkeydown: (event) => this.#key(event), onscroll: () => this.#scrolled(),
        onclick: (event) => {
          const row = event.target.closest(".vrow");
          if (row) this.pick(Number(row.dataset.index));
        },
      },
      this.space,
    );
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

  /** Shows these items. `moved`: they aren't a continuation of those before. */
  show(items, moved = false) {
    this.items = items;
    if (moved) this.chosen = -1;
    this.space.style.height = `${items.length * this.row}px`;
    if (this.#follow) this.element.scrollTop = this.element.scrollHeight;
    this.#plan();
  }

  /** Chooses a row and brings it into view. */
  pick(index, tell = true) {
    if (!this.items.length) return;
    this.chosen = Math.max(0, Math.min(this.items.length - 1, index));
    const top = this.chosen * this.row;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.row > scrollTop + clientHeight) this.element.scrollTop = top + this.row - clientHeight;
    this.#follow = this.chosen === this.items.length - 1;
    this.#plan();
    if (tell) this.choose?.(this.items[this.chosen], this.chosen);
  }

  /** Nothing is chosen, and the end is followed. */
  toEnd() {
    this.chosen = -1;
    this.#follow = true;
    this.show(this.items);
  }

  #resized() {
    this.row = rowPx();
    this.space.style.height = `${this.items.length * this.row}px`;
    this.#plan();
  }

  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    this.#follow = scrollTop + clientHeight >= scrollHeight - this.row;
    this.#plan();
  }

  #plan() {
    if (this.#planned) return;
    this.#planned = true;
    requestAnimationFrame(() => {
      this.#planned = false;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop, clientHeight } = this.element;
    if (!clientHeight) return;
    const first = Math.max(0, Math.floor(scrollTop / this.row) - SPARE);
    const last = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / this.row) + SPARE);
    while (this.#rows.length < last - first) {
      const row = this.make();
      row.classList.add("vrow");
      set(row, { role: "option" });
      this.#rows.push(row);
      this.space.append(row);
    }
    this.#rows.forEach((row, at) => {
      const index = first + at;
      row.hidden = index >= last;
      if (row.hidden) return;
      row.style.transform = `translateY(${index * this.row}px)`;
      set(row, {
        id: `${this.id}-${index}`, "aria-setsize": this.items.length, "aria-posinset": index + 1, "aria-selected": String(index === this.chosen),
      });
      row.dataset.index = index;
      this.fill(row, this.items[index], index);
    });
    const active = this.chosen >= first && this.chosen < last ? `${this.id}-${this.chosen}` : null;
    set(this.element, { "aria-activedescendant": active });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.row) - 1);
    const here = this.chosen < 0 ? this.items.length : this.chosen;
    const to = {
      ArrowDown: this.chosen < 0 ? Math.floor(this.element.scrollTop / this.row) : here + 1, ArrowUp: here - 1,
      PageDown: here + page, PageUp: here - page, Home: 0, End: this.items.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.pick(to);
  }
}

/** A row of cells with these classes, and how to write them. One line of fixed-width text: its columns are blanks, which costs a
 * fraction of laying out cells. */
export const rowOf = (...classes) => () => h("div", {}, classes.map((name) => h(`span.${name}`)));
const WIDTHS = [6, 11, 17];
export function fillRow(row, ...texts) {
  texts.forEach((value, index) => text(row.children[index], column(String(value), index)));
}

function column(value, index) {
  const width = WIDTHS[index];
  if (width === undefined) return value;
  const cut = value.length >= width ? `${value.slice(0, width - 2)}…` : value;
  return index === 0 ? `${cut.padStart(width - 1)} ` : cut.padEnd(width);
}
