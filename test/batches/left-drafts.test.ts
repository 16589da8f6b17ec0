import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { TestService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";

describe("the draft file of a killed process", () => {
  const folder = suiteFolder();

  it("is deleted at the next start, unless it is new", async () => {
    const old = join(folder, ".draft-old");
    const fresh = join(folder, ".draft-fresh");
    for (const path of [old, fresh]) await writeFile(path, "");
    await utimes(old, new Date(0), new Date(0));
    const service = new TestService(folder, {});
    await service.start();
    await service.stop();
    const names = await readdir(folder);
    expect(names).to.include(".draft-fresh");
    expect(names).not.to.include(".draft-old");
  });
});
