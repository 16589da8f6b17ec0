import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { Deadline, PlatenError } from "../../core/plugin-api/index.js";
import { endlessLayout } from "../support/large-documents.js";
import { fontNames, pdfFacts, pdfText, readPdf } from "../support/read-pdf.js";
import { page, sharedRenderer } from "../support/renderer.js";
import { failure, print, shoot } from "./jobs.js";

const MM = 72 / 25.4;
const SHEETS = "p { break-after: page } p:last-child { break-after: auto }";

async function readTexts(bytes: Buffer): Promise<string[]> {
  return (await readPdf(bytes)).map(({ text }) => text);
}

/** How long a print is that shows a file of the machine. */
const measureFile = async (file: string) => {
  const sources = ["iframe src", "embed src", "img src", "object data"];
  const tags = sources.map((source) => `<${source}="file://${file}">`);
  return (await print(page(tags.join("<br>")))).bytes.length;
};

describe("printing a document", () => {
  it("takes size and margins from its @page rules and counts the pages", async () => {
    const html = page(
      "<p>One</p><p>Two</p><p>Three</p>",
      `@page { size: A5 landscape; margin: 10mm } ${SHEETS}`,
    );
    const printed = await print(html);
    const [first] = await readPdf(printed.bytes);
    expect(printed.pages).to.equal(3);
    expect(await readTexts(printed.bytes)).to.eql(["One", "Two", "Three"]);
    expect(first?.widthPt).to.be.closeTo(210 * MM, 1);
    expect(first?.heightPt).to.be.closeTo(148 * MM, 1);
  });

  it("prints page numbers in margin boxes", async () => {
    const html = page(
      "<p>One</p><p>Two</p>",
      `@page { @bottom-right { content: counter(page) ' of ' counter(pages) } } ${SHEETS}`,
    );
    const { bytes } = await print(html);
    expect(await readTexts(bytes)).to.eql(["1 of 2One", "2 of 2Two"]);
  });

  it("reports how long it waited and printed", async () => {
    const { phases } = await print(page("x"));
    expect(phases.printMs).to.be.greaterThan(0);
    expect(phases.queueMs).to.be.at.least(0);
    expect(phases).not.to.have.property("overlayMs");
  });

  it("keeps the text, fonts and named styles of documents apart that are printed at the same time", async () => {
    const prints = Array.from({ length: 40 }, async (_, index) => {
      const isOdd = index % 2 === 1;
      const font = isOdd ? "Tinos" : "Cousine";
      const style = `@font-face { font-family: Brand; src: local("${font}-Regular") } @page { size: ${isOdd ? "A5" : "A4"} } p { font-family: Brand }`;
      const { bytes } = await print(page(`<p>Document ${index}</p>`, style));
      expect(await pdfText(bytes)).to.equal(`Document ${index}`);
      expect(fontNames(bytes)).to.deep.equal([`${font}-Regular`]);
    });
    await Promise.all(prints);
  });

  it("ends at its deadline although only the print holds a reference to it", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage: () => void = runInNewContext("gc");
    await sharedRenderer();
    const { signal } = new AbortController();
    const collecting = setInterval(collectGarbage, 20);
    const deadline = Deadline.after(500, signal);
    const error = await failure(print(endlessLayout(), { deadline }));
    clearInterval(collecting);
    expect(error).to.have.property("code", "timeout");
  });

  it("cannot read files of the machine", async () => {
    expect(await measureFile("/etc/os-release")).to.equal(
      await measureFile("/nowhere/x"),
    );
  });
});

describe("the number of pages", () => {
  for (const count of [1, 8, 9, 70])
    it(`is right for ${count} pages, however deep the page tree is`, async () => {
      const printed = await print(page("<p>x</p>".repeat(count), SHEETS));
      expect(printed.pages).to.equal(count);
      expect(await readPdf(printed.bytes)).to.have.length(count);
    });

  it("is not taken from a title that looks like a page tree", async () => {
    const title = "<</Type /Pages\n/Count 99";
    expect((await print(page("<p>x</p>"), { title })).pages).to.equal(1);
  });
});

describe("the properties of a printed PDF", () => {
  it("have Platen as creator, and the job's title, whatever that says", async () => {
    for (const title of ["A /Creator (Chromium) of PDFs", 'A & "B" <c>']) {
      const { bytes } = await print(page("Hello"), { title });
      const { info, pages } = await pdfFacts(bytes);
      expect(info).to.include({ Creator: "Platen", Title: title });
      expect(pages).to.eql(["Hello"]);
    }
  });

  it("have the title of the document before that of the job", async () => {
    const html = page("x").replace("<head>", "<head><title>Own</title>");
    const { bytes } = await print(html, { title: "Given" });
    expect((await pdfFacts(bytes)).info).to.include({ Title: "Own" });
  });

  it("declare its language and that it has a structure, when it is tagged", async () => {
    const html = page("<h1>Überschrift</h1>", "", "de");
    const tagged = await print(html, { tagged: true });
    const plain = await print(html);
    expect(tagged.bytes.toString("latin1")).to.match(/\/Lang \(de\)/);
    expect(tagged.bytes.includes("/StructTreeRoot")).to.equal(true);
    expect(plain.bytes.includes("/StructTreeRoot")).to.equal(false);
  });
});

describe("an overlay", () => {
  const SHEET =
    "@page { size: A4; margin: 0 } body { margin: 0 } div { height: 297mm; overflow: hidden; break-after: page } div:last-child { break-after: auto }";
  const body = page(
    "<div>Body A</div><div>Body B</div><div>Body C</div>",
    SHEET,
  );
  const strips = (count: number) => {
    const sheets = Array.from(
      { length: count },
      (_, index) => `<div>Strip ${index + 1} of ${count}</div>`,
    );
    return page(sheets.join(""), SHEET);
  };

  it("is printed for the number of pages that the body took, and laid over it", async () => {
    const printed = await print(body, { overlay: strips });
    expect(printed.pages).to.equal(3);
    expect(await readTexts(printed.bytes)).to.deep.equal([
      "Body AStrip 1 of 3",
      "Body BStrip 2 of 3",
      "Body CStrip 3 of 3",
    ]);
    expect(printed.phases.overlayMs).to.be.greaterThan(0);
  });

  it("with a different number of pages is rejected", async () => {
    const error = await failure(print(body, { overlay: () => strips(4) }));
    expect(error).to.be.instanceOf(PlatenError);
    expect(error).to.have.property("code", "render_failed");
    expect(error).to.have.property("message").that.includes("4 pages");
  });
});

const look = async (head: string) => {
  const html = page(
    head + "<p>Here</p>".repeat(200),
    "p { font-family: Inter }",
  );
  const { bytes } = await shoot(html);
  return { bytes, text: await pdfText((await print(html)).bytes) };
};

describe("a document with a redirect", () => {
  it("is printed itself instead of the target of the redirect", async () => {
    const plain = await look("");
    for (const place of [
      "0",
      "0; url=about:blank",
      "0; url=http://127.0.0.1:9/",
    ]) {
      const leading = `<meta http-equiv="refresh" content="${place}">`;
      expect(await look(leading), place).to.deep.equal(plain);
    }
  });

  it("may contain the text of a redirect", async () => {
    const { bytes } = await print(page("<p>&lt;META HTTP-EQUIV=refresh></p>"));
    expect(await pdfText(bytes)).to.equal("<META HTTP-EQUIV=refresh>");
  });
});
