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
