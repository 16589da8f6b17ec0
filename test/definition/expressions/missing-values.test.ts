import { expect } from "chai";
import { missing, prints } from "./vocabulary.js";

describe("a missing value", () => {
  it("prints nothing and is reported with its path", () => {
    expect(prints("[{{ root.a.b }}]")).to.equal("[]");
    expect(missing("{{ root.a.b }} {{ c }}")).to.eql(["root.a.b", "c"]);
  });

  it("is different from an empty one", () => {
    const data = { a: null, b: "", c: [] };
    expect(missing("{{ root.a }}{{ root.a.x }}{{ b }}{{ c }}", data)).to.eql(
      [],
    );
  });

  it("is reported inside filters, functions and operators", () => {
    const text = "{{ root.a | upper }}{{ LEN(root.b) }}{{ root.c + 1 }}";
    expect(missing(text)).to.eql(["root.a", "root.b", "root.c"]);
  });

  it("is not reported when a default covers it", () => {
    expect(missing('{{ root.a | upper | default("-") }}')).to.eql([]);
    expect(missing("{{ COALESCE(root.a, root.b) }}")).to.eql([]);
    expect(missing('{{ root.a or "none" }}')).to.eql([]);
  });

  it("is not reported when an expression only tests for it", () => {
    expect(missing("{{ 'x' if root.a > 1 else 'y' }}")).to.eql([]);
    expect(missing("{{ not root.a }}")).to.eql([]);
    expect(missing("{{ root.b if not root.a }}")).to.eql(["root.b"]);
  });

  it("is not what an unusable value is reported as", () => {
    expect(missing("{{ a * 2 }}", { a: "ten" })).to.eql([]);
    expect(missing("{{ 1 / a }}", { a: 0 })).to.eql([]);
    expect(missing("{{ ROUND(a) }}", { a: "ten" })).to.eql([]);
  });
});

const reported = (expression: string, data: object) =>
  missing(`{{ ${expression} }}`, data);

describe("a field that elements of an aggregate lack", () => {
  it("is reported with the index of each element", () => {
    const data = { l: [{ amount: 5 }, { v: 1 }, { amount: 6 }] };
    for (const name of ["SUM", "AVG", "MIN", "MAX"]) {
      expect(reported(`${name}(root.l, v)`, data)).to.eql([
        "root.l[0].v",
        "root.l[2].v",
      ]);
    }
  });

  it("is reported through crossed collections", () => {
    const orders = [
      { lines: [{ v: 1 }, { v: 2 }] },
      { lines: [{}, { v: 4, w: { x: 1 } }] },
      {},
    ];
    const missingLines = ["root.orders[1].lines[0].v", "root.orders[2].lines"];
    for (const sum of [
      "SUM(root.orders.lines, v)",
      "SUM(root.orders.lines.v)",
      "SUM(root.orders, lines.v)",
    ])
      expect(reported(sum, { orders }), sum).to.have.members(missingLines);
    expect(reported("SUM(root.orders.lines, w.x)", { orders })).to.eql([
      "root.orders[0].lines[0].w",
      "root.orders[0].lines[1].w",
      "root.orders[1].lines[0].w",
      "root.orders[2].lines",
    ]);
  });

  it("is reported when an expression on each element reads it", () => {
    const data = { l: [{ price: 2, n: 3 }, { price: 4 }], "odd key": [{}] };
    expect(reported("SUM(root.l, price * n)", data)).to.eql(["root.l[1].n"]);
    expect(reported("SUM(root.l, price * root.rate)", data)).to.include(
      "root.rate",
    );
    expect(reported('SUM(root["odd key"], v)', data)).to.eql([
      'root["odd key"][0].v',
    ]);
  });

  it("is reported in nested aggregates", () => {
    const orders = [{ lines: [{ v: 1 }] }, { lines: [{ v: 1 }, {}] }];
    expect(reported("SUM(root.orders, SUM(lines, v))", { orders })).to.eql([
      "root.orders[1].lines[1].v",
    ]);
  });

  it("is not reported when it is null, empty or expected to be missing", () => {
    const data = { l: [{ v: null }, { v: "" }, { v: 1 }, null], none: [] };
    expect(reported("SUM(root.l, v)", data)).to.eql([]);
    expect(reported("AVG(root.none, v)", data)).to.eql([]);
    expect(reported("SUM(root.l, w) or 0", data)).to.eql([]);
    expect(reported("COUNT(root.l)", data)).to.eql([]);
    expect(reported("SUM(root.l, w if w else 0)", data)).to.eql([]);
  });

  it("is reported for at most 20 elements", () => {
    const l = Array.from({ length: 5000 }, () => ({}));
    expect(reported("SUM(root.l, v)", { l })).to.have.length(20);
  });
});
