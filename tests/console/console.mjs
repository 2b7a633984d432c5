// Chromium drives the console of a running service, and checks what the console promises.
//   npm ci --ignore-scripts && node console.mjs http://127.0.0.1:8080 OUT [CHECK…]
// Screenshots go to OUT. Prints one JSON document; exits with 1 where a check failed. The service keeps 20,000 entries of a session at
// least (cache.ring_entries), and may have `subagents.geo.enabled` off. TOKEN is signed in with, where it is set.
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { checks } from "./checks.mjs";
import { flood, play } from "./plan.mjs";

const [, , base, out = "out", ...only] = process.argv;
const TOKEN = process.env.TOKEN;
const FLOOD = 10_000;
// The packages of package.json: beside this file, or in a folder of MODULES.
const packages = createRequire(process.env.MODULES ? pathToFileURL(`${process.env.MODULES}/`) : import.meta.url);
const { chromium } = packages("playwright-core");
const axe = await readFile(packages.resolve("axe-core/axe.min.js"), "utf8");
await mkdir(out, { recursive: true });

const options = { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] };
const browser = await chromium.launch(options);
const seen = { hosts: new Set(), addresses: [], complaints: [], dialogs: [] };

/** A page of the console that is watched: what it asks for, says and pops up. */
async function open(fragment, { scheme = "light", width = 1440, height = 900, context } = {}) {
  const own = context ?? (await browser.newContext({ viewport: { width, height }, colorScheme: scheme, serviceWorkers: "block" }));
  const page = await own.newPage();
  page.on("request", (request) => {
    seen.hosts.add(new URL(request.url()).host);
    seen.addresses.push(request.url());
  });
  page.on("console", (message) => message.type() === "error" && seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(String(error.stack ?? error)));
  page.on("dialog", (dialog) => (seen.dialogs.push(dialog.message()), dialog.dismiss()));
  if (!TOKEN) await page.goto(`${base}/console${fragment}`);
  else {
    await page.goto(`${base}/console`);
    await page.click("#who");
    await page.fill("#token", TOKEN);
    await page.keyboard.press("Enter");
    await page.evaluate((hash) => (location.hash = hash), fragment);
  }
  return page;
}

const name = `console-${process.pid}-${Date.now().toString(36)}`;
const tools = { base, out, name, token: TOKEN, browser, seen, open, play, flood, axe, FLOOD };
const report = { checks: {}, failed: [] };
const begin = Date.now();
for (const [title, check] of Object.entries(checks)) {
  if (only.length && !only.includes(title)) continue;
  const from = Date.now();
  try {
    report.checks[title] = { ok: true, ...(await check(tools)), ms: Date.now() - from };
  } catch (error) {
    report.checks[title] = { ok: false, why: String(error.message ?? error).slice(0, 2000), ms: Date.now() - from };
    report.failed.push(title);
  }
}
await browser.close();
report.ms = Date.now() - begin;
console.log(JSON.stringify(report, null, 2));
process.exit(report.failed.length ? 1 : 0);
