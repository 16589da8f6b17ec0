import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../core/definition/index.js";
import {
  createDefinition,
  rule,
  text,
  type Written,
} from "../../compiler/support.js";
import { fixDefinition } from "./apply-fixes.js";

const collection = { collectionId: "line", path: "root.lines" };
const cell = { type: "table-cell", text: "a" };
const styles = { muted: { color: "red" } };

const broken: readonly [string, Written][] = [
  ["an unknown type", [{ type: "tabel", components: [] }]],
  ["an unknown property", [text("a", { styel: { color: "red" } })]],
  ["a property that does not exist anywhere", [text("a", { flavour: "mint" })]],
  ["an unknown part of the definition", { stlyes: styles }],
  ["a missing text", [{ type: "heading" }]],
  ["a text of the wrong kind", [{ type: "text", text: 1 }]],
  [
    "an unknown mark",
    [{ type: "text", text: [{ text: "a", marks: ["blod"] }] }],
  ],
  [
    "an unknown value",
    [{ type: "barcode", value: "a", symbology: "code-128" }],
  ],
  ["an unknown page size", { page: { size: "A44" } }],
  ["a length without its unit", { page: { margin: "10" } }],
  ["an incomplete color", { page: { background: "#12" } }],
  ["a heading of level 9", [{ type: "heading", text: "a", level: 9 }]],
  ["a condition without combinator", [text("a", { condition: { rules: [] } })]],
  [
    "an incomplete sort rule",
    [text("a", { collection: { ...collection, sort: [{ field: "a" }] } })],
  ],
  [
    "an unknown operator",
    [text("a", { condition: rule("root.a", "beginWith", "a") })],
  ],
  ["CSS that is misspelt", [text("a", { style: { "font-szie": "9pt" } })]],
  ["CSS that ends its declaration", [text("a", { style: { color: "red;" } })]],
  ["an unknown style", { styles, components: [text("a", { class: "mutde" })] }],
  ["an unknown filter", [text("{{ root.a | uper }} and {{ root.b | lower }}")]],
  ["an unknown function", [text("{{ SUMM(root.lines, amount) }}")]],
  ["a misspelt collection", [text("{{ lin.a }}", { collection })]],
  ["a duplicate id", [text("a", { id: "x" }), text("b", { id: "x" })]],
  [
    "a duplicate collectionId",
    [text("a", { collection }), text("b", { collection })],
  ],
  [
    "a reserved collectionId",
    [text("a", { collection: { ...collection, collectionId: "root" } })],
  ],
  [
    "a collectionId of two words",
    [text("a", { collection: { ...collection, collectionId: "my line" } })],
  ],
  ["a row outside of a table", [{ type: "table-row", components: [cell] }]],
  ["a text in a table", [{ type: "table", components: [text("a")] }]],
  ["an unknown language", { locale: "xx_" }],
  ["a city instead of a time zone", { timeZone: "Berlin" }],
  ["a currency in small letters", { currency: "eur" }],
  ["a newer version", { schemaVersion: 2 }],
  ["a missing root collection", { schema: [{ id: "a", fields: [] }] }],
  [
    "a link that leads nowhere",
    {
      schema: [
        {
          id: "root",
          fields: [{ name: "a", type: "OneToManyLink", target: "lins" }],
        },
        { id: "lines", fields: [] },
      ],
    },
  ],
  [
    "several problems at once",
    [
      { type: "tabel", components: [text("{{ 1 | uper }}")] },
      text("a", { styel: {} }),
      { type: "heading" },
    ],
  ],
];

describe("the problems of a definition contain enough information to fix it", () => {
  for (const [name, written] of broken)
    it(`for ${name}`, () => {
      const definition = createDefinition(written);
      const { problems } = checkDefinition(definition, "document");
      expect(problems).not.to.eql([]);
      expect(fixDefinition(definition), JSON.stringify(problems)).not.to.equal(
        null,
      );
    });
});
