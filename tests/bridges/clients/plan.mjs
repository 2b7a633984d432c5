// What the client scripts have a planner and its subagents do: over the service's own API, at the pace of a reader that
// is to see them work at once.

import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A planner of one session. */
export class Plan {
  constructor(base, session) {
    this.root = `${base}/planner/sessions/${session}`;
  }

  async post(path, body) {
    const response = await fetch(`${this.root}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...authorization() },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async get(path) {
    const response = await fetch(`${this.root}${path}`, { headers: authorization() });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  step(plan_step_id, expected_subagents, more = {}) {
    return this.post("/steps", { plan_step_id, expected_subagents, query: "How does a quote become an order?", ...more });
  }

  says(step, key, event) {
    return this.post(`/steps/${step}/subagents/${key}/events`, event);
  }

  /** Subagents at work at once: texts that grow, one that is told anew, a table, a retry, a timeout, a refusal. */
  async play(step) {
    await this.step(step, [
      { key: "documentation", result_key: "docs", task: "How is a quote converted?" },
      { key: "crm", task: "Which quotes are open?" },
      { key: "crm", result_key: "crm_eu" },
      { key: "row_selection" },
      { key: "voice" },
      { key: "flaky", max_attempts: 2 },
      { key: "slow", deadline_ms: 1500 },
      { key: "risky" },
    ]);
    await this.says(step, "slow", { status: "partial", payload: { content: "I am thinking" } });
    const growing = (text) => ({ result_key: "docs", status: "partial", payload: { answer: text } });
    await this.says(step, "documentation", { result_key: "docs", status: "in_progress" });
    await this.says(step, "documentation", growing("A quote becomes"));
    await this.says(step, "crm", { result_key: "crm", status: "partial", payload: { content: "Two" } });
    await this.says(step, "documentation", growing("A quote becomes an order – ü 🎈"));
    await this.says(step, "risky", { status: "partial", payload: { content: "how to" } });
    await this.says(step, "crm", { result_key: "crm", status: "partial", payload: { content: "Three quotes" } });
    await this.says(step, "flaky", { status: "error", error: { code: "busy", message: "try again", retryable: true } });
    await this.post(`/steps/${step}/progress`, { message: "half of it", percent: 50 });
    await this.post(`/steps/${step}/safety`, { decision: "refuse", policy: "harm", reason: "not allowed", subagent: "risky" });
    await this.says(step, "row_selection", {
      status: "success",
      payload: { title: "Quotes", columns: [{ key: "id", label: "Id", type: "string" }], rows: [{ id: "q1" }], row_count: 1 },
    });
    await this.says(step, "voice", { status: "partial", payload: { transcript: "hello", final: false } });
    await this.says(step, "voice", { status: "success", payload: { transcript: "Hello.", final: true } });
    await this.says(step, "flaky", { status: "success", payload: { content: "At last.", sources: [{ title: "Handbook" }] } });
  }

  /** Waits until an output's time is over. */
  async timedOut(step, result_key) {
    for (;;) {
      const response = await fetch(`${this.root}/steps/${step}`, { headers: authorization() });
      const { subagents } = await response.json();
      if (subagents.find((one) => one.result_key === result_key).status === "timeout") return;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** The rest of `play`, once the slow one's time is over. */
  async finish(step) {
    await this.timedOut(step, "slow");
    await this.says(step, "documentation", {
      result_key: "docs",
      status: "success",
      payload: {
        answer: "A quote becomes an order – ü 🎈 when it is confirmed.",
        citations: [{ id: "1", title: "Quotes", url: "https://docs.example/quotes" }],
      },
    });
    const sources = ["https://crm.example/q/1"];
    await this.says(step, "crm", { result_key: "crm", status: "success", payload: { content: "Three quotes are open.", sources } });
    await this.says(step, "crm", { result_key: "crm_eu", status: "success", payload: { content: "None.", sources } });
  }
}

/** The service with a heartbeat after each event, on a port of its own: readers must take no notice. */
export async function withHeartbeats(base) {
  const server = createServer(async (request, response) => {
    const body = request.method === "POST" ? await text(request) : undefined;
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const answer = await fetch(base + request.url, { method: request.method, headers, body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    const decoder = new TextDecoder();
    for await (const bytes of answer.body ?? []) {
      response.write(decoder.decode(bytes, { stream: true }).replaceAll("\n\n", "\n\n:\n\n"));
    }
    response.end();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${server.address().port}`;
}

/** What `play` and `finish` make of each output's text. */
export const TEXTS = {
  docs: "A quote becomes an order – ü 🎈 when it is confirmed.",
  crm: "Three quotes are open.",
  crm_eu: "None.",
  voice: "Hello.",
  flaky: "At last.",
  slow: "I am thinking",
  risky: "how to",
};

/** The headers of a token, where the environment has one. */
export function authorization() {
  const token = process.env.TRIBUTARY_TOKEN;
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** Fails where two things aren't the same. */
export function same(what, is, should) {
  const [left, right] = [JSON.stringify(is), JSON.stringify(should)];
  if (left !== right) throw new Error(`${what}: ${left}, not ${right}`);
}

/** Runs a script: one JSON document and 0, or what is wrong and 1. */
export async function main(script) {
  const [base, planner = base] = process.argv.slice(2);
  try {
    console.log(JSON.stringify(await script(base, planner)));
    process.exit(0);
  } catch (error) {
    console.error(error?.stack ?? String(error));
    process.exit(1);
  }
}
