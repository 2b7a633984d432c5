// A rich plan, played against a service over HTTP: parallel subagents with partials, an error with a retry, a timeout, a late
// result, a refusal, one that may be switched off, contradictions, sources, gaps, a child step and hostile texts.
//   node plan.mjs http://127.0.0.1:8080 [session] [pace]     pace: 1 takes about 6 s, 0.2 about 2 s

export const HOSTILE = `<img src=x onerror="alert('x')"><script>alert(1)</script>`;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const web = (n, title, host = "example.org") => ({ id: `w${n}`, title, url: `https://${host}/report/${n}`, quality: 0.5 + (n % 5) / 10, snippet: `From ${title}.` });

/** Calls of a planner and its subagents on one session; an answer that isn't 2xx is an error. */
export class Session {
  constructor(base, session, token) {
    this.base = base;
    this.path = `${base}/planner/sessions/${session}`;
    this.headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    this.revisions = {};
  }
  async post(path, body) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(this.path + path, { method: "POST", headers: this.headers, body: text });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(said)}`);
    return said;
  }
  step(directive) {
    return this.post("/steps", directive);
  }
  event(step, key, status, rest = {}) {
    const revision = (this.revisions[`${step}/${key}`] = (this.revisions[`${step}/${key}`] ?? 0) + 1);
    return this.post(`/steps/${step}/subagents/${key}/events`, { status, revision, result_key: key, ...rest });
  }
}

const TEXTS = {
  documentation:
    "The gateway accepts 500 requests per minute [1]. Requests beyond the limit are answered with status 429 and a Retry-After header [2]. The limit was introduced in version 4.2 in March 2026 [1]. The burst bucket refills every 30 seconds [2]. Clients should back off exponentially with full jitter [3].",
  web_search:
    "The gateway accepts 800 requests per minute [1]. Several operators measured bursts of 1,200 requests before the first refusal [2]. The burst bucket refills every 10 seconds [3]. The vendor doesn't publish figures for the European region [1].",
  tickets:
    "Forty-one support tickets of the last quarter mention status 429 [1]. Most of them were closed after the client honoured the Retry-After header [1]. Two tickets report refusals at 480 requests per minute [2].",
};
const CITED = {
  documentation: [
    { id: "d1", title: "Rate limits of the gateway", url: "https://docs.example.com/gateway/limits", quality: 0.95, snippet: "500 requests per minute" },
    { id: "d2", title: `Status codes ${HOSTILE}`, url: "https://docs.example.com/gateway/errors", quality: 0.9, snippet: "429 Too Many Requests" },
    { id: "d3", title: "Backing off", url: "javascript:alert(1)", quality: 0.8, snippet: "full jitter" },
  ],
  web_search: [web(1, "Gateways compared"), web(2, "Field notes on throttling", "blog.example.net"), web(3, "Token buckets in practice")],
  tickets: [
    { id: "t1", title: "Tickets, third quarter", url: "https://desk.example.com/q3", quality: 0.7 },
    { id: "t2", title: "Ticket 88213", url: "https://desk.example.com/88213", quality: 0.6 },
  ],
};

/** Says a text in growing partials, then as the result. */
async function speak(session, step, key, tick, words = 9) {
  const all = TEXTS[key].split(" ");
  for (let end = words; end < all.length; end += words) {
    await session.event(step, key, "partial", { payload: { content: all.slice(0, end).join(" ") } });
    await pause(tick * (0.7 + (end % 3) / 4));
  }
  const payload = key === "documentation"
    ? { answer: TEXTS[key], citations: CITED[key], confidence: 0.86, relevance: 0.95, retrieval_count: 12 }
    : { content: TEXTS[key], sources: CITED[key], relevance: 0.8, confidence: 0.7 };
  await session.event(step, key, "success", { payload, telemetry: { metrics: { retrieval_count: CITED[key].length } } });
}

/** The step that finds things out. Resolves when it has ended. */
export async function research(session, step, pace) {
  const tick = 420 * pace;
  const subagent = (key, task, more = {}) => ({ key, result_key: key, task, ...more });
  await session.step({
    plan_step_id: step,
    query: `How many requests per minute does the gateway take, and what should a client do beyond that?`,
    goal: "Limits of the gateway, with evidence, for the integration guide",
    task_type: "retrieval",
    deadline_ms: 60_000,
    expected_subagents: [
      subagent("documentation", "What does the documentation say about rate limits?", { deadline_ms: 30_000 }),
      subagent("web_search", "What do operators report about the limits?"),
      subagent("tickets", "Which support tickets mention refusals?", { max_attempts: 3 }),
      subagent("row_selection", "Select the contracts with a raised limit", { deadline_ms: Math.max(1500, 4200 * pace) }),
      subagent("pricing", "What does a higher limit cost?", { max_attempts: 1 }),
      subagent("contracts", `Which contracts name a person? ${HOSTILE}`),
      subagent("geo", "Do limits differ by region?"),
    ],
    synthesis: { mode: "extractive", include_contradictions: true, include_gaps: true },
    more_steps: true,
  });
  await session.post(`/steps/${step}/progress`, { message: "Everyone is asked", percent: 5 });
  await Promise.all([
    (async () => (await session.event(step, "documentation", "in_progress"), await pause(tick), await speak(session, step, "documentation", tick)))(),
    (async () => (await pause(tick * 0.5), await session.event(step, "web_search", "in_progress"), await speak(session, step, "web_search", tick * 1.3, 7)))(),
    (async () => {
      await session.event(step, "tickets", "in_progress");
      await pause(tick * 2);
      await session.event(step, "tickets", "error", { error: { code: "rate_limited", message: "The desk answered 429.", retryable: true } });
      await pause(tick * 2.5);
      await session.event(step, "tickets", "in_progress");
      await speak(session, step, "tickets", tick);
    })(),
    (async () => {
      await session.event(step, "row_selection", "in_progress");
      await pause(Math.max(1500, 4200 * pace) + 250);
      await session.event(step, "row_selection", "success", { payload: { content: "Too late." } }); // counted as late
    })(),
    (async () => {
      await pause(tick * 1.2);
      await session.event(step, "pricing", "error", { error: { code: "not_found", message: `No price list ${HOSTILE}`, retryable: false } });
    })(),
    (async () => {
      await session.event(step, "contracts", "in_progress");
      await pause(tick);
      await session.event(step, "contracts", "partial", { payload: { content: "Three contracts name a person: " } });
      await pause(tick * 2);
      const reason = `The text names people ${HOSTILE}`;
      await session.post(`/steps/${step}/safety`, { decision: "refuse", policy: "personal-data", reason, severity: "high", subagent: "contracts" });
    })(),
    (async () => {
      await pause(tick * 0.8); // where the service has `subagents.geo.enabled` off, it has ended as degraded already
      await session.event(step, "geo", "success", { payload: { content: "No answer for the European region was found." } }).catch(() => {});
    })(),
    (async () => (await pause(tick * 5), await session.post(`/steps/${step}/progress`, { message: "Half of the answers are in", percent: 50 })))(),
  ]);
}

/** A second, smaller step, below the first. */
async function check(session, step, parent, pace) {
  await session.step({
    plan_step_id: step,
    query: "Is the limit of 500 still valid in version 4.3?",
    goal: `Confirm ${HOSTILE}`,
    task_type: "reasoning",
    parent_step_id: parent,
    expected_subagents: [{ key: "verifier", result_key: "verifier", task: "Compare the change logs" }],
    synthesis: { mode: "extractive" },
    more_steps: true,
  });
  await session.event(step, "verifier", "in_progress");
  await pause(600 * pace);
  await session.event(step, "verifier", "success", { payload: { content: "Version 4.3 keeps the limit of 500 requests per minute.", sources: ["https://docs.example.com/changes/4.3"] } });
}

/** The whole plan: two steps. */
export async function play(base, name = "rate-limits", { token, pace = 1 } = {}) {
  const session = new Session(base, name, token);
  await research(session, "research", pace);
  await check(session, "check", "research", pace);
  return session;
}

/** A step with so many small events: `count` partials and notes of progress, sent as NDJSON in blocks. It stays open. */
export async function flood(base, name, count, token) {
  const session = new Session(base, name, token);
  const keys = ["alpha", "beta", "gamma", "delta"];
  await session.step({ plan_step_id: "flood", query: "A very long step", expected_subagents: keys.map((key) => ({ key, result_key: key, deadline_ms: 600_000 })), deadline_ms: 600_000 });
  session.headers["content-type"] = "application/x-ndjson";
  const each = Math.floor(count / keys.length);
  for (let done = 0; done < each; done += 250) {
    for (const key of keys) {
      const lines = Array.from({ length: Math.min(250, each - done) }, (_, i) => JSON.stringify({ status: "partial", result_key: key, revision: done + i + 1, payload: { content: `${key} has read page ${done + i + 1} of ${each}; needle-${(done + i) % 97}` } }));
      await session.post(`/steps/flood/subagents/${key}/events`, `${lines.join("\n")}\n`);
    }
  }
  return session;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const [, , base, name, pace] = process.argv;
  await play(base, name, { pace: Number(pace ?? 1), token: process.env.TOKEN });
  console.log("played");
}
