// An Agent2Agent agent on the official SDK's server from before 1.0: it only knows 0.3.
//
// `node a2a_0_3_server.mjs` listens on a free port of 127.0.0.1, prints one line of JSON, `{"port": N}`, and serves until
// its standard input ends or it gets SIGTERM. `/` is JSON-RPC; `GET /seen` tells what was asked: [{method, headers}].
import { randomUUID } from "node:crypto";
import express from "express";
import { DefaultRequestHandler, InMemoryTaskStore } from "a2a-js-sdk-0-3/server";
import { UserBuilder, jsonRpcHandler } from "a2a-js-sdk-0-3/server/express";

const seen = [];

const executor = {
  async execute({ taskId, contextId }, bus) {
    const say = (state, note) => {
      const message = note && {
        kind: "message", messageId: randomUUID(), role: "agent", parts: [{ kind: "text", text: note }], taskId, contextId,
      };
      const status = { state, message, timestamp: new Date().toISOString() };
      bus.publish({ kind: "status-update", taskId, contextId, status, final: state === "completed" });
    };
    const artifact = (artifactId, part, append, lastChunk) => bus.publish({
      kind: "artifact-update", taskId, contextId, append, lastChunk, artifact: { artifactId, name: artifactId, parts: [part] },
    });
    const submitted = { state: "submitted", timestamp: new Date().toISOString() };
    bus.publish({ kind: "task", id: taskId, contextId, status: submitted });
    say("working", "Looking at the documents…");
    artifact("answer", { kind: "text", text: "Quotes convert " }, false, false);
    artifact("answer", { kind: "text", text: "at 12 % in Q3 – " }, true, false);
    artifact("answer", { kind: "text", text: "up from 9 %." }, true, true);
    const file = { uri: "https://docs.example.com/quotes", name: "Quotes", mimeType: "text/html" };
    artifact("source", { kind: "file", file }, false, true);
    say("completed");
    bus.finished();
  },
  async cancelTask() {},
};

const card = {
  name: "peer", description: "Answers.", version: "1.0.0", protocolVersion: "0.3.0", url: "http://127.0.0.1/",
  capabilities: { streaming: true, pushNotifications: false }, defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"], skills: [],
};
console.error = () => {}; // the SDK logs what it refuses
const app = express();
app.get("/seen", (_request, response) => response.json(seen));
app.use(express.json());
app.use((request, _response, next) => {
  seen.push({ method: request.body?.method, headers: request.headers });
  next();
});
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
app.use("/", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
const server = app.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
const stop = () => process.exit(0);
process.stdin.resume().on("end", stop);
process.on("SIGTERM", stop);
