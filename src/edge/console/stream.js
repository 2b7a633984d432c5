// The page of a session or a step: how it stands, its connection (cut, resume, verdict), the replay, and two panes of tabs: the
// timeline or the result, and beside it events, frames or verdicts.

import { ask, sessionPath, stepPath } from "./access.js";
import { speak } from "./announce.js";
import { badge, h, set, text } from "./dom.js";
import { eventsPane } from "./events.js";
import { isTerminal } from "./fold.js";
import { Followed } from "./follow.js";
import { duration, plural, problemText } from "./format.js";
import { framesPane, verdictsPane, verdictText } from "./frames.js";
import { replayBar } from "./replay.js";
import { resultPane } from "./result.js";
import { addressOf, replaceAddress } from "./router.js";
import { tabs } from "./tabs.js";
import { timelinePane } from "./timeline.js";

const TICK_MS = 250;
const LATE_MS = 60_000; // so long after its end a step is still asked after
const KNOWN_MS = 4_000; // the service's own state, for what events don't say (late results)

/** The page of `{session, step?, at?, view?, side?}`. */
export function streamPage(route) {
  const followed = new Followed(route.session, route.step);
  const known = new Map(); // "step/result_key" → the service's view of it
  let place = route.at ?? Infinity;
  let spoken = new Set();
  let askedKnown = 0;
  let rested = "";
  let planned = 0;

  const title = h("h1", { tabindex: "-1", dir: "auto" });
  const status = h("span");
  const facts = h("p.quiet.facts");
  const goal = h("p.quiet", { dir: "auto" });
  const pill = h("span.pill");
  const verdict = h("span.verdict", { id: "verdict" });
  const cut = h("button", { type: "button", id: "cut", onclick: () => toggle(), title: "Cut or resume the connection (C)" });
  const replay = replayBar((to) => {
    place = to;
    remember();
    planned ||= requestAnimationFrame(() => ((planned = 0), update())); // a slider that is dragged asks more often than it can be seen
  });
  const timeline = timelinePane((step, lane) => (place < followed.last ? undefined : known.get(`${step.id}/${lane.key}`)));
  const result = resultPane();
  const events = eventsPane((sequence) => replay.to(sequence));
  const [frames, verdicts] = [framesPane(), verdictsPane()];
  const main = tabs("What it is", [["timeline", "Timeline", timeline.element], ["result", "Result", result.element]], route.view, () => (remember(), update()));
  const side = tabs("What came", [["events", "Events", events.element], ["frames", "Frames", frames.element], ["verdicts", "Verdicts", verdicts.element]], route.side, () => (remember(), update()));

  const crumbs = h("nav.crumbs", { "aria-label": "Breadcrumb" }, h("a", { href: "#/" }, "Sessions"), h("span", { "aria-hidden": "true" }, "/"), h("a", { href: addressOf({ session: route.session }) }, route.session), route.step === undefined ? null : [h("span", { "aria-hidden": "true" }, "/"), h("span", { "aria-current": "page" }, route.step)]);
  const line = h("div.connection", {}, pill, verdict, h("span.grow"), cut);
  const element = h("div.stream", {}, h("header.stream-head", {}, crumbs, h("div.title-row", {}, title, status), goal, facts), h("div.controls", {}, line, replay.element), h("div.panes", {}, main.element, side.element));

  function toggle() {
    if (["cut", "failed", "ended"].includes(followed.connection.name)) followed.reader.resume();
    else followed.reader.cut();
  }

  function remember() {
    replaceAddress({ session: route.session, step: route.step, at: place === Infinity ? undefined : place, view: main.chosen(), side: side.chosen() });
  }

  /** Time as the service has it: what comes live says how its clock stands against ours. */
  const now = () => Date.now() - followed.skew;

  function update() {
    const past = place !== Infinity && place < followed.last;
    const state = past ? followed.stateAt(place) : followed.state;
    const live = !past && followed.connection.name === "live";
    head(state, past);
    connection();
    replay.update(followed, place);
    if (main.chosen() === "timeline") timeline.update(state, { now: past ? state.at : live ? now() : state.at, live, alone: route.step !== undefined });
    else result.update(followed, state, past);
    ({ events: () => events.update(followed, place), frames: () => frames.update(followed), verdicts: () => verdicts.update(followed) })[side.chosen()]();
    tell();
    if (!document.hidden) learn();
  }

  function head(state, past) {
    const steps = [...state.steps.values()];
    const step = route.step === undefined ? null : steps[0];
    text(title, step?.query || route.step || route.session);
    text(goal, step?.goal ?? "");
    const stands = step ? step.status : steps.length ? (steps.every((one) => one.ended) ? (steps.every((one) => one.status === "completed") ? "completed" : "partial_failure") : "in_progress") : "pending";
    if (status.dataset.status !== stands) status.replaceChildren(badge(stands));
    status.dataset.status = stands;
    const lanes = steps.flatMap((one) => [...one.lanes.values()]);
    const terms = [
      past && "replaying", route.step === undefined && plural(steps.length, "step"), plural(lanes.length, "subagent"), `${lanes.filter((lane) => isTerminal(lane.status)).length} ended`,
      step && `${step.ended ? "took" : past ? "after" : "runs for"} ${duration((step.endedAt ?? (past ? state.at : now())) - step.startedAt)}`,
      step?.deadline && !step.ended && `deadline ${duration(step.deadline - step.startedAt)}`, step?.taskType, step?.parent && `below ${step.parent}`, plural(followed.events.length, "event"),
      followed.dropped && `${plural(followed.dropped, "older event")} let go of`, followed.problems > 0 && `${followed.problems} repeated or missing`,
    ];
    text(facts, terms.filter(Boolean).join(" · "));
  }

  function connection() {
    const { name, detail } = followed.connection;
    const last = followed.verdicts.at(-1);
    const waits = name === "live" && last?.reason === "unknown";
    set(pill, { dataset: { state: waits ? "waiting" : name } });
    text(pill, waits ? "Waiting" : { live: "Live", connecting: "Connecting", waiting: "Reconnecting", silent: "Line was silent", cut: "Cut", ended: "Ended", failed: "Stopped" }[name]);
    text(verdict, name === "failed" ? problemText(detail) : verdictText(last));
    verdict.dataset.whole = String(!last || (last.whole && name !== "failed"));
    const closed = ["cut", "failed", "ended"].includes(name);
    text(cut, closed ? "Resume" : "Cut");
    set(cut, { "aria-label": closed ? "Resume the connection" : "Cut the connection" });
  }

  /** Says what somebody who doesn't look must know, once: a step's end, a verdict after a break, a stop. */
  function tell() {
    const once = (key, words) => spoken.has(key) || (spoken.add(key), speak(words));
    for (const step of followed.state.steps.values()) if (step.ended) once(`end/${step.id}`, `Step ${step.id} ended: ${step.status.replaceAll("_", " ")}`);
    const last = followed.verdicts.at(-1);
    if (last && followed.verdicts.length > 1) once(`verdict/${last.at}`, `Connected again, ${last.reason}`);
    const { name, since, detail } = followed.connection;
    if (name === "cut") once(`cut/${since}`, "Connection cut");
    if (name === "failed") once(`failed/${since}`, problemText(detail));
  }

  /** Asks the service how the lanes stand: late results aren't events. */
  async function learn() {
    const steps = [...followed.state.steps.values()];
    const open = steps.map((step) => step.status).join();
    const settled = open === rested && steps.every((step) => step.ended && now() - step.endedAt > LATE_MS);
    if (settled || Date.now() - askedKnown < (open === rested ? KNOWN_MS : 400)) return;
    [askedKnown, rested] = [Date.now(), open];
    const path = route.step === undefined ? sessionPath(route.session) : stepPath(route.session, route.step);
    const { body } = await ask(path).catch(() => ({ body: {} }));
    for (const step of body.steps ?? [body]) for (const one of step.subagents ?? []) known.set(`${step.plan_step_id}/${one.result_key}`, one);
    update();
  }

  followed.onChange(update);
  const tick = () => {
    const running = followed.connection.name === "live" && [...followed.state.steps.values()].some((step) => !step.ended);
    if (document.hidden || place !== Infinity) return;
    if (running) update();
    else learn();
  };
  const ticking = setInterval(tick, TICK_MS);
  update();
  return {
    element,
    title: route.step ?? route.session,
    followed,
    close: () => (clearInterval(ticking), followed.close()),
    moved: (other) => {
      place = other.at ?? Infinity;
      main.choose(other.view);
      side.choose(other.side);
      update();
    },
    keys: {
      c: toggle, l: () => replay.to(Infinity), "[": () => replay.move(-1), "]": () => replay.move(1), t: () => main.choose("timeline", true), r: () => main.choose("result", true),
      e: () => side.choose("events", true), f: () => side.choose("frames", true), v: () => side.choose("verdicts", true), "/": () => (side.choose("events", true), events.search.focus()),
    },
  };
}
