#!/usr/bin/env node
// The `platen` command. Every Node that knows ES modules must be able to load this file and what it imports statically,
// so that a Node that is too old says so instead of failing with a syntax error.
import { existsSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeProblem } from "./node-version.js";

/** Not part of the package. */
const setUpScript = new URL("../../../scripts/run.mjs", import.meta.url);
const problem = nodeProblem(process.versions.node);
if (problem === null) {
  cacheCompiledCode();
  const { runCommandLine } = await import("../app/command-line.js");
  await runCommandLine(process.argv.slice(2));
} else if (existsSync(setUpScript)) {
  // A clone, which has a supported Node of its own or fetches one.
  process.argv.splice(2, 0, "dist/core/cli/main.js");
  await import(setUpScript.href);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/**
 * Keeps what V8 compiles for the next start: in the package or, where that is read-only, in the user's home. Never in
 * Node's default, a folder for temporary files in which other users could leave code for this process to run.
 */
function cacheCompiledCode(): void {
  const isBuilt = import.meta.url.endsWith("/dist/core/cli/main.js");
  if (!isBuilt) return;
  const { FAILED } = module.constants.compileCacheStatus;
  try {
    const folder = new URL("../../../.cache/compile", import.meta.url);
    const { status } = module.enableCompileCache(fileURLToPath(folder));
    if (status === FAILED)
      module.enableCompileCache(join(homedir(), ".cache", "platen", "compile"));
  } catch {
    // Without a cache the command only starts more slowly.
  }
}
