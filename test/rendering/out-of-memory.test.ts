import { expect } from "chai";
import { hungryLayout } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("a document that needs more memory than a page may take", () => {
  it("fails alone, with an error that says how to fix it", async () => {
    const renderer = await startRenderer({ pages: 2, pageMemoryMb: 512 });
    const exhausting = renderer
      .pdf({ html: hungryLayout(), deadline: ample() })
      .catch((reason: unknown) => reason);
    const neighbours = Array.from({ length: 20 }, () =>
      renderer.pdf({ html: page("n"), deadline: ample() }),
    );
    for (const { pages } of await Promise.all(neighbours))
      expect(pages).to.equal(1);
    const error = await exhausting;
    expect(error).to.have.property("code", "crashed");
    expect(error).to.have.property("message").that.includes("smaller");
    const jobs = [1, 2].map(() =>
      renderer.pdf({ html: page("x"), deadline: ample() }),
    );
    for (const { pages } of await Promise.all(jobs)) expect(pages).to.equal(1);
    expect(renderer.health().restarts).to.equal(0);
    await renderer.stop();
  });
});
