import { expect } from "chai";
import { evaluateSample } from "../../../core/compiler/index.js";
import { createDefinition, OPTIONS } from "../support.js";

function count(written: unknown, sample: unknown): number {
  return evaluateSample(written, sample, OPTIONS.now).repeats.size;
}

describe("the preview of a sample", () => {
  it("is empty for an invalid definition and without a record", () => {
    const collection = { collectionId: "line", path: "root.lines" };
    const good = { id: "good", type: "text", text: "", collection };
    const valid = createDefinition({ components: [good] });
    expect(count(valid, { lines: [{}] })).to.equal(1);
    for (const written of [null, 3, "text", [], { components: 3 }])
      expect(count(written, { lines: [{}] })).to.equal(0);
    for (const data of [null, [], "text"])
      expect(count(valid, data)).to.equal(0);
  });
});
