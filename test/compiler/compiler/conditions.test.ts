import { renders, rule, text } from "../support.js";

const shown = rule("root.paid", "=", true);

describe("a condition", () => {
  it("shows its component, or nothing", () => {
    const component = text("paid", { condition: shown });
    renders([component], { paid: true }, "<p>paid</p>");
    renders([component], { paid: false }, "");
  });

  it("shows its else in the component's stead", () => {
    const condition = { ...shown, else: [text("due"), text("now")] };
    renders(
      [text("paid", { condition })],
      { paid: false },
      "<p>due</p><p>now</p>",
    );
  });

  it("is tested once, outside of the collection of the same component", () => {
    const component = text("{{ line.n }}", {
      condition: rule("COUNT(root.lines)", ">", 1),
      collection: { collectionId: "line", path: "root.lines" },
    });
    renders([component], { lines: [{ n: 1 }, { n: 2 }] }, "<p>1</p><p>2</p>");
    renders([component], { lines: [{ n: 1 }] }, "");
  });

  it("hides a table row without breaking the table", () => {
    const row = {
      type: "table-row",
      condition: shown,
      components: [{ type: "table-cell", text: "x" }],
    };
    renders(
      [{ type: "table", components: [row] }],
      {},
      "<table><tbody></tbody></table>",
    );
  });
});
