// Reads a step's stream, checks that nothing is missing, comes back where it was, stops at the end.
// Browser: from the same origin. Node: npm install eventsource, then
//   node examples/reader.mjs http://127.0.0.1:8080/planner/sessions/s1/steps/step-1/events
// A token goes into TRIBUTARY_TOKEN; a browser's EventSource sends none, but has a ticket (docs/security.md).
const EventSource = globalThis.EventSource ?? (await import("eventsource")).EventSource;
const url = new URL(globalThis.process?.argv[2] ?? "events", globalThis.location?.href);
const token = globalThis.process?.env.TRIBUTARY_TOKEN;
const ask = (input, init) =>
  fetch(input, { ...init, headers: { ...init?.headers, ...(token && { authorization: `Bearer ${token}` }) } });
const PASSING = ["over_capacity", "rate_limited", "draining", "store_unavailable"]; // it comes back by itself
const [SILENT_HEARTBEATS, RETRY_MS] = [3, 2_000];
let covered; // everything through this sequence was read
let cursor; // the last id: where to come back to
let heartbeat = 15_000; // `open` says how often a quiet stream gives a sign of life
let source, timer;

/** Opens a connection where the last one was. A new EventSource doesn't know the old one's id: it has to be told. */
function connect() {
  source?.close();
  if (cursor) url.searchParams.set("last_event_id", cursor);
  const own = (source = new EventSource(url.href, { fetch: ask }));
  listen();
  for (const [name, take] of Object.entries(TAKE))
    own.addEventListener(name, ({ data, lastEventId }) => {
      if (own !== source) return; // it is closed, and what it still says is nothing
      listen();
      // EventSource has an "open" and an "error" of its own: those come without data.
      if (data === undefined) return name === "error" && own.readyState === EventSource.CLOSED && refused();
      take(JSON.parse(data));
      cursor = lastEventId || cursor;
    });
}

/** After so many heartbeats that didn't come the line is dead, even if nobody said so. */
function listen() {
  clearTimeout(timer);
  timer = setTimeout(connect, SILENT_HEARTBEATS * heartbeat);
}

function stop(why) {
  clearTimeout(timer);
  source?.close();
  source = undefined;
  if (!why) return;
  console.error(why);
  if (globalThis.process) process.exitCode = 1;
}

/** It has given up, and of the answer it keeps nothing: a page is asked for, which is refused for the same reason. */
async function refused() {
  stop();
  const page = new URL(url);
  if (cursor) page.searchParams.set("last_event_id", cursor);
  page.searchParams.set("limit", 1);
  const answer = await ask(page, { headers: { accept: "application/json" } }).catch(() => ({ status: 503 }));
  const { code, detail, closed, events } = (await answer.json?.().catch(() => null)) ?? {};
  if (closed && !events.length) return; // there is no more
  if (answer.status >= 400 && answer.status < 500 && !PASSING.includes(code))
    return stop(`refused: ${answer.status} ${code}: ${detail}`);
  timer = setTimeout(connect, RETRY_MS);
}

function frame({ from, to, events }) {
  if (from !== covered + 1) return stop(`${covered + 1} is missing, ${from} came`);
  covered = to;
  for (const { sequence, type, content } of events)
    console.log(sequence, content.stage ?? "plan", content.status ?? type);
}

const TAKE = {
  open({ from, recovered, reason, heartbeat_ms }) {
    if (reason === "ok" && covered !== undefined && from !== covered)
      return stop(`${covered} was read, ${from} follows`);
    if (!recovered) console.log(`starting over: ${reason}`); // a snapshot replaces what was read
    covered = from;
    heartbeat = heartbeat_ms || heartbeat;
  },
  planner_stream: frame,
  snapshot: frame,
  heartbeat() {},
  drain() {},
  error({ status, code, detail }) {
    if (PASSING.includes(code)) console.error(`${code}: ${detail}`);
    else stop(`refused: ${status} ${code}: ${detail}`);
  },
  end({ reason, sequence }) {
    console.log(`end: ${reason} at ${sequence}`);
    stop();
  },
};

connect();
