import { expect } from "chai";
import { parseConditions } from "../../plugins/lib/conditions.js";

describe("the conditions of a filter", () => {
  const columns = ["Due", "Total"];

  it("include the whole day that is the latest one", () => {
    const days = { min: "2026-11-20", max: "2026-11-21" };
    expect(parseConditions({ Due: days }, columns)).to.deep.equal([
      ["Due", { min: "2026-11-20", max: "2026-11-21T23:59:59.999" }],
    ]);
  });

  it("keep a time and a number as they are", () => {
    const filter = { Due: { max: "2026-11-21T08:00:00" }, Total: { max: 7 } };
    expect(parseConditions(filter, columns)).to.deep.equal([
      ["Due", { max: "2026-11-21T08:00:00" }],
      ["Total", { max: 7 }],
    ]);
  });
});
