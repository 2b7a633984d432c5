// What a log says, folded: events go in one by one in order, the state of steps and of their subagents comes out. Pure: the
// same events make the same state, so that replay to a place is the fold of the events up to it.

const TERMINAL = new Set(["success", "error", "timeout", "degraded", "refused", "cancelled"]);
export const isTerminal = (status) => TERMINAL.has(status);

/** The state before any event. */
export const nothing = () => ({ steps: new Map(), sequence: 0, at: NaN });

/** The state after some events. */
export function fold(events, through = Infinity) {
  const state = nothing();
  for (const event of events) {
    if (event.sequence > through) break;
    apply(state, event);
  }
  return state;
}

/** A state of its own: what is applied to it leaves the other as it was. */
export function copy(state) {
  const steps = new Map();
  for (const [id, step] of state.steps) {
    const lanes = new Map();
    for (const [key, lane] of step.lanes) lanes.set(key, { ...lane, segments: lane.segments.map((segment) => ({ ...segment })), marks: lane.marks.slice(), retries: lane.retries.slice() });
    steps.set(id, { ...step, lanes, progress: step.progress.slice(), policies: step.policies.slice(), deltas: new Map(step.deltas) });
  }
  return { ...state, steps };
}

/** Takes one more event in. */
export function apply(state, event) {
  const at = Date.parse(event.timestamp);
  state.sequence = event.sequence;
  state.at = at;
  const step = stepOf(state, event, at);
  step.last = event.sequence;
  step.lastAt = at;
  TAKE[event.type]?.(step, event.content ?? {}, at, event);
}

function stepOf(state, event, at) {
  let step = state.steps.get(event.plan_step_id);
  if (!step) {
    step = {
      id: event.plan_step_id, session: event.session_id, status: "in_progress", startedAt: at, endedAt: null, first: event.sequence,
      lanes: new Map(), progress: [], policies: [], counts: null, aggregation: null, deltas: new Map(), synthesis: null, ended: null,
    };
    state.steps.set(step.id, step);
  }
  return step;
}

function laneOf(step, content) {
  const key = content.result_key ?? content.stage;
  let lane = step.lanes.get(key);
  if (!lane) {
    lane = {
      key, stage: content.stage, task: "", deadline: null, mode: null, status: "pending", revision: 0, attempt: 0, payload: null,
      error: null, reason: null, latency: null, segments: [], marks: [], retries: [], trace: null, sequence: 0,
    };
    step.lanes.set(key, lane);
  }
  return lane;
}

/** A lane's bar is drawn from segments: from when it was how. */
function stand(lane, status, at) {
  const last = lane.segments.at(-1);
  if (last && last.to === null) {
    if (last.status === status) return;
    last.to = at;
  }
  if (!TERMINAL.has(status)) lane.segments.push({ from: at, to: null, status });
}

const TAKE = {
  step_started(step, content, at) {
    Object.assign(step, {
      startedAt: at, query: content.query, goal: content.goal, taskType: content.task_type, parent: content.parent_step_id,
      deadline: Date.parse(content.deadline) || null, planner: content.planner_context, children: content.expected_children ?? [],
    });
    for (const expected of content.expected ?? []) {
      const lane = laneOf(step, expected);
      Object.assign(lane, { task: expected.task ?? "", deadline: Date.parse(expected.deadline) || null });
    }
  },
  subagent_started(step, content, at) {
    const lane = laneOf(step, content);
    Object.assign(lane, { mode: content.mode, attempt: content.attempt ?? 1 });
    stand(lane, "in_progress", at);
  },
  planner_stream(step, content, at, event) {
    const lane = laneOf(step, content);
    const { status } = content;
    // Field by field: a replay does this for every event before its place.
    lane.status = status;
    lane.revision = content.revision ?? lane.revision;
    lane.attempt = content.attempt ?? lane.attempt;
    lane.trace = event.telemetry?.trace_id ?? lane.trace;
    lane.sequence = event.sequence;
    if (content.payload) lane.payload = content.payload;
    if (content.error) lane.error = content.error;
    if (content.reason) lane.reason = content.reason;
    if (status === "retry") lane.retries.push({ at, attempt: content.attempt, why: why(content) });
    if (status !== "retry" && !TERMINAL.has(status)) lane.error = null;
    lane.marks.push({ at, status, sequence: event.sequence });
    if (lane.marks.length > 2 * MARKS_MAX) lane.marks.splice(1, MARKS_MAX);
    stand(lane, status === "partial" ? "in_progress" : status, at);
  },
  subagent_completed(step, content, at) {
    const lane = laneOf(step, content);
    Object.assign(lane, { status: content.status, latency: content.latency_ms ?? null, attempt: content.attempts || lane.attempt, endedAt: at });
    stand(lane, content.status, at);
  },
  planner_progress(step, content, at) {
    step.progress.push({ at, ...content });
    if (step.progress.length > NOTES_MAX) step.progress.shift();
  },
  policy_outcome(step, content, at) {
    step.policies.push({ at, ...content });
  },
  step_completed(step, content) {
    Object.assign(step, { counts: content.counts, outcome: content.status });
  },
  aggregation(step, content) {
    step.aggregation = content;
  },
  synthesis_delta(step, { path, text }) {
    step.deltas.set(path, (step.deltas.get(path) ?? "") + text);
  },
  synthesis(step, content) {
    step.synthesis = content;
  },
  plan_step_completed(step, content, at) {
    Object.assign(step, { status: content.status, ended: content, endedAt: at, moreSteps: content.more_steps });
  },
};

const MARKS_MAX = 240; // of a lane: more can't be told apart on a screen
const NOTES_MAX = 200;

/** Why something failed, in words. */
export function why(content) {
  const { error, reason } = content;
  if (error) return [error.code, error.message].filter(Boolean).join(": ");
  return typeof reason === "string" ? reason : reason ? JSON.stringify(reason) : "";
}

/** The text of a payload, whatever its adapter calls it. */
export function textOf(payload) {
  if (!payload) return "";
  if (typeof payload === "string") return payload;
  for (const name of ["content", "answer", "transcript", "summary", "title", "reason"]) if (typeof payload[name] === "string" && payload[name]) return payload[name];
  return Object.keys(payload).length ? JSON.stringify(payload) : "";
}

/** The sources that a payload names. */
export const sourcesOf = (payload) => (payload?.citations ?? payload?.sources ?? []).map((source) => (typeof source === "string" ? { url: source } : source));
