// Follows a step with the official client of Durable Streams: `node durable_streams.mjs BASE`, BASE being the service.
//
// Readers in every live mode follow a step while it is played, one of them cut after every event and coming again at the
// offset it has. Afterwards the streams of the step (ended), of the session (open) and of the session once it is closed
// are read from every place that there is. Prints one JSON document, or says what is wrong and exits with 1.
import { DurableStream, stream } from "@durable-streams/client"

const base = process.argv[2]?.replace(/\/$/, "")
const session = `durable-${process.pid}-${Date.now()}`
const planner = `${base}/planner/sessions/${session}`
const bridge = `${base}/bridges/durable-streams/sessions/${session}`
const PATIENCE_MS = 20_000

const text = (items) => JSON.stringify(items)
const events = (batches) => batches.flatMap((batch) => batch.items)

function check(holds, what) {
  if (!holds) throw new Error(what)
}

async function post(url, body) {
  const method = "POST"
  const response = await fetch(url, { method, headers: { "content-type": "application/json" }, body: text(body) })
  check(response.ok, `POST ${url}: ${response.status} ${await response.text()}`)
}

/** Reads after `offset` until `enough(batch)`; returns the batches. */
async function read(url, live, offset, enough, seen = () => {}) {
  const abort = new AbortController()
  const batches = []
  let timer
  try {
    const response = await stream({ url, offset, live, signal: abort.signal })
    await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${url} live=${live} from ${offset}: not enough came`)), PATIENCE_MS)
      // It resolves before the last batch is handed out: only what went wrong counts.
      response.closed.catch(reject)
      response.subscribeJson((batch) => {
        batches.push(batch)
        seen(batch)
        if (enough(batch)) resolve()
      })
    })
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
  return batches
}

/** Everything after `offset` by plain requests. */
async function pages(url, offset) {
  const batches = []
  for (let page = 0; page < 1000; page++) {
    const response = await fetch(`${url}?offset=${encodeURIComponent(offset)}`)
    check(response.status === 200, `catch-up answered ${response.status}`)
    offset = response.headers.get("stream-next-offset")
    const says = (name) => response.headers.get(name) === "true"
    const [upToDate, streamClosed] = [says("stream-up-to-date"), says("stream-closed")]
    batches.push({ items: await response.json(), offset, upToDate, streamClosed })
    if (upToDate) return batches
  }
  throw new Error("catch-up never came to the end")
}

/** Every place of a log, as offsets: the service's own cursors, turned. */
async function places(url) {
  const offsets = []
  for (let after = "start", closed = false; !closed; ) {
    const page = await (await fetch(`${url}/events?limit=1&after=${after}`)).json()
    const [epoch, sequence, chain] = page.next.split("_")
    offsets.push(`${sequence.padStart(20, "0")}_${epoch}_${chain}`)
    closed = page.closed || page.events.length === 0
    after = page.next
  }
  return [...new Set(offsets)]
}

/** Reads with a reader that is cut after the first events and comes again, until the stream is closed. */
async function readCut(url, live, seen) {
  const batches = []
  for (let offset = "-1"; ; offset = batches.at(-1).offset) {
    const more = await read(url, live, offset, (batch) => batch.items.length > 0 || batch.streamClosed, seen)
    batches.push(...more)
    if (batches.at(-1).streamClosed) return batches
  }
}

/** Plays a step, each event when every reader has the one before. */
async function play(counts) {
  const step = `${planner}/steps/a/subagents`
  const seen = async (sequence) => {
    for (const end = Date.now() + PATIENCE_MS; counts.some((count) => count.last < sequence); ) {
      check(Date.now() < end, `readers stand at ${text(counts)} and not at ${sequence}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  for (let revision = 1; revision <= 5; revision++) {
    const answer = `part ${revision}\r\nevent: control\ndata: "é\u2028"`
    await post(`${step}/documentation/events`, { status: "partial", revision, payload: { answer } })
    await seen(revision + 2)
  }
  await post(`${step}/documentation/events`, { status: "success", payload: { answer: "A quote becomes an order." } })
  await post(`${step}/row_selection/events`, { status: "error", error: { message: "no table", retryable: false } })
}

async function follow() {
  const url = `${bridge}/steps/a`
  const modes = [[read, true], [read, "long-poll"], [read, "sse"], [readCut, "long-poll"], [readCut, "sse"]]
  const counts = modes.map(() => ({ last: 0 }))
  const readers = modes.map(([how, live], at) => {
    const seen = (batch) => (counts[at].last = batch.items.at(-1)?.sequence ?? counts[at].last)
    return how === read ? read(url, live, "-1", (batch) => batch.streamClosed, seen) : readCut(url, live, seen)
  })
  const [, ...read_] = await Promise.all([play(counts), ...readers])
  const all = text(events(await pages(url, "-1")))
  read_.forEach((batches, at) => check(text(events(batches)) === all, `${modes[at][0].name} ${modes[at][1]} read otherwise`))
  return read_.map((batches) => batches.length)
}

/** A stream that stands still is the same in every mode, from every place. */
async function compare(url, own, closed) {
  const head = await new DurableStream({ url }).head()
  check(head.exists && head.contentType === "application/json", `HEAD: ${text(head)}`)
  check(Boolean(head.streamClosed) === closed, `${url}: HEAD says closed: ${head.streamClosed}`)
  const whole = await pages(url, "-1")
  const all = events(whole)
  check(whole.at(-1).streamClosed === closed, `${url}: the last page says closed: ${whole.at(-1).streamClosed}`)
  check(all.every((event, at) => at === 0 || event.sequence > all[at - 1].sequence), `${url}: out of order`)
  check(text(await (await stream({ url, offset: "-1", live: false })).json()) === text(all), `${url}: live=false`)
  const offsets = ["-1", ...(await places(own))]
  for (const offset of offsets) {
    const after = offset === "-1" ? 0 : Number(offset.split("_")[0])
    const rest = text(all.filter((event) => event.sequence > after))
    check(text(events(await pages(url, offset))) === rest, `${url}: catch-up from ${offset}`)
    // A long-poll at the end of an open stream would wait.
    for (const live of closed ? ["long-poll", "sse"] : ["sse"]) {
      const batches = await read(url, live, offset, (batch) => (closed ? batch.streamClosed : batch.upToDate))
      check(text(events(batches)) === rest, `${url}: live=${live} from ${offset}`)
    }
  }
  return offsets.length
}

async function refusals(url) {
  const now = await fetch(`${url}?offset=now`)
  check(text(await now.json()) === "[]", "`now` has events")
  const first = await fetch(`${url}?offset=-1`)
  const same = await fetch(`${url}?offset=-1`, { headers: { "if-none-match": first.headers.get("etag") } })
  check(same.status === 304, `a known entity tag is answered ${same.status}`)
  const foreign = "00000000000000000001_abcdef_0000000000000000"
  const wanted = { "offset=nonsense": 400, "live=sse": 400, [`offset=${foreign}`]: 410, [`offset=${foreign}&live=sse`]: 410 }
  for (const [query, status] of Object.entries(wanted)) {
    const refused = await fetch(`${url}?${query}`)
    check(refused.status === status, `${query} is answered ${refused.status}, not ${status}`)
    check(refused.headers.get("x-content-type-options") === "nosniff", "a refusal without nosniff")
  }
  check((await fetch(`${bridge}-other?offset=-1&live=sse`)).status === 404, "there is a stream of nothing")
  for (const method of ["PUT", "POST", "DELETE"]) {
    const refused = await fetch(url, { method, headers: { "content-type": "application/json" } })
    check(refused.status === 405, `${method} is answered ${refused.status}`)
  }
}

async function main() {
  const expected_subagents = [{ key: "documentation" }, { key: "row_selection" }]
  await post(`${planner}/steps`, { plan_step_id: "a", more_steps: true, expected_subagents })
  const batches = await follow()
  const step = await compare(`${bridge}/steps/a`, `${planner}/steps/a`, true)
  const open = await compare(bridge, planner, false)
  await refusals(bridge)
  await post(`${planner}/close`, {})
  const closed = await compare(bridge, planner, true)
  console.log(text({ batches, places: { step, open, closed } }))
}

main().then(() => process.exit(0), (error) => {
  console.error(error.stack ?? String(error))
  process.exit(1)
})
