import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { EmailImages } from "../../core/assets/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { readCodes } from "../compiler/drawing/read-code.js";
import { download, useApi } from "../support/api.js";
import { newCaller } from "../support/caller.js";
import { plain } from "../support/image-gallery.js";

const dayMs = 24 * 60 * 60_000;
const template = {
  templateType: "email",
  definition: {
    schema: [{ id: "root", fields: [{ name: "code", type: "String" }] }],
    email: { subject: "Ticket" },
    components: [
      { type: "qrcode", value: "{{ root.code }}", size: "106px" },
      { type: "barcode", symbology: "ean13", value: "4006381333931" },
      {
        type: "social",
        items: [{ network: "linkedin", href: "https://l.example" }],
      },
    ],
  },
};

const findSources = (text = "") =>
  [...text.matchAll(/<img src="([^"]*)"/g)].map(([, url = ""]) => url);

describe("the barcodes and icons of an email", () => {
  const api = useApi({ template });
  const render = async (code: string) =>
    findSources(await api.html({ data: { code } }));
  const countFiles = async () => {
    const files = api.service.container.resolve(FILE_STORE);
    let count = 0;
    for await (const _ of files.keys("email-images")) count += 1;
    return count;
  };

  let html: string;
  let urls: string[];
  before(async () => {
    const formats = ["html", "mjml"];
    const { result } = await api.render({ formats, data: { code: "A-1" } });
    html = result.html?.htmlDocument ?? "";
    urls = findSources(html);
    expect(urls).to.eql(findSources(result.mjml?.mjmlDocument));
  });

  it("are PNG files behind public links, in html and MJML alike", async () => {
    expect(html).not.to.include("<svg").and.not.to.include("data:");
    expect(urls).to.have.length(3);
    for (const url of urls) {
      const { headers } = await fetch(url);
      expect(headers.get("content-type")).to.equal("image/png");
      expect(headers.get("cache-control")).to.include("immutable");
    }
    const [url = ""] = urls;
    const wrong = url.replace(/\/cdn\/./, (start) =>
      start.endsWith("A") ? "/cdn/B" : "/cdn/A",
    );
    expect((await fetch(wrong)).status).to.equal(404);
  });

  for (const [index, expected] of ["A-1", "4006381333931"].entries())
    it(`can be scanned as ${expected}, and have at least two pixels for each CSS pixel`, async () => {
      const png = await download(urls[index]);
      const { width, height } = await sharp(png).metadata();
      expect(width).to.be.at.least(212);
      const [top, background] = [40, "#fff"];
      const edges = { top, bottom: top, left: top, right: top, background };
      const page = await sharp(png).extend(edges).png().toBuffer();
      const size = `width="${width + 80}" height="${height + 80}"`;
      const href = `data:image/png;base64,${page.toString("base64")}`;
      const frame = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image href="${href}" ${size}/></svg>`;
      const [code] = await readCodes(frame, 72 / 25.4);
      expect(code?.text).to.equal(expected);
    });

  it("are stored once for the same content, for each organization apart", async () => {
    const first = await render("B-1");
    const count = await countFiles();
    expect(await render("B-1")).to.eql(first);
    expect(await countFiles()).to.equal(count);
    expect((await render("B-2"))[0]).not.to.equal(first[0]);
    expect(await countFiles()).to.equal(count + 1);
    const stranger = await newCaller(api.service);
    const templateId = await stranger.publish(template);
    const body = { templateId, data: { code: "B-1" } };
    for (const url of findSources(await api.html(body, stranger)))
      expect(first).not.to.include(url);
  });

  it("stay at their links for two years after their month", async () => {
    const [url = ""] = await render("C-1");
    const emailImages = api.service.container.resolve(EmailImages);
    for (const [days, status] of [
      [729, 200],
      [763, 404],
    ] as const) {
      await emailImages.sweep(new Date(Date.now() + days * dayMs));
      expect((await fetch(url)).status).to.equal(status);
    }
    expect(await countFiles()).to.equal(0);
  });
});

const toDataUrl = (type: string, bytes: Buffer) =>
  `data:${type};base64,${bytes.toString("base64")}`;
const png = toDataUrl("image/png", await plain("teal").png().toBuffer());
const jpeg = toDataUrl("image/jpeg", await plain("teal").jpeg().toBuffer());
const gif = toDataUrl("image/gif", await plain("teal").gif().toBuffer());
const webp = toDataUrl("image/webp", await plain("teal").webp().toBuffer());
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
const missing = "asset:0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";

describe("an email", () => {
  const api = useApi();
  const fields = ["text", "none"].map((name) => ({ name, type: "String" }));
  const email = (...components: object[]) => ({
    templateType: "email",
    definition: {
      schema: [{ id: "root", fields }],
      email: { subject: "S" },
      components,
    },
  });

  const longEmail = (length: number) => ({
    ...email({ type: "text", text: "{{ root.text }}" }),
    data: { text: "é".repeat(length) },
  });

  const images: readonly [string, object, string][] = [
    ["PNG", { type: "image", src: png, alt: "a" }, "image/png"],
    ["JPEG", { type: "image", src: jpeg, alt: "a" }, "image/jpeg"],
    ["GIF", { type: "image", src: gif, alt: "a" }, "image/gif"],
    ["WebP", { type: "image", src: webp, alt: "a" }, "image/webp"],
    [
      "SVG",
      {
        type: "image",
        src: toDataUrl("image/svg+xml", Buffer.from(svg)),
        alt: "a",
      },
      "image/png",
    ],
    ["in HTML", { type: "html", value: `<img src="${png}">` }, "image/png"],
    [
      "in MJML",
      { type: "markup", mjml: `<mj-image src="${png}" alt="a"></mj-image>` },
      "image/png",
    ],
    [
      "behind a hero",
      { type: "hero", background: jpeg, components: [] },
      "image/jpeg",
    ],
    [
      "that a hero lacks",
      { type: "hero", background: "{{ root.none }}", components: [] },
      "image/png",
    ],
    ["that is missing", { type: "image", src: missing, alt: "a" }, "image/png"],
    [
      "that is refused",
      { type: "image", src: "file:///etc/passwd", alt: "a" },
      "image/png",
    ],
    [
      "that is refused in HTML",
      { type: "html", value: '<img src="logo.png" alt="a">' },
      "image/png",
    ],
  ];
  for (const [what, component, mimeType] of images)
    it(`links an image ${what}, and has no data URL`, async () => {
      const { result } = await api.render({
        ...email(component),
        formats: ["html", "mjml"],
        data: {},
      });
      for (const text of [
        result.html?.htmlDocument,
        result.mjml?.mjmlDocument,
      ]) {
        expect(text).not.to.include("data:");
        const [url = ""] = /http[^"')]*\/cdn\/[^"')]*/.exec(text ?? "") ?? [];
        const { status, headers } = await fetch(url);
        expect(status).to.equal(200);
        expect(headers.get("content-type")).to.equal(mimeType);
      }
    });

  it("links the images of a document's MJML, and none of its html", async () => {
    const { result } = await api.render({
      definition: {
        schema: [],
        components: [
          { type: "image", src: png, alt: "a" },
          { type: "qrcode", value: "A-1" },
        ],
      },
      formats: ["html", "mjml"],
      data: {},
    });
    const mjml = result.mjml?.mjmlDocument ?? "";
    expect(mjml).not.to.include("data:");
    expect(mjml.split("/cdn/")).to.have.length(3);
    expect(result.html?.htmlDocument).not.to.include("/cdn/");
  });

  it("of more than 102 kB of html is reported with its size, and refused by strict", async () => {
    const short = await api.render(longEmail(1));
    expect(short.headers.get("x-render-warnings")).to.equal("0");
    const long = await api.render(longEmail(51_000));
    expect(long.headers.get("x-render-warnings")).to.equal("1");
    const html = long.result.html?.htmlDocument ?? "";
    const sizeBytes = Buffer.byteLength(html);
    expect(sizeBytes).to.be.above(102_000);
    expect(long.document).to.have.deep.nested.property(
      "metadata.platen.report.clippedHtml",
      [{ sizeBytes, maxBytes: 102_000 }],
    );
    expect(
      await api.refused({ ...longEmail(51_000), strict: true }),
    ).to.include(
      `html: The html of the email has ${sizeBytes} bytes, and Gmail cuts off`,
    );
  });
});
