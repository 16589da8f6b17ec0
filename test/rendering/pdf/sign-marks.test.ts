import { degrees, PDFDocument, PDFString, rgb } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { PdfEditor } from "../../../core/rendering/pdf/index.js";
import { ample } from "../../support/renderer.js";
import { getLinks, readPdf } from "../../support/read-pdf.js";
import { drawnEdges, getEdges } from "../../support/signing-documents.js";

const address = "https://esign.invalid/secret/";
const place = { x: 130, y: 240, width: 90, height: 40 };

/** One page with a coloured box, and a link over it. */
async function marked(turn: number, isCropped: boolean): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([420, 600]);
  if (isCropped) {
    page.setMediaBox(20, 30, 400, 570);
    page.setCropBox(45, 60, 330, 410);
  }
  page.setRotation(degrees(turn));
  page.drawRectangle({ ...place, color: rgb(1, 0, 1) });
  const { x, y, width, height } = place;
  for (const uri of [`${address}7`, "https://example.com/"])
    page.node.addAnnot(
      pdf.context.register(
        pdf.context.obj({
          Type: "Annot",
          Subtype: "Link",
          Rect: [x + width, y + height, x, y],
          A: { S: "URI", URI: PDFString.of(uri) },
        }),
      ),
    );
  return Buffer.from(await pdf.save());
}

describe("the marks of fields", () => {
  const finisher = new PdfEditor();
  after(() => finisher.stop());
  const nothing = { before: [], after: [], attachments: [] };

  for (const turn of [0, 90, 180, 270])
    for (const isCropped of [false, true])
      it(`are where a reader shows them on a page turned by ${turn}°${isCropped ? " and cropped" : ""}`, async () => {
        const printed = await marked(turn, isCropped);
        const finishing = { ...nothing, signLinks: address };
        const { bytes, marks, pages } = await finisher.finish(
          printed,
          finishing,
          ample(),
        );
        expect(pages).to.equal(1);
        const [mark] = marks;
        const [page] = await readPdf(bytes);
        if (!mark || !page) throw new Error("there is no mark");
        expect(mark.id).to.equal("7");
        const reported = getEdges(mark, page);
        const drawn = await drawnEdges(bytes, 1);
        for (const edge of ["left", "top", "right", "bottom"] as const)
          expect(reported[edge], edge).to.be.closeTo(drawn[edge], 0.5);
        expect(await getLinks(bytes)).to.eql(["https://example.com/"]);
      });
});
