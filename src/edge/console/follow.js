// One followed stream: the client's events, their fold, the raw frames, the verdicts. Views read it and are told that something
// changed at most once a frame of the screen, however much comes.

import { authorized, sessionPath, stepPath, streamAddress } from "./access.js";
import { TributaryReader } from "./client.js";
import { apply, copy, nothing } from "./fold.js";

const EVENTS_MAX = 30_000; //  older ones are let go of, and said so
const FRAMES_MAX = 1_000;
const FRAME_BYTES_MAX = 2_000_000;
const VERDICTS_MAX = 100;
const KEPT_EVERY = 1_000; // events between two states that a replay may begin with

export class Followed {
  events = [];
  state = nothing();
  frames = [];
  verdicts = [];
  dropped = 0; //      events that were let go of
  generation = 0; //   grows when what there is was replaced
  connection = { name: "connecting", detail: {}, since: Date.now() };
  heartbeat = null; // when the last one came
  skew = 0; //         our clock minus the service's, in ms
  problems = 0; //     repeated or missing sequences that were seen
  #bytes = 0;
  #kept = { generation: -1, states: [] };
  #told = false;
  #listeners = new Set();

  constructor(session, step) {
    Object.assign(this, { session, step });
    const path = `${step === undefined ? sessionPath(session) : stepPath(session, step)}/events`;
    this.reader = new TributaryReader(() => streamAddress(session, path), this.#handlers(), { fetch: authorized });
  }

  onChange(listener) {
    this.#listeners.add(listener);
  }

  close() {
    this.#listeners.clear();
    this.reader.cut();
  }

  /** The state at a place in the log: the fold of what is before it. */
  stateAt(sequence) {
    if (this.#kept.generation !== this.generation) this.#kept = { generation: this.generation, states: [nothing()] };
    const { states } = this.#kept;
    // On the way through the log a state is kept now and then, from where the next time begins.
    let at = 0;
    while (at + 1 < states.length && states[at + 1].sequence <= sequence) at++;
    const state = copy(states[at]);
    for (let index = at * KEPT_EVERY; index < this.events.length && this.events[index].sequence <= sequence; index++) {
      apply(state, this.events[index]);
      if ((index + 1) % KEPT_EVERY === 0 && states.length === (index + 1) / KEPT_EVERY) states.push(copy(state));
    }
    return state;
  }

  get first() {
    return this.events[0]?.sequence ?? 0;
  }

  get last() {
    return this.events.at(-1)?.sequence ?? 0;
  }

  #handlers() {
    return {
      events: (events) => this.#add(events),
      replace: (events) => {
        Object.assign(this, { events: [], state: nothing(), dropped: 0 });
        this.generation++;
        this.#add(events);
      },
      verdict: (open, covered) => this.#judge(open, covered),
      heartbeat: (data) => {
        this.heartbeat = { ...data, at: Date.now() };
        this.#tell();
      },
      frame: (frame) => this.#keep(frame),
      state: (name, detail) => {
        this.connection = { name, detail, since: Date.now() };
        this.#tell();
      },
    };
  }

  #add(events) {
    for (const event of events) {
      const last = this.events.at(-1);
      if (last && event.sequence <= last.sequence) this.problems++;
      this.events.push(event);
      apply(this.state, event);
      const verdict = this.verdicts.at(-1);
      if (!verdict) continue;
      if (event.sequence <= verdict.tail) verdict.replayed++;
      else this.skew = Date.now() - this.state.at;
    }
    if (this.events.length > EVENTS_MAX + 2_000) {
      const excess = this.events.length - EVENTS_MAX;
      this.events.splice(0, excess);
      this.dropped += excess;
      this.generation++;
    }
    this.#tell();
  }

  /** A verdict, held against what was there. */
  #judge(open, covered) {
    const again = covered !== null && open.reason === "ok";
    const whole = !again || open.from === covered;
    if (!whole) this.problems++;
    this.verdicts.push({ ...open, at: Date.now(), covered, again, whole, replayed: 0 });
    if (this.verdicts.length > VERDICTS_MAX) this.verdicts.shift();
    this.#tell();
  }

  #keep(frame) {
    this.frames.push({ ...frame, at: Date.now(), number: (this.frames.at(-1)?.number ?? 0) + 1 });
    this.#bytes += frame.data.length;
    while (this.frames.length > FRAMES_MAX || this.#bytes > FRAME_BYTES_MAX) this.#bytes -= this.frames.shift().data.length;
  }

  #tell() {
    if (this.#told) return;
    this.#told = true;
    const tell = () => {
      this.#told = false;
      for (const listener of this.#listeners) listener(this);
    };
    // A hidden page draws no frames, but its state shall be right when it is looked at.
    if (document.hidden) setTimeout(tell, 250);
    else requestAnimationFrame(tell);
  }
}
