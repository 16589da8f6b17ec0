// `npm test`: the whole suite, compiled, in several processes. `npm test -- test/batches [more files or folders, options of
// mocha]`: that part of it, at once, from the sources.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

const args = process.argv.slice(2);
const isPath = (arg) => /^(\.\/)?test\//.test(arg) || arg.endsWith(".test.ts");
const paths = args.filter(isPath).map(toPattern);
const options = args.filter((arg) => !isPath(arg));

function toPattern(path) {
  if (!existsSync(path)) {
    process.stderr.write(`platen: no tests at ${path}\n`);
    process.exit(1);
  }
  return statSync(path).isDirectory() ? `${path}/**/*.test.ts` : path;
}

function run(command, ...rest) {
  const { status } = spawnSync(command, rest, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

if (paths.length > 0) run("mocha", ...paths, ...options);
else {
  run(process.execPath, "scripts/build-tests.mjs");
  run("mocha", "--config", ".mocharc.parallel.cjs", ...options);
}
