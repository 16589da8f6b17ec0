import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { expect } from "chai";
import { installBrowser } from "../../core/rendering/index.js";
import { RENDER_CACHE } from "../support/renderer.js";

const OTHERS = 0o007;
const WRITE_BUT_OWNER = 0o022;

describe("the folder of the unpacked browser", () => {
  it("is not accessible to other users", async () => {
    const { profiles } = await installBrowser(RENDER_CACHE);
    const { mode } = await stat(dirname(profiles));
    expect(mode & OTHERS).to.equal(0);
  });

  it("contains a program that only its owner can change", async () => {
    const { executable, user } = await installBrowser(RENDER_CACHE);
    const { uid, mode } = await stat(executable);
    expect(mode & WRITE_BUT_OWNER).to.equal(0);
    expect(uid).to.equal(process.getuid?.());
    expect(uid).not.to.equal(user?.uid);
  });
});
