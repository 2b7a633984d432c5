// The tiny client and the fold by themselves, in Node: an EventSource that is played by hand, and clocks that are turned.
//   node units.mjs
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, mock, test } from "node:test";
import { TributaryReader } from "../../examples/client.mjs";

const own = new URL("../../src/edge/console/", import.meta.url);
const load = async (name) => import(`data:text/javascript,${encodeURIComponent(await readFile(new URL(name, own), "utf8"))}`);
const { apply, copy, fold, textOf } = await load("fold.js");

class Played {
  static CLOSED = 2;
  static all = [];
  readyState = 1;
  listeners = {};
  constructor(url, options) {
    this.url = url;
    this.options = options;
    Played.all.push(this);
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }
  close() {
    this.readyState = Played.CLOSED;
  }
  say(name, data, lastEventId = "") {
    this.listeners[name]({ data: data && JSON.stringify(data), lastEventId });
  }
}
globalThis.EventSource = Played;

// A reader that isn't cut would come back for ever.
const readers = [];
afterEach(() => {
  mock.timers.reset();
  for (const reader of readers.splice(0)) reader.cut();
});

const turn = () => new Promise((done) => setImmediate(done));
const open = (from, reason = "new", more = {}) => ({ from, reason, recovered: ["new", "ok"].includes(reason), tail: 9, heartbeat_ms: 1000, ...more });
const frame = (from, to = from) => ({ from, to, events: Array.from({ length: to - from + 1 }, (_, i) => ({ sequence: from + i })) });

/** A reader, and what it told. */
async function reading(answer = { ok: false, status: 404, json: async () => ({ code: "unknown_step" }) }) {
  Played.all = [];
  const told = { events: [], states: [], verdicts: [], replaced: [] };
  const on = {
    events: (events) => told.events.push(...events.map((event) => event.sequence)),
    replace: (events) => ((told.events = events.map((event) => event.sequence)), told.replaced.push(events.length)),
    verdict: ({ reason }) => told.verdicts.push(reason),
    state: (name, detail) => told.states.push(detail.code ?? name),
  };
  const reader = new TributaryReader("/events?coalesce=never", on, { fetch: async (asked) => ((told.asked = asked), answer) });
  readers.push(reader);
  await turn();
  return { reader, told, source: () => Played.all.at(-1) };
}

test("a cut keeps the place and a resume goes on there", async () => {
  const { reader, told, source } = await reading();
  source().say("open", open(0));
  source().say("planner_stream", frame(1, 3), "e_3_c");
  reader.cut();
  assert.equal(source().readyState, Played.CLOSED);
  source().say("planner_stream", frame(4), "e_4_c"); // what a closed line still says is nothing
  reader.resume();
  await turn();
  assert.equal(source().url, "/events?coalesce=never&last_event_id=e_3_c");
  source().say("open", open(3, "ok"), "e_3_c");
  source().say("planner_stream", frame(4, 5), "e_5_c");
  source().say("end", { reason: "plan_step_completed" }, "e_5_c");
  assert.deepEqual(told.events, [1, 2, 3, 4, 5]);
  assert.deepEqual([told.verdicts, told.states.at(-1), reader.covered], [["new", "ok"], "ended", 5]);
});

for (const [name, bad] of [["a hole", frame(3)], ["a repeat", frame(1)]])
  test(`${name} goes back to the cursor, and stops where it comes again`, async () => {
    const { told, source } = await reading();
    source().say("open", open(0));
    source().say("planner_stream", frame(1), "e_1_c");
    source().say("planner_stream", bad, "e_x_c");
    await turn();
    assert.equal(Played.all.length, 2);
    assert.match(source().url, /last_event_id=e_1_c/);
    source().say("open", open(1, "ok"));
    source().say("planner_stream", bad, "e_x_c");
    assert.equal(told.states.at(-1), "hole");
    assert.deepEqual(told.events, [1]);
  });

test("an ok verdict at another place is a hole", async () => {
  const { source } = await reading();
  source().say("open", open(0));
  source().say("planner_stream", frame(1, 4), "e_4_c");
  source().say("open", open(6, "ok"));
  await turn();
  assert.equal(Played.all.length, 2);
});

test("a snapshot replaces what there was when it is complete", async () => {
  const { reader, told, source } = await reading();
  source().say("open", open(0));
  source().say("planner_stream", frame(1, 4), "e_4_c");
  source().say("open", open(10, "trimmed"));
  source().say("snapshot", { ...frame(11, 12), complete: false });
  assert.equal(reader.cursor, "e_4_c"); // before it is complete there is nothing new to come back with
  source().say("snapshot", { ...frame(13), complete: true }, "f_13_c");
  assert.deepEqual([told.events, reader.cursor], [[11, 12, 13], "f_13_c"]);
});

test("three silent heartbeats make a new connection, at the cursor", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { told, source } = await reading();
  source().say("open", open(0));
  source().say("planner_stream", frame(1), "e_1_c");
  mock.timers.tick(2_900);
  source().say("heartbeat", { sequence: 1 });
  mock.timers.tick(2_900);
  assert.equal(Played.all.length, 1);
  mock.timers.tick(200);
  await turn();
  assert.equal(Played.all.length, 2);
  assert.match(source().url, /last_event_id=e_1_c/);
  assert.ok(told.states.includes("silent"));
});

const given = (status, body) => ({ ok: status < 300, status, json: async () => body });
for (const [name, answer, state] of [["a 204 whose page is closed", given(200, { closed: true }), "ended"], ["an end that was not read yet", given(200, { closed: true, events: [{}] }), "waiting"], ["a refusal", given(403, { code: "forbidden" }), "forbidden"], ["a server in trouble", given(503, { code: "store_unavailable" }), "store_unavailable"]])
  test(`${name} is told apart by a page`, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { told, source } = await reading(answer);
    source().readyState = Played.CLOSED;
    source().say("error");
    await turn();
    assert.equal(told.states.at(-1), state);
    assert.equal(told.asked, "/events?limit=1");
    mock.timers.tick(2_000);
    await turn();
    assert.equal(Played.all.length, ["store_unavailable", "waiting"].includes(state) ? 2 : 1); // only what passes is tried again
  });

test("a page of another origin has its cookie sent along, and a ticket of its own for each opening and each question", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Played.all = [];
  const asked = [];
  let given = 0;
  const fetch = async (address, options) => (asked.push([address, options.credentials]), { ok: true, status: 200, json: async () => ({ closed: false }) });
  const reader = new TributaryReader(async () => `https://t.test/events?coalesce=never&ticket=t${++given}`, {}, { fetch, withCredentials: true });
  readers.push(reader);
  await turn();
  const [first] = Played.all;
  assert.deepEqual([first.url, first.options], ["https://t.test/events?coalesce=never&ticket=t1", { withCredentials: true }]);
  first.say("open", open(0));
  first.say("planner_stream", frame(1), "e_1_c");
  // The line was cut, and what the EventSource then came back with was refused: the ticket is used up.
  first.readyState = Played.CLOSED;
  first.say("error");
  await turn();
  assert.deepEqual(asked, [["https://t.test/events?limit=1&after=e_1_c&ticket=t2", "include"]]);
  mock.timers.tick(2_000);
  await turn();
  assert.deepEqual(Played.all.map(({ url }) => url).slice(1), ["https://t.test/events?coalesce=never&ticket=t3&last_event_id=e_1_c"]);
});

test("an error event that passes waits, another one stops", async () => {
  const { told, source } = await reading();
  source().say("error", { code: "over_capacity" });
  assert.deepEqual([told.states.at(-1), source().readyState], ["over_capacity", 1]);
  source().say("error", { code: "unknown_step" });
  assert.deepEqual([told.states.at(-1), source().readyState], ["unknown_step", Played.CLOSED]);
});

const event = (sequence, type, content, step = "p") => ({ sequence, type, plan_step_id: step, session_id: "s", timestamp: new Date(sequence * 1000).toISOString(), content });
const LOG = [
  event(1, "step_started", { expected: [{ stage: "a", result_key: "a", task: "t", deadline: new Date(9000).toISOString() }], query: "q" }),
  event(2, "subagent_started", { stage: "a", result_key: "a", attempt: 1, mode: "invoke" }),
  event(3, "planner_stream", { stage: "a", result_key: "a", status: "partial", revision: 1, attempt: 1, payload: { content: "so f" } }),
  event(4, "planner_stream", { stage: "a", result_key: "a", status: "retry", revision: 2, attempt: 2, error: { code: "x", message: "y" } }),
  event(5, "planner_stream", { stage: "a", result_key: "a", status: "success", revision: 3, attempt: 2, payload: { answer: "so far" } }),
  event(6, "subagent_completed", { stage: "a", result_key: "a", status: "success", attempts: 2, latency_ms: 4000 }),
  event(7, "synthesis_delta", { path: "/findings/0/content", offset: 0, text: "One " }),
  event(8, "synthesis_delta", { path: "/findings/0/content", offset: 4, text: "finding" }),
  event(9, "plan_step_completed", { status: "completed" }),
];

test("the fold of a log is the state at each place", () => {
  const lane = (through) => fold(LOG, through).steps.get("p").lanes.get("a");
  assert.deepEqual([1, 3, 4, 6].map((through) => lane(through).status), ["pending", "partial", "retry", "success"]);
  assert.deepEqual([textOf(lane(3).payload), textOf(lane(5).payload)], ["so f", "so far"]);
  assert.deepEqual([lane(9).latency, lane(9).attempt, lane(9).retries.length, lane(9).mode, lane(9).deadline], [4000, 2, 1, "invoke", 9000]);
  assert.deepEqual(lane(9).segments.map(({ status, from, to }) => [status, from, to]), [["in_progress", 2000, 4000], ["retry", 4000, 5000]]);
  assert.equal(fold(LOG, 8).steps.get("p").deltas.get("/findings/0/content"), "One finding");
  assert.equal(fold(LOG, 8).steps.get("p").ended, null);
  assert.equal(fold(LOG).steps.get("p").status, "completed");
});

test("a copy of a state goes its own way", () => {
  for (let at = 0; at <= LOG.length; at++) {
    const before = fold(LOG.slice(0, at));
    const [as, other] = [structuredClone(before), copy(before)];
    for (const event of LOG.slice(at)) apply(other, event);
    assert.deepEqual([other, before], [fold(LOG), as]);
  }
});

test("what isn't known or is missing is no reason to fail", () => {
  const odd = [event(1, "of_tomorrow", { x: 1 }), event(2, "planner_stream", { stage: "a", status: "success" }), event(3, "step_started", {}), event(4, "subagent_completed", { stage: "a" }), { sequence: 5, type: "planner_progress", plan_step_id: "p", timestamp: "never" }];
  assert.equal(fold(odd).sequence, 5);
});

test("the example is the console's own client", async () => {
  const [console, example] = await Promise.all([readFile(new URL("client.js", own), "utf8"), readFile(new URL("../../examples/client.mjs", import.meta.url), "utf8")]);
  assert.equal(console, example);
  assert.ok(example.split("\n").length <= 150);
});
