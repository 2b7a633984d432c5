// An Agent2Agent agent on the official SDK's server: the peer that our A2A reader is shown to be right against.
//
// `node a2a_server.mjs` listens on a free port of 127.0.0.1, prints one line of JSON, `{"port": N}`, and serves until
// its standard input ends or it gets SIGTERM. Paths:
//   /v1      A2A 1.0 alone: `SendStreamingMessage`, `SendMessage`; needs the header `A2A-Version: 1.0`
//   /compat  both: without that header (or with 0.3) it speaks 0.3: `message/stream`, `message/send`
//   /seen    what was received: [{skill, message_id, context_id, headers}], and `cancelled` (a task's skill) and `aborted` (the caller went
//            before the answer's end), in order (GET)
//
// The first word of the message's text chooses what the agent does (README.md has the list).
import { randomUUID } from "node:crypto";
import express from "express";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { UserBuilder, jsonRpcHandler } from "@a2a-js/sdk/server/express";
import { Role, TaskState } from "@a2a-js/sdk";

const seen = [];
const part = (content, rest = {}) => ({ content, metadata: undefined, filename: "", mediaType: "", ...rest });
const text = (value) => part({ $case: "text", value });
const data = (value) => part({ $case: "data", value });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** What one call needs to publish: the ids that each event repeats. */
class Work {
  constructor(context, bus) {
    this.taskId = context.taskId;
    this.contextId = context.contextId;
    this.messageId = context.userMessage.messageId;
    this.bus = bus;
  }

  message(parts, metadata) {
    const ids = { messageId: randomUUID(), contextId: this.contextId, taskId: this.taskId };
    return { ...ids, role: Role.ROLE_AGENT, parts, metadata, extensions: [], referenceTaskIds: [] };
  }

  status(state, note, metadata) {
    const message = note === undefined ? undefined : this.message([text(note)], metadata);
    return { state, message, timestamp: new Date().toISOString() };
  }

  task(state, artifacts = []) {
    const ids = { id: this.taskId, contextId: this.contextId };
    this.bus.publish(AgentEvent.task({ ...ids, status: this.status(state), artifacts, history: [], metadata: undefined }));
  }

  say(state, note, metadata) {
    const ids = { taskId: this.taskId, contextId: this.contextId };
    this.bus.publish(AgentEvent.statusUpdate({ ...ids, status: this.status(state, note, metadata), metadata: undefined }));
  }

  artifact(artifactId, parts, { append = false, lastChunk = false } = {}) {
    const artifact = { artifactId, name: artifactId, description: "", parts, metadata: undefined, extensions: [] };
    const ids = { taskId: this.taskId, contextId: this.contextId };
    this.bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append, lastChunk, metadata: undefined }));
  }

  begin() {
    this.task(TaskState.TASK_STATE_SUBMITTED);
    this.say(TaskState.TASK_STATE_WORKING, "Looking at the documents…");
  }
}

const skills = {
  async stream(work) {
    work.begin();
    work.artifact("answer", [text("Quotes convert ")]);
    work.artifact("answer", [text("at 12 % in Q3 – ")], { append: true });
    work.artifact("answer", [text("up from 9 %.")], { append: true, lastChunk: true });
    const url = { $case: "url", value: "https://docs.example.com/quotes" };
    work.artifact("source", [part(url, { filename: "Quotes", mediaType: "text/html" })], { lastChunk: true });
    work.say(TaskState.TASK_STATE_COMPLETED);
  },
  async data(work) {
    work.begin();
    const citations = [{ id: "1", title: "Quotes", url: "https://docs.example.com/quotes" }];
    work.artifact("result", [data({ answer: "12 %", citations })], { lastChunk: true });
    work.say(TaskState.TASK_STATE_COMPLETED, "Done.");
  },
  async snapshot(work) {
    const artifact = { artifactId: "a", name: "", description: "", parts: [text("All at once."), data({ rows: 3 })] };
    work.task(TaskState.TASK_STATE_COMPLETED, [{ ...artifact, metadata: undefined, extensions: [] }]);
  },
  async message(work) {
    work.bus.publish(AgentEvent.message({ ...work.message([text("Just an answer.")]), taskId: "" }));
  },
  async long(work, words) {
    work.begin();
    const chunks = Number(words[1] ?? 200);
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      work.artifact("answer", [text(`word${chunk} `)], { append: chunk > 0, lastChunk: chunk + 1 === chunks });
      if (chunk % 20 === 19) await pause(5);
    }
    work.say(TaskState.TASK_STATE_COMPLETED);
  },
  async paced(work, words) {
    work.begin();
    const pieces = ["Quotes ", "convert ", "at 12 % ", "in Q3 ", "– up from ", "9 %."];
    for (const [index, piece] of pieces.entries()) {
      work.artifact("answer", [text(piece)], { append: index > 0, lastChunk: index + 1 === pieces.length });
      await pause(Number(words[1] ?? 60));
    }
    work.say(TaskState.TASK_STATE_COMPLETED);
  },
  async slow(work, words) {
    work.begin();
    await pause(Number(words[1] ?? 2000));
    work.artifact("answer", [text("Late, but here.")], { lastChunk: true });
    work.say(TaskState.TASK_STATE_COMPLETED);
  },
  async stubborn(work) {
    await skills.slow(work, ["stubborn", 600_000]);
  },
  async silent(work) {
    await skills.slow(work, ["silent", 600_000]);
  },
  async fail(work, words) {
    work.begin();
    const metadata = words[1] === "retryable" ? { retryable: true, retryAfterMs: 50 } : undefined;
    work.say(TaskState.TASK_STATE_FAILED, "The index is being rebuilt.", metadata);
  },
  async reject(work) {
    work.begin();
    work.say(TaskState.TASK_STATE_REJECTED, "I don't do taxes.");
  },
  async cancel(work) {
    work.begin();
    work.say(TaskState.TASK_STATE_CANCELED, "Stopped by its operator.");
  },
  async input(work) {
    work.begin();
    work.say(TaskState.TASK_STATE_INPUT_REQUIRED, "Which quarter?");
  },
  async auth(work) {
    work.begin();
    work.say(TaskState.TASK_STATE_AUTH_REQUIRED, "Sign in to the CRM.");
  },
  async throw() {
    throw new Error("a fault of the agent's own");
  },
  async late_throw(work) {
    work.begin();
    throw new Error("a fault of the agent's own");
  },
};

/** The tasks by id: who works on each, to say that it was cancelled. */
const works = new Map();

/** What a failed attempt left behind: `flaky N` fails N times (retryable), then streams. */
const attempts = new Map();

const executor = {
  async execute(context, bus) {
    const words = context.userMessage.parts
      .map(({ content }) => (content?.$case === "text" ? content.value : ""))
      .join(" ").trim().split(/\s+/);
    const { messageId, contextId } = context.userMessage;
    const headers = context.context?.state.get("headers");
    seen.push({ skill: words[0], message_id: messageId, context_id: contextId, headers });
    const work = new Work(context, bus);
    works.set(context.taskId, { work, skill: words[0] });
    try {
      if (words[0] === "flaky") {
        const before = attempts.get(words[2] ?? "") ?? 0;
        attempts.set(words[2] ?? "", before + 1);
        await (before < Number(words[1] ?? 1) ? skills.fail(work, ["fail", "retryable"]) : skills.stream(work));
      } else {
        await (skills[words[0]] ?? skills.stream)(work, words);
      }
    } finally {
      bus.finished();
    }
  },
  async cancelTask(taskId, bus) {
    const { work, skill } = works.get(taskId);
    seen.push({ cancelled: skill, message_id: work.messageId });
    if (skill === "silent") await pause(600_000);
    // What says nothing of it isn't cancelled: the SDK answers with -32002.
    if (skill !== "stubborn") work.say(TaskState.TASK_STATE_CANCELED, "Nobody waits for it.");
    bus.finished();
  },
};

const card = (url) => ({
  name: "peer", description: "Answers as its message asks.", version: "1.0.0", provider: undefined,
  supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({
    url, protocolBinding: "JSONRPC", tenant: "", protocolVersion,
  })).slice(0, url.endsWith("/compat") ? 2 : 1),
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {}, securityRequirements: [], defaultInputModes: ["text/plain"], signatures: [],
  defaultOutputModes: ["text/plain", "application/json"], skills: [],
});

const mount = (app, path, legacy) => {
  const requestHandler = new DefaultRequestHandler(card(`http://127.0.0.1${path}`), new InMemoryTaskStore(), executor);
  const userBuilder = UserBuilder.noAuthentication;
  app.use(path, jsonRpcHandler({ requestHandler, userBuilder, legacyCompat: { enabled: legacy } }));
};

console.error = () => {}; // the SDK logs every scripted failure with its stack
const app = express();
app.get("/seen", (_request, response) => response.json(seen));
app.use((request, response, next) => {
  const { path } = request;
  response.on("close", () => { if (!response.writableFinished) seen.push({ aborted: path }); });
  next();
});
mount(app, "/v1", false);
mount(app, "/compat", true);
const server = app.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
const stop = () => process.exit(0);
process.stdin.resume().on("end", stop);
process.on("SIGTERM", stop);
