import { expect } from "chai";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("the browser's sandbox", () => {
  it("is off when the setting says so, and printing works", async () => {
    const renderer = await startRenderer({ sandbox: "off", pages: 1 });
    const job = { html: page("x"), deadline: ample() };
    expect(renderer.health().browser?.isSandboxed).to.equal(false);
    expect((await renderer.pdf(job)).pages).to.equal(1);
    await renderer.stop();
  });
});
