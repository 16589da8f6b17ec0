import { expect } from "chai";
import sharp from "sharp";
import { inlineAssets } from "../../core/compiler/index.js";
import { readPicture } from "../compiler/drawing/read-code.js";
import { merged } from "../compiler/support.js";
import { page } from "../support/renderer.js";
import { draw, failure, print, readPixels, shoot } from "./jobs.js";

describe("pictures of a PDF's pages", () => {
  const style =
    "@page { size: 100px 50px; margin: 0; @top-left { content: 'Head' } } body { margin: 0 } div { height: 50px }";
  const html = page(
    '<div style="background: #f00"></div><div style="background: #0f0"></div><div></div>',
    style,
  );
  let pdf: Buffer;
  before(async () => {
    pdf = (await print(html)).bytes;
  });

  for (const type of ["png", "jpg"] as const)
    it(`are ${type} at twice the CSS size`, async () => {
      const [image] = await draw(pdf, { type, pages: "1", scale: undefined });
      const facts = await sharp(image?.bytes).metadata();
      expect(facts.format).to.equal(type === "jpg" ? "jpeg" : "png");
      expect([facts.width, facts.height]).to.eql([
        image?.widthPx,
        image?.heightPx,
      ]);
      expect(facts.width).to.equal(200);
      expect(facts.height).to.be.closeTo(100, 2);
      expect(facts.hasAlpha).to.equal(false);
    });

  for (const [choice, pages] of [
    ["all", [1, 2, 3]],
    ["3,1-2", [3, 1, 2]],
    ["2, 2", [2]],
  ] as const)
    it(`are the selected pages, in the requested order: ${choice}`, async () => {
      const images = await draw(pdf, { pages: choice });
      expect(images.map((image) => image.page)).to.deep.equal(pages);
      const second = images.find((image) => image.page === 2);
      expect((await readPixels(second?.bytes)).at(50, 25)).to.eql([0, 255, 0]);
    });

  it("are one picture with one page below the other on request", async () => {
    const images = await draw(pdf, { pages: "1-2", isSingle: true });
    expect(images).to.have.lengthOf(1);
    const { width, height, at } = await readPixels(images[0]?.bytes);
    expect(width).to.equal(100);
    expect(height).to.be.closeTo(100, 2);
    expect(at(50, 25)).to.deep.equal([255, 0, 0]);
    expect(at(50, 75)).to.deep.equal([0, 255, 0]);
  });

  for (const choice of ["", "0", "2-1", "1;2", "a", "-1", "1-", "1e3"])
    it(`are rejected for the selection "${choice}"`, async () => {
      const error = await failure(draw(pdf, { pages: choice }));
      expect(error).to.have.property("code", "invalid_request");
      expect(error).to.have.property("message").that.includes("1-3,5");
    });

  it("are rejected for pages that the document does not have", async () => {
    const error = await failure(draw(pdf, { pages: "1-4" }));
    expect(error).to.have.property("code", "invalid_request");
    expect(error).to.have.property("message").that.includes("3 pages");
  });

  it("are rejected past 64 million pixels before they are drawn, and the next ones are drawn", async () => {
    for (const isSingle of [false, true]) {
      const error = await failure(draw(pdf, { isSingle, scale: 120 }));
      expect(error).to.have.property("code", "too_large");
    }
    expect(await draw(pdf)).to.have.length(3);
  });
});

function barcode(symbology: string, value: string, width: string) {
  return { type: "barcode", symbology, value, width, showText: false };
}

describe("codes in pictures of a PDF's pages", () => {
  const gs1 = "(01)09506000134352(17)261130(10)ABC";
  // A bar is 2 to 2.4 pixels wide.
  const codes = [
    ...["113px", "115px", "119px", "131px"].map((width) =>
      barcode("ean13", "4006381333931", width),
    ),
    ...["133px", "137px", "151px"].map((width) =>
      barcode("code128", "ABC-1234", width),
    ),
    ...["265px", "267px", "301px"].map((width) =>
      barcode("gs1-128", gs1, width),
    ),
    ...["25px", "27px"].map((width) => barcode("gs1datamatrix", gs1, width)),
    ...["29px", "31px"].map((size) => ({ type: "qrcode", value: "A-1", size })),
  ];
  const setup = {
    size: "Custom",
    width: "400px",
    height: "200px",
    margin: "20px",
  };

  for (const align of ["left", "center"])
    it(`are read at two pixels for each bar, wherever they stand: ${align}`, async () => {
      for (const code of codes) {
        const component = { ...code, style: { "text-align": align } };
        const document = merged({ page: setup, components: [component] });
        const html = inlineAssets(document, new Map());
        const { bytes: pdf } = await print(html);
        const [image] = await draw(pdf, { scale: 2 });
        const edge = 40;
        const alone = sharp(image?.bytes).trim().extend({
          top: edge,
          bottom: edge,
          left: edge,
          right: edge,
          background: "#fff",
        });
        const read = await readPicture(await alone.png().toBuffer());
        const name = JSON.stringify(component);
        expect([name, ...read.map(({ text }) => text)]).to.eql([
          name,
          code.value,
        ]);
      }
    });
});

describe("a screenshot", () => {
  const html = page(
    "<div></div>",
    "body { margin: 0 } div { height: 700px; background: #00f } @media print { div { background: #f00 } }",
  );

  it("shows the whole document at the requested width with screen styles", async () => {
    const shot = await shoot(html, { widthPx: 600, scale: 2 });
    const { width, height, at } = await readPixels(shot.bytes);
    expect([width, height]).to.deep.equal([1200, 1400]);
    expect([shot.widthPx, shot.heightPx]).to.deep.equal([1200, 1400]);
    expect(at(600, 700)).to.deep.equal([0, 0, 255]);
  });

  for (const type of ["png", "jpg"] as const)
    it(`says how many pixels an inch has (${type})`, async () => {
      const { bytes } = await shoot(html, { type, scale: 1.5 });
      expect((await sharp(bytes).metadata()).density).to.equal(144);
    });

  it("shows nothing of the previous document", async () => {
    await shoot(html, { widthPx: 900, type: "jpg" });
    const next = "<p style='height: 150px; margin: 0'>x</p>";
    const shot = await shoot(page(next, "body{margin:0}"), { type: "jpg" });
    expect([shot.widthPx, shot.heightPx]).to.deep.equal([300, 150]);
  });

  it("reports elements that are too wide and characters that no font has, and nothing else", async () => {
    const style = "body { margin: 0 }";
    const wide = '<p style="width: 420px">Too wide: Ꭰ</p>';
    const { overflow, missingGlyphs } = await shoot(page(wide, style));
    expect(overflow).to.deep.equal([
      { element: "p", text: "Too wide: Ꭰ", widthPx: 420, roomPx: 300 },
    ]);
    expect(missingGlyphs).to.deep.equal([
      { character: "Ꭰ", codePoint: "U+13A0", count: 1 },
    ]);
    const fits = await shoot(page("<p>All fits</p>", style));
    expect([...fits.overflow, ...fits.missingGlyphs]).to.deep.equal([]);
  });
});
