// axe in every view, in both themes: nothing serious, nothing critical. The themes differ in colours only, so the second one is
// asked for those.
import { go } from "./checks.mjs";

/** The check; `axe` is axe-core's source, which is run beside the page's policy, not through it. */
export async function accessible({ open, name, axe, out }) {
  const step = `#/sessions/${name}/steps/research`;
  const views = { overview: "#/", session: `#/sessions/${name}`, step, events: `${step}?side=events&at=30`, result: `${step}?view=result&side=verdicts`, frames: `${step}?side=frames`, system: "#/system", unknown: "#/sessions/nobody-knows-it" };
  const found = [];
  let looked = 0;
  for (const scheme of ["light", "dark"]) {
    const page = await open("#/", { scheme });
    await page.evaluate(axe); // over the debugger's protocol, which the page's policy doesn't bind
    for (const [view, fragment] of Object.entries(views)) {
      if (view === "unknown") await page.evaluate((hash) => (location.hash = hash), fragment);
      else await go(page, fragment);
      if (view === "step") await page.$$eval(".lane-head", (heads) => heads.slice(0, 3).forEach((head) => head.click()));
      if (view === "events") await page.click(".vrow >> nth=3");
      if (view === "overview" || view === "system") await page.screenshot({ path: `${out}/${view}-${scheme}.png` });
      found.push(...(await run(page, view, scheme)));
      looked++;
    }
    for (const [dialog, key] of Object.entries({ help: "?", "sign-in": "k" })) {
      await page.keyboard.press(key);
      if (dialog === "help") await page.screenshot({ path: `${out}/help-${scheme}.png` });
      found.push(...(await run(page, dialog, scheme)));
      await page.keyboard.press("Escape");
      looked++;
    }
    await page.context().close();
  }
  const grave = found.filter(({ impact }) => impact === "serious" || impact === "critical");
  if (grave.length) throw new Error(JSON.stringify(grave, null, 1));
  return { looked, lesser: found };
}

async function run(page, view, scheme) {
  const which = scheme === "light" ? "" : 'runOnly: ["color-contrast", "link-in-text-block"],';
  const violations = await page.evaluate(`(() => { return axe.run(document, { ${which} resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => target + " " + failureSummary) }))); })()`);
  return violations.map((violation) => ({ where: `${view} (${scheme})`, ...violation }));
}
