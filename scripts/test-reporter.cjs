// Mocha's usual output, and the files of failed tests in `.cache/failed-tests`, a line each, for `.ci/run`.
const { mkdirSync, rmSync, writeFileSync } = require("node:fs");
const { relative } = require("node:path");
const { reporters } = require("mocha");

const list = ".cache/failed-tests";

module.exports = class TestReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const files = new Set();
    rmSync(list, { force: true });
    runner.on("fail", ({ file }) => {
      if (!file) return;
      files.add(relative(process.cwd(), file));
      mkdirSync(".cache", { recursive: true });
      writeFileSync(list, [...files, ""].join("\n"));
    });
  }
};
