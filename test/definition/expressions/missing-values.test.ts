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

  it("is reported when a value cannot be used in a calculation", () => {
    expect(missing("{{ a * 2 }}", { a: "ten" })).to.eql(["a"]);
    expect(missing("{{ 1 / a }}", { a: 0 })).to.eql(["1 / a"]);
    expect(missing("{{ ROUND(a) }}", { a: "ten" })).to.eql(["a"]);
  });
});
