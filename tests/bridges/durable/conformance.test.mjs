// The public conformance suite of Durable Streams, against the store of test builds at CONFORMANCE_TEST_URL.
import { runConformanceTests } from "@durable-streams/server-conformance-tests"

const { CONFORMANCE_TEST_URL: baseUrl, LONG_POLL_MS = "2000" } = process.env

runConformanceTests({ baseUrl, longPollTimeoutMs: Number(LONG_POLL_MS), subscriptions: false })
