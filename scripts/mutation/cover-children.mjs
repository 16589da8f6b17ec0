// Node loads this into every thread and child process of the tests. It appends the ids of covered mutants to a file at
// once, because tests kill processes.
import { openSync, writeSync } from "node:fs";

const path = process.env.PLATEN_MUTATION_COVERED;
if (path !== undefined) {
  const file = openSync(path, "a");
  const counts = new Proxy(
    {},
    {
      set(target, id) {
        if (!(id in target)) writeSync(file, `${String(id)}\n`);
        return Reflect.set(target, id, 1);
      },
    },
  );
  // Where instrumented code counts, by Stryker's contract.
  const namespace = "__stryker__";
  globalThis[namespace] = { mutantCoverage: { static: counts, perTest: {} } };
}
