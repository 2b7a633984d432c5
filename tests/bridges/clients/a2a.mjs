// The official Agent2Agent client follows a task, goes away, and comes back with our cursor.
//
//   node a2a.mjs URL [RECORDED]     RECORDED: a session that is there instead of one that is played

import { randomUUID } from "node:crypto";
import { TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { authorization, begin, check, work } from "./play.mjs";

const CURSOR = "urn:tributary:a2a:cursor";
const [base, recorded] = process.argv.slice(2);
const session = recorded ?? `a2a-${process.pid}`;
const step = "p1";

/** A task with all updates in it. */
class Task {
  artifacts = new Map();
  tasks = 0;
  updates = [];

  take({ payload: { $case: kind, value } }) {
    check(kind === "task" || this.tasks > 0, `${kind} before the task`);
    const metadata = value.metadata;
    check(typeof metadata?.[CURSOR] === "string", `${kind} without a cursor`);
    this.cursor = metadata[CURSOR];
    if (kind === "task") {
      this.tasks += 1;
      this.artifacts.clear();
      this.state = value.status.state;
      value.artifacts.forEach((artifact) => this.add(artifact, false));
      return;
    }
    check(value.taskId === step && value.contextId === session, `${kind} of another task`);
    this.updates.push(kind);
    if (kind === "statusUpdate") this.state = value.status.state;
    else if (kind === "artifactUpdate") this.add(value.artifact, value.append);
    else check(false, `${kind} came`);
  }

  add({ artifactId, parts }, append) {
    const before = append ? this.artifacts.get(artifactId) : "";
    check(before !== undefined, `nothing to append to: ${artifactId}`);
    const texts = parts.map(({ content }) => (content.$case === "text" ? content.value : ""));
    this.artifacts.set(artifactId, before + texts.join(""));
  }

  get texts() {
    return JSON.stringify([...this.artifacts].filter(([id]) => id !== "/draft").sort());
  }
}

const signedIn = { serviceParameters: authorization() };
const agent = await new ClientFactory().createFromUrl(
  `${base}/bridges/a2a/sessions/${session}/.well-known/agent-card.json`, "");
if (!recorded) await begin(base, session, step);

const message = {
  messageId: randomUUID(), role: 1, parts: [{ content: { $case: "text", value: "follow" } }],
  taskId: step, contextId: session,
};

// One reader stays, one goes away after a while.
const stays = new Task();
const following = (async () => {
  for await (const event of agent.sendMessageStream({ tenant: "", message }, signedIn)) stays.take(event);
})();
const leaves = new Task();
const leaving = (async () => {
  const stop = new AbortController();
  try {
    for await (const event of agent.sendMessageStream({ tenant: "", message }, { ...signedIn, signal: stop.signal })) {
      leaves.take(event);
      if (leaves.updates.length === 5) break;
    }
  } finally {
    stop.abort();
  }
})();
const working = recorded ? null : work(base, session, step);
await leaving;
check(leaves.updates.length === 5, `${leaves.updates.length} updates before it left`);

// It comes back with its cursor: the task as it was, then what it hasn't seen.
const [known, before] = [leaves.texts, leaves.updates.length];
const back = { serviceParameters: { ...authorization(), "Last-Event-ID": leaves.cursor } };
for await (const event of agent.resubscribeTask({ tenant: "", id: step }, back)) {
  leaves.take(event);
  if (leaves.tasks === 2 && leaves.updates.length === before) {
    check(leaves.texts === known, `the task was ${leaves.texts} instead of ${known}`);
  }
}
await following;
await working;

const task = await agent.getTask({ tenant: "", id: step }, signedIn);
const got = new Task();
got.take({ payload: { $case: "task", value: { ...task, metadata: { ...task.metadata, [CURSOR]: "" } } } });
check(stays.state === TaskState.TASK_STATE_COMPLETED, `ended as ${stays.state}`);
check(got.texts === stays.texts && got.texts === leaves.texts, `GetTask: ${got.texts}\nstream: ${stays.texts}\nresumed: ${leaves.texts}`);
// Whoever asked later was told of more in its first task, and of less behind it.
const [less, more] = [leaves.updates, stays.updates].sort((a, b) => a.length - b.length);
const rest = more.slice(more.length - less.length);
check(less.length > 20 && rest.join() === less.join(), `resumed: ${leaves.updates}\nwhole: ${stays.updates}`);

async function refusal(call) {
  try {
    const result = await call();
    return `answered ${JSON.stringify(result)}`;
  } catch (error) {
    return error.name;
  }
}
const refused = {
  cancel: await refusal(() => agent.cancelTask({ tenant: "", id: step }, signedIn)),
  create: await refusal(async () => {
    for await (const event of agent.sendMessageStream({ tenant: "", message: { ...message, taskId: "" } }, signedIn)) return event;
  }),
};
if (!recorded) {
  refused.unknown = await refusal(() => agent.getTask({ tenant: "", id: "nowhere" }, signedIn));
  refused.ended = await refusal(async () => {
    for await (const event of agent.resubscribeTask({ tenant: "", id: step }, signedIn)) return event;
  });
}
const expected = { cancel: "TaskNotCancelableError", create: "UnsupportedOperationError", unknown: "TaskNotFoundError", ended: "UnsupportedOperationError" };
for (const [name, error] of Object.entries(refused)) check(error === expected[name], `${name}: ${error}`);
console.log(JSON.stringify({ updates: stays.updates.length, artifacts: [...stays.artifacts.keys()], refused }));
process.exit(0);
