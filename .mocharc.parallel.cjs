// The whole suite as `npm test` runs it: compiled, in worker processes that run several files each.
const os = require("node:os");
const { readdirSync } = require("node:fs");
const path = require("node:path");
const { reporter, timeout } = require("./.mocharc.cjs");

const built = "./.cache/tests/test";
process.env.PLATEN_TEST_BUILT = "1";

/** The slowest files start first, so that the run does not end by waiting for one of them. */
const longest = [
  "chaos/loses-nothing.test.ts",
  "docs/blocks-run.test.ts",
  "studio/journeys.test.ts",
  "studio/firefox.test.ts",
  "studio/accessibility.test.ts",
  "deliveries/storages.test.ts",
  "studio/editor/typing.test.ts",
  "studio/editor/saving.test.ts",
  "rendering/faults.test.ts",
  "compiler/security/malicious-definitions.test.ts",
  "rendering/isolation.test.ts",
];

/** The memory of a worker with its browsers. */
const memoryBytes = 2 * 1024 ** 3;
const roomFor = Math.floor(os.totalmem() / memoryBytes);

function testFiles() {
  const files = readdirSync(path.join(__dirname, "test"), { recursive: true })
    .filter((name) => /^(?!.*node_modules).*\.test\.ts$/.test(name))
    // `npm run test:package` runs these, because they install from the registry.
    .filter((name) => !name.startsWith("package"))
    .toSorted((one, other) => (one < other ? -1 : 1));
  const gone = longest.filter((name) => !files.includes(name));
  if (gone.length > 0)
    throw new Error(
      `${__filename} lists files that do not exist: ${gone.join()}`,
    );
  return [...longest, ...files.filter((name) => !longest.includes(name))];
}

module.exports = {
  timeout,
  // V8's default for young objects is small: with more, the workers collect garbage less often (5% less processor time).
  "node-option": ["enable-source-maps", "max-semi-space-size=64"],
  require: ["root-hooks", "global-setup"].map(
    (name) => `${built}/support/${name}.js`,
  ),
  reporter,
  "forbid-only": true,
  parallel: true,
  // Two more than the cores, because many tests wait.
  jobs: Math.max(2, Math.min(os.availableParallelism() + 2, roomFor)),
  spec: testFiles().map((name) => `${built}/${name.slice(0, -3)}.js`),
};
