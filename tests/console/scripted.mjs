// What the service is made to say here, because it says it seldom: refusals, tickets, a draft that is being written.
import { must, until } from "./checks.mjs";

const problem = (status, code, detail) => ({ status, contentType: "application/problem+json", body: JSON.stringify({ status, code, detail, title: code }) });

/** Streams are opened with tickets where the service gives them; refusals are shown as what they are. */
export async function signing({ open, name, token }) {
  if (token) return { skipped: "the service itself asks for a token" };
  const page = await open("#/");
  const [tickets, opened] = [[], []];
  await page.route("**/planner/sessions?*", (route) => (route.request().headers().authorization ? route.continue() : route.fulfill(problem(401, "unauthorized", "A token is needed."))));
  await page.route("**/analytics/**", (route) => route.fulfill(problem(403, "forbidden", "The token lacks a scope.")));
  await page.route("**/tickets", (route) => {
    tickets.push({ body: route.request().postDataJSON(), authorization: route.request().headers().authorization });
    return route.fulfill({ status: 201, contentType: "application/json", body: JSON.stringify({ ticket: `one-time-${tickets.length}`, expires_at: new Date(Date.now() + 60_000).toISOString() }) });
  });
  await page.route("**/events?*", (route) => {
    const url = new URL(route.request().url());
    opened.push(url.searchParams.get("ticket"));
    url.searchParams.delete("ticket");
    return route.continue({ url: url.href });
  });
  await page.reload();
  await until(page, () => /Not signed in \(401, unauthorized\).*opened by its id/.test(document.querySelector(".told").textContent));
  await page.evaluate(() => (location.hash = "#/system"));
  await until(page, () => /Not allowed \(403, forbidden\).*need the scope “admin”/.test(document.querySelector(".told").textContent) && document.querySelectorAll(".card").length > 2);
  await page.evaluate((hash) => (location.hash = hash), `#/sessions/${name}`);
  await until(page, () => globalThis.tributary.followed?.connection.name === "live");
  must(tickets.length === 0 && opened.at(-1) === null, "a ticket was asked for without a token");
  await page.keyboard.press("k");
  await page.fill("#token", "trb_a-token");
  await page.keyboard.press("Enter");
  await until(page, () => globalThis.tributary.signedIn && globalThis.tributary.followed.connection.name === "live");
  must(tickets[0]?.body.session_id === name && tickets[0].authorization === "Bearer trb_a-token", `the ticket was asked for so: ${JSON.stringify(tickets)}`);
  must(opened.at(-1) === "one-time-1", `the stream was opened with ${opened.at(-1)}`);
  must((await page.inputValue("#token")) === "", "the token stands in its field still");
  await page.click("#cut");
  await page.click("#cut");
  await until(page, () => globalThis.tributary.followed.verdicts.at(-1).reason === "ok");
  must(opened.at(-1) === "one-time-2", "the resume didn't take a ticket of its own");
  await page.context().close();
  return { tickets: tickets.length };
}

/** Deltas are shown as a draft until the synthesis is there, and an event of an unknown type breaks nothing. */
export async function drafting({ open, out }) {
  const page = await open("#/");
  const at = new Date().toISOString();
  const event = (sequence, type, content) => ({ type, session_id: "drafted", plan_step_id: "p", sequence, timestamp: at, content });
  const texts = ["The gateway ", "accepts 500 requests <b>per minute</b> [1]."];
  const events = [
    event(1, "step_started", { expected: [{ stage: "a", result_key: "a", task: "t", deadline: at }], query: "A drafted answer" }),
    event(2, "planner_stream", { stage: "a", result_key: "a", status: "success", revision: 1, attempt: 1, payload: { content: "x" } }),
    event(3, "of_tomorrow", { anything: [1] }),
    event(4, "aggregation", { final: true, summary: "s", metadata: {}, href: "/" }),
    ...texts.map((text, i) => event(5 + i, "synthesis_delta", { path: "/findings/0/content", offset: i * 12, text })),
  ];
  const frames = [["open", { epoch: "abcdef", from: 0, tail: 6, oldest: 1, recovered: true, reason: "new", heartbeat_ms: 15_000 }], ["planner_stream", { from: 1, to: 6, events }]];
  const body = `retry: 600000\n\n${frames.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("")}`;
  await page.route("**/drafted/**/events?*", (route) => route.fulfill({ status: 200, contentType: "text/event-stream", body }));
  await page.route("**/drafted/**/result?*", (route) => route.fulfill({ status: 202, contentType: "application/json", body: "{}" }));
  await page.evaluate(() => (location.hash = "#/sessions/drafted/steps/p?view=result"));
  await until(page, (text) => document.querySelector(".draft p:last-child")?.textContent.endsWith(text), texts.join(""));
  must(await page.evaluate(() => !document.querySelector(".draft b")), "a draft became markup");
  await page.screenshot({ path: `${out}/draft-light.png` });
  await page.evaluate(() => (location.hash = "#/sessions/drafted/steps/p?view=result&at=5"));
  await until(page, (text) => document.querySelector(".draft p:last-child").textContent.endsWith(text), texts[0]);
  await page.context().close();
}

/** Who may read and not plan gets no result: the stream's own answer is shown, with what it cites. */
export async function reading({ open }) {
  const page = await open("#/");
  const event = (sequence, type, content) => ({ type, session_id: "read", plan_step_id: "p", sequence, timestamp: new Date().toISOString(), content });
  const sources = [{ id: 2, title: "Manual", url: "https://docs.example/q" }, { id: 5, title: "<b>Leaflet</b>", url: null }];
  const events = [
    event(1, "step_started", { expected: [], query: "How long is a quote valid?" }),
    event(2, "aggregation", { final: true, summary: "Extracted.", sources: [], metadata: {}, href: "/" }),
    event(3, "synthesis", { summary: "It is valid for 30 days [2][5]. See [9].", sources, method: "llm", quality: {}, href: "/" }),
    event(4, "plan_step_completed", { status: "completed", href: "/", more_steps: false }),
  ];
  const frames = [["open", { epoch: "abcdef", from: 0, tail: 4, oldest: 1, recovered: true, reason: "new", heartbeat_ms: 15_000 }], ["planner_stream", { from: 1, to: 4, events }]];
  const body = `retry: 600000\n\n${frames.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("")}`;
  await page.route("**/read/**/events?*", (route) => route.fulfill({ status: 200, contentType: "text/event-stream", body }));
  await page.route("**/read/**/result?*", (route) => route.fulfill(problem(403, "forbidden", "The token has no scope `plan`.")));
  await page.evaluate(() => (location.hash = "#/sessions/read/steps/p?view=result"));
  await until(page, () => document.querySelectorAll(".markdown a.cite").length === 2 && document.querySelectorAll(".sources li").length === 2);
  const shown = await page.evaluate(() => ({ answer: document.querySelector(".markdown").textContent, sources: [...document.querySelectorAll(".sources li")].map((one) => [one.value, one.textContent]), link: document.querySelector(".sources a").href }));
  must(shown.answer.endsWith("See [9]."), `a number without a source became a citation: ${shown.answer}`);
  must(shown.link === "https://docs.example/q" && shown.sources[1][0] === 5 && shown.sources[1][1].startsWith("<b>Leaflet</b>"), JSON.stringify(shown));
  await page.context().close();
}

/** Markdown: what is hostile in it stays text; what isn't is rendered. Linear, whatever comes. */
export async function markdown({ open }) {
  const page = await open("#/system");
  const found = await page.evaluate(async () => {
    const { markdown: render } = await import("/console/markdown.js");
    const html = (text) => {
      const root = document.createElement("div");
      root.append(...render(text));
      return root.innerHTML;
    };
    const hostile = ["<img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "[a](<javascript:alert(1)>)", "[a](data:text/html,x)", "# <script>alert(1)</script>", "`<b>`", "| <i> | b |\n|---|---|\n| <u> | x |", "> <a href=javascript:x>y</a>", "[<img src=x>](https://a.example/)", "1. <svg onload=x>", "\\<b>", "[x](https://a.example/\"onmouseover=alert(1))", "[a](//evil.example)", "[a](HTTPS://b.example/<i>)"];
    const parsed = hostile.map((text) => {
      const root = document.createElement("div");
      root.append(...render(text));
      return { elements: root.querySelectorAll("img,script,svg,b,i,u,iframe").length, links: [...root.querySelectorAll("a")].map((a) => a.getAttribute("href")), attributes: [...root.querySelectorAll("*")].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith("on")) };
    });
    const long = ["[".repeat(50_000), "*a".repeat(50_000), "`".repeat(100_001), "\\[".repeat(50_000), "- ".repeat(50_000), "|".repeat(100_000), "[a](".repeat(25_000)];
    const times = long.map((text) => {
      const begin = performance.now();
      render(text);
      return Math.round(performance.now() - begin);
    });
    return { parsed, times, nice: html("## T\n\n- **a** `b` *c* [d](<https://e.example/f>)\n  - g\n\np1\np2") };
  });
  for (const one of found.parsed) must(one.elements === 0 && one.attributes.length === 0 && one.links.every((href) => /^https?:/.test(href)), JSON.stringify(one));
  must(found.nice === '<h3>T</h3><ul><li><strong>a</strong> <code>b</code> <em>c</em> <a href="https://e.example/f" target="_blank" rel="noreferrer noopener">d</a><ul><li>g</li></ul></li></ul><p>p1 p2</p>', found.nice);
  must(Math.max(...found.times) < 1_500, `slow: ${found.times}`);
  await page.context().close();
  return { times: found.times };
}
