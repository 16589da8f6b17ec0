import { constants, deflateRawSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { Deadline, PlatenError } from "../../../core/plugin-api/index.js";
import { PdfEditor } from "../../../core/rendering/pdf/index.js";

const MEGABYTE = 1024 * 1024;

/** A PDF of a few megabytes, one stream of which unpacks to as many as are asked for. */
function bomb(megabytes: number): Buffer {
  const finishFlush = constants.Z_FULL_FLUSH;
  const block = deflateRawSync(Buffer.alloc(MEGABYTE, 32), { finishFlush });
  const packed = Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: megabytes }, () => block),
    deflateRawSync(Buffer.alloc(0)),
  ]);
  const dictionary = `<</Type /ObjStm /N 1 /First 10 /Filter /FlateDecode /Length ${packed.length}>>`;
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n${dictionary}\nstream\n`),
    packed,
    Buffer.from(
      "\nendstream\nendobj\n2 0 obj\n<</Type /Catalog>>\nendobj\ntrailer\n<</Root 2 0 R>>\n%%EOF",
    ),
  ]);
}

async function blankPdf(pages = 1): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage();
  return Buffer.from(await document.save());
}

/** How it ended. */
async function getCode(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error: unknown) =>
      error instanceof PlatenError ? error.code : String(error),
  );
}

describe("a malicious PDF", () => {
  const finisher = new PdfEditor();
  const large = bomb(4000);
  let own: Buffer;
  const finish = (joined: Buffer[], milliseconds = 45_000) =>
    finisher.finish(
      own,
      {
        before: [],
        after: joined.map((bytes, at) => ({ path: `$.after[${at}]`, bytes })),
        attachments: [],
      },
      Deadline.after(milliseconds),
    );
  const check = (bytes: Buffer, milliseconds = 45_000) =>
    getCode(finisher.check(bytes, Deadline.after(milliseconds)));
  before(async () => {
    own = await blankPdf();
  });

  after(() => finisher.stop());

  it("fails when it unpacks to too much, without affecting other PDFs", async () => {
    const harmful = getCode(finish([large]));
    const neighbour = getCode(finish([await blankPdf()]));
    expect(await harmful).to.equal("too_large");
    expect(await neighbour).to.equal("done");
  });

  it("fails at its deadline, and the next PDF is edited", async () => {
    await finish([]);
    expect(await getCode(finish([large], 50))).to.equal("timeout");
    expect(await getCode(finish([]))).to.equal("done");
  });

  it("fails a check when it unpacks to too much or at its deadline, and the next check succeeds", async () => {
    expect(await check(large)).to.equal("too_large");
    expect(await check(large, 50)).to.equal("timeout");
    expect(await check(await blankPdf())).to.equal("done");
  });

  it("is rejected when it has too many pages", async () => {
    expect(await getCode(finish([await blankPdf(2001)]))).to.equal(
      "invalid_request",
    );
  });

  for (const [description, bytes] of [
    ["empty", Buffer.alloc(0)],
    ["noise", Buffer.alloc(10_000, "q Q 1 0 obj << ")],
    ["only a header", Buffer.from("%PDF-1.7\n")],
    [
      "a cyclic page tree",
      Buffer.from(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 1>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF",
      ),
    ],
  ] as const)
    it(`is rejected when it is ${description}`, async () => {
      expect(await getCode(finish([bytes]))).to.equal("invalid_request");
    });
});
