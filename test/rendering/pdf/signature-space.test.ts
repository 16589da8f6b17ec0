import { expect } from "chai";
import { EmptySignature } from "../../../core/rendering/pdf/pdf-signature.js";

describe("the space for a signature in a PDF", () => {
  it("has room for the positions in a file of hundreds of gigabytes", () => {
    const space = { digestAlgorithm: "sha256", maxBytes: 100 } as const;
    const value = new EmptySignature(space, new Date());
    const { text } = value;
    const size = 900_000_000_000;
    const textAt = 899_999_000_000;
    let filled = "";
    value.complete(
      textAt,
      size,
      () => [],
      (at, bytes) => {
        const from = at - textAt;
        const rest = text.slice(from + bytes.length);
        filled = text.slice(0, from) + bytes.toString() + rest;
      },
    );
    expect(filled).to.have.length(text.length);
    const gap = textAt + text.indexOf("/Contents<") + "/Contents".length;
    const end = gap + 202;
    expect(filled).to.match(
      new RegExp(`/ByteRange\\[0 ${gap} ${end} ${size - end} *\\]/Contents<`),
    );
  });
});
