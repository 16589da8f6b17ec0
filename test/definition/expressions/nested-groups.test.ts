import { expect } from "chai";
import { printsEach } from "./vocabulary.js";

const data = {
  sales: [
    { region: "N", city: "Oslo", amount: 1 },
    { region: "N", city: "Kiel", amount: 2 },
    { region: "S", city: "Rome", amount: 4 },
    { region: "N", city: "Oslo", amount: 8 },
  ],
};
const regions = {
  collectionId: "region",
  path: "root.sales",
  groupBy: { field: "region" },
};
const cities = {
  collectionId: "city",
  path: "region.items",
  groupBy: { field: "city" },
};
const sales = { collectionId: "sale", path: "city.items" };

describe("nested groups", () => {
  it("aggregate at each level, with group as the innermost", () => {
    const text =
      "{{ region.key }} {{ SUM(region.items, amount) }} " +
      "{{ group.key }} {{ SUM(group.items, amount) }}";
    expect(printsEach([regions, cities], text, data)).to.eql([
      "N 11 Oslo 9",
      "N 11 Kiel 2",
      "S 4 Rome 4",
    ]);
  });

  it("contain their records, which can be repeated in turn", () => {
    const text = "{{ region.key }} {{ city.key }} {{ sale.amount }}";
    expect(printsEach([regions, cities, sales], text, data)).to.eql([
      "N Oslo 1",
      "N Oslo 8",
      "N Kiel 2",
      "S Rome 4",
    ]);
  });

  it("are in scope as group for the records inside", () => {
    const rows = { collectionId: "row", path: "group.items" };
    const text =
      "{{ group.key }} {{ row.amount }} {{ SUM(group.items, amount) }}";
    expect(printsEach([regions, rows], text, data)).to.eql([
      "N 1 11",
      "N 2 11",
      "N 8 11",
      "S 4 4",
    ]);
  });
});
