import { createHash } from "node:crypto";
import { expect } from "chai";
import { EmptySignature } from "../../../core/rendering/pdf/pdf-signature.js";

describe("the space for a signature in a PDF", () => {
  const space = { digestAlgorithm: "sha256", maxBytes: 100 } as const;

  it("has room for the positions in a file of hundreds of gigabytes", () => {
    const { text, value, written, complete } = place(space);
    const size = 900_000_000_000;
    const textAt = 899_999_000_000;
    complete(textAt, size, () => []);
    const [{ at, bytes } = { at: 0, bytes: Buffer.alloc(0) }] = written;
    const filled =
      text.slice(0, at - textAt) +
      bytes.toString() +
      text.slice(at - textAt + bytes.length);
    expect(filled).to.have.length(value.text.length);
    const gap = textAt + text.indexOf("/Contents<") + "/Contents".length;
    const end = gap + 202;
    expect(filled).to.match(
      new RegExp(`/ByteRange\\[0 ${gap} ${end} ${size - end} *\\]/Contents<`),
    );
  });

  it("is not part of what is signed, and everything else is", () => {
    const { text, complete } = place(space);
    const pdf = Buffer.from(`before${text}after`, "latin1");
    const { digest, contentsAt } = complete(
      6,
      pdf.length,
      (start, end) => [pdf.subarray(start, end)],
      pdf,
    );
    const signed = Buffer.concat([
      pdf.subarray(0, contentsAt - 1),
      pdf.subarray(contentsAt + 201),
    ]);
    expect(digest).to.eql(createHash("sha256").update(signed).digest());
    expect(signed.toString("latin1")).to.match(/^before.*>>after$/);
  });
});

function place(space: ConstructorParameters<typeof EmptySignature>[0]) {
  const value = new EmptySignature(space, new Date());
  const written: { at: number; bytes: Buffer }[] = [];
  return {
    value,
    text: value.text,
    written,
    complete: (
      textAt: number,
      size: number,
      read: (start: number, end: number) => Iterable<Uint8Array>,
      pdf?: Buffer,
    ) =>
      value.complete(textAt, size, read, (at, bytes) => {
        written.push({ at, bytes });
        if (pdf) bytes.copy(pdf, at);
      }),
  };
}
