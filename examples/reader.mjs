// Reads a step's stream, checks that nothing is missing, comes back where it was, stops at the end.
// Browser: from the same origin. Node: npm install eventsource, then
//   node examples/reader.mjs http://127.0.0.1:8080/planner/sessions/s1/steps/step-1/events
// A token goes into TRIBUTARY_TOKEN; a browser's EventSource sends none, but has a ticket (docs/security.md).
const EventSource = globalThis.EventSource ?? (await import("eventsource")).EventSource;
const url = globalThis.process?.argv[2] ?? "events";
const token = globalThis.process?.env.TRIBUTARY_TOKEN;
const ask = (input, init) =>
  fetch(input, { ...init, headers: { ...init?.headers, ...(token && { authorization: `Bearer ${token}` }) } });
const source = new EventSource(url, { fetch: ask });
const PASSING = ["over_capacity", "rate_limited", "draining", "store_unavailable"]; // it comes back by itself
let covered; // everything through this sequence was read

// EventSource has an "open" and an "error" of its own: those come without data.
const on = (name, take) => source.addEventListener(name, ({ data }) => data && take(JSON.parse(data)));

function stop(why) {
  source.close();
  console.error(why);
  if (globalThis.process) process.exitCode = 1;
}

function frame({ from, to, events }) {
  if (from !== covered + 1) return stop(`${covered + 1} is missing, ${from} came`);
  covered = to;
  for (const { sequence, type, content } of events)
    console.log(sequence, content.stage ?? "plan", content.status ?? type);
}

on("open", ({ from, recovered, reason }) => {
  if (reason === "ok" && from !== covered) return stop(`${covered} was read, ${from} follows`);
  if (!recovered) console.log(`starting over: ${reason}`); // a snapshot replaces what was read
  covered = from;
});
on("planner_stream", frame);
on("snapshot", frame);
on("error", ({ status, code, detail }) => {
  if (PASSING.includes(code)) console.error(`${code}: ${detail}`);
  else stop(`refused: ${status} ${code}: ${detail}`);
});
on("end", ({ reason, sequence }) => {
  console.log(`end: ${reason} at ${sequence}`);
  source.close();
});
// It has given up: of the answer it keeps nothing, so a page is asked for, which is refused for the same reason.
source.addEventListener("error", async ({ data }) => {
  if (data || source.readyState !== EventSource.CLOSED) return;
  const answer = await ask(url, { headers: { accept: "application/json" } });
  const { code, detail } = await answer.json().catch(() => ({}));
  if (!answer.ok) stop(`refused: ${answer.status} ${code}: ${detail}`);
});
