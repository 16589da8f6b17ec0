import { accepted, rejects, text } from "../../compiler/support.js";

const at = "$.components[0]";
const row = { type: "table-row", components: [] };

describe("the place of a component", () => {
  it("a row belongs in a table, a cell in a row, an item in a list, a column in columns", () => {
    rejects([row], at, "A table-row may only stand in a table.");
    rejects([{ type: "table-cell" }], at, "may only stand in a table-row");
    rejects([{ type: "list-item" }], at, "may only stand in a list");
    rejects(
      [{ type: "column", components: [] }],
      at,
      "may only stand in a columns",
    );
  });

  it("a table takes rows only, also through a fragment", () => {
    const fragment = { type: "fragment", components: [row] };
    accepted([{ type: "table", components: [fragment] }]);
    rejects(
      [
        {
          type: "table",
          components: [{ type: "fragment", components: [text("a")] }],
        },
      ],
      `${at}.components[0].components[0]`,
      "A table takes table-row and fragment only, not a text.",
    );
  });

  it("a branch stands where its component stands", () => {
    const condition = { combinator: "and", rules: [], else: [text("none")] };
    rejects(
      [{ type: "table", components: [{ ...row, condition }] }],
      `${at}.components[0].condition.else[0]`,
      "A table takes table-row",
    );
  });

  it("page numbers belong in headers and footers", () => {
    rejects([{ type: "page-number" }], at, "in headers and footers only");
    const numbered = text("", { text: [{ pageNumber: "page" }] });
    rejects([numbered], at, "in headers and footers only");
    accepted({ page: { header: [numbered, { type: "page-number" }] } });
  });

  it("some components work in documents only, others in emails only", () => {
    rejects([{ type: "page-break" }], at, "in documents only", "email");
    rejects([{ type: "section", components: [] }], at, "in emails only");
  });
});
