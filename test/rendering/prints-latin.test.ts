import { expect } from "chai";
import { pdfText } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const letters = Array.from({ length: 0x250 }, (_, code) =>
  String.fromCodePoint(code),
).filter((character) => /\p{L}/u.test(character));

describe("every Latin letter up to U+024F", () => {
  it("is printed and can be extracted again", async () => {
    const renderer = await sharedRenderer();
    const html = page(letters.map((one) => `<p>${one}</p>`).join(""));
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    // The micro sign is read as the Greek letter that it looks like.
    const text = (await pdfText(bytes)).replace("μ", "µ");
    expect(letters.filter((one) => !text.includes(one))).to.deep.equal([]);
  });
});
