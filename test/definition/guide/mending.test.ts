import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../core/definition/index.js";
import {
  definitionOf,
  rule,
  text,
  type Written,
} from "../../compiler/support.js";
import { mended } from "./mend.js";

const collection = { collectionId: "line", path: "root.lines" };
const cell = { type: "table-cell", text: "a" };
const styles = { muted: { color: "red" } };

const broken: readonly [string, Written][] = [
  ["an unknown type", [{ type: "tabel", components: [] }]],
  ["an unknown property", [text("a", { styel: { color: "red" } })]],
  ["a property that is nowhere", [text("a", { flavour: "mint" })]],
  ["an unknown part of the definition", { stlyes: styles }],
  ["a missing text", [{ type: "heading" }]],
  ["a text of the wrong kind", [{ type: "text", text: 1 }]],
  [
    "an unknown mark",
    [{ type: "text", text: [{ text: "a", marks: ["blod"] }] }],
  ],
  ["a wrong word", [{ type: "barcode", value: "a", symbology: "code-128" }]],
  ["a paper that there is not", { page: { size: "A44" } }],
  ["a length without its unit", { page: { margin: "10" } }],
  ["half a colour", { page: { background: "#12" } }],
  ["a heading of level 9", [{ type: "heading", text: "a", level: 9 }]],
  ["a condition without combinator", [text("a", { condition: { rules: [] } })]],
  [
    "half a sort rule",
    [text("a", { collection: { ...collection, sort: [{ field: "a" }] } })],
  ],
  [
    "an unknown operator",
    [text("a", { condition: rule("root.a", "beginWith", "a") })],
  ],
  ["CSS that is misspelt", [text("a", { style: { "font-szie": "9pt" } })]],
  ["CSS that ends its declaration", [text("a", { style: { color: "red;" } })]],
  [
    "a style that there is not",
    { styles, components: [text("a", { class: "mutde" })] },
  ],
  ["an unknown filter", [text("{{ root.a | uper }} and {{ root.b | lower }}")]],
  ["an unknown function", [text("{{ SUMM(root.lines, amount) }}")]],
  ["a misspelt collection", [text("{{ lin.a }}", { collection })]],
  ["an id twice", [text("a", { id: "x" }), text("b", { id: "x" })]],
  [
    "a collectionId twice",
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
  ["a language that there is not", { locale: "xx_" }],
  ["a city for a time zone", { timeZone: "Berlin" }],
  ["a currency in small letters", { currency: "eur" }],
  ["a newer version", { schemaVersion: 2 }],
  ["no root", { schema: [{ id: "a", fields: [] }] }],
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
    "several at once",
    [
      { type: "tabel", components: [text("{{ 1 | uper }}")] },
      text("a", { styel: {} }),
      { type: "heading" },
    ],
  ],
];

describe("the problems of a definition suffice to mend it", () => {
  for (const [name, written] of broken)
    it(`when there is ${name}`, () => {
      const definition = definitionOf(written);
      const { problems } = checkDefinition(definition, "document");
      expect(problems).not.to.eql([]);
      expect(mended(definition), JSON.stringify(problems)).not.to.equal(null);
    });
});
