// A plain server of Server-Sent Events, documents and lines on Node alone: what our readers meet where nobody follows a
// library.
//
// `node sse_server.mjs` listens on a free port of 127.0.0.1, prints one line of JSON, `{"port": N}`, and serves until
// its standard input ends or it gets SIGTERM. The path of a POST (or GET) chooses the answer; README.md has the list.
// `GET /seen` gives what was asked for: [{method, path, headers, body, aborted}].
import { createServer } from "node:http";

const seen = [];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const rows = '{"answer":"12 % – up","citations":[]}';

/** Each answer: what is written, one write after another. A number is a pause in milliseconds. */
const answers = {
  // Raw output, twice; the last is the result.
  "/plain": ['data: {"answer":"12 %"}\n\n', 5, `data: ${rows}\n\n`],
  // Events of ours.
  "/events": [
    'data: {"status":"in_progress"}\n\n', 5,
    `event: message\nid: 7\ndata: {"status":"success","payload":${rows}}\n\n`,
  ],
  "/crlf": [": hello\r\n\r\n", `data: ${rows}\r\n`, "\r\n"],
  "/cr": [`data: ${rows}\r\r`],
  // CR and LF of one line end in two writes.
  "/split-crlf": [`data: ${rows}\r`, 20, "\n\r", 20, "\n"],
  "/bom": ["\ufeff", `data: ${rows}\n\n`],
  "/comments": [": one\n", ": two\n\n", "retry: 10\nid: 1\nunknown: x\nnocolon\n\n", `data: ${rows}\n\n`, ":\n\n"],
  "/multi-line": ['data: {"answer":\ndata:  "12 %"\ndata: }\n\n'],
  // Each byte by itself: the en dash and the emoji are cut inside.
  "/split-utf8": [...Buffer.from('data: {"answer":"12 – 🚀"}\n\n')].map((byte) => Buffer.of(byte)),
  "/done": [`data: ${rows}\n\n`, "data: [DONE]\n\n"],
  "/text": ["data: just words\n\n"],
  "/error-event": ['data: {"answer":"half"}\n\n', 'event: error\ndata: {"message":"out of memory","retryable":true}\n\n'],
  "/bad-utf8": [Buffer.concat([Buffer.from('data: {"answer":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}\n\n')])],
  "/no-blank-line": ['data: {"answer":"first"}\n\n', 'data: {"answer":"last"}\n'],
  "/empty": [],
  "/only-comments": [": ping\n\n", 20, ": ping\n\n"],
  "/big-line": [`data: {"answer":"${"x".repeat(8 << 20)}"}\n\n`],
};

/** The same answer in other forms: its type, and what is written. */
const others = {
  "/json": ["application/json", [rows.slice(0, 20), 20, rows.slice(20)]],
  "/ndjson": ["application/x-ndjson", ['{"answer":"12 %"}\n', 20, rows.slice(0, 20), 20, `${rows.slice(20)}\n`]],
};

const write = async (response, pieces) => {
  for (const piece of pieces) {
    if (typeof piece === "number") await pause(piece);
    else {
      response.write(piece);
      // One packet a write: with Nagle's algorithm off, the next turn of the loop is enough.
      await new Promise((done) => setImmediate(done));
    }
  }
};

/** Answers that don't end as they should. */
const special = {
  async "/abrupt"(response) {
    await write(response, ['data: {"answer":"half"}\n\n', 200, 'data: {"ans']);
    response.socket.resetAndDestroy();
  },
  async "/cut"(response) {
    // The connection is closed without the last chunk: HTTP says that the body isn't whole.
    await write(response, ['data: {"answer":"half"}\n\n', 200]);
    response.socket.destroy();
  },
  async "/hang"(response) {
    await write(response, ['data: {"answer":"half"}\n\n']);
    await new Promise((closed) => response.on("close", closed));
  },
  async "/flood"(response) {
    const event = `data: {"answer":"${"x".repeat(65_000)}"}\n\n`;
    const more = () => { while (!response.destroyed && response.write(event)); };
    response.on("drain", more);
    const closed = new Promise((done) => response.on("close", done));
    more();
    await closed;
  },
};

/** Answers with a status of their own: [status, headers, body]. */
const refusals = {
  "/429": [429, { "retry-after": "1" }, '{"error":{"message":"slow down"}}'],
  "/503": [503, { "retry-after": "1" }, ""],
  "/500": [500, {}, "oh no"],
  "/400": [400, {}, '{"message":"no such field"}'],
  "/redirect": [307, { location: "http://127.0.0.1:9/elsewhere" }, ""],
  "/accepted": [202, {}, ""],
};
const flaky = new Map();

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://peer");
  let body = "";
  for await (const chunk of request) body += chunk;
  if (pathname === "/seen") return response.end(JSON.stringify(seen));
  const entry = { method: request.method, path: request.url, headers: request.headers, body, aborted: false };
  seen.push(entry);
  response.on("close", () => { entry.aborted = !response.writableFinished; });
  if (pathname === "/flaky") {
    // ?key=k&times=n: n refusals, then the answer.
    const key = searchParams.get("key") ?? "";
    const before = flaky.get(key) ?? 0;
    flaky.set(key, before + 1);
    if (before < Number(searchParams.get("times") ?? 1)) return response.writeHead(503).end();
  }
  const refusal = refusals[pathname];
  if (refusal) return response.writeHead(refusal[0], refusal[1]).end(refusal[2]);
  const [type, pieces] = others[pathname] ?? ["text/event-stream", answers[pathname === "/flaky" ? "/plain" : pathname]];
  if (!pieces && !special[pathname]) return response.writeHead(404).end();
  response.socket.setNoDelay(true);
  response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
  if (special[pathname]) return special[pathname](response);
  await write(response, pieces);
  response.end();
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
const stop = () => process.exit(0);
process.stdin.resume().on("end", stop);
process.on("SIGTERM", stop);
