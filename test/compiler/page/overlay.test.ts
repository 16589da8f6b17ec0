import { expect } from "chai";
import { merged, text } from "../support.js";

const numbered = (...marks: string[]) => ({
  type: "text",
  text: [
    { text: "Page ", marks },
    { pageNumber: "page" },
    "/",
    { pageNumber: "pages" },
  ],
});

describe("an overlay", () => {
  it("contains the headers whose page numbers a margin box cannot place", () => {
    const footers = [
      [numbered("bold")],
      [text("of unknown height"), numbered()],
      [{ ...numbered(), style: { width: "50%" } }],
      [numbered(), numbered()],
    ];
    for (const footer of footers) {
      const { html, report, overlay } = merged({ page: { footer } });
      expect(report.headers).to.equal("overlay");
      expect(overlay).not.to.equal(null);
      expect(html).not.to.include("@bottom-center");
    }
  });
});
