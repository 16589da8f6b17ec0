import { expect } from "chai";
import { PDFDocument } from "@cantoo/pdf-lib";
import { ample, page, sharedRenderer } from "../support/renderer.js";

async function readTitle(html: string, title?: string): Promise<string> {
  const renderer = await sharedRenderer();
  const job = { html, tagged: true, deadline: ample() };
  const { bytes } = await renderer.pdf(
    title === undefined ? job : { ...job, title },
  );
  return (await PDFDocument.load(bytes)).getTitle() ?? "";
}

describe("the title of a PDF", () => {
  it("is the document's own", async () => {
    const html = page("x").replace("<head>", "<head><title>Own</title>");
    expect(await readTitle(html, "Given")).to.equal("Own");
  });

  it("is the job's when the document has none", async () => {
    expect(await readTitle(page("x"), 'A & "B" <c>')).to.equal('A & "B" <c>');
  });
});

describe("a tagged PDF", () => {
  it("declares its language and that it has a structure", async () => {
    const renderer = await sharedRenderer();
    const html = page("<h1>Überschrift</h1>", "", "de");
    const job = { html, deadline: ample() };
    const tagged = await renderer.pdf({ ...job, tagged: true });
    const plain = await renderer.pdf(job);
    expect(tagged.bytes.toString("latin1")).to.match(/\/Lang \(de\)/);
    expect(tagged.bytes.includes("/StructTreeRoot")).to.equal(true);
    expect(plain.bytes.includes("/StructTreeRoot")).to.equal(false);
  });
});
