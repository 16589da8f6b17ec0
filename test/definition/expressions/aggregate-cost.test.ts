import { expect } from "chai";
import { printsEach } from "./vocabulary.js";

const lines = Array.from({ length: 100 }, (_, amount) => ({ amount }));
const each = { collectionId: "line", path: "root.lines" };

function spentBy(source: string): number {
  let spent = 0;
  const spend = (iterations: number) => (spent += iterations);
  printsEach([each], source, { lines }, { spend });
  return spent;
}

describe("an aggregate over an outer scope", () => {
  it("is computed once instead of for every inner element", () => {
    expect(spentBy("{{ line.amount / SUM(root.lines, amount) }}")).to.equal(
      200,
    );
  });

  it("is computed again when it depends on the element", () => {
    const text = "{{ SUM(root.lines, amount * line.amount) }}";
    expect(spentBy(text)).to.equal(100 + 100 * 100);
  });

  it("counts without reading the elements", () => {
    expect(spentBy("{{ COUNT(root.lines) }}")).to.equal(100);
  });
});
