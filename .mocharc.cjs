if (Number.parseInt(process.versions.node) < 22) {
  // The native modules are those of the Node that the project fetches, and an older one ends with a segmentation fault.
  process.stderr.write(
    "platen: The tests need Node 22 or later. `npm test -- <file>` runs them on the one that the project fetches.\n",
  );
  process.exit(1);
}

module.exports = {
  "node-option": [
    // Else mocha requires the tests as CommonJS wherever it can and imports the others, and each module that both reach
    // is there twice, with two states and two classes of every name. Built, the service consists of ES modules alone.
    "no-experimental-require-module",
    "import=tsx",
    "import=./test/support/ts-workers.mjs",
  ],
  require: ["./test/support/root-hooks.ts"],
  reporter: "./scripts/test-reporter.cjs",
  timeout: 120_000,
};
