// A step's result: the answer with its sources, findings, contradictions, gaps, quality, failures and who contributed what. While a
// model writes, its draft; before the end, what there is so far.

import { ask, stepPath } from "./access.js";
import { badge, h, text, words } from "./dom.js";
import { brought, contributions, failed, jump } from "./contributions.js";
import { count, figure, plural, problemText } from "./format.js";
import { link, markdown } from "./markdown.js";

/** A pane for the result of one step of what is followed. */
export function resultPane() {
  const which = h("select", { "aria-label": "Step of the result", onchange: () => update(...last) });
  const told = h("span.quiet", { role: "status" });
  const body = h("div.result");
  const draft = h("div.draft", { hidden: true });
  const element = h("div.pane-body.scrolls", {}, h("div.filters", {}, which, told), draft, body);
  let last = [];
  let asked = ""; // what the shown result was asked for
  let number = 0;

  function update(followed, state, past) {
    last = [followed, state, past];
    const steps = [...state.steps.values()];
    const had = new Set([...which.options].map((option) => option.value));
    for (const step of steps) if (!had.has(step.id)) which.append(h("option", { value: step.id }, step.id));
    which.hidden = steps.length < 2;
    const step = state.steps.get(which.value) ?? steps[0];
    if (!step) return;
    drawDraft(step);
    if (past && !step.aggregation) return show(step, "none", "At this place there was no result yet.");
    const ended = [...step.lanes.values()].filter((lane) => lane.latency !== null).length;
    const stage = step.ended ? "end" : step.synthesis ? "synthesis" : step.aggregation ? "aggregation" : `${ended} ended`;
    // A hidden pane asks for nothing: it is asked when it is looked at.
    if (element.offsetParent === null) return;
    if (past) text(told, "The result as it is now; the draft is as it was.");
    if (!past || asked === "") load(followed, step, stage);
  }

  async function load(followed, step, stage) {
    const wanted = `${followed.generation}/${step.id}/${stage}`;
    if (wanted === asked) return;
    asked = wanted;
    const mine = ++number;
    const final = Boolean(step.aggregation);
    try {
      const { status, body: result } = await ask(`${stepPath(followed.session, step.id)}/result?format=json${final ? "" : "&partial=true"}`, {}, [202]);
      if (mine !== number) return;
      if (status === 202 && !result.findings) return show(step, asked, "There is no result yet: subagents are at work.");
      text(told, final ? "" : "So far: this changes with what comes.");
      body.replaceChildren(...sections(result));
    } catch (error) {
      if (mine !== number) return;
      show(step, asked, problemText(error.problem ?? { detail: error.message }));
      // Who may only read sees what the stream says of the answer.
      if (error.problem?.status === 403) body.replaceChildren(...streamed(step));
    }
  }

  function show(step, key, words) {
    asked = key;
    text(told, words);
    body.replaceChildren();
  }

  /** The deltas of a synthesis, where they are being written. */
  function drawDraft(step) {
    draft.hidden = step.deltas.size === 0 || step.synthesis !== null;
    if (draft.hidden) return;
    const nodes = [...step.deltas].map(([path, said]) => h("p", {}, h("span.path", {}, path), said));
    draft.replaceChildren(h("h2", {}, "Draft, being written"), h("p.quiet", {}, "It hasn't been verified yet: what can't be proven is taken out."), ...nodes);
  }

  return { element, update };
}

const section = (name, content) => (content && (!Array.isArray(content) || content.length) ? h("section", { id: `result-${name.toLowerCase().replaceAll(" ", "-")}`, tabindex: "-1", "aria-label": name }, h("h2", {}, name), content) : null);

/** The answer of a text that cites some of these sources. */
function answer(said, cited) {
  const cite = (number) => (cited?.some((source) => source.id === number) ? citation(number) : null);
  return section("Answer", said ? h("div.markdown", { dir: "auto" }, markdown(said, cite)) : null);
}

/** The answer in short, with what it cites: of the stream alone. */
function streamed({ synthesis, aggregation }) {
  const { summary, sources: cited = [] } = synthesis ?? aggregation ?? {};
  return [answer(summary, cited), section("Sources", sources({ sources: cited.map((source) => ({ ...source, used: true })) }))].filter(Boolean);
}

function sections(result) {
  const all = [
    answer(result.synthesis, result.sources),
    section("Contradictions", contradictions(result)),
    section("Findings", findings(result)),
    section("Contributions", contributions(result)),
    section("Sources", sources(result)),
    section("Gaps", result.gaps?.length ? h("ul.gaps", {}, result.gaps.map((gap) => h("li", {}, gap))) : null),
    section("Failures", failed(result)),
    section("Quality", quality(result)),
    section("Inputs", brought(result)),
  ].filter(Boolean);
  const toc = h("nav.toc", { "aria-label": "Parts of the result" }, all.map((one) => h("a", { href: `#${one.id}`, onclick: (event) => jump(event, one.id) }, one.getAttribute("aria-label"))));
  return [headline(result), toc, ...all];
}

function headline(result) {
  const figures = [
    [figure(result.confidence), "confidence"], [figure(result.quality?.overall), "quality"], [count(result.findings?.length), "findings"],
    [count(result.sources?.length), "sources"], [count(result.contradictions?.length ?? 0), "contradictions"], [count(result.gaps?.length ?? 0), "gaps"],
  ];
  const method = [result.metadata?.method, result.metadata?.model, result.metadata?.reason, result.quality?.verified === true ? "verified" : result.quality?.verified === false ? "not verified" : null];
  return h("div.headline", {}, h("div.figures", {}, figures.map(([value, name]) => h("div.figure", {}, h("strong", {}, value), h("span", {}, name)))), h("p.quiet", {}, badge(result.status), " ", method.filter(Boolean).join(" · ")));
}

const citation = (number) => h("a.cite", { href: `#source-${number}`, "aria-label": `Source ${number}`, onclick: (event) => jump(event, `source-${number}`) }, `${number}`);
const citations = (ids) => (ids ?? []).map(citation);

function findings(result) {
  return h(
    "ol.findings",
    {},
    (result.findings ?? []).map((finding, at) =>
      h("li", { id: `finding-${at + 1}`, tabindex: "-1" }, h("p", {}, finding.content, " ", citations(finding.sources)), h("p.quiet", {}, h("span.level", { dataset: { level: finding.confidence } }, finding.confidence), ` ${finding.topic} · ${(finding.contributors ?? []).join(", ")}`), finding.verify ? h("p.verify", {}, `To verify: ${finding.verify}`) : null),
    ),
  );
}

function contradictions(result) {
  return (result.contradictions ?? []).map((one) =>
    h(
      "div.contradiction",
      {},
      h("p", {}, h("strong", {}, words(one.kind)), ` ${one.description}`),
      h("div.sides", {}, (one.statements ?? []).map((statement) => h("blockquote", {}, statement.lead_in ? `${statement.lead_in}: ` : null, statement.text, " ", statement.source ? citation(statement.source) : null))),
      one.suggestion ? h("p.quiet", {}, one.suggestion) : null,
    ),
  );
}

function sources(result) {
  const line = (source) =>
    h(
      "li",
      { id: `source-${source.id}`, tabindex: "-1", value: source.id },
      link(source.url ?? "", source.title || source.url || "without a title"),
      h("span.quiet.block", {}, [source.url, source.type, source.quality && `${String(source.quality).toLowerCase()} quality`, source.used ? null : "not used", source.cited_by?.length && `by ${source.cited_by.join(", ")}`].filter(Boolean).join(" · ")),
      (source.snippets ?? []).slice(0, 2).map((snippet) => h("blockquote", {}, snippet)),
    );
  return result.sources?.length ? h("ol.sources", {}, result.sources.map(line)) : null;
}

function quality({ quality: found, confidence_v2: confidence }) {
  if (!found) return null;
  const meters = Object.entries(found).filter(([, value]) => typeof value === "number");
  const issues = (found.issues ?? []).map((issue) => h("li", {}, typeof issue === "string" ? issue : [h("strong", {}, words(issue.code)), ` ${issue.detail ?? ""}`]));
  const factors = (confidence?.factors ?? []).map((factor) => h("li", {}, h("span.effect", {}, `${factor.effect > 0 ? "+" : ""}${figure(factor.effect)}`), ` ${factor.why ?? factor.factor}`));
  return h(
    "div",
    {},
    h("div.meters", {}, meters.map(([name, value]) => meter(words(name), value))),
    issues.length ? [h("h3", {}, plural(issues.length, "issue")), h("ul", {}, issues)] : null,
    factors.length ? [h("h3", {}, `Confidence ${figure(confidence.score)}`), h("ul.plain", {}, factors)] : null,
  );
}

function meter(name, value) {
  const fill = h("span.bar-fill");
  fill.style.width = `${Math.max(0, Math.min(1, value)) * 100}%`;
  return h("div.meter", {}, h("span", {}, name), h("span.bar", { "aria-hidden": "true" }, fill), h("strong", {}, figure(value)));
}
