import { expect } from "chai";
import { pdfText } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const places = ["0", "0; url=about:blank", "0; url=http://127.0.0.1:9/"];

const style = "p { font-family: Inter }";
const shape = { widthPx: 300, type: "png", scale: 1 } as const;

async function draw(head: string) {
  const renderer = await sharedRenderer();
  const html = page(head + "<p>Here</p>".repeat(500), style);
  const job = { html, deadline: ample() };
  const { bytes } = await renderer.screenshot({ ...job, ...shape });
  return { bytes, text: await pdfText((await renderer.pdf(job)).bytes) };
}

describe("a document with a redirect", () => {
  it("is printed itself instead of the target of the redirect", async () => {
    const plain = await draw("");
    for (const place of places) {
      const leading = `<meta http-equiv="refresh" content="${place}">`;
      expect(await draw(leading), place).to.deep.equal(plain);
    }
  });

  it("may contain the text of a redirect", async () => {
    const renderer = await sharedRenderer();
    const html = page("<p>&lt;META HTTP-EQUIV=refresh></p>");
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(await pdfText(bytes)).to.equal("<META HTTP-EQUIV=refresh>");
  });
});
