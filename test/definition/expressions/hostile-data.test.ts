import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { rootScope } from "../../../core/definition/expressions/index.js";
import { context, prints, printsEach, value } from "./vocabulary.js";

const parsed = (json: string): object => {
  const data: unknown = JSON.parse(json);
  return typeof data === "object" && data !== null ? data : {};
};

describe("malicious data", () => {
  it("is read like any other when it has names of prototypes, and sets no prototype", () => {
    const data = parsed('{"__proto__":{"x":1},"constructor":{"y":2},"a":3}');
    expect(value("root.x", data)).to.equal("");
    expect(value("root.a", data)).to.equal("3");
    expect(value("x", {})).to.equal("");
  });

  it("is never evaluated as an expression", () => {
    const data = { a: "{{ root.secret }}", b: "{% x %}", secret: "s" };
    expect(prints("{{ a }}{{ b }}", data)).to.equal("{{ root.secret }}{% x %}");
  });

  it("has only its own properties, not inherited ones", () => {
    class Parent {
      get inherited() {
        return 1;
      }
    }
    const data = new (class extends Parent {})();
    expect(value("root.inherited", data)).to.equal("");
  });

  it("is rejected when it is not an object", () => {
    for (const data of [[], null, "text", 5, undefined]) {
      expect(() => rootScope(data, context()))
        .to.throw(PlatenError)
        .with.property("code", "merge_failed");
    }
  });

  it("can be nested deeper than the call stack allows", () => {
    const deep = "[".repeat(5000) + "]".repeat(5000);
    const data = parsed(`{"deep":${deep},"lines":[{"k":${deep}}]}`);
    expect(value("root.deep", data)).to.equal("");
    expect(value("LEN(root.deep.a.b.c)", data)).to.equal("0");
    expect(value("root.x | upper(root.deep)", { ...data, x: "a" })).to.equal(
      "a",
    );
    const by = { field: "k" };
    const repeat = { collectionId: "l", path: "root.lines", groupBy: by };
    expect(printsEach([repeat], "{{ group.key }}", data)).to.eql([""]);
  });

  it("cannot make a text grow without limit", () => {
    const big = "x".repeat(8 * 1024 * 1024);
    const text = Array.from({ length: 6 }, () => "root.big").join(" ~ ");
    expect(() => value(text, { big }))
      .to.throw(PlatenError)
      .with.property("code", "merge_failed");
    expect(() => prints("{{ root.big }}".repeat(6), { big })).to.throw(
      PlatenError,
    );
  });

  it("cannot print megabytes of zeros", () => {
    expect(value("a * 1", { a: "1e999" })).to.equal("");
    expect(value("a * a", { a: "1e399" })).to.equal("");
    expect(value("a * 1", { a: "1e300" }).length).to.be.below(500);
  });
});
