// Numbers, times and lengths as a person reads them.

export const parse = (time) => (time ? Date.parse(time) : NaN);

/** 930 ms, 4.55 s, 2 min 5 s, 3 h 20 min. */
export function duration(ms) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

/** How long ago, roughly. */
export function ago(time, now = Date.now()) {
  const ms = Math.max(0, now - parse(time));
  if (Number.isNaN(ms)) return "–";
  if (ms < 5_000) return "now";
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ago`;
  return new Date(time).toISOString().slice(0, 10);
}

/** 19:44:32.251, local time. */
export function clock(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "–";
  const two = (n) => String(n).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

const GROUPED = new Intl.NumberFormat("en");
export const count = (n) => (n === null || n === undefined ? "–" : GROUPED.format(n));
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
export const percent = (part) => (part === null || part === undefined ? "–" : `${Math.round(part * 100)} %`);

/** Figures of quality: at most two places. */
export const figure = (n) => (typeof n === "number" ? String(Math.round(n * 100) / 100) : "–");

/** JSON to look at, cut where it is endless. */
export function pretty(value, most = 20_000) {
  const written = JSON.stringify(value, null, 2) ?? "";
  return written.length > most ? `${written.slice(0, most)}\n… ${count(written.length - most)} characters more` : written;
}

/** Words of an error for a person. */
export function problemText(problem) {
  if (problem.status === 401) return `Not signed in (401${problem.code ? `, ${problem.code}` : ""}). ${problem.detail ?? ""}`.trim();
  if (problem.status === 403) return `Not allowed (403${problem.code ? `, ${problem.code}` : ""}). ${problem.detail ?? ""}`.trim();
  return [problem.status, problem.code, problem.detail ?? problem.title].filter(Boolean).join(" · ") || "It failed.";
}
