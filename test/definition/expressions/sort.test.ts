import { expect } from "chai";
import type { SortRule } from "../../../core/definition/schema/data-schema.js";
import { printsEach, type Setting } from "./vocabulary.js";

function sorted(
  values: unknown[],
  type: SortRule["type"],
  direction: SortRule["direction"] = "ASC",
  setting: Setting = {},
): string {
  const items = values.map((v, at) => ({ v, at }));
  const sort = [{ field: "v", type, direction }];
  const repeat = { collectionId: "item", path: "root.items", sort };
  const text = "{{ item.v | default('-') }}";
  return printsEach([repeat], text, { items }, setting).join(" ");
}

describe("sort", () => {
  it("orders numbers, including numbers as text", () => {
    expect(sorted([10, "9", 2.5, "1e1"], "Number")).to.equal("2.5 9 10 1e1");
    expect(sorted([10, "9", 2.5], "Number", "DESC")).to.equal("10 9 2.5");
  });

  it("orders dates of every format", () => {
    const dates = ["2024-03-01T10:00:00+02:00", 1709280000001, "2024-02-29"];
    expect(sorted(dates, "Date")).to.equal(
      "2024-02-29 2024-03-01T10:00:00+02:00 1709280000001",
    );
  });

  it("orders texts by the locale", () => {
    const words = ["z", "ä", "a", "Z"];
    const de = { locale: "de-DE" };
    expect(sorted(words, "String", "ASC", de)).to.equal("a ä z Z");
    const sv = { locale: "sv-SE" };
    expect(sorted(words, "String", "ASC", sv)).to.equal("a z Z ä");
  });

  it("orders empty and invalid values last in both directions", () => {
    const values = [null, 2, "", "x", 1, undefined];
    expect(sorted(values, "Number")).to.equal("1 2 - - x -");
    expect(sorted(values, "Number", "DESC")).to.equal("2 1 - - x -");
  });

  it("applies the first rule first and is stable", () => {
    const rows = [
      { a: { b: 2 }, c: "x", n: 1 },
      { a: { b: 1 }, c: "x", n: 2 },
      { a: { b: 1 }, c: "y", n: 3 },
      { a: { b: 2 }, c: "x", n: 4 },
    ];
    const sort: SortRule[] = [
      { field: "c", type: "String", direction: "DESC" },
      { field: "row.a.b", type: "Number", direction: "ASC" },
    ];
    const repeat = { collectionId: "row", path: "root.rows", sort };
    const order = printsEach([repeat], "{{ row.n }}", { rows });
    expect(order).to.eql(["3", "2", "1", "4"]);
  });
});
