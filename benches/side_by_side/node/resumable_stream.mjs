// A server around npm's resumable-stream, as its README suggests one: the producer lives in this process, its first reader
// gets the stream itself, whoever comes later or again gets it through Redis.
//
//   POST /streams/ID?agents=N          begins a stream that N agents write to
//   POST /streams/ID/events[?last]     one event; `last` is an agent's last one, and the N-th of these ends the stream
//   GET  /streams/ID[?resumeAt=CHARS]  server-sent events
import http from "node:http";
import { createResumableStreamContext } from "resumable-stream";

const context = createResumableStreamContext({ waitUntil: () => {} });
const streams = new Map();

async function begin(id, agents) {
  let controller;
  const source = new ReadableStream({ start: (its) => void (controller = its) });
  const direct = await context.createNewResumableStream(id, () => source);
  streams.set(id, { controller, direct, agents });
}

function publish(id, event, last) {
  const stream = streams.get(id);
  // Nobody came for the stream itself: its buffer would only grow.
  stream.direct?.cancel();
  stream.direct = null;
  stream.controller.enqueue(`data: ${event}\n\n`);
  if (last && --stream.agents === 0) {
    stream.controller.close();
    streams.delete(id);
  }
}

async function open(id, resumeAt) {
  const stream = streams.get(id);
  if (resumeAt === null && stream?.direct) {
    const direct = stream.direct;
    stream.direct = null;
    return direct;
  }
  return context.resumeExistingStream(id, Number(resumeAt ?? 0));
}

async function send(stream, response) {
  if (!stream) return response.writeHead(422).end("the stream is already done\n");
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  const reader = stream.getReader();
  response.on("close", () => reader.cancel().catch(() => {}));
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) response.write(value);
  response.end();
}

async function body(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function answer(request, response) {
  const url = new URL(request.url, "http://127.0.0.1");
  const [, kind, id, events] = url.pathname.split("/");
  if (kind !== "streams") return response.end("ready\n");
  if (request.method === "GET") return send(await open(id, url.searchParams.get("resumeAt")), response);
  const event = await body(request);
  if (events) publish(id, event, url.searchParams.has("last"));
  else await begin(id, Number(url.searchParams.get("agents") ?? 1));
  return response.end();
}

const server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0, noDelay: true }, (request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end(String(error));
  });
});
server.listen({ host: "127.0.0.1", port: Number(process.env.PORT), backlog: 4096 });
