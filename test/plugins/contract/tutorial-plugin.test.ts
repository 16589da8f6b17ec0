import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import { suiteFolder } from "../../support/store-folder.js";

const root = process.cwd();

describe("the plugin of the tutorial", () => {
  const folder = suiteFolder();

  it("passes the contract suite as a package of its own", () => {
    const page = join(root, "docs/tutorials/first-plugin.md");
    const blocks = readFileSync(page, "utf8").matchAll(
      /^```\w+ file=data\/plugins\/(\S+)\n([^]*?)^```$/gm,
    );
    for (const [, path = "", content = ""] of blocks)
      writeFileSync(join(folder, basename(path)), content);
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/platen"));
    const { status, stdout, stderr } = spawnSync("npm", ["test"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(status, stdout + stderr).to.equal(0);
    expect(stdout).to.match(/fail 0\n/);
    expect(stdout).to.match(/pass 2\d\n/);
  });
});
