// Mocha's usual output; and a sentence and a failure when no test ran. Mocha's own `fail-zero` would make one of each file
// of a parallel run that has no test.
const { reporters } = require("mocha");

module.exports = class TestReporter extends reporters.Spec {
  epilogue() {
    if (this.stats.tests > 0) return super.epilogue();
    process.stderr.write("platen: No test matches.\n");
    this.runner.failures = 1;
  }
};
