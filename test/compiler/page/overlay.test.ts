import { expect } from "chai";
import { merged, rule, text } from "../support.js";

const number = { type: "page-number", format: "{page}" };
const styled = (style: object, component: object = number) => ({
  ...component,
  style,
});
const columns = (gap: string, ...cells: object[]) => ({
  type: "columns",
  gap,
  components: cells.map((cell) => ({ type: "column", components: [cell] })),
});
const marked = {
  type: "text",
  text: [{ text: "Page ", marks: ["bold"] }, { pageNumber: "page" }],
};
const shown = rule("root.on", "=", "y");

/** Footers of which a margin box prints the numbers, and others whose numbers only a browser can place. */
const FOOTERS: readonly [
  headers: "margin-box" | "overlay",
  footer: readonly object[],
][] = [
  ["margin-box", [number]],
  ["overlay", [marked]],
  ["overlay", [text("of unknown height"), number]],
  ["overlay", [number, text("of unknown height")]],
  ["overlay", [number, number]],
  [
    "margin-box",
    [{ type: "divider" }, number, { type: "spacer", height: "1mm" }],
  ],
  ["overlay", [{ type: "spacer", height: "1em" }, number]],
  [
    "overlay",
    [styled({ width: "1mm" }, { type: "spacer", height: "1mm" }), number],
  ],
  ["overlay", [{ type: "divider", condition: shown }, number]],
  ["overlay", [styled({ margin: "1em" }, { type: "divider" }), number]],
  ["margin-box", [{ ...number, condition: shown }]],
  ["overlay", [{ ...number, condition: { ...shown, else: [text("x")] } }]],
  [
    "overlay",
    [{ ...number, collection: { collectionId: "a", path: "root.a" } }],
  ],
  [
    "overlay",
    [
      {
        type: "list",
        components: [{ type: "list-item", components: [number] }],
      },
    ],
  ],
  ["overlay", [styled({ width: "50%" })]],
  ["overlay", [styled({ margin: "0 auto" })]],
  ["overlay", [styled({ padding: "1%" })]],
  ["overlay", [styled({ "padding-left": "{{ root.px }}" })]],
  ["overlay", [styled({ border: "thin solid #000" })]],
  ["overlay", [styled({ color: "{{ root.color }}" })]],
  [
    "margin-box",
    [styled({ border: "0", "border-left": "none", "border-top-width": "2px" })],
  ],
  [
    "margin-box",
    [
      styled({
        background: "#eee",
        "border-radius": "2px",
        "border-color": "red",
      }),
    ],
  ],
  ["overlay", [styled({ "align-items": "flex-start" }, columns("0", number))]],
  ["margin-box", [styled({ "align-items": "center" }, columns("0", number))]],
  ["overlay", [columns("1em", number)]],
  ["margin-box", [columns("0", number, number, number)]],
  ["overlay", [columns("0", number, number, number, number)]],
  ["overlay", [columns("0", marked, number)]],
];

describe("page numbers in a footer", () => {
  for (const [headers, footer] of FOOTERS)
    it(`are printed by ${headers === "overlay" ? "an overlay" : "a margin box"}: ${JSON.stringify(footer)}`, () => {
      const { html, report, overlay } = merged(
        { page: { footer } },
        { on: "y" },
      );
      expect(report.headers).to.equal(headers);
      expect(overlay !== null).to.equal(headers === "overlay");
      expect(html.includes("@bottom-center")).to.equal(headers !== "overlay");
    });
});
