import { expect } from "chai";
import { describe, it } from "mocha";
import { renderBothWays, email, isOn, items, section } from "./emails.js";

const records = [
  {
    on: "y",
    link: "https://a.example/?b=1&c=2",
    color: "#abc",
    items: [{ n: "One" }, { n: '<b>"Two" & {{ 3 }}' }],
  },
  { on: "n", items: [] },
  {},
];

const line = { type: "text", text: "{{ i.n }}" };
const plain = { type: "text", text: "{{ root.color }}" };
const more = { ...items, collectionId: "j" };
const row = {
  type: "table-row",
  collection: items,
  components: [{ type: "table-cell", text: "{{ i.n }}" }],
};

const cases: Record<string, object[]> = {
  "sections in a loop": [section([line], { collection: items })],
  "texts in a loop, with an empty branch": [
    section([
      {
        ...line,
        collection: { ...items, empty: [{ type: "text", text: "None" }] },
      },
    ]),
  ],
  "rows of a table in a loop": [
    section([{ type: "table", components: [row] }]),
  ],
  "a section with an else branch": [
    {
      ...section([plain]),
      condition: { ...isOn, else: [section([{ type: "divider" }])] },
    },
  ],
  "sections of a container in a loop": [
    { type: "container", components: [section([line], { collection: items })] },
  ],
  "a hero with a loop": [
    {
      type: "hero",
      background: "{{ root.link }}",
      components: [{ ...line, collection: items }],
    },
  ],
  "addresses and words of images and buttons": [
    section([
      {
        type: "image",
        src: "{{ root.link }}",
        alt: "{{ root.on }}",
        href: "{{ root.link }}",
      },
      {
        type: "button",
        text: "{{ i.n }}",
        href: "{{ root.link }}",
        collection: items,
      },
    ]),
  ],
  "styles with data": [
    section([
      {
        type: "text",
        text: "x",
        style: { color: "{{ root.color }}", padding: "{{ root.on }}" },
      },
    ]),
  ],
  "columns with conditions": [
    {
      type: "section",
      components: [
        { type: "column", condition: isOn, components: [plain] },
        { type: "column", components: [plain] },
      ],
    },
  ],
  "columns in a loop": [
    {
      type: "section",
      components: [{ type: "column", collection: items, components: [line] }],
    },
  ],
  "columns inside a column": [
    section([
      {
        type: "columns",
        components: [
          { type: "column", components: [{ ...line, collection: items }] },
          {
            type: "column",
            components: [{ type: "text", text: "b", condition: isOn }],
          },
        ],
      },
    ]),
  ],
  "lists, dividers and spacers": [
    section([
      {
        type: "list",
        components: [
          { type: "list-item", text: "{{ i.n }}", collection: items },
        ],
      },
      { type: "divider", collection: more },
      { type: "spacer", height: "10px", condition: isOn },
    ]),
  ],
};

describe("merging an email after compiling MJML or before it gives the same html", () => {
  for (const [name, components] of Object.entries(cases))
    it(name, () => {
      const program = email({
        email: { subject: "{{ root.on }}" },
        components,
      });
      for (const record of records) {
        const { merged, compiled } = renderBothWays(program, record);
        expect(merged.page).to.equal(compiled.page);
        // Sheets also know the columns that this record does not show.
        expect(merged.styles).to.include.members(compiled.styles);
      }
    });
});
