import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { base64, refusal, greatVibes } from "../../support/assets.js";
import { useService } from "../../support/service.js";
import { aVideo } from "../../support/image-gallery.js";

const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
const noise = () =>
  sharp(
    Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7) % 251)),
    {
      raw: { width: 100, height: 100, channels: 3 },
    },
  );
/** 100 megapixels in some kilobytes. */
const huge = () => {
  const [width, height] = [10_000, 10_000];
  const pixels = Buffer.alloc(width * height);
  const raw = { width, height, channels: 1 } as const;
  return sharp(pixels, { raw }).png().toBuffer();
};
const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** A WOFF2 whose only table says to be nearly 4 GB long. */
function endlessFont(): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.write("wOF2");
  bytes.writeUInt32BE(bytes.length, 8);
  bytes.writeUInt16BE(1, 12);
  bytes.set([0, 0x8f, 0xff, 0xff, 0xff, 0x7f], 48);
  return bytes;
}

type Case = [what: string, bytes: () => Promise<Buffer>, told: string];

const cases: Case[] = [
  [
    "a text",
    async () => Buffer.from("#!/bin/sh\nexit"),
    "Unsupported file format",
  ],
  [
    "a page",
    async () => Buffer.from("<html><svg></svg>"),
    "Unsupported file format",
  ],
  ["an empty file", async () => Buffer.alloc(0), "is empty"],
  ["zeros", async () => Buffer.alloc(5000), "Unsupported file format"],
  [
    "a bmp",
    async () => Buffer.from("BM".padEnd(200, "x")),
    "Unsupported file format",
  ],
  [
    "a compressed svg",
    async () => gzipSync(svg("")),
    "Unsupported file format",
  ],
  ["half a png", async () => cut(await noise().png().toBuffer()), "incomplete"],
  [
    "half a jpg",
    async () => cut(await noise().jpeg().toBuffer()),
    "incomplete",
  ],
  [
    "half a webp",
    async () => cut(await noise().webp().toBuffer()),
    "incomplete",
  ],
  ["half a gif", async () => cut(await noise().gif().toBuffer()), "incomplete"],
  ["half an mp4", async () => cut(await aVideo("mp4")), "incomplete"],
  ["half a webm", async () => cut(await aVideo("webm")), "incomplete"],
  ["half a font", async () => cut(await greatVibes()), "font is damaged"],
  ["a font that unpacks to 4 GB", async () => endlessFont(), "font is damaged"],
  ["half a PDF", async () => Buffer.from("%PDF-1.7\n1 0 obj"), "incomplete"],
  ["half an svg", async () => svg("").subarray(0, 10), "SVG is damaged"],
  [
    "a gif that is also a script",
    async () => Buffer.from('GIF89a/*aaaa*/="";alert(1)//'),
    "damaged",
  ],
  ["a small file that unpacks to 100 megapixels", huge, "100000000 pixels"],
  [
    "an svg that contains such a picture",
    async () => {
      const inside = await huge();
      return svg(
        `<image href="data:image/png;base64,${base64(inside)}" width="9" height="9"/>`,
      );
    },
    "more than the limit of 50000000",
  ],
  [
    "an svg with 30,000 elements",
    async () => svg("<g>".repeat(30_000)),
    "20000 elements",
  ],
];

describe("an unsupported file", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  for (const [what, bytes, told] of cases)
    it(`is rejected with the reason: ${what}`, async () => {
      const base64Data = base64(await bytes());
      const body = { name: "logo.png", base64Data };
      const { status, error } = await refusal(caller, body);
      expect(status).to.equal(400);
      expect(error).to.contain(told);
    });
});
