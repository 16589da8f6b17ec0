import { expect } from "chai";
import type { Repeat } from "../../../core/definition/schema/data-schema.js";
import { printsEach } from "./vocabulary.js";

const data = {
  lines: [
    { category: "B", amount: 1, day: "2024-01-02", n: "2" },
    { category: "A", amount: 2, day: "2024-01-01T00:00:00Z", n: 10 },
    { category: "B", amount: 3, day: "2024-01-02T00:00:00Z", n: 2 },
    { category: null, amount: 4, n: "2.0" },
    { amount: 5, n: "x" },
  ],
};
const by = (groupBy: Repeat["groupBy"]): Repeat => ({
  collectionId: "category",
  path: "root.lines",
  ...(groupBy ? { groupBy } : {}),
});
const text = "{{ category.key }}:{{ SUM(group.items, amount) }}";

describe("groupBy", () => {
  it("groups in the order of first appearance", () => {
    const groups = printsEach([by({ field: "category" })], text, data);
    expect(groups).to.eql(["B:4", "A:2", ":9"]);
  });

  it("sorts by key when a direction is set, with the empty group last", () => {
    const up = by({ field: "category", direction: "ASC" });
    const down = by({ field: "category", direction: "DESC" });
    expect(printsEach([up], text, data)).to.eql(["A:2", "B:4", ":9"]);
    expect(printsEach([down], text, data)).to.eql(["B:4", "A:2", ":9"]);
  });

  it("treats keys as equal that are equal as numbers or dates", () => {
    const numbers = by({ field: "n", type: "Number", direction: "ASC" });
    expect(printsEach([numbers], text, data)).to.eql(["2:8", "10:2", "x:5"]);
    const days = by({ field: "day", type: "Date", direction: "ASC" });
    const sums = printsEach([days], "{{ SUM(group.items, amount) }}", data);
    expect(sums).to.eql(["2", "4", "9"]);
  });

  it("can be named group and counts its groups", () => {
    const group = { ...by({ field: "category" }), collectionId: "group" };
    const line = "{{ group.number }} {{ group.key }} {{ COUNT(group.items) }}";
    const groups = printsEach([group], line, data);
    expect(groups).to.eql(["1 B 2", "2 A 1", "3  2"]);
  });
});
