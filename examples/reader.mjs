// Reads a step's stream, checks that nothing is missing, comes back where it was, stops at the end.
// Browser: from the same origin. Node: npm install eventsource, then
//   node examples/reader.mjs http://127.0.0.1:8080/planner/sessions/s1/steps/step-1/events
const EventSource = globalThis.EventSource ?? (await import("eventsource")).EventSource;
const source = new EventSource(globalThis.process?.argv[2] ?? "events");
let covered; // everything through this sequence was read

// EventSource has an "open" and an "error" of its own: those come without data.
const on = (name, take) => source.addEventListener(name, ({ data }) => data && take(JSON.parse(data)));

function frame({ from, to, events }) {
  if (from !== covered + 1) console.error(`${covered + 1} is missing, ${from} came`);
  covered = to;
  for (const { sequence, type, content } of events)
    console.log(sequence, content.stage ?? "plan", content.status ?? type);
}

on("open", ({ from, recovered, reason }) => {
  if (reason === "ok" && from !== covered) console.error(`${covered} was read, ${from} follows`);
  if (!recovered) console.log(`starting over: ${reason}`); // a snapshot replaces what was read
  covered = from;
});
on("planner_stream", frame);
on("snapshot", frame);
on("error", ({ code, detail }) => console.error(code, detail)); // it tries again by itself
on("end", ({ reason, sequence }) => {
  console.log(`end: ${reason} at ${sequence}`);
  source.close();
});
