// A test runner for Stryker, for our compiled tests.
//
// Stryker's own runner for mocha attributes code in `before` hooks to the test before them, and covers neither threads nor
// child processes. Here the unit is a test file with a root suite of its own, as in a worker of `npm test`, and a file
// covers what all threads and processes that it starts execute.
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { INSTRUMENTER_CONSTANTS } from "@stryker-mutator/api/core";
import {
  commonTokens,
  declareClassPlugin,
  PluginKind,
  tokens,
} from "@stryker-mutator/api/plugin";
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
} from "@stryker-mutator/api/test-runner";
import Mocha from "mocha";

/** Instrumented code reads the active mutant here, and counts the mutants that it reaches. */
const instrumentation = {
  mutantCoverage: { static: {}, perTest: {} },
};
globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] = instrumentation;
/** Where threads and child processes read the active mutant. */
const activeVariable = INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE;

/** An id in instrumented code. */
const instrumented = /stryMutAct_\w+\("(\d+)"\)/g;

const coverHook = new URL("./cover-children.mjs", import.meta.url).href;

/** A file in the sandbox, which is the current folder when the runner has started. */
const inSandbox = (path) => resolve(".cache", path);

class FileRunner {
  static inject = tokens(commonTokens.options);
  #loads = 0;
  #emptyCaches;

  constructor({ platen }) {
    this.platen = platen;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  /** Runs all files. Reports the coverage of the sample alone, and writes how many mutants are covered. */
  async dryRun() {
    process.env.NODE_OPTIONS = `--import ${coverHook}`;
    const coveredByChildren = inSandbox("covered");
    process.env.PLATEN_MUTATION_COVERED = coveredByChildren;
    const atLoad = {};
    const inTests = {};
    const tests = [];
    for (const file of this.platen.files) {
      writeFileSync(coveredByChildren, "");
      const started = performance.now();
      instrumentation.mutantCoverage.static = atLoad;
      const mocha = await this.#load(file, 0);
      inTests[file] = {};
      instrumentation.mutantCoverage.static = inTests[file];
      this.#emptyCaches();
      const failureMessage = await run(mocha);
      // What can be switched on in a process that has loaded it already is not static.
      for (const id of Object.keys(inTests[file])) delete atLoad[id];
      for (const id of readFileSync(coveredByChildren, "utf8").split("\n"))
        if (id !== "") inTests[file][id] ??= 1;
      tests.push({
        id: file,
        name: file,
        timeSpentMs: performance.now() - started,
        status: failureMessage ? TestStatus.Failed : TestStatus.Success,
        failureMessage,
      });
    }
    delete process.env.NODE_OPTIONS;
    // The fastest file first, so that mutants are killed early.
    tests.sort((one, other) => one.timeSpentMs - other.timeSpentMs);
    const sorted = (value) =>
      Object.fromEntries(tests.map((test) => [test.id, value(test)]));
    const limitMs = sorted(({ timeSpentMs }) => 5000 + 3 * timeSpentMs);
    const testsOf = this.#findTests(
      atLoad,
      sorted(({ id }) => inTests[id]),
    );
    writeFileSync(inSandbox("plan.json"), JSON.stringify({ limitMs, testsOf }));
    const coverage = this.#sample(
      atLoad,
      sorted(({ id }) => inTests[id]),
    );
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage };
  }

  /** For each source file, the tests that execute something of it that does not run at load. */
  #findTests(atLoad, perTest) {
    const entries = globSync(this.platen.sources).map((path) => {
      const ids = [...readFileSync(path, "utf8").matchAll(instrumented)]
        .map(([, id]) => id)
        .filter((id) => !(id in atLoad));
      const tests = Object.keys(perTest).filter((test) =>
        ids.some((id) => id in perTest[test]),
      );
      return [resolve(path), tests];
    });
    return Object.fromEntries(entries.filter(([, tests]) => tests.length > 0));
  }

  #sample(atLoad, perTest) {
    const { sample, seed, only, coveredFile } = this.platen;
    const ids = [atLoad, ...Object.values(perTest)].flatMap(Object.keys);
    const covered = [...new Set(ids)];
    writeFileSync(coveredFile, String(covered.length));
    const rank = (id) =>
      createHash("sha256").update(`${seed} ${id}`).digest("hex");
    const ranked = covered.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    const chosen = new Set(only ?? ranked.slice(0, sample));
    const choose = (counts) =>
      Object.fromEntries(
        Object.entries(counts).filter(([id]) => chosen.has(id)),
      );
    return {
      static: choose(atLoad),
      perTest: Object.fromEntries(
        Object.entries(perTest).map(([file, counts]) => [file, choose(counts)]),
      ),
    };
  }

  async mutantRun(options) {
    const { activeMutant, mutantActivation, testFilter, hitLimit } = options;
    const plan = JSON.parse(readFileSync(inSandbox("plan.json"), "utf8"));
    const { limitMs, testsOf } = plan;
    // What runs at load, such as a constant, is mostly read by functions of its own file.
    const files =
      testFilter ??
      testsOf[resolve(options.sandboxFileName)] ??
      Object.keys(limitMs);
    instrumentation.hitLimit = hitLimit;
    instrumentation.hitCount = hitLimit ? 0 : undefined;
    try {
      for (const [index, file] of files.entries()) {
        activate(mutantActivation === "static" ? activeMutant.id : undefined);
        const mocha = await this.#load(file, limitMs[file]);
        activate(activeMutant.id);
        this.#emptyCaches();
        const failureMessage = await run(mocha);
        if (failureMessage)
          return {
            status: MutantRunStatus.Killed,
            killedBy: [file],
            failureMessage,
            nrOfTests: index + 1,
          };
      }
      return { status: MutantRunStatus.Survived, nrOfTests: files.length };
    } catch (error) {
      return {
        status: MutantRunStatus.Killed,
        killedBy: [],
        failureMessage: `A file cannot be loaded: ${String(error)}`,
        nrOfTests: 0,
      };
    } finally {
      activate(undefined);
    }
  }

  /** Evaluates the file anew, because suites have state; its imports are evaluated once in a process. */
  async #load(file, timeout) {
    this.#emptyCaches ??= await watchCaches();
    const { mochaHooks } = await import(builtUrl("test/support/root-hooks.ts"));
    const mocha = new Mocha({
      bail: true,
      timeout,
      reporter: Mocha.reporters.Base,
      rootHooks: mochaHooks,
    });
    mocha.suite.emit("pre-require", globalThis, file, mocha);
    this.#loads += 1;
    await import(`${builtUrl(file)}?load=${this.#loads}`);
    return mocha;
  }
}

/** @returns a function that empties caches in memory, in which results of other mutants would remain. */
async function watchCaches() {
  const path = inSandbox("tests/caches.mjs");
  writeFileSync(path, 'export { LRUCache } from "lru-cache";\n');
  const { LRUCache } = await import(pathToFileURL(path).href);
  const filled = new Set();
  for (const name of ["set", "memo"]) {
    const fill = LRUCache.prototype[name];
    LRUCache.prototype[name] = function (...entry) {
      // What frees resources is left to its owner.
      if (this.dispose === undefined) filled.add(this);
      return fill.apply(this, entry);
    };
  }
  return () => {
    for (const cache of filled) cache.clear();
  };
}

function activate(id) {
  instrumentation.activeMutant = id;
  if (id === undefined) delete process.env[activeVariable];
  else process.env[activeVariable] = id;
}

function builtUrl(path) {
  const built = inSandbox(join("tests", path.replace(/ts$/, "js")));
  return pathToFileURL(built).href;
}

/** @returns the first failure, or undefined when all tests pass. */
function run(mocha) {
  return new Promise((done) => {
    let failure;
    const runner = mocha.run(() => done(failure));
    runner.on("fail", (test, error) => {
      failure ??= `${test.fullTitle()}: ${error?.message}`;
    });
  });
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "files", FileRunner),
];
