import { expect } from "chai";
import { printsEach } from "./vocabulary.js";

const items = [5, 3, 9, 1, 7, 2].map((n) => ({ n, odd: n % 2 === 1 }));
const repeat = {
  collectionId: "item",
  path: "root.items",
  filter: {
    combinator: "and" as const,
    rules: [{ field: "n", operator: "!=" as const, value: 9 }],
  },
  sort: [{ field: "n", type: "Number" as const, direction: "ASC" as const }],
  offset: 1,
  limit: 3,
};

describe("a collection is processed", () => {
  it("by filter, then sort, then offset and limit", () => {
    const text = "{{ item.n }}{{ item.first }}{{ item.last }}{{ item.number }}";
    expect(printsEach([repeat], text, { items })).to.eql([
      "2truefalse1",
      "3falsefalse2",
      "5falsetrue3",
    ]);
  });

  it("by groups before offset and limit", () => {
    const grouped = {
      ...repeat,
      groupBy: { field: "odd" },
      offset: 1,
      limit: 1,
    };
    const text = "{{ group.key }}: {{ JOIN(group.items.n, ' ') }}";
    expect(printsEach([grouped], text, { items })).to.eql(["false: 2"]);
  });

  it("not at all past its end or with limit 0", () => {
    expect(printsEach([{ ...repeat, offset: 99 }], "x", { items })).to.eql([]);
    expect(printsEach([{ ...repeat, limit: 0 }], "x", { items })).to.eql([]);
  });

  it("at the cost of the elements that it reads", () => {
    let spent = 0;
    const spend = (iterations: number) => (spent += iterations);
    const plain = { collectionId: "item", path: "root.items", limit: 2 };
    printsEach([plain], "x", { items }, { spend });
    expect(spent).to.equal(2);
    printsEach([repeat], "x", { items }, { spend });
    expect(spent).to.equal(2 + 6);
  });
});
