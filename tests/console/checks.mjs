// The checks, each by name, in the order in which they run: the plan first, what was seen during all of them last.
import { accessible } from "./accessibility.mjs";
import { drafting, markdown, reading, signing } from "./scripted.mjs";
import { smooth } from "./smooth.mjs";
import { HOSTILE } from "./plan.mjs";

const LIMIT = 150 * 1024;

/** Fails with words. */
export function must(holds, words) {
  if (!holds) throw new Error(words);
}

/** Waits in the page until something holds there. */
export const until = (page, what, given, timeout = 15_000) =>
  page.waitForFunction(what, given, { timeout, polling: 50 }).catch((error) => {
    throw new Error(`${what}: ${error.message}`);
  });

/** Goes to another page of the console, and waits until it shows something. */
export async function go(page, fragment) {
  await page.evaluate((hash) => (location.hash = hash), fragment);
  const shown = fragment.includes("view=result") ? ".findings li" : fragment.includes("side=frames") ? ".panel:not([hidden]) .vrow" : fragment.includes("/steps/") || fragment.includes("/sessions/") ? ".lane" : fragment.includes("system") ? ".card" : ".chip";
  await page.waitForSelector(shown);
}

const stepOf = (name) => `#/sessions/${name}/steps/research`;
const followed = (page) =>
  page.evaluate(() => {
    const { events, problems, verdicts, state, connection } = globalThis.tributary.followed;
    return { sequences: events.map((event) => event.sequence), problems, verdicts, state: connection.name, sequence: state.sequence };
  });

export const checks = {
  /** A plan is watched while it is played; in its middle the line is cut, and resumed. */
  async "a plan is played, cut and resumed"({ base, out, name, token, open, play }) {
    const page = await open(stepOf(name)); // before there is such a step: the page waits for it
    await until(page, () => globalThis.tributary.followed.verdicts[0]?.reason === "unknown");
    const playing = play(base, name, { token, pace: 1 });
    await until(page, () => document.querySelectorAll(".lane .lane-text:not([hidden])").length >= 3);
    const grown = await page.evaluate(async () => {
      const lane = [...document.querySelectorAll(".lane")].find((one) => one.querySelector(".lane-key").textContent === "web_search").querySelector(".lane-text");
      const before = lane.textContent.length;
      for (let i = 0; i < 60 && lane.textContent.length <= before; i++) await new Promise((done) => setTimeout(done, 50));
      return lane.isConnected && lane.textContent.length > before;
    });
    must(grown, "a partial's text didn't grow in place");
    await page.click("#cut");
    await until(page, () => document.querySelector(".pill").dataset.state === "cut");
    const at = (await followed(page)).sequence;
    await page.waitForTimeout(500);
    must((await followed(page)).sequence === at, "events came through a cut line");
    await page.click("#cut");
    await until(page, () => globalThis.tributary.followed.verdicts.at(-1).reason === "ok");
    // It is shown with the page's next picture, which a busy machine draws later.
    await until(page, () => !document.querySelector("#verdict").textContent.startsWith("new:"));
    const verdict = await page.textContent("#verdict");
    must(/^ok: continued, nothing missed at \d+, \d+ events? replayed$/.test(verdict), `the verdict says: ${verdict}`);
    await page.screenshot({ path: `${out}/live-light.png` });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: `${out}/live-dark.png` });
    await page.emulateMedia({ colorScheme: "light" });
    await until(page, () => globalThis.tributary.followed.connection.name === "ended");
    await playing;

    const answer = await fetch(`${base}/planner/sessions/${name}/steps/research/events?limit=5000`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
    const expected = (await answer.json()).events.map((event) => event.sequence);
    const got = await followed(page);
    must(JSON.stringify(got.sequences) === JSON.stringify(expected), `repeated or missing: ${got.sequences} for ${expected}`);
    must(got.problems === 0, `${got.problems} problems were seen`);
    const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".lane")].map((lane) => [lane.querySelector(".lane-key").textContent, lane.dataset.status])));
    const wanted = { documentation: "success", web_search: "success", tickets: "success", row_selection: "timeout", pricing: "error", contracts: "refused" };
    for (const [lane, status] of Object.entries(wanted)) must(shown[lane] === status, `${lane} is shown as ${shown[lane]}`);
    await until(page, () => /1 late/.test(document.querySelector(".lanes").textContent));
    must(await page.evaluate(() => document.querySelectorAll(".policy").length === 1), "the refusal's policy outcome isn't shown");
    await page.screenshot({ path: `${out}/ended-light.png` });
    await page.context().close();
    return { events: expected.length, cut_at: at, verdict, lanes: shown };
  },

  /** The slider shows any place; the address says which; keys step. */
  async "replay goes through the sequence"({ open, name, out }) {
    const page = await open(`${stepOf(name)}?at=4`);
    await until(page, () => globalThis.tributary.followed.events.length > 20 && document.querySelector(".lane"));
    const early = await page.evaluate(() => document.querySelectorAll('.lane[data-status="success"]').length);
    must(early === 0, "a lane had ended at event 4");
    await page.focus(".slider");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowRight");
    await until(page, () => /at=2\b/.test(location.hash)); // the address says where the replay is
    await page.screenshot({ path: `${out}/replay-light.png` });
    await page.keyboard.press("End");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("l");
    await until(page, () => document.querySelectorAll('.lane[data-status="success"]').length >= 3);
    await until(page, () => !location.hash.includes("at="));
    await page.context().close();
  },

  /** The result: citations lead to sources, contributions are mapped, links are safe. */
  async "the result is whole"({ open, name, out }) {
    const page = await open(`${stepOf(name)}?view=result`);
    await page.waitForSelector(".findings li");
    for (const part of ["Answer", "Findings", "Contradictions", "Contributions", "Sources", "Gaps", "Failures", "Quality", "Inputs"])
      must(await page.$(`.result section[aria-label="${part}"]`), `the result has no ${part}`);
    await page.click(".markdown .cite >> nth=0");
    must(await page.evaluate(() => /^source-\d+$/.test(document.activeElement.id)), "a citation doesn't lead to its source");
    const links = await page.$$eval('a[target="_blank"]', (all) => all.map(({ href, rel }) => ({ href, rel })));
    must(links.length > 2 && links.every(({ href, rel }) => /^https?:/.test(href) && rel === "noreferrer noopener"), `unsafe links: ${JSON.stringify(links)}`);
    await page.evaluate(() => document.querySelector("#result-answer").scrollIntoView());
    await page.screenshot({ path: `${out}/result-light.png` });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: `${out}/result-dark.png` });
    await page.context().close();
    return { links: links.length };
  },

  /** Hostile titles, tasks, reasons and errors are texts wherever they are shown. */
  async "a hostile title stays text"({ open, name, seen }) {
    const found = {};
    const page = await open("#/");
    for (const fragment of ["#/", `#/sessions/${name}`, stepOf(name), `${stepOf(name)}?view=result&side=frames`, `#/sessions/${name}/steps/check`]) {
      await go(page, fragment);
      await page.$$eval(".lane-head", (heads) => heads.forEach((head) => head.click()));
      const look = await page.evaluate((hostile) => ({ elements: document.querySelectorAll("img, script:not([src]), iframe, object, [onerror], [onclick], a[href^=javascript]").length, shown: document.body.innerText.includes(hostile) }), HOSTILE);
      must(look.elements === 0, `${fragment}: a text became an element`);
      found[fragment.replace(name, "s")] = look.shown;
    }
    await page.context().close();
    must(Object.values(found).filter(Boolean).length >= 3, `the hostile text is shown nowhere: ${JSON.stringify(found)}`);
    must(seen.dialogs.length === 0, `a dialog popped up: ${seen.dialogs}`);
    return { shown: found };
  },

  "the keyboard does everything": keyboard,
  "nothing serious for axe": accessible,
  "10,000 events stay smooth": smooth,

  "streams are opened with tickets, refusals are shown": signing,
  "a draft is shown while it is written": drafting,

  "who may only read sees the answer of the stream with its sources": reading,
  "Markdown makes no markup of its own": markdown,

  /** A token is nowhere but in the page's memory. */
  async "a token is remembered nowhere"({ base, open, seen }) {
    const secret = "trb_this-is-a-secret-that-must-not-be-kept";
    const page = await open("#/");
    const sent = [];
    page.on("request", (request) => sent.push(request.headers().authorization));
    await page.keyboard.press("k");
    await page.fill("#token", secret);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(400);
    must(sent.includes(`Bearer ${secret}`), "the token isn't sent");
    await page.click("#theme");
    const kept = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, (await indexedDB.databases()).map(({ name }) => name), await caches.keys(), location.href, history.state, document.documentElement.outerHTML]));
    const cookies = JSON.stringify(await page.context().cookies());
    must(!kept.includes(secret) && !cookies.includes(secret), "the token was kept");
    must(!seen.addresses.some((address) => address.includes(secret)), "the token was in an address");
    must(cookies === "[]" && /^\[\{("theme":"\w+")?\},\{\},"",\[\],\[\],/.test(kept), `something is kept: ${kept.slice(0, 200)} ${cookies}`);
    await page.reload();
    must(await page.evaluate(() => !globalThis.tributary.signedIn), "the token outlived the page");
    await page.context().close();
    return { base };
  },

  /** It fits a telephone and a wall: nothing is wider than the window. */
  async "it fits from 360 px to 4K"({ open, name, out }) {
    const wide = {};
    for (const [width, height] of [[360, 740], [768, 1024], [3840, 2160]]) {
      const page = await open("#/", { width, height });
      for (const fragment of ["#/", stepOf(name), `${stepOf(name)}?view=result`, "#/system"]) {
        await go(page, fragment);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        must(over <= 0, `${fragment} is ${over} px wider than ${width}`);
        if (fragment === stepOf(name)) await page.screenshot({ path: `${out}/step-${width}.png` });
        wide[width] = over;
      }
      await page.context().close();
    }
    return { over: wide };
  },

  /** What was asked for in all these pages: only the service, and little of it. */
  async "nothing leaves the host, and it is small"({ base, seen }) {
    const { host } = new URL(base);
    must([...seen.hosts].every((one) => one === host), `other hosts: ${[...seen.hosts]}`);
    const files = [...new Set(seen.addresses.filter((address) => new URL(address).pathname.startsWith("/console")).map((address) => address.split(/[?#]/)[0]))];
    let bytes = 0;
    for (const file of files) {
      const answer = await fetch(file);
      must(answer.ok, `${file}: ${answer.status}`);
      must(/default-src 'none'/.test(answer.headers.get("content-security-policy")), `${file} has no policy`);
      must(answer.headers.get("x-content-type-options") === "nosniff" && answer.headers.get("referrer-policy") === "no-referrer", `${file} lacks headers`);
      const again = await fetch(file, { headers: { "if-none-match": answer.headers.get("etag") } });
      must(again.status === 304, `${file} is sent again: ${again.status}`);
      bytes += (await answer.arrayBuffer()).byteLength;
    }
    must(files.length > 10 && bytes < LIMIT, `${bytes} bytes in ${files.length} files`);
    return { bytes, files: files.length };
  },

  async "no complaint on the browser's console"({ seen }) {
    // A refusal that was asked for is none: a status that a page answers to is written there by the browser.
    const complaints = seen.complaints.filter((words) => !/status of (401|403|404)/.test(words));
    must(complaints.length === 0, complaints.join("\n"));
  },
};

/** Everything is reached and done without a mouse. */
async function keyboard({ open, name, token }) {
  const page = await open("#/");
  await page.waitForSelector(".chip");
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focus = () => page.evaluate(() => ({ id: document.activeElement.id, class: document.activeElement.className, text: document.activeElement.textContent.slice(0, 60), ring: getComputedStyle(document.activeElement).outlineStyle }));
  if (token) await page.focus("#skip"); // signing in has moved the focus
  else await press("Tab");
  must((await focus()).id === "skip", "the first stop isn't the skip link");
  await press("Enter");
  must((await focus()).id === "main" && (await page.evaluate(() => location.hash)) === "#/", "the skip link doesn't go to the content");
  await press("?");
  must(await page.evaluate(() => document.getElementById("help").open), "? doesn't list the shortcuts");
  await press("Escape", "/");
  must((await focus()).id === "open-id", "/ doesn't go to the field");
  await page.keyboard.type(`${name}/research`);
  await press("Enter");
  await until(page, () => document.querySelectorAll(".lane").length >= 6);
  const stops = [];
  for (let i = 0; i < 25; i++) {
    await press("Tab");
    const here = await focus();
    must(here.ring !== "none", `no visible focus: ${JSON.stringify(here)}`);
    stops.push(here);
    if (here.class === "vlist") break;
  }
  for (const part of ["tab", "lane-head", "slider", "vlist"]) must(stops.some((stop) => stop.class.split(" ").includes(part)), `Tab doesn't reach ${part}: ${JSON.stringify(stops.map((stop) => stop.class || stop.id))}`);
  must(stops.filter((stop) => stop.class === "lane-head").length === 1, "lanes are more than one stop");
  await press("Home", "ArrowDown");
  await until(page, () => document.querySelector('.vrow[aria-selected="true"]')?.dataset.index === "1" && !document.querySelector(".detail").hidden);
  await page.focus('.lane-head[tabindex="0"]');
  await press("ArrowDown", "Enter");
  must(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded") === "true"), "Enter doesn't open a lane");
  await press("r");
  await page.waitForSelector(".findings li");
  await press("v", "c");
  await page.waitForTimeout(300);
  await press("g", "y");
  await page.waitForSelector(".card");
  await press("g", "s");
  await page.waitForSelector(".session-link");
  await page.focus('.session-link[tabindex="0"]');
  await press("End", "Home", "Enter");
  await until(page, () => location.hash.startsWith("#/sessions/"));
  await page.context().close();
  return { stops: stops.length };
}
