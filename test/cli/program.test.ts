import { expect } from "chai";
import { describe, it } from "mocha";
import { nodeProblem } from "../../core/cli/node-version.js";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("platen", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);

  it("shows help when it is called without arguments", async () => {
    const { code, stdout, stderr } = await cli();
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    expect(stdout).to.equal((await cli("--help")).stdout);
    for (const line of [
      /^ {2}start +Run the whole service/m,
      /^ {2}render +Render a document to a file/m,
      /^ {2}webhook +Manage webhook endpoints/m,
    ])
      expect(stdout).to.match(line);
  });

  it("lists the commands of a group with --help and with help", async () => {
    const { code, stdout } = await cli("org", "--help");
    expect(code).to.equal(0);
    expect(stdout).to.match(/^ {2}create .*organization/m);
    expect((await cli("help", "org")).stdout).to.equal(stdout);
  });

  it("suggests the most similar command for an unknown one", async () => {
    const group = await cli("webhok", "list");
    expect(group.code).to.equal(2);
    expect(group.stderr).to.include("Did you mean webhook?");
    const command = await cli("org", "lst");
    expect(command.code).to.equal(2);
    expect(command.stderr).to.include("Did you mean list?");
  });

  it("supports Node 22.14 and newer, except 23", () => {
    const supported = ["22.14.0", "22.23.0", "24.0.0", "25.1.0", "26.10.0"];
    const unsupported = ["18.20.8", "20.20.2", "22.13.1", "23.11.0"];
    expect(supported.filter((one) => nodeProblem(one) !== null)).to.eql([]);
    expect(unsupported.filter((one) => nodeProblem(one) === null)).to.eql([]);
    expect(nodeProblem("20.20.2")).to.match(
      /^platen needs Node 22\.14 or newer, but this is Node 20\.20\.2: .+$/,
    );
    expect(nodeProblem("23.11.0")).to.include("end of life");
  });
});
