import { expect } from "chai";
import { ample, page, sharedRenderer } from "../support/renderer.js";

describe("pictures of pages", () => {
  let pdf: Buffer;

  before(async () => {
    const renderer = await sharedRenderer();
    const job = { html: page("x"), deadline: ample() };
    pdf = (await renderer.pdf(job)).bytes;
  });

  async function rejection(pages: string, scale = 1): Promise<unknown> {
    const renderer = await sharedRenderer();
    return renderer
      .images({ pdf, type: "png", pages, scale, deadline: ample() })
      .catch((error: unknown) => error);
  }

  for (const choice of ["", "0", "2-1", "1;2", "a", "-1", "1-", "1e3"])
    it(`are rejected for the selection "${choice}"`, async () => {
      const error = await rejection(choice);
      expect(error).to.have.property("code", "invalid_request");
      expect(error).to.have.property("message").that.includes("1-3,5");
    });

  it("are rejected for pages that the document does not have", async () => {
    const error = await rejection("1-2");
    expect(error).to.have.property("code", "invalid_request");
    expect(error).to.have.property("message").that.includes("1 page");
  });

  it("are rejected past 64 million pixels, and the next ones are drawn", async () => {
    expect(await rejection("1", 40)).to.have.property("code", "too_large");
    expect(await rejection("1"))
      .to.be.an("array")
      .with.length(1);
  });
});
