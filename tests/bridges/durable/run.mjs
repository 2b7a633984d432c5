// Runs the read half of the conformance suite: `node run.mjs BASE [long-poll ms]`, BASE being a test build of the service.
//
// The suite's groups that are about reading, 138 tests. `exceptions.json` names those that may fail, each with the reason;
// one that passes all the same is to be taken off it. Prints one JSON document; exits with 1 where it isn't as said.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const TESTS = 138
const GROUPS = [
  "Read Operations", "Long-Poll", "Offset Validation", "SSE Mode", "JSON Mode", "Caching and ETag",
  "Read-Your-Writes", "HEAD Metadata", "Stream Closure", "Browser Security", "Chunking",
]

const here = dirname(fileURLToPath(import.meta.url))
const [base, longPollMs = "2000"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "durable-"))
const file = join(folder, "report.json")
const vitest = join(here, "../node_modules/vitest/vitest.mjs")
const run = spawnSync(
  process.execPath,
  [vitest, "run", "durable/conformance.test.mjs", "-t", GROUPS.join("|"), "--reporter=json", `--outputFile=${file}`, "--testTimeout=30000"],
  {
    cwd: join(here, ".."),
    env: { ...process.env, CONFORMANCE_TEST_URL: `${base}/test/durable-streams`, LONG_POLL_MS: longPollMs },
    encoding: "utf8",
    timeout: 240_000,
  },
)

let report
try {
  report = JSON.parse(readFileSync(file, "utf8"))
} catch (error) {
  console.error(`the suite left no report: ${error.message}\n${run.stdout}\n${run.stderr}`)
  process.exit(1)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const exceptions = JSON.parse(readFileSync(join(here, "exceptions.json"), "utf8"))
const results = report.testResults.flatMap((one) => one.assertionResults)
const failed = results.filter((test) => test.status === "failed")
const passed = results.filter((test) => test.status === "passed").map((test) => test.fullName)
const unexpected = failed.filter((test) => !(test.fullName in exceptions))
const needless = passed.filter((name) => name in exceptions)

for (const test of unexpected) console.error(`${test.fullName}\n  ${test.failureMessages.join("\n  ").slice(0, 600)}`)
for (const name of needless) console.error(`passes, and is named as an exception: ${name}`)
const ran = passed.length + failed.length
if (ran !== TESTS) console.error(`${ran} tests ran, not ${TESTS}`)
console.log(JSON.stringify({ passed: passed.length, failed: failed.map((test) => test.fullName) }))
process.exit(unexpected.length || needless.length || ran !== TESTS ? 1 : 0)
