// npm ai, versions 5, 6 and 7, follow steps with the transport of `useChat`: `node ai_sdk.mjs <service> [<planner>]`.
import { Plan, TEXTS, authorization, main, same, withHeartbeats } from "./plan.mjs";

const api = (base, session) => `${base}/bridges/ai-sdk/sessions/${session}/steps/step`;
const question = { id: "q", role: "user", parts: [{ type: "text", text: "How does a quote become an order?" }] };

/** A version of the SDK, on one step. */
class Chat {
  constructor(ai, base, session) {
    this.ai = ai;
    this.transport = new ai.DefaultChatTransport({ api: api(base, session), headers: authorization() });
  }

  send(abortSignal) {
    const request = { chatId: "any chat", messages: [question], trigger: "submit-message", messageId: undefined };
    return this.transport.sendMessages({ ...request, abortSignal });
  }

  resume() {
    return this.transport.reconnectToStream({ chatId: "any chat" });
  }

  /** Reads a stream to its end: the message, each of its states, the parts, the errors. */
  async read(stream) {
    const seen = { message: undefined, states: 0, chunks: [], errors: [] };
    const watched = stream.pipeThrough(
      new TransformStream({ transform: (chunk, to) => (seen.chunks.push(chunk), to.enqueue(chunk)) }),
    );
    const onError = (error) => void seen.errors.push(error.message);
    for await (const message of this.ai.readUIMessageStream({ stream: watched, onError })) {
      seen.message = structuredClone(message);
      seen.states += 1;
    }
    return seen;
  }
}

const whose = (part) => part.providerMetadata?.tributary ?? {};

async function parallel(ai, base, planner, session) {
  const plan = new Plan(planner, session);
  const chat = new Chat(ai, base, session);
  const beating = new Chat(ai, await withHeartbeats(base), session);
  const following = beating.send().then((stream) => beating.read(stream));
  await plan.play("step");

  // Somebody goes away in the middle and comes back.
  const gone = new AbortController();
  const reader = (await chat.send(gone.signal)).getReader();
  for (let parts = 0; parts < 5; parts += 1) await reader.read();
  gone.abort();
  const resumed = await chat.resume();
  same("something to resume", resumed !== null, true);
  const coming = chat.read(resumed);

  await plan.finish("step");
  const [seen, again] = await Promise.all([following, coming]);
  same("errors", [seen.errors, again.errors], [[], []]);
  same("the resumed message", again.message, seen.message);
  same("nothing to resume", await chat.resume(), null);

  const { parts } = seen.message;
  const subagents = parts.filter((part) => part.type === "data-subagent");
  const status = Object.fromEntries(subagents.map((part) => [part.id, part.data.status]));
  same("subagents, each once", [subagents.length, Object.keys(status).length], [8, 8]);
  same("statuses", [status.docs, status.slow, status.risky, status.flaky], ["success", "timeout", "refused", "success"]);
  same("the table", subagents.find((part) => part.id === "row_selection").data.payload.row_count, 1);

  const texts = parts.filter((part) => part.type === "text");
  const holding = texts.filter((part) => !whose(part).replaced && whose(part).result_key);
  const last = Object.fromEntries(holding.map((part) => [whose(part).result_key, part.text]));
  for (const [key, text] of Object.entries(TEXTS)) same(`the text of ${key}`, last[key], text);
  same("states of texts", [...new Set(texts.map((part) => part.state))], ["done"]);
  same("the answer is the last text", [whose(texts.at(-1)).result_key, texts.at(-1).text.length > 0], [undefined, true]);

  const sources = parts.filter((part) => part.type.startsWith("source-"));
  const named = sources.filter((part) => !whose(part).number);
  same("sources", named.filter((part) => part.url).map((part) => part.url), ["https://docs.example/quotes", "https://crm.example/q/1"]);
  same("documents", named.filter((part) => part.type === "source-document").map((part) => part.title), ["Handbook"]);
  // The numbers of the answer are those of the result, and each has its source in the message.
  const cited = sources.filter((part) => whose(part).number);
  const result = await plan.get("/steps/step/result");
  const wanted = new Set([...texts.at(-1).text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)));
  same("numbers", [wanted.size > 0, cited.map((part) => whose(part).number)], [true, [...wanted].sort((a, b) => a - b)]);
  const address = ({ url, title }) => url ?? title;
  same("what is cited", cited.map(address), result.sources.filter(({ id }) => wanted.has(id)).map(address));
  same("for now only", parts.filter((part) => ["data-progress", "data-draft"].includes(part.type)), []);
  same("progress", seen.chunks.filter((chunk) => chunk.type === "data-progress").length, 1);
  same("the end", seen.message.metadata.status, "partial_failure");
  return { id: seen.message.id, parts: parts.length, states: seen.states, chunks: seen.chunks.length };
}

/** A step that something else ends than its subagents. */
async function ended(ai, base, planner, session, end) {
  const plan = new Plan(planner, session);
  const chat = new Chat(ai, base, session);
  const following = chat.send().then((stream) => chat.read(stream));
  await plan.step("step", [{ key: "a" }, { key: "b" }]);
  await plan.says("step", "a", { status: "partial", payload: { content: "begun" } });
  await end(plan);
  const seen = await following;
  return { last: seen.chunks.at(-1).type, errors: seen.errors, text: seen.message.parts.find((part) => part.type === "text").text };
}

await main(async (base, planner) => {
  const all = {};
  for (const version of [5, 6, 7]) {
    const ai = await import(`ai${version}`);
    const refusal = { decision: "refuse", policy: "harm", reason: "not allowed" };
    const session = `ai-sdk-${version}`;
    const followed = await parallel(ai, base, planner, session);
    const refused = await ended(ai, base, planner, `${session}-refused`, (plan) => plan.post("/safety", refusal));
    same("refused", refused, { last: "error", errors: ["safety ended the step"], text: "begun" });
    const cancel = (plan) => plan.post("/steps/step/cancel", { reason: "enough" });
    const cancelled = await ended(ai, base, planner, `${session}-cancelled`, cancel);
    same("cancelled", cancelled, { last: "abort", errors: [], text: "begun" });
    all[version] = { followed, refused, cancelled };
  }
  return all;
});
