import { expect } from "chai";
import { describe, it } from "mocha";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("the exit code", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);

  it("is 0 for help and version, on stdout", async () => {
    const help = await cli("--help");
    expect(help).to.include({ code: 0, stderr: "" });
    expect(help.stdout).to.include("template");
    expect(await cli("--version")).to.include({ code: 0, stdout: "0.1.0\n" });
  });

  it("is 2 for wrong usage, with the reason on stderr", async () => {
    for (const [args, words] of [
      [["org", "create", "--name", "N"], "--plan <plan>' not specified"],
      [["orgs"], "unknown command 'orgs'"],
      [
        ["key", "create", "--org", "x", "--scopes", "all", "--expires", "soon"],
        "Give a date",
      ],
    ] as const) {
      const { code, stdout, stderr } = await cli(...args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: "" });
      expect(stderr).to.include(words);
    }
  });

  it("is 1 for a rejected command, with the reason as text or JSON", async () => {
    const args = ["org", "create", "--name", "N", "--plan", "gold"];
    const words = await cli(...args);
    expect(words).to.include({ code: 1, stdout: "" });
    expect(words.stderr).to.include("platen: plan must be one of free");
    const { code, stdout, stderr } = await cli(...args, "--json");
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    expect(JSON.parse(stderr)).to.have.all.keys("error", "problems");
  });

  it("is 1 for an invalid configuration, with every problem listed", async () => {
    const bad = cliOn(folder, { PLATEN_PORT: "x", PLATEN_DEMO: "y" });
    const { code, stderr } = await bad("org", "list");
    expect(code).to.equal(1);
    expect(stderr).to.include("PLATEN_PORT").and.include("PLATEN_DEMO");
  });
});
