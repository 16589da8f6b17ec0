import type { components } from "./generated/schema.js";
import type { Definition } from "./generated/client/index.js";

/** A letter with a table and a condition; the types of both generators must accept it. */
export const letter: Definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "name", type: "String" },
        { name: "price", type: "Number", allowNumericStrings: true },
      ],
    },
  ],
  styles: { total: { "font-weight": "bold" } },
  page: { size: "A4", margin: { top: "20mm" } },
  currency: "EUR",
  components: [
    { type: "heading", level: 2, text: "Invoice {{ root.number }}" },
    {
      type: "table",
      columns: [{}, { width: "30mm", align: "right" }],
      components: [
        {
          type: "table-row",
          collection: {
            collectionId: "line",
            path: "root.lines",
            sort: [{ field: "line.price", direction: "DESC", type: "Number" }],
            empty: [{ type: "table-row", components: [] }],
          },
          components: [
            { type: "table-cell", text: "{{ line.name }}" },
            { type: "table-cell", text: "{{ line.price | currency }}" },
          ],
        },
      ],
    },
    {
      type: "text",
      class: "total",
      text: [
        "Total ",
        {
          text: "{{ SUM(root.lines, price) | currency }}",
          marks: ["underline"],
        },
      ],
      condition: {
        combinator: "and",
        rules: [
          { field: "COUNT(root.lines)", operator: ">", value: 0 },
          { combinator: "or", rules: [] },
        ],
        else: [{ type: "spacer", height: "5mm" }],
      },
    },
  ],
};
export const sameLetter: components["schemas"]["Definition"] = letter;

export const data = {
  number: "2026-117",
  lines: [
    { name: "Paper", price: 12.5 },
    { name: "Ink", price: 7.5 },
  ],
};

// What the types must refuse.

export const typingErrors: Definition[] = [
  // @ts-expect-error there is no such type of component
  { schema: [], components: [{ type: "txt", text: "a" }] },
  // @ts-expect-error a text has no level
  { schema: [], components: [{ type: "text", text: "a", level: 1 }] },
  // @ts-expect-error an image needs a source
  { schema: [], components: [{ type: "image" }] },
];
export const otherTypingErrors: components["schemas"]["Definition"][] = [
  // @ts-expect-error there is no such type of component
  { schema: [], components: [{ type: "txt", text: "a" }] },
  // @ts-expect-error a text has no level
  { schema: [], components: [{ type: "text", text: "a", level: 1 }] },
  // @ts-expect-error a table needs its components
  { schema: [], components: [{ type: "table" }] },
];
