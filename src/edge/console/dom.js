// Makes elements. Texts are always text nodes, so nothing that came over the wire can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("a.name", { href, onclick, "aria-label": … }, ...children)`. Children are nodes, texts or nothing. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  set(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets attributes; functions listen, `dataset` and booleans work as expected, null takes away. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}

/** Writes a text only where it changes: no layout, no selection lost. */
export function text(element, value) {
  const wanted = value === null || value === undefined ? "" : String(value);
  if (element.textContent !== wanted) element.textContent = wanted;
  return element;
}

/** Makes `parent` hold an element for each item, in order, and keeps those that were there (focus, scroll, selection). */
export function keyed(parent, items, key, make, update) {
  const had = (parent.kept ??= new Map());
  const seen = new Set();
  let next = parent.firstElementChild;
  items.forEach((item, index) => {
    const id = String(key(item, index));
    seen.add(id);
    let element = had.get(id);
    if (!element) had.set(id, (element = make(item, index)));
    update?.(element, item, index);
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  });
  for (const [id, element] of had) if (!seen.has(id)) (element.remove(), had.delete(id));
}

/** The glyph of a status: a shape as well as a colour. */
export function glyph(status) {
  const path = GLYPHS[status] ?? GLYPHS.other;
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 16 16", class: "glyph", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

const RING = "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11";
const GLYPHS = {
  success: "M3 8.5l3.2 3.2L13 4.8",
  completed: "M3 8.5l3.2 3.2L13 4.8",
  closed: "M3 8.5l3.2 3.2L13 4.8",
  error: "M4 4l8 8M12 4l-8 8",
  failed: "M4 4l8 8M12 4l-8 8",
  timeout: `${RING}M8 5v3.2l2.2 1.4`,
  degraded: "M8 2.5l6 11H2zM8 7v3M8 11.6v.4",
  refused: `${RING}M4.3 4.3l7.4 7.4`,
  cancelled: `${RING}M5.2 8h5.6`,
  retry: "M12.8 6.2A5.2 5.2 0 1 0 13 9.4M13 2.8v3.6H9.4",
  partial: "M2.5 8h3M6.8 8h2.4M10.5 8h3",
  in_progress: `${RING}M8 5.6v4.8M5.6 8h4.8`,
  open: `${RING}M8 5.6v4.8M5.6 8h4.8`,
  pending: RING,
  partial_failure: "M8 2.5v7M8 12.3v.7",
  other: RING,
  first: "M4 3.5v9M12.5 3.5L6.5 8l6 4.5z",
  back: "M11 3.5L5 8l6 4.5z",
  on: "M5 3.5L11 8l-6 4.5z",
};

/** A status as text with its glyph. */
export function badge(status, label = words(status)) {
  return h("span.badge", { dataset: { status: status ?? "pending" } }, glyph(status), h("span", {}, label));
}

export const words = (status) => (status ?? "pending").replaceAll("_", " ");
