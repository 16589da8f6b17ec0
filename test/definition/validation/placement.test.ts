import { accepted, rejects, text } from "../../compiler/support.js";

const at = "$.components[0]";
const row = { type: "table-row", components: [] };

describe("the place of a component", () => {
  it("a row belongs in a table, a cell in a row, an item in a list, a column in columns", () => {
    rejects([row], at, "A table-row must be inside a table.");
    rejects([{ type: "table-cell" }], at, "must be inside a table-row");
    rejects([{ type: "list-item" }], at, "must be inside a list");
    rejects(
      [{ type: "column", components: [] }],
      at,
      "must be inside a columns",
    );
  });

  it("a table contains only rows, also through a fragment", () => {
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

  it("a branch follows the rules of its component", () => {
    const condition = { combinator: "and", rules: [], else: [text("none")] };
    rejects(
      [{ type: "table", components: [{ ...row, condition }] }],
      `${at}.components[0].condition.else[0]`,
      "A table may only contain table-row",
    );
  });

  it("page numbers are only available in headers and footers", () => {
    rejects(
      [{ type: "page-number" }],
      at,
      "only available in headers and footers",
    );
    const numbered = text("", { text: [{ pageNumber: "page" }] });
    rejects([numbered], at, "only available in headers and footers");
    accepted({ page: { header: [numbered, { type: "page-number" }] } });
  });

  it("some components are only available in documents, others only in emails", () => {
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
