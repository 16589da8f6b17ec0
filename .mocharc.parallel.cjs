// The whole suite, as `npm test` runs it: the files share worker processes.
const { availableParallelism, totalmem } = require("node:os");
const { readdirSync } = require("node:fs");
const { join } = require("node:path");

// `npm test` has built the programs just before.
process.env.PLATEN_TEST_BUILT = "1";

/** They take longest: begun last, they would be waited for alone. */
const longest = [
  "chaos/loses-nothing.test.ts",
  "plugins/contract/example.test.ts",
  "batch/killed-workers.test.ts",
];

/** Of a worker with its browsers. */
const memoryBytes = 2 * 1024 ** 3;
const roomFor = Math.floor(totalmem() / memoryBytes);

const files = readdirSync(join(__dirname, "test"), { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));

function rank(name) {
  const place = longest.indexOf(name);
  return place < 0 ? longest.length : place;
}

const settings = require("./.mocharc.cjs");

module.exports = {
  ...settings,
  require: [...settings.require, "./test/support/global-setup.ts"],
  parallel: true,
  // One more than there are cores, since many tests wait.
  jobs: Math.max(2, Math.min(availableParallelism() + 1, roomFor)),
  spec: files.map((name) => `test/${name}`),
};
