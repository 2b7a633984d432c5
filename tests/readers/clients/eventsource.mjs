// npm's `eventsource`: comes back by itself, stops at 204. Prints what it gets, a line of JSON each.
// node eventsource.mjs URL DIRECTORY_OF_NODE_MODULES

import { createRequire } from 'node:module'

const [url, directory] = process.argv.slice(2)
const { EventSource } = createRequire(`${directory}/`)('eventsource')

const say = (event, id, data) => console.log(JSON.stringify({ event, id, data }))

const source = new EventSource(url)
for (const name of ['open', 'planner_stream', 'snapshot', 'heartbeat', 'drain', 'error', 'end', 'message']) {
  source.addEventListener(name, (event) => {
    // `open` and `error` are also what the client itself says, without data.
    if (event.data !== undefined) say(name, event.lastEventId, JSON.parse(event.data))
    else if (source.readyState === EventSource.CLOSED) say('closed', '', { status: event.code ?? null })
  })
}
