// 10,000 events: frames of the screen while the list is scrolled, while a search is typed, while the slider is dragged.
//
// Two measures: the times between frames, and the processor time of the page's main thread a frame. The first is what a person sees, and
// decides where the machine is free. Where others are at work on it (its load is above its cores) the second one does.
import { availableParallelism, loadavg } from "node:os";

const FRAME_MS = 50;
const BUSY_FRAME_MS = 30; // of processor time, on average: half of it again still fits
const NODES_MAX = 3_000;

export async function smooth({ base, name, token, open, flood, out, FLOOD }) {
  const session = `${name}-flood`;
  await flood(base, session, FLOOD, token);
  const page = await open(`#/sessions/${session}/steps/flood`);
  const begin = Date.now();
  await page.waitForFunction((count) => globalThis.tributary.followed.events.length >= count, FLOOD, { timeout: 30_000, polling: 100 });
  const loaded_ms = Date.now() - begin;
  await page.waitForTimeout(400);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => (await cdp.send("Performance.getMetrics")).metrics.find((metric) => metric.name === "TaskDuration").value * 1000;
  await page.evaluate(prepare);
  const measured = { events: FLOOD, loaded_ms };
  for (const act of ["scrolling", "typing", "dragging"]) {
    const before = await spent();
    const frames = await page.evaluate((what) => globalThis.acts.measure(globalThis.acts[what]), act);
    measured[act] = { ...frames, cpu_ms_a_frame: Math.round(((await spent()) - before) / frames.frames * 10) / 10 };
  }
  const status = "#search ~ [role=status]";
  await page.waitForFunction((where) => /^[1-9]\d* of [\d,]+$/.test(document.querySelector(where).textContent), status);
  measured.found = await page.textContent(status);
  measured.nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  await page.screenshot({ path: `${out}/flood-light.png` });
  await page.context().close();
  measured.load = Math.round(loadavg()[0] * 10) / 10;
  measured.judged_by = measured.load > availableParallelism() ? "cpu" : "frames";
  const slow = [measured.scrolling, measured.typing, measured.dragging].some((one) => (measured.judged_by === "cpu" ? one.cpu_ms_a_frame >= BUSY_FRAME_MS : one.p95 >= FRAME_MS));
  if (slow || measured.nodes > NODES_MAX) throw new Error(`not smooth: ${JSON.stringify(measured)}`);
  return measured;
}

/** Runs in the page: what is done, and the times between frames while it is. */
function prepare() {
  const frame = () => new Promise(requestAnimationFrame);
  const type = (words) => {
    const field = document.getElementById("search");
    field.value = words;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  globalThis.acts = {
    async measure(act) {
      const frames = [];
      let running = true;
      let last = performance.now();
      const tick = (now) => (frames.push(now - last), (last = now), running && requestAnimationFrame(tick));
      requestAnimationFrame(tick);
      await act();
      running = false;
      const sorted = frames.slice(1).sort((a, b) => a - b);
      const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] * 10) / 10;
      return { frames: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
    },
    async scrolling() {
      const list = document.querySelector(".vlist");
      for (let i = 0; i <= 120; i++) {
        list.scrollTop = (list.scrollHeight * ((i * 37) % 121)) / 120; // far jumps: every row is written anew
        await frame();
      }
    },
    async typing() {
      for (const words of ["n", "ne", "nee", "need", "needle", "needle-", "needle-5", "needle-55", "needle-5", "page 12", "", "gamma", "gamma 99", "zzz"]) {
        type(words);
        for (let i = 0; i < 8; i++) await frame();
      }
      type("needle-55");
    },
    async dragging() {
      const slider = document.querySelector(".slider");
      for (let i = 1; i <= 40; i++) {
        slider.value = String(Number(slider.max) - i * 240);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await frame();
      }
    },
  };
}
