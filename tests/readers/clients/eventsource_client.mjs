// npm's `eventsource-client`: comes back by itself, stops at 204. Prints what it gets, a line of JSON each.
// node eventsource_client.mjs URL DIRECTORY_OF_NODE_MODULES

import { createRequire } from 'node:module'

const [url, directory] = process.argv.slice(2)
const { createEventSource } = createRequire(`${directory}/`)('eventsource-client')

const say = (event, id, data) => console.log(JSON.stringify({ event, id, data }))

// What makes a connection says its status, which the client keeps to itself.
let status = null
const fetch = async (...request) => {
  const response = await globalThis.fetch(...request)
  status = response.status
  return response
}

const source = createEventSource({
  url,
  fetch,
  onMessage: ({ event, id, data }) => say(event ?? 'message', id ?? '', JSON.parse(data)),
  // Called before it closes for good, too.
  onDisconnect: () => setImmediate(() => source.readyState === 'closed' && say('closed', '', { status })),
})
