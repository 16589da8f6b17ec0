// Mocha's usual output; and a sentence when no test ran, which `fail-zero` makes a failure.
const { reporters } = require("mocha");

module.exports = class TestReporter extends reporters.Spec {
  epilogue() {
    if (this.stats.tests > 0) super.epilogue();
    else process.stderr.write("platen: No test matches.\n");
  }
};
