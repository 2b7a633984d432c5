// LangGraph's server for JavaScript, without the watcher that its command line puts around it, and without Node's limit of
// five seconds for idle connections: the other servers keep them too.
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

const { createServer } = http;
http.createServer = (options, listener) => createServer({ ...options, keepAliveTimeout: 0 }, listener);
syncBuiltinESMExports();

const { startServer } = await import("@langchain/langgraph-api/server");
await startServer({
  host: "127.0.0.1",
  port: Number(process.env.PORT),
  nWorkers: Number(process.env.WORKERS),
  cwd: process.env.DIRECTORY,
  graphs: { step: `${import.meta.dirname}/graph.mjs:graph` },
});
