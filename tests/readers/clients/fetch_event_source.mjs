// npm's `@microsoft/fetch-event-source`: comes back by itself where the line breaks. Prints what it gets, a line of JSON
// each. Three things that its users must know stand here:
// - A stream that ends in good order is over for it, a drain too: `onclose` must throw for it to come back. It has no
//   notion of 204 either: `onopen` must look.
// - It remembers an `id` as soon as it has read that line, before the event is whole. Cut in between, it would come back
//   after an event that it never gave away: `fetch` sends the id of the last one that it did.
// - A block without data (`retry:`, a comment) comes as an empty message.
// node fetch_event_source.mjs URL DIRECTORY_OF_NODE_MODULES

import { createRequire } from 'node:module'

const [url, directory] = process.argv.slice(2)
// It is written for a page.
globalThis.window = globalThis
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} }
const { fetchEventSource } = createRequire(`${directory}/`)('@microsoft/fetch-event-source')

const say = (event, id, data) => console.log(JSON.stringify({ event, id, data }))

const over = new AbortController()
let last = ''
await fetchEventSource(url, {
  signal: over.signal,
  openWhenHidden: true,
  fetch: (input, { headers: { 'last-event-id': _, ...headers }, ...request }) =>
    fetch(input, { ...request, headers: last ? { ...headers, 'last-event-id': last } : headers }),
  async onopen({ status }) {
    if (status === 204) {
      say('closed', '', { status })
      over.abort()
    }
  },
  onmessage({ event, id, data }) {
    if (!data) return
    say(event || 'message', id, JSON.parse(data))
    if (id) last = id
  },
  onclose() {
    if (!over.signal.aborted) throw new Error('the stream ended, which may be a drain')
  },
})
