import { gzipSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { base64, rejection, greatVibes } from "../../support/assets.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { createVideo } from "../../support/image-gallery.js";

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

/** The font with zeros in place of a table's content. */
function withoutTable(font: Buffer, table: string): Buffer {
  const bytes = Buffer.from(font);
  const at = bytes.indexOf(table, 12, "latin1");
  const start = bytes.readUInt32BE(at + 8);
  return bytes.fill(0, start, start + bytes.readUInt32BE(at + 12));
}

const pdf = (inside: string) => Buffer.from(`%PDF-1.7\n${inside}\n%%EOF`);

/** A catalog as the first object, and these: the first of them is the page tree. */
const getPdf = (...objects: string[]) =>
  pdf(
    ["<</Type/Catalog/Pages 2 0 R>>", ...objects]
      .map((object, at) => `${at + 1} 0 obj\n${object}\nendobj`)
      .join("\n") + "\ntrailer\n<</Root 1 0 R>>",
  );

async function savedPdf(
  security?: Parameters<PDFDocument["encrypt"]>[0],
): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage().drawText("Terms");
  if (security) document.encrypt(security);
  return Buffer.from(await document.save());
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
  ["half an mp4", async () => cut(await createVideo("mp4")), "incomplete"],
  ["half a webm", async () => cut(await createVideo("webm")), "incomplete"],
  ["half a font", async () => cut(await greatVibes()), "font is damaged"],
  ...["cmap", "head", "loca", "glyf", "maxp"].map((table): Case => [
    `a font whose table ${table} is empty`,
    async () => withoutTable(await greatVibes(), table),
    "font is damaged",
  ]),
  ["a font that unpacks to 4 GB", async () => endlessFont(), "font is damaged"],
  ["half a PDF", async () => Buffer.from("%PDF-1.7\n1 0 obj"), "incomplete"],
  [
    "a PDF of brackets",
    async () => pdf("[".repeat(50_000) + "]".repeat(50_000)),
    "The PDF is damaged, so it cannot be opened",
  ],
  ["a PDF without anything", async () => pdf(""), "The PDF is damaged"],
  ["a PDF of noise", async () => pdf("q Q 1 0 obj << "), "The PDF is damaged"],
  [
    "a PDF whose page tree contains itself",
    async () => getPdf("<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "damaged page tree",
  ],
  [
    "a PDF whose page tree contains itself further down",
    async () =>
      getPdf(
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Pages/Kids[4 0 R]/Count 1/Parent 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>",
      ),
    "damaged page tree",
  ],
  [
    "a PDF of a few objects that claims to have 2^40 pages",
    async () =>
      getPdf(
        ...Array.from(
          { length: 40 },
          (_, at) =>
            `<</Type/Pages/Kids[${at + 3} 0 R ${at + 3} 0 R]/Count 2>>`,
        ),
        "<</Type/Pages/Kids[]/Count 0>>",
      ),
    "damaged page tree",
  ],
  [
    "a PDF without pages",
    async () => getPdf("<</Type/Pages/Kids[]/Count 0>>"),
    "The PDF has no pages",
  ],
  [
    "a PDF whose page is missing",
    async () => getPdf("<</Type/Pages/Kids[9 0 R]/Count 1>>"),
    "damaged page tree",
  ],
  [
    "the begin and the end of a PDF without its middle",
    async () => {
      const whole = await savedPdf();
      const [begin, end] = [whole.subarray(0, 60), whole.subarray(-60)];
      return Buffer.concat([begin, end]);
    },
    "The PDF is damaged",
  ],
  [
    "a PDF with a password",
    async () => savedPdf({ userPassword: "secret", ownerPassword: "owner" }),
    "The PDF is encrypted, so it cannot be opened",
  ],
  ["half an svg", async () => svg("").subarray(0, 10), "SVG is damaged"],
  [
    "an svg of tags that never end",
    async () =>
      Buffer.from(`<svg>${"<svg ".repeat(19_000)}${"a".repeat(1_500_000)}`),
    "incomplete",
  ],
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

  for (const [description, bytes, message] of cases)
    it(`is rejected with the reason: ${description}`, async () => {
      const base64Data = base64(await bytes());
      const body = { name: "logo.png", base64Data };
      const { status, error } = await rejection(caller, body);
      expect(status).to.equal(400);
      expect(error).to.contain(message);
    });
});

describe("a PDF", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const ownerPassword = "owner";
  for (const [description, bytes] of [
    ["when it can be opened", () => savedPdf()],
    [
      "when only its restrictions have a password",
      () => savedPdf({ ownerPassword, algorithm: "AES-256" }),
    ],
    [
      "when programs wrote a little after its end",
      async () => Buffer.concat([await savedPdf(), Buffer.alloc(100, 10)]),
    ],
    [
      "when its only page is its page tree twice removed",
      async () =>
        getPdf(
          "<</Type/Pages/Kids[3 0 R]/Count 1>>",
          "<</Type/Pages/Kids[4 0 R]/Count 1/Parent 2 0 R>>",
          "<</Type/Page/Parent 3 0 R/MediaBox[0 0 9 9]>>",
        ),
    ],
  ] as const)
    it(`is stored ${description}`, async () => {
      const base64Data = base64(await bytes());
      const body = { name: "terms.pdf", base64Data };
      const { status } = await caller.post("/api/assets", body);
      expect(status).to.equal(201);
    });

  it("that is attached to a document as base64 is refused when it cannot be opened", async () => {
    const templateId = await publish(service.store, caller, {
      definition: { schema: [], components: [{ type: "text", text: "x" }] },
    });
    const exporting = async (bytes: Buffer, mimeType: string) => {
      const attachment = { name: "terms.pdf", mimeType, base64: base64(bytes) };
      return caller.post("/api/export", {
        templateId,
        formats: ["pdf"],
        renderOptions: { pdf: { attachments: [attachment] } },
      });
    };
    const nestedArrays = pdf("[".repeat(50_000));
    const rejected = await exporting(nestedArrays, "application/pdf");
    expect(rejected.status).to.equal(400);
    expect(await rejected.text())
      .to.contain("$.renderOptions.pdf.attachments[0]")
      .and.contain("is damaged");
    const good = await exporting(await savedPdf(), "application/pdf");
    expect(good.status).to.equal(200);
    const other = await exporting(nestedArrays, "text/plain");
    expect(other.status).to.equal(200);
  });
});
