import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { Drawings } from "../../core/assets/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { readCodes } from "../compiler/drawing/read-code.js";
import { download, useApi } from "../support/api.js";
import { newCaller } from "../support/caller.js";

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
    const drawings = api.service.container.resolve(Drawings);
    for (const [days, status] of [
      [729, 200],
      [763, 404],
    ] as const) {
      await drawings.sweep(new Date(Date.now() + days * dayMs));
      expect((await fetch(url)).status).to.equal(status);
    }
    expect(await countFiles()).to.equal(0);
  });
});
