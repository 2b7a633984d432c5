// A step with three agents as a graph: three nodes side by side that stream what the other servers are sent by their agents.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const TEXT = "A quote becomes an order when the customer has accepted it and credit was checked.";

const State = Annotation.Root({
  partials: Annotation(),
  ended: Annotation({ reducer: (before, now) => before + now, default: () => 0 }),
});

function event(revision) {
  const mark = `@t0=${"0".repeat(15)}#${String(revision).padStart(9, "0")}`;
  return { status: "partial", revision, payload: { content: `${mark} ${TEXT}`, sources: [] } };
}

// From one token of an agent to its next, as PACE in ../step/mod.rs.
const PACE_MS = 10;

const agent = (number) => async (state, config) => {
  const start = performance.now();
  for (let token = 1; token <= state.partials; token += 1) {
    config.writer(event(number * 1_000_000 + token));
    const wait = start + token * PACE_MS - performance.now();
    await new Promise((resolve) => (wait > 0 ? setTimeout(resolve, wait) : setImmediate(resolve)));
  }
  return { ended: 1 };
};

export const graph = [0, 1, 2]
  .reduce(
    (graph, number) =>
      graph.addNode(`agent-${number}`, agent(number)).addEdge(START, `agent-${number}`).addEdge(`agent-${number}`, END),
    new StateGraph(State),
  )
  .compile();
