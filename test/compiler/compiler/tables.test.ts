import { renders, rule } from "../support.js";

const cell = (text: string, more: object = {}) => ({
  type: "table-cell",
  text,
  ...more,
});
const row = (cells: object[], more: object = {}) => ({
  type: "table-row",
  components: cells,
  ...more,
});

describe("a table", () => {
  it("repeats its header rows on every page, because they are its thead", () => {
    renders(
      [
        {
          type: "table",
          components: [row([cell("H")], { header: true }), row([cell("a")])],
        },
      ],
      {},
      "<table><thead><tr><th>H</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>",
    );
  });

  it("keeps the height of a line in a row that was left empty, unless its styles may set another", () => {
    const rows = [
      row([cell(""), cell("")]),
      row([cell(""), cell("a")]),
      row([cell("{{ root.none }}")]),
      row([cell("", { style: { height: "2pt" } })]),
    ];
    renders(
      [{ type: "table", components: rows }],
      {},
      "<table><tbody><tr><td><br/></td><td><br/></td></tr><tr><td></td><td>a</td></tr>" +
        '<tr><td></td></tr><tr><td style="height:2pt"></td></tr></tbody></table>',
    );
  });

  it("applies the width and alignment of its columns to the cells below", () => {
    renders(
      [
        {
          type: "table",
          columns: [{ width: "20%" }, {}, { align: "right" }],
          components: [
            row([cell("wide", { colspan: 2 }), cell("9")]),
            row([cell("a"), cell("b"), cell("c", { align: "center" })]),
          ],
        },
      ],
      {},
      '<table><colgroup><col style="width:20%"/><col/><col/></colgroup><tbody>' +
        '<tr><td colspan="2">wide</td><td class="right">9</td></tr>' +
        '<tr><td>a</td><td>b</td><td class="center">c</td></tr></tbody></table>',
    );
  });

  it("applies them to the cells of fragments in a row too", () => {
    const cells = (texts: string[], more: object = {}) => ({
      type: "fragment",
      components: texts.map((one) => cell(one)),
      ...more,
    });
    const shown = { condition: rule("root.on", "=", 1) };
    renders(
      [
        {
          type: "table",
          columns: [{}, { align: "right" }, { align: "center" }, {}],
          components: [
            row([cell("a"), cells(["b", "c"], shown), cell("d")]),
            row([cells(["a"]), cells(["b"]), cells(["c"]), cell("d")]),
          ],
        },
      ],
      { on: 1 },
      "<table><tbody>" +
        '<tr><td>a</td><td class="right">b</td><td class="center">c</td><td>d</td></tr>'.repeat(
          2,
        ) +
        "</tbody></table>",
    );
  });

  it("repeats rows, and groups of rows with a fragment", () => {
    const group = {
      type: "fragment",
      collection: {
        collectionId: "group",
        path: "root.lines",
        groupBy: { field: "kind" },
      },
      components: [
        row([cell("{{ group.key }}")]),
        row([cell("{{ line.n }}")], {
          collection: { collectionId: "line", path: "group.items" },
        }),
      ],
    };
    renders(
      [{ type: "table", components: [group] }],
      {
        lines: [
          { kind: "a", n: 1 },
          { kind: "b", n: 2 },
          { kind: "a", n: 3 },
        ],
      },
      "<table><tbody><tr><td>a</td></tr><tr><td>1</td></tr><tr><td>3</td></tr>" +
        "<tr><td>b</td></tr><tr><td>2</td></tr></tbody></table>",
    );
  });
});
