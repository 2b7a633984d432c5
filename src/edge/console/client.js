// A tiny client for Tributary's event streams: a class over the native `EventSource`. No dependency.
//
//   const reader = new TributaryReader("/planner/sessions/s1/steps/step-1/events", {
//     events: (events) => …,        // new ones, in order, each once
//     replace: (events) => …,       // forget what you had: a snapshot stands for it (at first empty)
//     verdict: (open, covered) => …, // how a connection goes on: {reason, recovered, from, tail, …}
//     state: (name, detail) => …,   // connecting, live, waiting, cut, silent, ended, failed
//   });
// It checks that frames cover every sequence once, keeps the cursor, leaves short cuts to the `EventSource`, and opens a new one with that
// cursor after three silent heartbeats or where a frame doesn't continue. It stops at `end`, at 204 and at an `error` that doesn't pass by
// itself. `examples/client.mjs` is this file, byte for byte. In Node, with npm's eventsource: globalThis.EventSource = (await import("eventsource")).EventSource;

const NAMES = ["open", "planner_stream", "snapshot", "heartbeat", "drain", "end", "error"];
/** Problems that pass: the service says `retry:` and means "come back". */
const PASSING = ["over_capacity", "rate_limited", "draining", "store_unavailable"];
const [SILENT_HEARTBEATS, RETRY_MS] = [3, 2_000];

export class TributaryReader {
  cursor = null; //  the last id: where to come back to, as good after a day as after a second
  covered = null; // everything through this sequence was read
  #source = null;
  #timer = 0;
  #heartbeatMs = 15_000;
  #snapshot = []; // events of a snapshot that isn't complete
  #brokenAt = null; // where the last hole was: at the same place twice, a new connection doesn't help
  #opening = 0; //    counts openings, so that one that was overtaken does nothing

  /**
   * @param {string | (() => string | Promise<string>)} url of the events; as a function it is asked at each opening (tickets).
   * @param {object} on handlers, all optional: events, replace, verdict, state, heartbeat, frame({name, id, data}).
   * @param {object} options fetch: how to ask why a stream was refused; cursor: where to begin; withCredentials: of another origin.
   */
  constructor(url, on, options = {}) {
    this.url = typeof url === "function" ? url : () => url;
    this.on = on;
    this.fetch = options.fetch ?? ((...asked) => globalThis.fetch(...asked));
    [this.cursor, this.withCredentials] = [options.cursor ?? null, options.withCredentials ?? false];
    this.resume();
  }

  /** Opens a connection at the cursor. */
  async resume() {
    this.#drop();
    const opening = ++this.#opening;
    this.#say("connecting");
    const address = await Promise.resolve().then(this.url).catch((error) => error);
    if (opening !== this.#opening) return;
    if (address instanceof Error) return this.#refused(address.problem ?? { detail: address.message });
    const at = this.cursor ? `${address.includes("?") ? "&" : "?"}last_event_id=${encodeURIComponent(this.cursor)}` : "";
    const source = (this.#source = new EventSource(address + at, { withCredentials: this.withCredentials }));
    for (const name of NAMES) source.addEventListener(name, (event) => source === this.#source && this.#take(name, event));
    this.#alive();
  }

  /** Cuts the connection and keeps the place: `resume` goes on. */
  cut = () => this.#stop("cut");

  #take(name, event) {
    this.#alive();
    // An EventSource has an "open" and an "error" of its own: those come without data.
    if (event.data === undefined) return name === "error" && this.#lost();
    this.on.frame?.({ name, id: event.lastEventId, data: event.data });
    const data = JSON.parse(event.data);
    const whole = name === "open" ? this.#opened(data) : name === "snapshot" || name === "planner_stream" ? this.#cover(name, data) : true;
    if (!whole) return;
    if (name === "heartbeat") this.on.heartbeat?.(data);
    if (event.lastEventId) this.cursor = event.lastEventId;
    if (name === "end" || (name === "error" && !PASSING.includes(data.code))) this.#stop(name === "end" ? "ended" : "failed", data);
    else if (name === "error" || name === "drain") this.#say("waiting", data);
  }

  /** Where the stream goes on. Without recovery, or from a new start, what was read is replaced. */
  #opened(open) {
    this.#heartbeatMs = open.heartbeat_ms || this.#heartbeatMs;
    this.on.verdict?.(open, this.covered);
    this.#say("live");
    if (open.reason === "ok" && this.covered !== null && open.from !== this.covered) return this.#broken(open.from + 1);
    if (!open.recovered || open.reason === "new") this.on.replace?.([]);
    this.#snapshot = [];
    this.covered = open.from;
    return true;
  }

  /** A frame continues exactly where the last one ended; a snapshot is handed over when it is complete. */
  #cover(name, { from, to, events, complete }) {
    if (from !== this.covered + 1) return this.#broken(from);
    this.covered = to;
    if (name === "planner_stream") this.on.events?.(events);
    else {
      this.#snapshot.push(...events);
      if (complete) this.on.replace?.(this.#snapshot.splice(0));
    }
    return true;
  }

  /** Something is missing or came twice: back to the cursor, once. */
  #broken(got) {
    const wanted = this.covered + 1;
    if (this.#brokenAt === wanted) return this.#stop("failed", { code: "hole", detail: `${wanted} should follow, ${got} came, twice` });
    this.#brokenAt = wanted;
    this.resume();
  }

  /** The line broke (the EventSource comes back by itself), or the answer wasn't a stream (it has given up): ask why. */
  async #lost() {
    if (this.#source.readyState !== EventSource.CLOSED) return this.#say("waiting", { detail: "the line was cut" });
    this.#drop();
    const opening = this.#opening;
    const why = await this.#why().catch((error) => error.problem ?? { detail: String(error.message ?? error) });
    if (opening === this.#opening) this.#refused(why);
  }

  /** What passes is tried again, as an `EventSource` would; the rest is the end. */
  #refused(why) {
    if (why.closed) return this.#stop("ended", { reason: "closed", sequence: this.covered });
    if (why.status >= 400 && why.status < 500 && why.status !== 429) return this.#stop("failed", why);
    this.#say("waiting", why);
    this.#timer = setTimeout(() => this.resume(), RETRY_MS);
  }

  /** An `EventSource` hides the status of an answer. A page of the same events shows it, with a ticket of its own where there are such. */
  async #why() {
    const [path, query] = (await this.url()).split("?");
    const ticket = new URLSearchParams(query).get("ticket");
    const asked = new URLSearchParams({ limit: 1, ...(this.cursor && { after: this.cursor }), ...(ticket && { ticket }) });
    const options = { headers: { accept: "application/json" }, credentials: this.withCredentials ? "include" : "same-origin" };
    const answer = await this.fetch(`${path}?${asked}`, options);
    const said = await answer.json().catch(() => ({}));
    return answer.ok ? { closed: said.closed && !said.events?.length } : { ...said, status: answer.status };
  }

  #alive() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#say("silent"), this.resume()), SILENT_HEARTBEATS * this.#heartbeatMs);
  }
  #say = (name, detail = {}) => this.on.state?.(name, detail);

  #drop() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #stop(name, detail) {
    this.#opening++;
    this.#drop();
    this.#say(name, detail);
  }
}
