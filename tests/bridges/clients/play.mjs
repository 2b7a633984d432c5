// Plays a step as a planner and two subagents, for readers to follow.

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function post(base, path, body) {
  const headers = { "content-type": "application/json", ...authorization() };
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
}

/** The headers that sign a request in, where a token is given. */
export function authorization() {
  const token = process.env.TRIBUTARY_TOKEN;
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** Posts the directive. */
export async function begin(base, session, step) {
  await post(base, `/planner/sessions/${session}/steps`, {
    plan_step_id: step,
    query: "How is a quote converted?",
    expected_subagents: [{ key: "documentation", result_key: "doc" }, { key: "search" }],
  });
}

/** Lets the subagents work, a little at a time. */
export async function work(base, session, step) {
  const to = (key, event) => post(base, `/planner/sessions/${session}/steps/${step}/subagents/${key}/events`, event);
  const words = "A quote is converted under Orders, where its lines are kept as they are.".split(" ");
  for (let count = 1; count <= words.length; count += 1) {
    const text = words.slice(0, count).join(" ");
    await to("documentation", { status: "partial", payload: { answer: text } });
    await to("search", { status: "partial", payload: { content: `found ${count}` } });
    await pause(40);
  }
  await to("documentation", {
    status: "success",
    payload: { answer: words.join(" "), citations: [{ id: "1", title: "Orders", url: "https://docs.example.com/orders" }] },
  });
  await to("search", { status: "success", payload: { content: `found ${words.length}.`, sources: ["https://example.com/a"] } });
}

/** Ends the script with what is wrong. */
export function check(holds, text) {
  if (!holds) {
    console.error(text);
    process.exit(1);
  }
}
