import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import * as tokens from "../../../core/app/tokens.js";
import { readCodes } from "../../compiler/drawing/read-code.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

const dayMs = 24 * 60 * 60_000;
const definition = {
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
};

const sources = (text = "") =>
  [...text.matchAll(/<img src="([^"]*)"/g)].map(([, url = ""]) => url);

describe("the barcodes and icons of an email", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, {
      templateType: "email",
      definition,
    });
  });
  const render = async (data: object, by = caller, id = templateId) => {
    const job = { templateId: id, formats: ["html", "mjml"], data };
    const { result } = await exported(by, job);
    const { html, mjml } = result;
    return { html: html?.htmlDocument ?? "", mjml: mjml?.mjmlDocument };
  };
  const listFiles = async () => {
    const files = service.container.resolve(tokens.FILE_STORE);
    const keys: string[] = [];
    for await (const key of files.keys("email-images")) keys.push(key);
    return keys;
  };

  it("are PNG files behind public links, in html and MJML alike", async () => {
    const { html, mjml } = await render({ code: "A-1" });
    expect(html).not.to.include("<svg").and.not.to.include("data:");
    const urls = sources(html);
    expect(urls).to.have.length(3).and.eql(sources(mjml));
    for (const url of urls) {
      const response = await fetch(url);
      expect(response.headers.get("content-type")).to.equal("image/png");
      expect(response.headers.get("cache-control")).to.include("immutable");
    }
  });

  it("can be scanned, and have at least two pixels for each CSS pixel", async () => {
    const [qr = "", ean = ""] = sources((await render({ code: "A-1" })).html);
    for (const [url, text] of [
      [qr, "A-1"],
      [ean, "4006381333931"],
    ] as const) {
      const png = Buffer.from(await (await fetch(url)).arrayBuffer());
      const { width, height } = await sharp(png).metadata();
      expect(width).to.be.at.least(212);
      const page = await sharp(png)
        .extend({
          top: 40,
          bottom: 40,
          left: 40,
          right: 40,
          background: "#fff",
        })
        .png()
        .toBuffer();
      const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${width + 80}" height="${height + 80}"><image href="data:image/png;base64,${page.toString("base64")}" width="${width + 80}" height="${height + 80}"/></svg>`;
      expect((await readCodes(frame, 72 / 25.4))[0]?.text).to.equal(text);
    }
  });

  it("are stored once for the same content, for each organization apart", async () => {
    const first = sources((await render({ code: "B-1" })).html);
    const count = (await listFiles()).length;
    expect(sources((await render({ code: "B-1" })).html)).to.eql(first);
    expect(await listFiles()).to.have.length(count);
    const [other = ""] = sources((await render({ code: "B-2" })).html);
    expect(other).not.to.equal(first[0]);
    expect(await listFiles()).to.have.length(count + 1);
    const stranger = await newCaller(service);
    const copy = await publish(service.store, stranger, {
      templateType: "email",
      definition,
    });
    const theirs = sources(
      (await render({ code: "B-1" }, stranger, copy)).html,
    );
    for (const url of theirs) expect(first).not.to.include(url);
  });

  it("stay at their links for two years after their month", async () => {
    const [url = ""] = sources((await render({ code: "C-1" })).html);
    const drawings = service.container.resolve(tokens.DRAWINGS);
    await drawings.sweep(new Date(Date.now() + 729 * dayMs));
    expect((await fetch(url)).status).to.equal(200);
    await drawings.sweep(new Date(Date.now() + 763 * dayMs));
    expect((await fetch(url)).status).to.equal(404);
    expect(await listFiles()).to.eql([]);
  });

  it("are not found under a link that was changed", async () => {
    const [url = ""] = sources((await render({ code: "D-1" })).html);
    const wrong = url.replace(/\/cdn\/./, (start) =>
      start.endsWith("A") ? "/cdn/B" : "/cdn/A",
    );
    expect((await fetch(wrong)).status).to.equal(404);
  });
});
