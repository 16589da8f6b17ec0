import { expect } from "chai";
import { describe, it } from "mocha";
import type { Finding } from "../../core/cli/services.js";
import { type Cli, cliOn, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("platen doctor", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);
  it("reports no failure on a working installation and lists each part", async () => {
    const org = await json(cli, "org", "create", "--name=N", "--plan=pro");
    const at = `--url=https://receiver.example/hook`;
    await json(cli, "webhook", "create", `--org=${org.id}`, at);
    const { code, findings, failed } = await examine(cli);
    expect({ code, failed }).to.deep.equal({ code: 0, failed: [] });
    expect(findings.map(({ check }) => check)).to.include.members([
      "configuration",
      "data folder",
      "secret",
      "database",
      "clock",
      "queue",
      "webhooks",
      "saved secrets",
      "file store",
      "browser",
      "plugins",
    ]);
  });

  it("reports what fails and how to fix it, and exits with 1", async () => {
    const { code, findings, failed } = await examine(
      cliOn(folder, {
        PLATEN_SECRET: "another secret than the one that saved it",
        PUPPETEER_EXECUTABLE_PATH: "/bin/false",
        PLATEN_FILE_STORE: "tape://drive",
      }),
    );
    expect(code).to.equal(1);
    expect(failed).to.deep.equal(["saved secrets", "file store", "browser"]);
    for (const { state, fix } of findings)
      if (state === "fail") expect(fix).to.be.a("string");
  });

  it("reports configuration values that cannot be used", async () => {
    const bad = await cliOn(folder, { PLATEN_PORT: "x" })("doctor");
    expect(bad.code).to.equal(1);
    expect(bad.stdout).to.match(/^fail {2}configuration.*\n.*PLATEN_PORT/);
  });
});

async function examine(on: Cli) {
  const { code, stdout } = await on("doctor", "--json");
  const findings: Finding[] = JSON.parse(stdout);
  const failed = findings.filter(({ state }) => state === "fail");
  return { code, findings, failed: failed.map(({ check }) => check) };
}
