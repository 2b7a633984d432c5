// Sessions, page by page, each with its steps and how they stand; and a field for an id, for who may read one but not list them.

import { ask, sessionPath } from "./access.js";
import { badge, glyph, h, keyed, set, text } from "./dom.js";
import { ago, plural, problemText } from "./format.js";
import { addressOf } from "./router.js";

const PAGE = 25;
const REFRESH_MS = 5_000;
const AT_ONCE = 4; // sessions whose steps are asked for at the same time

export function overviewPage(route) {
  const details = new Map(); // session id → {cursor, steps}
  let after = route.after;
  let trail = []; // where the pages before this one began
  let closed = false;

  const told = h("p.told", { role: "status" });
  const body = h("tbody");
  const [back, on] = [h("button", { type: "button", onclick: () => turn(trail.pop(), false) }, "Previous"), h("button", { type: "button" }, "Next")];
  const id = h("input", { id: "open-id", placeholder: "session  or  session/step", autocomplete: "off", spellcheck: "false", onkeydown: (event) => event.key === "Enter" && open() });
  const opener = h("div.opener", {}, h("label", { for: "open-id" }, "Open by id"), id, h("button.primary", { type: "button", onclick: () => open() }, "Open"));
  const head = h("thead", {}, h("tr", {}, ["Session", "Status", "Steps", "Last entry"].map((name) => h("th", { scope: "col" }, name))));
  const table = h("table.sessions", {}, h("caption.sr", {}, "Sessions by name"), head, body);
  table.addEventListener("keydown", (event) => rove(event, body));
  const pages = h("div.pages", {}, back, on);
  const element = h("div.overview", {}, h("header.page-head", {}, h("div", {}, h("h1", { tabindex: "-1" }, "Sessions"), h("p.quiet", {}, "Every plan is a session, every step of it a stream.")), opener), told, table, pages);

  function open() {
    const [session, ...rest] = id.value.trim().split("/").filter(Boolean);
    if (session) location.hash = addressOf({ session, step: rest.at(-1) });
  }

  function turn(to, forward) {
    if (forward) trail.push(after);
    after = to;
    load();
  }

  async function load() {
    const from = after;
    const query = `?limit=${PAGE}${from ? `&after=${encodeURIComponent(from)}` : ""}`;
    try {
      const { body: page } = await ask(`/planner/sessions${query}`);
      if (closed || from !== after) return;
      draw(page);
      await fill(page.sessions);
    } catch (error) {
      if (closed) return;
      const problem = error.problem ?? { detail: error.message };
      text(told, problem.status === 401 || problem.status === 403 ? `${problemText(problem)} A session can still be opened by its id.` : problemText(problem));
      table.hidden = true;
      pages.hidden = true;
    }
  }

  function draw(page) {
    text(told, page.sessions.length ? "" : "There are no sessions yet. A planner makes one with its first directive: POST /planner/sessions/{session}/steps.");
    table.hidden = page.sessions.length === 0;
    pages.hidden = !page.next && !trail.length;
    set(back, { disabled: trail.length === 0 });
    set(on, { disabled: !page.next });
    on.onclick = () => turn(page.next, true);
    keyed(body, page.sessions, (line) => line.session_id, makeRow, (row, line) => {
      if (row.dataset.status !== line.status) row.children[1].replaceChildren(badge(line.open_steps ? "in_progress" : line.status, line.open_steps ? `${line.open_steps} running` : line.status));
      row.dataset.status = line.status;
      text(row.children[3], ago(line.updated_at));
      steps(row.children[2], line, details.get(line.session_id));
    });
    const links = [...body.querySelectorAll(".session-link")];
    if (links.length && !links.some((link) => link.tabIndex === 0)) links[0].tabIndex = 0;
  }

  /** Asks for the steps of what changed, a few at a time. */
  async function fill(lines) {
    const wanted = lines.filter((line) => details.get(line.session_id)?.cursor !== line.cursor);
    const worker = async () => {
      for (let line = wanted.shift(); line && !closed; line = wanted.shift()) {
        const { body: session } = await ask(sessionPath(line.session_id)).catch(() => ({ body: {} }));
        details.set(line.session_id, { cursor: line.cursor, steps: session.steps ?? [] });
        const row = body.kept?.get(line.session_id);
        if (row) steps(row.children[2], line, details.get(line.session_id));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  const refreshing = setInterval(() => !document.hidden && load(), REFRESH_MS);
  load();
  return { element, title: "Sessions", close: () => ((closed = true), clearInterval(refreshing)), moved: () => {}, again: load, keys: { "/": () => id.focus() } };
}

function makeRow(line) {
  const link = h("a.session-link", { href: addressOf({ session: line.session_id }), tabindex: "-1" }, line.session_id);
  return h("tr", {}, h("th", { scope: "row" }, link), h("td"), h("td.steps-cell"), h("td.quiet"));
}

const STEPS_SHOWN = 8;

function steps(cell, line, known) {
  if (cell.of === known && known) return;
  cell.of = known;
  if (!known) return void text(cell, plural(line.steps, "step"));
  const shown = known.steps.slice(0, STEPS_SHOWN).map((step) => {
    const dots = step.subagents.slice(0, 24).map((one) => h("i", { dataset: { status: one.status } }));
    return h("a.chip", { href: addressOf({ session: line.session_id, step: step.plan_step_id }), dataset: { status: step.status }, title: step.query ?? step.plan_step_id }, glyph(step.status), h("span", {}, step.plan_step_id), h("span.sr", {}, ` ${step.status.replaceAll("_", " ")}, ${plural(step.subagents.length, "subagent")}`), h("span.dots", { "aria-hidden": "true" }, dots));
  });
  const more = known.steps.length - shown.length;
  cell.replaceChildren(...shown, ...(more > 0 ? [h("span.quiet", {}, ` and ${more} more`)] : []));
}

/** Arrows go from session to session; Tab goes into its steps. */
function rove(event, body) {
  const links = [...body.querySelectorAll(".session-link")];
  const here = links.indexOf(document.activeElement);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: links.length - 1 }[event.key];
  if (here < 0 || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  links[here].tabIndex = -1;
  const next = links[Math.max(0, Math.min(links.length - 1, to))];
  next.tabIndex = 0;
  next.focus();
}
