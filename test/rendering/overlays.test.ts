import { expect } from "chai";
import { PlatenError } from "../../core/plugin-api/index.js";
import { readPdf } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const SHEET =
  "@page { size: A4; margin: 0 } body { margin: 0 } div { height: 297mm; overflow: hidden; break-after: page } div:last-child { break-after: auto }";
const body = page("<div>Body A</div><div>Body B</div><div>Body C</div>", SHEET);

function strips(count: number): string {
  const sheets = Array.from(
    { length: count },
    (_, index) => `<div>Strip ${index + 1} of ${count}</div>`,
  );
  return page(sheets.join(""), SHEET);
}

describe("an overlay", () => {
  it("is printed for the number of pages that the body took, and laid over it", async () => {
    const renderer = await sharedRenderer();
    const printed = await renderer.pdf({
      html: body,
      overlay: strips,
      deadline: ample(),
    });
    const texts = (await readPdf(printed.bytes)).map(({ text }) => text);
    expect(printed.pages).to.equal(3);
    expect(texts).to.deep.equal([
      "Body AStrip 1 of 3",
      "Body BStrip 2 of 3",
      "Body CStrip 3 of 3",
    ]);
    expect(printed.phases.overlayMs).to.be.greaterThan(0);
  });

  it("with a different number of pages is rejected", async () => {
    const renderer = await sharedRenderer();
    const error: unknown = await renderer
      .pdf({ html: body, overlay: () => strips(4), deadline: ample() })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(PlatenError);
    expect(error).to.have.property("code", "render_failed");
    expect(error).to.have.property("message").that.includes("4 pages");
  });
});
