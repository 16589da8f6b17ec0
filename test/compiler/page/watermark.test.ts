import { expect } from "chai";
import { merged } from "../support.js";

function marks(html: string): string[] {
  const found = html.match(/<div class="watermark"[^>]*>/g) ?? [];
  return found.map((one) => decodeURIComponent(one));
}

function getSize(watermark: string, size: "A4" | "A5"): number {
  const [mark = ""] = marks(merged({ page: { size, watermark } }).html);
  return Number(/font-size="([\d.]+)px"/.exec(mark)?.[1]);
}

describe("a watermark", () => {
  it("is as large as fits between the margins", () => {
    expect(getSize("CONFIDENTIAL", "A4"))
      .to.be.lessThan(getSize("DRAFT", "A4"))
      .and.greaterThan(getSize("CONFIDENTIAL", "A5"));
  });

  it("is not drawn when its text is empty", () => {
    expect(
      marks(merged({ page: { watermark: "{{ root.none }}" } }).html),
    ).to.eql([]);
  });

  it("says TEST on a test document in place of the template's own", () => {
    const page = { watermark: "Draft" };
    const drawn = marks(merged({ page }, {}, { isTest: true }).html);
    expect(drawn).to.have.length(1);
    expect(drawn[0]).to.include(">TEST</text>");
    expect(marks(merged({}).html)).to.eql([]);
  });
});
