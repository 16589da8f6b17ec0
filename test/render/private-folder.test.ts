import { stat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { RENDER_CACHE, sharedRenderer } from "../support/renderer.js";

const OTHERS = 0o007;
const WRITE = 0o222;

describe("the folder of the unpacked browser", () => {
  before(() => sharedRenderer());

  it("is closed to everybody else", async () => {
    const { mode } = await stat(RENDER_CACHE);
    expect(mode & OTHERS).to.equal(0);
  });

  it("holds a program that its own user cannot change, when we are root", async function () {
    if (process.getuid?.() !== 0) this.skip();
    const names = await readdir(RENDER_CACHE);
    const folder = names.find((name) => name.startsWith("chromium-")) ?? "";
    const program = join(RENDER_CACHE, folder, "chromium");
    const { uid, gid, mode } = await stat(program);
    expect(uid).to.equal(0);
    expect(gid).not.to.equal(0);
    expect(mode & WRITE & ~0o200).to.equal(0);
  });
});
