// What the console asks the service, and as whom. The token lives in this variable only: never in storage, in an address or in
// the page. Event streams, which can't send a header, get a ticket for one session.

let token = "";
const listeners = new Set();

export const signedIn = () => token !== "";
export const onSignIn = (listener) => listeners.add(listener);

/** Signs in with a token, or out with "". */
export function signIn(given) {
  token = given.trim();
  for (const listener of listeners) listener(token !== "");
}

/** A refusal: `problem` is the problem document with its `status`. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `status ${problem.status}`);
    this.problem = problem;
  }
}

/** `fetch`, signed in. */
export function authorized(path, options = {}) {
  const headers = { accept: "application/json", ...options.headers, ...(token && { authorization: `Bearer ${token}` }) };
  return fetch(path, { ...options, headers, credentials: "same-origin", referrerPolicy: "no-referrer" });
}

/** Asks for a JSON document: `{status, body}`; what isn't 2xx is a `Refused`. `also` lists statuses that are answers too. */
export async function ask(path, options = {}, also = []) {
  const answer = await authorized(path, options).catch((error) => {
    throw new Refused({ code: "unreachable", detail: `The service can't be reached: ${error.message}` });
  });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok && !also.includes(answer.status)) throw new Refused({ ...body, status: answer.status });
  return { status: answer.status, body };
}

/** The address of an event stream: with a ticket where somebody is signed in and the service gives tickets. */
export async function streamAddress(session, path) {
  const address = `${path}?coalesce=never`;
  if (!token) return address;
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ session_id: session }) };
  const { status, body } = await ask("/tickets", options, [404]);
  return status === 404 ? address : `${address}&ticket=${encodeURIComponent(body.ticket)}`;
}

const part = encodeURIComponent;
export const sessionPath = (session) => `/planner/sessions/${part(session)}`;
export const stepPath = (session, step) => `${sessionPath(session)}/steps/${part(step)}`;
