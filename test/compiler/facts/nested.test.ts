import { expect } from "chai";
import { describe, it } from "mocha";
import { evaluateSample } from "../../../core/compiler/index.js";
import { createDefinition, OPTIONS } from "../support.js";

const isPaid = { field: "paid", operator: "=", value: true };
const orders = {
  collectionId: "order",
  path: "root.orders",
  filter: { combinator: "and", rules: [isPaid] },
  sort: [{ field: "date", direction: "DESC", type: "Date" }],
};
const lines = {
  collectionId: "line",
  path: "order.lines",
  groupBy: { field: "kind" },
};
const isLarge = {
  combinator: "and",
  rules: [{ field: "order.number", operator: "=", value: 1 }],
};
const text = { type: "text", text: "{{ line.key }}" };
const inner = [
  { id: "lines", type: "container", collection: lines, components: [text] },
  { id: "note", type: "text", text: "Note", condition: isLarge },
];
const components = [
  { id: "orders", type: "container", collection: orders, components: inner },
];
const old = { date: "2026-01-01", paid: true, lines: [{ kind: "a" }] };
const open = { date: "2026-03-03", paid: false, lines: [] };
const last = {
  date: "2026-02-02",
  paid: true,
  lines: [{ kind: "b" }, { kind: "c" }, { kind: "b" }],
};

const getFacts = (sample: unknown) =>
  evaluateSample(createDefinition({ components }), sample, OPTIONS.now);

describe("the preview of a repeat inside of another", () => {
  it("describes the first element that the outer one shows", () => {
    const { repeats, conditions } = getFacts({ orders: [old, open, last] });
    expect(repeats.get("orders")).to.deep.equal({
      total: 3,
      passing: 2,
      groups: null,
      first: last,
    });
    expect(repeats.get("lines")).to.deep.equal({
      total: 3,
      passing: 3,
      groups: 2,
      first: { key: "b", items: [{ kind: "b" }, { kind: "b" }] },
    });
    expect(conditions.get("note")).to.equal(true);
  });

  it("is missing when the outer one shows no element", () => {
    const { repeats, conditions } = getFacts({ orders: [open] });
    expect(repeats.get("orders")).to.include({ passing: 0, first: null });
    expect(repeats.has("lines")).to.equal(false);
    expect(conditions.size).to.equal(0);
  });
});
