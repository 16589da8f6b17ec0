import type { RootHookObject } from "mocha";
import { stopRenderers } from "./renderer.js";

/** Runs around all tests of the run, or, in a worker of a parallel run, around those of each file. */
export const mochaHooks: RootHookObject = { afterAll: stopRenderers };
