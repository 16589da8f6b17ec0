import { expect } from "chai";
import { printsEach } from "./vocabulary.js";

const data = {
  id: "R",
  warehouses: [
    {
      id: "W1",
      shipments: [{ id: "S1", packages: [{ id: "P1" }, { id: "P2" }] }],
    },
    { id: "W2", shipments: [{ id: "S2", packages: [{ id: "P3" }] }] },
  ],
};
const nested = [
  { collectionId: "warehouse", path: "root.warehouses" },
  { collectionId: "shipment", path: "warehouse.shipments" },
  { collectionId: "package", path: "shipment.packages" },
];

describe("nested collections", () => {
  it("reach each level by its collectionId", () => {
    const text =
      "{{ root.id }} {{ warehouse.id }} {{ shipment.id }} {{ package.id }}";
    expect(printsEach(nested, text, data)).to.eql([
      "R W1 S1 P1",
      "R W1 S1 P2",
      "R W2 S2 P3",
    ]);
  });

  it("count each level separately", () => {
    const text = "{{ warehouse.number }}.{{ package.number }}";
    expect(printsEach(nested, text, data)).to.eql(["1.1", "1.2", "2.1"]);
  });

  it("can start at any outer scope", () => {
    const rates = { collectionId: "rate", path: "root.rates" };
    const text = "{{ warehouse.id }}{{ rate }}";
    const all = { ...data, rates: [1, 2] };
    const scopes = [nested[0], rates].filter((repeat) => repeat !== undefined);
    expect(printsEach(scopes, text, all)).to.eql(["W11", "W12", "W21", "W22"]);
  });
});
