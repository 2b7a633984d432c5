// Addresses in the fragment: #/ · #/system · #/sessions/s1 · #/sessions/s1/steps/p1?at=42&view=result&side=frames. Nothing secret is
// ever part of one.

/** What a fragment asks for. */
export function routeOf(fragment) {
  const [path, query = ""] = fragment.replace(/^#\/?/, "").split("?");
  const [first, session, second, step] = path.split("/").map(decoded);
  const options = new URLSearchParams(query);
  const at = Number(options.get("at"));
  const shown = { at: Number.isSafeInteger(at) && at > 0 ? at : undefined, view: options.get("view") ?? undefined, side: options.get("side") ?? undefined };
  if (first === "system") return { page: "system" };
  if (first === "sessions" && session) return { page: "stream", session, step: second === "steps" && step ? step : undefined, ...shown };
  return { page: "overview", after: options.get("after") ?? undefined };
}

/** The fragment of a session, or of a step of it. */
export function addressOf({ session, step, at, view, side }) {
  const path = `#/sessions/${encodeURIComponent(session)}${step === undefined ? "" : `/steps/${encodeURIComponent(step)}`}`;
  const options = new URLSearchParams();
  if (at !== undefined) options.set("at", String(at));
  if (view && view !== "timeline") options.set("view", view);
  if (side && side !== "events") options.set("side", side);
  const query = options.toString();
  return query ? `${path}?${query}` : path;
}

let pending = 0;

/** Writes where one is into the address, without a step of history; seldom enough for a slider that is dragged. */
export function replaceAddress(route) {
  clearTimeout(pending);
  pending = setTimeout(() => history.replaceState(null, "", addressOf(route)), 120);
}

/** Whoever leaves a page takes its pending address along. */
export const forgetAddress = () => clearTimeout(pending);

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
