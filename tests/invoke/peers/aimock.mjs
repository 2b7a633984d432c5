// The mock of OpenAI's and Anthropic's APIs from its registry, on a free port and with the fixtures beside this file.
//
// `node aimock.mjs` prints one line of JSON, `{"port": N}`, and serves until its standard input ends or it gets SIGTERM:
// `POST /v1/chat/completions`, `POST /v1/responses` (OpenAI), `POST /v1/messages` (Anthropic). The last user message
// chooses the fixture (README.md has the list). `GET /__aimock/journal` gives what was asked for.
import { fileURLToPath } from "node:url";
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
mock.loadFixtureFile(fileURLToPath(new URL("aimock.fixtures.json", import.meta.url)));
await mock.start();
console.log(JSON.stringify({ port: Number(new URL(mock.url).port) }));
const stop = () => process.exit(0);
process.stdin.resume().on("end", stop);
process.on("SIGTERM", stop);
