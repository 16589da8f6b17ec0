import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { suiteFolder } from "../../support/store-folder.js";

const root = process.cwd();

describe("the example of a plugin", () => {
  const folder = suiteFolder();

  it("passes its own tests as a separate package", () => {
    cpSync(join(root, "examples/platen-plugin-directus"), folder, {
      recursive: true,
    });
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/platen"));
    const { status, stdout, stderr } = spawnSync("npm", ["test"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(status, stdout + stderr).to.equal(0);
    expect(stdout).to.match(/fail 0\n/);
    expect(stdout).to.match(/pass 3\d\n/);
  });
});
