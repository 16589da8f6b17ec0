import { expect } from "chai";
import { fc } from "../../support/properties.js";
import type { Repeat } from "../../../core/definition/schema/data-schema.js";
import { printsEach } from "./vocabulary.js";

// Filter, sort and groupBy against the simplest code that does the same.

interface Item {
  id: number;
  n: number | null;
  s: string;
}

const items = fc.array(
  fc.record({
    n: fc.option(fc.integer({ min: -3, max: 3 })),
    s: fc.constantFrom("a", "b", "c", ""),
  }),
);
const numbered = items.map((all) => all.map((item, id) => ({ ...item, id })));
const direction = fc.constantFrom<"ASC" | "DESC">("ASC", "DESC");

function ids(repeat: Omit<Repeat, "collectionId" | "path">, all: Item[]) {
  const whole = { collectionId: "item", path: "root.items", ...repeat };
  return printsEach([whole], "{{ item.id }}", { items: all });
}

const formatSign = (way: "ASC" | "DESC") => (way === "ASC" ? 1 : -1);
const compare = (a: number | string, b: number | string) =>
  a < b ? -1 : Number(a > b);
const by = (key: "n" | "s", sign: number) => (a: Item, b: Item) => {
  const [left, right] = [a[key] ?? "", b[key] ?? ""];
  if (left === "" || right === "") {
    return Number(left === "") - Number(right === "");
  }
  return sign * compare(left, right);
};

describe("a collection's work equals a naive reference", () => {
  it("for filter", () => {
    fc.assert(
      fc.property(numbered, fc.integer({ min: -3, max: 3 }), (all, value) => {
        const rules = [{ field: "n", operator: ">=" as const, value }];
        const filter = { combinator: "and" as const, rules };
        const kept = all.filter(({ n }) => n !== null && n >= value);
        expect(ids({ filter }, all)).to.eql(kept.map(({ id }) => String(id)));
      }),
    );
  });

  it("for sort", () => {
    fc.assert(
      fc.property(numbered, direction, direction, (all, first, second) => {
        const sort: Repeat["sort"] = [
          { field: "s", type: "String", direction: first },
          { field: "item.n", type: "Number", direction: second },
        ];
        const byText = by("s", formatSign(first));
        const byNumber = by("n", formatSign(second));
        const sorted = all.toSorted((a, b) => byText(a, b) || byNumber(a, b));
        expect(ids({ sort }, all)).to.eql(sorted.map(({ id }) => String(id)));
      }),
    );
  });

  it("for groupBy", () => {
    fc.assert(
      fc.property(numbered, (all) => {
        const keys = [...new Set(all.map(({ s }) => s))];
        const repeat = {
          collectionId: "item",
          path: "root.items",
          groupBy: { field: "s" },
        };
        const text = "{{ item.key }}:{{ JOIN(item.items.id) }}";
        const printed = printsEach([repeat], text, { items: all });
        const expected = keys.map((key) => {
          const members = all.filter(({ s }) => s === key);
          return `${key}:${members.map(({ id }) => id).join(", ")}`;
        });
        expect(printed).to.eql(expected);
      }),
    );
  });
});
