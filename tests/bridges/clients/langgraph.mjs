// LangGraph's client follows a step, is cut off in the middle, and resumes without a hole or a repeat.
//
//   node langgraph.mjs URL [RECORDED]     RECORDED: a session that is there instead of one that is played

import net from "node:net";
import { Client } from "@langchain/langgraph-sdk";
import { authorization, begin, check, work } from "./play.mjs";

const [base, recorded] = process.argv.slice(2);
const session = recorded ?? `langgraph-${process.pid}`;
const step = "p1";
const streamMode = ["values", "updates", "custom", "messages-tuple"];

/** A proxy that breaks each of its first connections off after so many bytes of the answer. */
async function cutting(lengths) {
  const target = new URL(base);
  const seen = [];
  const server = net.createServer((socket) => {
    const upstream = net.connect(target.port, target.hostname);
    const most = lengths.shift() ?? Infinity;
    let count = 0;
    let head = "";
    socket.on("data", (bytes) => {
      const isWhole = head.includes("\r\n\r\n");
      head += bytes;
      // When it is asked, not when it is over: an answer may end and its connection stay.
      if (!isWhole && head.includes("\r\n\r\n")) seen.push(/last-event-id: *(\S+)/i.exec(head)?.[1]);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      const rest = most - count;
      count += bytes.length;
      if (count < most) return socket.write(bytes);
      upstream.destroy();
      socket.write(bytes.subarray(0, rest), () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    upstream.on("close", () => count < most && socket.end());
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => server.close() };
}

const clientOf = (url) =>
  new Client({ apiUrl: `${url}/bridges/langgraph`, defaultHeaders: authorization(), apiKey: null });

async function join(url) {
  const events = [];
  for await (const event of clientOf(url).runs.joinStream(session, step, { streamMode })) events.push(event);
  return events;
}

/** The thread, up to the end of its first run: its stream stays open. */
async function joinThread() {
  const events = [];
  for await (const event of clientOf(base).threads.joinStream(session)) {
    events.push(event);
    if (event.event === "values" && event.data.status !== "in_progress") break;
  }
  return events;
}

if (!recorded) await begin(base, session, step);
const proxy = await cutting([3000, 3000]);
const followed = join(proxy.url);
if (!recorded) await work(base, session, step);
const cut = await followed;
const whole = await join(base);
proxy.close();

const said = (events) => events.map(({ event, data }) => JSON.stringify([event, data]));
check(whole.length > 20, `only ${whole.length} events came`);
check(whole[0].event === "metadata" && whole[0].data.run_id === step, "metadata comes first");
check(whole.every(({ event, id }) => event && id), "every event has a name and an id");
check(new Set(whole.map(({ id }) => id)).size === whole.length, "ids are of one event each");
check(proxy.seen.length >= 3 && proxy.seen[1] && proxy.seen[2], `it resumed with ${JSON.stringify(proxy.seen)}`);
const [a, b] = [said(cut), said(whole)];
const at = a.findIndex((text, index) => text !== b[index]);
check(a.length === b.length && at < 0, `cut: ${a.length} events, whole: ${b.length}, other at ${at}:\n${a[at]}\n${b[at]}`);

const values = whole.filter(({ event }) => event === "values");
check(recorded || values.at(-1).data.status === "completed", "the last values are those of a step that is complete");
const texts = {};
for (const { event, data } of whole) {
  if (event === "messages") texts[data[0].id] = (texts[data[0].id] ?? "") + data[0].content;
}
for (const { type, id, content } of values.at(-1).data.messages) {
  check(type !== "ai" || texts[id] === content, `message ${id}: ${texts[id]} instead of ${content}`);
}

// Who has everything and comes back is told that nothing follows.
const path = `/bridges/langgraph/threads/${session}/runs/${step}/stream?stream_mode=${streamMode}`;
const again = await fetch(base + path, { headers: { "last-event-id": whole.at(-1).id, ...authorization() } });
check(again.status === 204, `after the end: ${again.status}`);

const thread = await joinThread();
check(thread[0].event === "metadata" && thread[0].data.run_id === step, "the thread begins with its first run");
check(JSON.stringify(thread.at(-1).data) === JSON.stringify(values.at(-1).data), "a run's state in the thread is the same");

console.log(JSON.stringify({ events: whole.length, names: [...new Set(whole.map(({ event }) => event))], resumed: proxy.seen, thread: thread.length }));
process.exit(0);
