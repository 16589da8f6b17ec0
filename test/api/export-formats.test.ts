import { createHash } from "node:crypto";
import { expect } from "chai";
import sharp from "sharp";
import { download, useApi } from "../support/api.js";
import { definition } from "../support/store.js";

const schema = definition.schema;
const remote = "https://images.example/a.png?size=1&crop=2";
const content = [
  { type: "text", text: "Dear {{ root.name }}" },
  { type: "image", src: "{{ root.picture }}", alt: "A picture" },
];
const column = (components: object[]) => [
  { type: "section", components: [{ type: "column", components }] },
];
const pages = ["One", "Two", "Three"].flatMap((text) => [
  { type: "text", text },
  { type: "page-break" },
]);

function checksumOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

describe("the formats of an export", () => {
  const api = useApi({ template: { name: "Letter: to A/B" } });
  const publish = (components: object[], more: object = {}) =>
    api.caller.publish({ definition: { schema, components, ...more } });

  it("are returned as links with size, checksum, file name and key, in the requested order, with the duration of each phase", async () => {
    const { result, document, headers } = await api.render({
      formats: ["image", "pdf", "html"],
    });
    for (const phase of ["queue", "compile", "merge", "print", "store"])
      expect(headers.get("server-timing")).to.match(
        new RegExp(`\\b${phase};dur=\\d+\\.\\d\\b`),
      );
    expect(result).to.have.all.keys("pdf", "html", "image");
    expect(document.outputs.map(({ label }) => label)).to.deep.equal([
      "image",
      "pdf",
      "html",
    ]);
    expect(document.status).to.equal("succeeded");
    const bytes = await download(result.pdf?.url);
    expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
    expect(result.pdf).to.include({
      sizeBytes: bytes.length,
      mimeType: "application/pdf",
      checksum: checksumOf(bytes),
      filename: "Letter- to A-B.pdf",
      storageKey: document.outputs[1]?.storageKey,
    });
    expect(result.image).to.include({
      mimeType: "image/png",
      filename: "Letter- to A-B.png",
    });
    expect(result.image).not.to.have.property("pages");
  });

  it("are named by the template's fileName with the record's data", async () => {
    const fileName = "For {{ root.name }} № 1";
    const templateId = await publish(content, { fileName });
    const data = { name: "Ada" };
    const { result } = await api.render({ templateId, formats: ["pdf"], data });
    expect(result.pdf?.filename).to.equal("For Ada № 1.pdf");
    const { headers } = await fetch(result.pdf?.url ?? "");
    expect(headers.get("content-disposition")).to.contain(
      "filename*=UTF-8''For%20Ada%20%E2%84%96%201.pdf",
    );
  });

  describe("html", () => {
    it("is the whole document with its size and checksum, and an empty url", async () => {
      const data = { name: "Zoë & <b>" };
      const { result, document } = await api.render({ data });
      const { htmlDocument = "", ...rest } = result.html ?? {};
      expect(htmlDocument).to.match(/^<!doctype html>/i);
      expect(htmlDocument).to.contain("Hello Zoë &amp; &lt;b&gt;");
      const bytes = Buffer.from(htmlDocument);
      const checksum = checksumOf(bytes);
      const sizeBytes = bytes.length;
      expect(rest).to.deep.equal({
        checksum,
        sizeBytes,
        mimeType: "text/html",
        url: "",
      });
      expect(document.outputs).to.have.length(1);
      const label = "html";
      expect(document.outputs[0]).to.include({ label, checksum, sizeBytes });
    });

    it("of several megabytes is complete, and the same in the stored file", async () => {
      // Characters of two code units, at odd places, and those that JSON escapes.
      const name = `x${'🦊"\\ \u2028é'.repeat(300_000)}`;
      const { result, document } = await api.render({ data: { name } });
      const html = result.html?.htmlDocument ?? "";
      const written = name.replaceAll('"', "&quot;");
      expect(html.includes(written)).to.equal(true);
      const file = await download(document.outputs[0]?.url);
      expect(file.toString() === html).to.equal(true);
    });
  });

  describe("mjml", () => {
    let email: string;
    let document: string;
    const data = { name: "Åsa & Co", picture: remote };
    before(async () => {
      document = await publish(content);
      email = await api.caller.publish({
        templateType: "email",
        definition: {
          schema,
          email: { subject: "Hello" },
          components: column(content),
        },
      });
    });
    const render = (templateId: string, ...formats: string[]) =>
      api.render({ templateId, formats, data });

    it("is the source of an email with the merged data, and stored", async () => {
      const { result, document: made } = await render(email, "mjml");
      expect(result.mjml).to.include({ mimeType: "text/mjml", url: "" });
      const { mjmlDocument, checksum } = result.mjml ?? expect.fail();
      expect(mjmlDocument)
        .to.match(/^<mjml/)
        .and.contain("Dear Åsa &amp; Co")
        .and.not.contain("{{");
      const [output] = made.outputs;
      expect(output).to.include({ label: "mjml", checksum });
      expect((await download(output?.url)).toString()).to.equal(mjmlDocument);
    });

    it("is the source of a document too", async () => {
      const { result } = await render(document, "mjml");
      expect(result.mjml?.mjmlDocument).to.contain("Dear Åsa &amp; Co");
    });

    it("leaves remote images to the recipient and reports none, unless the email is also printed", async () => {
      const { result, headers } = await render(email, "mjml", "html");
      const address = remote.replace("&", "&amp;");
      expect(result.mjml?.mjmlDocument).to.contain(address);
      expect(result.html?.htmlDocument).to.contain(address);
      expect(headers.get("x-render-warnings")).to.equal("0");
      const printed = await render(email, "mjml", "pdf");
      expect(printed.headers.get("x-render-warnings")).to.equal("1");
    });
  });

  describe("image", () => {
    const page = { size: "Custom", width: "400px", height: "300px" };
    let templateId: string;
    before(async () => {
      templateId = await publish(pages.slice(0, 3), {
        page: { ...page, margin: "20px" },
      });
    });
    const picture = async (
      renderOptions: object,
      imageType = "png",
      id = templateId,
    ) => {
      const { result } = await api.render({
        templateId: id,
        formats: ["image"],
        imageType,
        renderOptions,
      });
      const bytes = await download(result.image?.url);
      return { bytes, ...(await sharp(bytes).metadata()) };
    };

    it("shows the first page or the requested pages, each with its own link", async () => {
      const all = { templateId: await publish(pages), formats: ["image"] };
      const first = await api.render({ ...all, imageType: "jpg" });
      expect(first.result.image).to.include({
        mimeType: "image/jpeg",
        filename: "Letter.jpg",
      });
      expect(first.document.outputs).to.have.length(1);
      const renderOptions = { pages: "2-3" };
      const two = await api.render({ ...all, renderOptions });
      const images = two.result.image?.pages ?? [];
      expect(
        images.map(({ page: number, filename }) => [number, filename]),
      ).to.deep.equal([
        [2, "Letter-2.png"],
        [3, "Letter-3.png"],
      ]);
      expect(two.result.image?.url).to.equal(images[0]?.url);
      expect(two.document.outputs.map(({ label }) => label)).to.deep.equal([
        "image",
        "image-3",
      ]);
      const drawn = await Promise.all(images.map(({ url }) => download(url)));
      expect(drawn[0]?.subarray(1, 4).toString()).to.equal("PNG");
      expect(drawn[0]).not.to.deep.equal(drawn[1]);
    });

    for (const imageType of ["png", "jpg"])
      it(`has the requested pixels per CSS pixel, and says how many an inch has: ${imageType}`, async () => {
        for (const deviceScaleFactor of [undefined, 0.5, 3, 8]) {
          const image = await picture({ deviceScaleFactor }, imageType);
          const scale = deviceScaleFactor ?? 2;
          expect(readDensity(image.bytes)).to.eql([96 * scale, 96 * scale]);
          expect(image.width / scale).to.be.closeTo(400, 3);
          expect(image.height / scale).to.be.closeTo(300, 3);
        }
      });

    it("reports codes whose bars are narrower than two pixels, and strict refuses them", async () => {
      const code = { type: "barcode", symbology: "ean13" };
      const id = await publish([{ ...code, value: "4006381333931" }]);
      const body = { templateId: id, formats: ["image"] };
      const coarse = { ...body, renderOptions: { deviceScaleFactor: 1 } };
      for (const [request, count] of [
        [body, "0"],
        [coarse, "1"],
        [{ ...coarse, formats: ["pdf"] }, "0"],
      ] as const) {
        const { headers } = await api.render(request);
        expect(headers.get("x-render-warnings")).to.equal(count);
      }
      expect(await api.refused({ ...coarse, strict: true })).to.contain(
        "$.components[0]: The modules of the EAN-13 are 1.2 pixels wide in the image.",
      );
    });

    it("has one density, and stays readable", async () => {
      const { bytes } = await picture({ deviceScaleFactor: 1.5 });
      expect(bytes.toString("latin1").split("pHYs")).to.have.length(2);
      const { info } = await sharp(bytes, { failOn: "warning" })
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).to.deep.equal([600, 450]);
    });

    it("has fewer bytes at a lower quality", async () => {
      const low = await picture({ quality: 20 }, "jpg");
      const high = await picture({ quality: 95 }, "jpg");
      expect(low.format).to.equal("jpeg");
      expect(low.bytes.length).to.be.below(high.bytes.length);
    });

    it("is one image of all requested pages with singleImage", async () => {
      const single = { singleImage: true, deviceScaleFactor: 1 };
      const all = await picture(single);
      expect(all.height).to.be.closeTo(600, 4);
      expect(readDensity(all.bytes)).to.deep.equal([96, 96]);
      const one = await picture({ ...single, pages: "2" }, "jpg");
      expect(one.height).to.be.closeTo(300, 3);
      expect(readDensity(one.bytes)).to.deep.equal([96, 96]);
    });

    it("shows the whole of an email, with its own width plus a margin", async () => {
      const lines = pages.slice(0, 1).flatMap((line) => Array(60).fill(line));
      const publishEmail = (width: number) =>
        api.caller.publish({
          templateType: "email",
          definition: {
            schema: [],
            email: { subject: "Hello", width },
            components: column(lines),
          },
        });
      const usual = await publishEmail(600);
      const whole = await picture({}, "png", usual);
      const first = await picture({ pages: "1" }, "png", usual);
      expect(whole.height).to.be.above(first.height);
      const wide = await picture({}, "png", await publishEmail(1080));
      expect(wide.width / whole.width).to.be.closeTo(1200 / 720, 0.01);
    });
  });
});

const METERS_PER_INCH = 0.0254;

/** Pixels per inch, across and down, as the file says. */
function readDensity(image: Buffer): number[] {
  if (image[0] === 0xff) {
    expect(image.toString("latin1", 6, 10)).to.equal("JFIF");
    expect(image[13]).to.equal(1);
    return [image.readUInt16BE(14), image.readUInt16BE(16)];
  }
  const at = image.indexOf("pHYs");
  expect(at).to.be.within(0, image.indexOf("IDAT"));
  expect(image.readUInt8(at + 12)).to.equal(1);
  return [image.readUInt32BE(at + 4), image.readUInt32BE(at + 8)].map(
    (perMeter) => Math.round(perMeter * METERS_PER_INCH * 10) / 10,
  );
}
