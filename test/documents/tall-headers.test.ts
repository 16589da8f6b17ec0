import { expect } from "chai";
import { exported } from "../support/service.js";
import { definition } from "../support/store.js";
import { pdfText, readPdf, textTops, usePdfs } from "../support/read-pdf.js";

const text = (source: unknown, more: object = {}) => ({
  type: "text",
  text: source,
  ...more,
});
const SVG =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='2' height='3'><rect width='2' height='3' fill='red'/></svg>";
const logo = (height: string) => ({
  type: "image",
  src: SVG,
  height,
  alt: "Logo",
});
const body = Array.from({ length: 70 }, (_, index) =>
  text(`Line ${index + 1}`),
);
const pageNumber = { type: "page-number", format: "Page {page} of {pages}" };
/** Text whose position only a browser knows: it is printed as an overlay. */
const overlaid = text([
  { text: "Page ", marks: ["bold"] },
  { pageNumber: "page" },
]);

describe("a header or footer that is taller than its margin", () => {
  const { pdf, rejection, caller } = usePdfs();
  /** Where the body begins and ends on each page, in mm from the top. */
  const getBody = async (page: object, request: object = {}) => {
    const bytes = await pdf({ page, components: body }, request);
    const tops = await textTops(bytes, /^Line/);
    return tops.map((lines) => [Math.min(...lines), Math.max(...lines)]);
  };

  it("pushes the body down on every page", async () => {
    const [first, second] = await getBody({ header: [logo("60mm")] });
    expect(first?.[0]).to.be.within(60, 63);
    expect(second?.[0]).to.be.within(60, 63);
  });

  it("changes nothing as long as it fits", async () => {
    const header = [logo("19mm")];
    const footer = [text("Footer"), pageNumber];
    expect(await getBody({ header, footer })).to.deep.equal(await getBody({}));
  });

  it("pushes the body up when it is a footer", async () => {
    const [first] = await getBody({ footer: [logo("80mm"), pageNumber] });
    expect(first?.[0]).to.be.within(20, 23);
    expect(first?.[1]).to.be.within(195, 217);
  });

  it("takes more room on the first page only when it is that page's own", async () => {
    const [first, second] = await getBody({
      header: [text("Other")],
      firstHeader: [logo("60mm")],
      firstFooter: [logo("70mm")],
    });
    expect(first?.[0]).to.be.within(60, 63);
    expect(first?.[1]).to.be.within(200, 227);
    expect(second?.[0]).to.be.within(20, 23);
  });

  it("takes more room on all pages but the first when that has a small one", async () => {
    for (const small of [[], [text("First")], [overlaid]]) {
      const [first, second] = await getBody({
        header: [logo("60mm")],
        firstHeader: small,
      });
      expect(first?.[0]).to.be.within(20, 23);
      expect(second?.[0]).to.be.within(60, 63);
    }
  });

  it("pushes only for the records that make it tall", async () => {
    const page = { header: [text("{{ root.name }}")] };
    const [tall] = await getBody(page, {
      data: { name: "Wrapped words ".repeat(150) },
    });
    const [flat] = await getBody(page, { data: { name: "Ada" } });
    expect(tall?.[0]).to.be.above(60);
    expect(flat?.[0]).to.be.within(20, 23);
  });

  it("pushes the body of each document of a template, whose headers are the same", async () => {
    const page = { header: [logo("50mm")] };
    const [first] = await getBody(page, { data: { name: "Ada" } });
    const [second] = await getBody(page, { data: { name: "Grace" } });
    expect(first?.[0]).to.be.above(50);
    expect(second).to.deep.equal(first);
  });

  it("pushes the body when it is printed as an overlay", async () => {
    const [first, second] = await getBody({
      firstHeader: [logo("70mm"), overlaid],
      header: [logo("40mm"), overlaid],
    });
    expect(first?.[0]).to.be.within(74, 79);
    expect(second?.[0]).to.be.within(44, 49);
  });

  it("is printed completely", async () => {
    const lines = Array.from({ length: 30 }, (_, index) =>
      text(`Header ${index}`),
    );
    const bytes = await pdf({ page: { header: lines }, components: body });
    const [tops = []] = await textTops(bytes, /^Header/);
    expect(tops).to.have.length(30);
    expect(Math.min(...tops)).to.be.above(-1);
    const [lineTops = []] = await textTops(bytes, /^Line/);
    expect(Math.min(...lineTops)).to.be.above(Math.max(...tops) + 2);
  });

  it("pushes the body on landscape, custom and tagged pages", async () => {
    const header = [logo("40mm")];
    const [landscape] = await getBody({ size: "A5", landscape: true, header });
    expect(landscape?.[0]).to.be.within(40, 43);
    const custom = { size: "Custom", width: "100mm", height: "110mm" };
    const [small] = await getBody({ ...custom, header });
    expect(small?.[0]).to.be.within(40, 43);
    const bytes = await pdf({
      page: { header },
      pdf: { tagged: true },
      components: body,
    });
    const [tops = []] = await textTops(bytes, /^Line/);
    expect(Math.min(...tops)).to.be.within(40, 43);
  });

  it("pushes the body when a request makes its margin smaller", async () => {
    const page = { header: [logo("15mm")] };
    const [own] = await getBody(page);
    expect(own?.[0]).to.be.within(20, 23);
    const [asked] = await getBody(page, {
      renderOptions: { margin: { top: "5mm" } },
    });
    expect(asked?.[0]).to.be.within(15, 18);
    const [wide] = await getBody(page, { renderOptions: { margin: "30mm" } });
    expect(wide?.[0]).to.be.within(30, 33);
  });

  it("pushes the body on the screen of the html output", async () => {
    const templateId = await caller().publish({
      definition: {
        ...definition,
        page: { header: [logo("60mm")] },
        components: body,
      },
    });
    const { result } = await exported(caller(), {
      templateId,
      formats: ["html"],
      data: {},
    });
    expect(result.html?.htmlDocument).to.include(
      "header.band{min-height:75.591px;margin-top:-75.591px}",
    );
  });

  it("fails with both heights when it leaves no space for the body", async () => {
    const page = { header: [logo("200mm")], footer: [logo("95mm")] };
    const answer = await rejection(
      { page, components: body },
      { formats: ["pdf"], data: {} },
    );
    expect(answer).to.include("The header (200 mm) and the footer (9");
    expect(answer).to.include("leave no space for content on a page");
    const first = await rejection(
      { page: { firstFooter: [logo("290mm")] }, components: body },
      { formats: ["pdf"], data: {} },
    );
    expect(first).to.match(
      /The top margin \(20 mm\) and the footer \(29\d(\.\d)? mm\) leave no space for content on the first page of 210mm by 297mm\. Make the footer less tall/,
    );
  });

  it("leaves the pages that are joined to the document as they are", async () => {
    const bytes = await pdf({
      page: { header: [logo("60mm")], footer: [pageNumber] },
      components: [text("One"), { type: "page-break" }, text("Two")],
    });
    expect(await readPdf(bytes)).to.have.length(2);
    expect(await pdfText(bytes)).to.include("Page 2 of 2");
  });
});
