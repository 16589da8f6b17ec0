import { expect } from "chai";
import { overlayHtml } from "../../../core/compiler/index.js";
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

  it("has a sheet for each page with its number, and the first header on the first", () => {
    const page = {
      header: [text("other {{ root.a }}")],
      firstHeader: [text("first")],
      footer: [numbered("bold")],
    };
    const { overlay } = merged({ page }, { a: "<x>" });
    const html = overlay ? overlayHtml(overlay, 3) : "";
    const sheets = html.split('<div class="strip">').slice(1);
    expect(sheets).to.have.length(3);
    expect(sheets[0]).to.include("first").and.to.include("</strong>1/3");
    expect(sheets[2])
      .to.include("other &lt;x&gt;")
      .and.to.include("</strong>3/3");
  });
});
