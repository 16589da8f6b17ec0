import { renders, rule, text } from "../support.js";

const shown = rule("root.paid", "=", true);

describe("a condition", () => {
  it("shows or hides its component", () => {
    const component = text("paid", { condition: shown });
    renders([component], { paid: true }, "<p>paid</p>");
    renders([component], { paid: false }, "");
  });

  it("shows its else branch in place of the component", () => {
    const condition = { ...shown, else: [text("due"), text("now")] };
    renders(
      [text("paid", { condition })],
      { paid: false },
      "<p>due</p><p>now</p>",
    );
  });

  it("is evaluated once, outside of the component's own collection", () => {
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
