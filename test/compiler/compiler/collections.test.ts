import { renders, rule, text } from "../support.js";

const lines = { collectionId: "line", path: "root.lines" };
const data = {
  lines: [
    { n: 1, kind: "b" },
    { n: 2, kind: "a" },
    { n: 3, kind: "b" },
  ],
};

describe("a collection", () => {
  it("repeats any component once for each element", () => {
    renders(
      [text("{{ line.number }}: {{ line.n }}", { collection: lines })],
      data,
      "<p>1: 1</p><p>2: 2</p><p>3: 3</p>",
    );
  });

  it("filters, sorts, skips and limits, in this order", () => {
    const collection = {
      ...lines,
      filter: rule("kind", "=", "b"),
      sort: [{ field: "n", direction: "DESC", type: "Number" }],
      offset: 1,
      limit: 5,
    };
    renders([text("{{ line.n }}", { collection })], data, "<p>1</p>");
  });

  it("draws its empty branch in the outer scope when no elements remain", () => {
    const collection = {
      ...lines,
      filter: rule("kind", "=", "z"),
      empty: [text("none of {{ root.title }}")],
    };
    renders(
      [text("{{ line.n }}", { collection })],
      { ...data, title: "T" },
      "<p>none of T</p>",
    );
  });

  it("groups with subtotals in each group and totals overall", () => {
    const group = {
      type: "container",
      collection: {
        ...lines,
        collectionId: "group",
        groupBy: { field: "kind" },
      },
      components: [
        text(
          "{{ group.key }} {{ SUM(group.items, n) }}/{{ SUM(root.lines, n) }}",
        ),
        text("{{ item.n }}", {
          collection: { collectionId: "item", path: "group.items" },
        }),
      ],
    };
    renders(
      [group],
      data,
      "<div><p>b 4/6</p><p>1</p><p>3</p></div><div><p>a 2/6</p><p>2</p></div>",
    );
  });
});
