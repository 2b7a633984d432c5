// npm @ag-ui/client follows steps: `node ag_ui.mjs <service> [<planner>]`. Everything that it is sent goes through the
// protocol's own verifier and schemas once more, and none of it may be stripped.
import { HttpAgent, verifyEvents } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { from, lastValueFrom, toArray } from "rxjs";
import { Plan, TEXTS, authorization, main, same, withHeartbeats } from "./plan.mjs";

const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));

const url = (base, session, step) => `${base}/bridges/ag-ui/sessions/${session}/steps/${step}`;

/** Follows a step; resolves when the run is over. */
async function follow(base, session, step) {
  const agent = new HttpAgent({ url: url(base, session, step), threadId: session, headers: authorization() });
  const events = [];
  const failures = [];
  await agent.runAgent(
    { runId: `run-of-${step}` },
    {
      onEvent: ({ event }) => void events.push(event),
      onRunErrorEvent: ({ event }) => void failures.push(event.code),
      onRunFailed: ({ error }) => void failures.push(String(error)),
    },
  );
  return { agent, events, failures };
}

/** The stream's own bytes, through the schemas and the verifier. */
async function verified(base, session, step) {
  const body = { threadId: session, runId: "raw", state: {}, messages: [], tools: [], context: [], forwardedProps: {} };
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...authorization() };
  const response = await fetch(url(base, session, step), { method: "POST", headers, body: JSON.stringify(body) });
  same("the media type", response.headers.get("content-type").split(";")[0], "text/event-stream");
  const blocks = (await response.text()).split("\n\n").filter((block) => block.startsWith("data: "));
  const events = blocks.map((block) => EventSchemas.parse(JSON.parse(block.slice(6))));
  await lastValueFrom(from(events).pipe(verifyEvents(false), toArray()));
  return events;
}

const of = (events, type) => events.filter((event) => event.type === type);

/** The last message of a subagent that still holds. */
function texts(messages, runId) {
  const last = {};
  for (const message of messages.filter((one) => one.role === "assistant" && one.subagentRunId)) {
    last[message.subagentRunId.slice(runId.length + 1)] = message.content;
  }
  return last;
}

async function parallel(base, planner) {
  const plan = new Plan(planner, "ag-ui-parallel");
  const following = follow(await withHeartbeats(base), "ag-ui-parallel", "step");
  await plan.play("step");
  await plan.finish("step");
  const { agent, events, failures } = await following;
  same("failures", failures, []);
  const runId = "run-of-step";
  const last = texts(agent.messages, runId);
  for (const [key, text] of Object.entries(TEXTS)) same(`the text of ${key}`, last[key], text);
  const errors = Object.fromEntries(of(events, "SUBAGENT_ERROR").map((e) => [e.subagentRunId, e.code]));
  same("errors", [errors[`${runId}/slow`], errors[`${runId}/risky`]], ["timeout", "refused"]);
  same("subagents", of(events, "SUBAGENT_STARTED").length, 8);
  same("finished", of(events, "SUBAGENT_FINISHED").length, 6);
  same("at once", openAtMost(events) > 3, true);
  const [started, finished] = [events[0], events.at(-1)];
  same("the start", [started.type, started.threadId, started.runId], ["RUN_STARTED", "ag-ui-parallel", runId]);
  same("the end", [finished.type, finished.outcome], ["RUN_FINISHED", { type: "success" }]);
  const table = agent.messages.find((message) => message.id === `${runId}/row_selection/activity`);
  same("the table", table.content.payload.row_count, 1);
  const answer = agent.messages.find((message) => message.id === `${runId}/result/1`);
  same("the answer", answer.content.length > 0 && !answer.subagentRunId, true);
  same("sequences", of(events, "TEXT_MESSAGE_CONTENT").every((e) => e.metadata.sequence > 0 && e.metadata.telemetry.trace_id), true);
  same("again", (await verified(base, "ag-ui-parallel", "step")).length, events.length);
  return events.length;
}

/** The most subagents that were open at once. */
function openAtMost(events) {
  let [open, most] = [0, 0];
  for (const { type } of events) {
    if (type === "SUBAGENT_STARTED") most = Math.max(most, ++open);
    if (type === "SUBAGENT_FINISHED" || type === "SUBAGENT_ERROR") open -= 1;
  }
  return most;
}

/** A step that something else ends than its subagents. */
async function ended(base, planner, name, end) {
  const session = `ag-ui-${name}`;
  const plan = new Plan(planner, session);
  const following = follow(base, session, "step");
  await plan.step("step", [{ key: "a" }, { key: "b" }]);
  await plan.says("step", "a", { status: "partial", payload: { content: "begun" } });
  await end(plan);
  const { events, failures } = await following;
  await verified(base, session, "step");
  const last = events.at(-1);
  return { type: last.type, how: last.code ?? last.outcome?.type, failures };
}

await main(async (base, planner) => {
  const events = await parallel(base, planner);
  const refusal = { decision: "refuse", policy: "harm", reason: "not allowed" };
  const refused = await ended(base, planner, "refused", (plan) => plan.post("/safety", refusal));
  same("refused", [refused.type, refused.how], ["RUN_ERROR", "refused"]);
  const cancelled = await ended(base, planner, "cancelled", (plan) => plan.post("/steps/step/cancel", { reason: "enough" }));
  same("cancelled", [cancelled.type, cancelled.how], ["RUN_FINISHED", "cancelled"]);
  same("warnings", warnings, []);
  return { events, refused, cancelled };
});
