import { expect } from "chai";
import { until } from "../support/eventually.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("a browser that has grown past its limit", () => {
  it("is replaced without failing a job, and then ended", async () => {
    const renderer = await startRenderer({ pages: 2, recyclePssMb: 1 });
    const first = renderer.health().browser?.pid ?? 0;
    const printed = await until("another browser prints", async () => {
      const { pages } = await renderer.pdf({
        html: page(`x<!-- ${"-".repeat(200_000)} -->`),
        deadline: ample(),
      });
      return renderer.health().browser?.pid === first ? null : pages;
    });
    expect(printed).to.equal(1);
    await until("the first is gone", () => {
      try {
        return !process.kill(first, 0);
      } catch {
        return true;
      }
    });
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 0 });
    await renderer.stop();
  });
});
