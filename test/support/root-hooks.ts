import type { RootHookObject } from "mocha";
import "./fast-clock.js";
import { dropDatabases } from "./mysql-databases.js";
import { isTestWorker, stopRenderers } from "./renderer.js";
import { serviceProcessHooks } from "./service-process.js";
import { removeFolders } from "./store-folder.js";

process.once("exit", removeFolders);
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => process.exit(130));

/** Runs around all tests of the run, or, in a worker of a parallel run, around those of each file. */
export const mochaHooks: RootHookObject = {
  ...serviceProcessHooks,
  afterAll: async () => {
    await stopRenderers();
    if (!isTestWorker) await dropDatabases();
  },
};
