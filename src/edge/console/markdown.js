// A small, safe renderer of Markdown: headings, paragraphs, lists, quotations, code, tables, emphasis, links, citations. It makes nodes and
// never parses HTML; links are http or https only; whatever it doesn't know stays text. Linear in the length of the text.

import { h } from "./dom.js";

/** http and https, absolute; anything else is no link. */
export function safeUrl(url) {
  try {
    const parsed = new URL(url);
    return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed.href : null;
  } catch {
    return null;
  }
}

/** A link that tells the other side nothing, or its text where the address isn't one. */
export function link(url, label = url) {
  const href = safeUrl(url);
  return href ? h("a", { href, target: "_blank", rel: "noreferrer noopener" }, label) : h("span", {}, label);
}

/** Nodes of a Markdown text. `cite(number)` makes the node of a citation `[3]`, or gives null. */
export function markdown(source, cite = () => null) {
  const lines = source.slice(0, 200_000).split("\n");
  const out = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const heading = /^(#{1,6}) +(.*)/.exec(line);
    if (heading) (out.push(h(`h${Math.min(6, Math.max(3, heading[1].length + 1))}`, {}, inline(heading[2], cite))), at++);
    else if (/^ *```/.test(line)) {
      const end = next(lines, at + 1, (other) => /^ *```/.test(other));
      out.push(h("pre", {}, h("code", {}, lines.slice(at + 1, end).join("\n"))));
      at = end + 1;
    } else if (/^ *([-*+]|\d{1,9}[.)]) /.test(line)) {
      const end = next(lines, at, (other) => !/^ *([-*+]|\d{1,9}[.)]) |^ {2,}\S/.test(other));
      out.push(list(lines.slice(at, end), cite));
      at = end;
    } else if (/^> ?/.test(line)) {
      const end = next(lines, at, (other) => !/^> ?/.test(other));
      out.push(h("blockquote", {}, inline(lines.slice(at, end).map((other) => other.replace(/^> ?/, "")).join(" "), cite)));
      at = end;
    } else if (/^\|.*\|/.test(line) && /^\|[-:| ]+\|/.test(lines[at + 1] ?? "")) {
      const end = next(lines, at, (other) => !other.startsWith("|"));
      out.push(table(lines.slice(at, end), cite));
      at = end;
    } else if (!line.trim()) at++;
    else {
      const end = next(lines, at + 1, (other) => !other.trim() || /^(#{1,6} | *```| *[-*+] |> )/.test(other));
      out.push(h("p", {}, inline(lines.slice(at, end).join(" "), cite)));
      at = end;
    }
  }
  return out;
}

function next(lines, from, is) {
  let at = from;
  while (at < lines.length && !is(lines[at])) at++;
  return at;
}

/** Items, nested by two or more spaces, one level deep; what is indented without a mark continues its item. */
function list(lines, cite) {
  const root = h(/^ *\d/.test(lines[0]) ? "ol" : "ul");
  for (const line of lines) {
    const item = /^( *)(?:[-*+]|\d{1,9}[.)]) (.*)/.exec(line);
    const last = root.lastElementChild;
    if (!item) (last ?? root.appendChild(h("li"))).append(" ", ...inline(line.trim(), cite));
    else if (item[1].length < 2 || !last) root.append(h("li", {}, inline(item[2], cite)));
    else {
      if (last.lastElementChild?.tagName !== "UL") last.append(h("ul"));
      last.lastElementChild.append(h("li", {}, inline(item[2], cite)));
    }
  }
  return root;
}

function table(lines, cite) {
  const cells = (line, tag) => h("tr", {}, line.replace(/^\||\| *$/g, "").split("|").map((cell) => h(tag, {}, inline(cell.trim(), cite))));
  return h("table", {}, h("thead", {}, cells(lines[0], "th")), h("tbody", {}, lines.slice(2).map((line) => cells(line, "td"))));
}

// Bounded repetitions: no text makes this slow.
const INLINE = /\\([!-/:-@[-`{-~])|`([^`]{1,400})`|\*\*([^*]{1,600})\*\*|\*([^*\s][^*]{0,400})\*|\[((?:\\.|[^[\]\\]){1,500})\]\((?:<([^<>\s]{1,2000})>|([^\s()<>]{1,2000}))\)|\[(\d{1,4})\]/g;

function inline(source, cite) {
  const out = [];
  let from = 0;
  for (const found of source.matchAll(INLINE)) {
    const [whole, escaped, code, strong, emphasis, label, url, bare, number] = found;
    if (found.index > from) out.push(source.slice(from, found.index));
    from = found.index + whole.length;
    if (escaped) out.push(escaped);
    else if (code) out.push(h("code", {}, code));
    else if (strong) out.push(h("strong", {}, inline(strong, cite)));
    else if (emphasis) out.push(h("em", {}, inline(emphasis, cite)));
    else if (label) out.push(link(url ?? bare, label.replace(/\\([!-/:-@[-`{-~])/g, "$1")));
    else out.push(cite(Number(number)) ?? whole);
  }
  out.push(source.slice(from));
  return out.filter((node) => node !== "");
}
