import { accepted, rejects, text } from "../../compiler/support.js";

const at = "$.components[0]";
const row = { type: "table-row", components: [] };

describe("the placement of components", () => {
  it("requires rows in a table, cells in a row, items in a list, and columns in columns", () => {
    rejects([row], at, "A table-row must be inside a table.");
    rejects([{ type: "table-cell" }], at, "must be inside a table-row");
    rejects([{ type: "list-item" }], at, "must be inside a list");
    rejects(
      [{ type: "column", components: [] }],
      at,
      "must be inside a columns",
    );
  });

  it("allows only rows in a table, even through a fragment", () => {
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
      "A table may only contain table-row and fragment, not a text.",
    );
  });

  it("applies the rules of a component to its branches", () => {
    const condition = { combinator: "and", rules: [], else: [text("none")] };
    rejects(
      [{ type: "table", components: [{ ...row, condition }] }],
      `${at}.components[0].condition.else[0]`,
      "A table may only contain table-row",
    );
  });

  it("allows page numbers only in headers and footers", () => {
    rejects(
      [{ type: "page-number" }],
      at,
      "only available in headers and footers",
    );
    const numbered = text("", { text: [{ pageNumber: "page" }] });
    rejects([numbered], at, "only available in headers and footers");
    accepted({ page: { header: [numbered, { type: "page-number" }] } });
  });

  it("allows some components only in documents and others only in emails", () => {
    rejects(
      [{ type: "page-break" }],
      at,
      "only available in documents",
      "email",
    );
    rejects(
      [{ type: "section", components: [] }],
      at,
      "only available in emails",
    );
  });
});
