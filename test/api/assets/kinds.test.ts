import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { plain, createVideo } from "../../support/image-gallery.js";
import { uploadBytes, greatVibes } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>';

async function createPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  return Buffer.from(await pdf.save());
}

function packedFont(): Promise<Buffer> {
  const file = "@fontsource-variable/inter/files/inter-greek-wght-normal.woff2";
  return readFile(createRequire(import.meta.url).resolve(file));
}

const kinds = [
  ["image/png", () => plain("teal", 30, 20).png().toBuffer()],
  ["image/jpeg", () => plain("teal", 30, 20).jpeg().toBuffer()],
  ["image/webp", () => plain("teal", 30, 20).webp().toBuffer()],
  ["image/gif", () => plain("teal", 30, 20).gif().toBuffer()],
  ["image/avif", () => plain("teal", 30, 20).avif().toBuffer()],
  ["image/svg+xml", async () => Buffer.from(svg)],
  ["video/mp4", () => createVideo("mp4")],
  ["video/quicktime", () => createVideo("mov")],
  ["video/webm", () => createVideo("webm")],
  ["font/ttf", greatVibes],
  ["font/woff2", packedFont],
  ["application/pdf", createPdf],
] as const;

const sizes: Record<string, [number, number] | [null, null]> = {
  image: [30, 20],
  video: [640, 360],
};

describe("an asset", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  for (const [mimeType, bytes] of kinds)
    it(`is detected by its bytes, whatever its name: ${mimeType}`, async () => {
      const asset = await uploadBytes(caller, "notes.txt", await bytes());
      const [kind = ""] = mimeType.split("/");
      const assetType = kind === "application" ? "pdf" : kind;
      const [width, height] = sizes[kind] ?? [null, null];
      const expected = { mimeType, assetType, width, height, isTrashed: false };
      expect(asset).to.include({ name: "notes.txt", ...expected });
      const { status, headers } = await fetch(asset.url);
      expect(status).to.equal(200);
      expect(headers.get("content-type")).to.equal(mimeType);
    });

  it("includes a font's family name and a video's duration", async () => {
    const font = await uploadBytes(caller, "f", await greatVibes());
    expect(font.details).to.include({ family: "Great Vibes", weight: "400" });
    expect(font.use).to.equal('font-family: "Great Vibes"');
    const seconds = { seconds: 93 };
    const video = await uploadBytes(
      caller,
      "v",
      await createVideo("mp4", seconds),
    );
    expect(video.details).to.include({ durationSeconds: 93 });
    expect(video.urls.poster).to.match(/\.poster\.png$/);
  });

  it("must match the requested kind: fonts and PDFs are accepted as images, a video is not", async () => {
    const image = { assetType: "image" };
    const video = { assetType: "video" };
    const font = await uploadBytes(caller, "f", await greatVibes(), image);
    expect(font.assetType).to.equal("font");
    const clip = await uploadBytes(
      caller,
      "v",
      await createVideo("webm"),
      video,
    );
    expect(clip.assetType).to.equal("video");
    for (const [bytes, options] of [
      [await createVideo("mp4"), image],
      [await plain("teal").png().toBuffer(), video],
    ] as const)
      expect(
        await uploadBytes(caller, "x", bytes, options).catch(String),
      ).to.contain("$.assetType");
  });
});
