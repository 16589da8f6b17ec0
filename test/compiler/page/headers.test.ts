import { expect } from "chai";
import { merged, text } from "../support.js";

const columns = (...cells: object[]) => ({
  type: "columns",
  gap: "0",
  components: cells.map((cell) => ({ type: "column", components: [cell] })),
});
const getPage = { type: "page-number", format: "Page {page} of {pages}" };

function boxes(html: string): string[] {
  return html.match(/@(top|bottom)-\w+\{content:[^}]*\}/g) ?? [];
}

describe("a header or footer", () => {
  it("is an image in a margin box with the merged data", () => {
    const page = { header: [text("<{{ root.title }}>")] };
    const { html, report, overlay } = merged({ page }, { title: 'A"%' });
    expect(report.headers).to.equal("margin-box");
    expect(overlay).to.equal(null);
    expect(html).to.include("%3Cp%3E&lt;A&quot;%25&gt;%3C/p%3E");
    expect(boxes(html)).to.have.length(3);
    expect(boxes(html)[1])
      .to.include('@top-center{content:"";')
      .and.include("var(--top)");
  });

  it("counts pages in a text of its margin box, above a rule that is part of the image", () => {
    const footer = [{ type: "divider" }, columns(text("Acme"), getPage)];
    const { html, report } = merged({ page: { footer } });
    expect(report.headers).to.equal("margin-box");
    expect(html).to.include(
      '@bottom-center{content:"Page " counter(page) " of " counter(pages);',
    );
    expect(html).to.include("%3Chr/%3E");
    // 13 px of rule above; the right half of 657.638 px.
    expect(html).to.include("padding:13px 0px 0px 328.819px");
  });

  it("shares its edge between several texts that count pages", () => {
    const footer = [columns(getPage, text("x"), getPage)];
    const { html } = merged({ page: { footer } });
    expect(boxes(html).map((box) => box.slice(0, 26))).to.eql([
      '@bottom-left{content:"Page',
      "@bottom-center{content:non",
      '@bottom-right{content:"Pag',
    ]);
  });

  it("can be different or empty on the first page", () => {
    const header = [text("all")];
    const own = merged({ page: { header, firstHeader: [text("first")] } }).html;
    expect(own)
      .to.include("@page{@top-left")
      .and.include("@page :first{@top-left");
    expect(own).to.include("--first-top:url(");
    const bare = merged({ page: { header, firstHeader: [] } }).html;
    expect(bare).to.include(
      "@page :first{@top-left{content:none}@top-center{content:none}",
    );
  });

  it("is shown as an element on a screen", () => {
    const { html } = merged({ page: { footer: [text("a"), getPage] } });
    expect(html).to.include(
      '<footer class="band"><p>a</p><p>Page 1 of 1</p></footer>',
    );
  });

  it("keeps data inside the content of its margin box", () => {
    const numbered = text("", {
      text: ["{{ root.a }} ", { pageNumber: "page" }],
    });
    const { html } = merged(
      { page: { footer: [numbered] } },
      { a: '"};</style>\\' },
    );
    expect(html).to.include(
      'content:"\\22 };\\3c /style\\3e \\5c  " counter(page)',
    );
  });
});
