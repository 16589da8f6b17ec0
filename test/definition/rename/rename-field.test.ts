import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { renameField, findFieldUses } from "../../../core/definition/index.js";

const schema: ProjectData["schema"] = [
  {
    id: "root",
    fields: [
      { name: "name", type: "String" },
      { name: "price", type: "Number" },
      { name: "lines", type: "OneToManyLink", target: "line" },
      { name: "client", type: "OneToOneLink", target: "client" },
    ],
  },
  {
    id: "line",
    fields: [
      { name: "name", type: "String" },
      { name: "price", type: "Number" },
      { name: "parts", type: "OneToManyLink", target: "line" },
    ],
  },
  { id: "client", fields: [{ name: "name", type: "String" }] },
];

const whole: ProjectData = {
  schema,
  fileName: "{{ root.price | number(2) }} \\{{ price }}.pdf",
  components: [
    {
      type: "text",
      text: 'price: {{ price }}, {{ root["price"] * 2 }} {{ "price" }}{{root.lines.0.price}}',
    },
    {
      type: "container",
      condition: {
        combinator: "and",
        rules: [
          { field: "root.price", operator: ">", value: "price" },
          {
            field: "1",
            operator: "<",
            value: "root.price",
            valueSource: "field",
          },
        ],
      },
      collection: {
        collectionId: "line",
        path: "root.lines",
        filter: {
          combinator: "or",
          rules: [
            {
              field: "price",
              operator: ">",
              value: "root.price",
              valueSource: "field",
            },
          ],
        },
        sort: [{ field: "price", direction: "ASC", type: "Number" }],
      },
      components: [
        {
          type: "text",
          text: [
            "{{ price }} of {{ root.price }}",
            {
              text: "{{ SUM(line.parts, price) + SUM(root.lines, 'price') }}",
              marks: [{ link: "https://a.example/{{ line.price }}" }],
            },
          ],
          style: { width: "{{ line.price }}px" },
        },
      ],
    },
    {
      type: "chart",
      chart: "bar",
      data: "root.lines",
      label: "item.name",
      series: [{ field: "price" }],
    },
  ],
  page: { footer: [{ type: "text", text: "{{ root.price }}" }] },
  sample: {
    price: 1,
    lines: [{ price: 2, parts: [{ price: 3 }] }],
    client: { price: 4 },
  },
};

/** The definition with the field renamed, changes in place. */
function renamed(
  collectionId: string,
  name: string,
  to: string,
  definition = whole,
): ProjectData {
  const copy = structuredClone(definition);
  for (const { path, value } of renameField(
    definition,
    { collectionId, name },
    to,
  )) {
    const owner = path
      .slice(0, -1)
      .reduce<unknown>((one, key) => Reflect.get(Object(one), key), copy);
    Reflect.set(Object(owner), path.at(-1) ?? "", value);
  }
  return copy;
}

/** What a change of all these words makes of it. */
function replaced(...pairs: [from: string, to: string][]): ProjectData {
  const text = pairs.reduce((one, [from, to]) => {
    expect(one, from).to.contain(from);
    return one.replaceAll(from, to);
  }, JSON.stringify(whole));
  // It was one before.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as ProjectData;
}

describe("a renamed field", () => {
  it("is read by its new name in every path of the record", () => {
    const expected = replaced(
      ["{{ root.price | number", "{{ root.total | number"],
      [
        'price: {{ price }}, {{ root[\\"price\\"]',
        'price: {{ total }}, {{ root[\\"total\\"]',
      ],
      ['"field":"root.price"', '"field":"root.total"'],
      ['"value":"root.price"', '"value":"root.total"'],
      ["of {{ root.price }}", "of {{ root.total }}"],
      ['"{{ root.price }}"', '"{{ root.total }}"'],
      ['"sample":{"price":1', '"sample":{"total":1'],
    );
    expected.schema[0]?.fields.splice(1, 1, { name: "total", type: "Number" });
    expect(renamed("root", "price", "total")).to.deep.equal(expected);
    expect(
      findFieldUses(whole, { collectionId: "root", name: "price" }),
    ).to.have.length(8);
  });

  it("is read by its new name in every path of a list in a list", () => {
    const expected = replaced(
      ["root.lines.0.price", "root.lines.0.cost"],
      ['{"field":"price","operator"', '{"field":"cost","operator"'],
      ['"sort":[{"field":"price"', '"sort":[{"field":"cost"'],
      ["{{ price }} of", "{{ cost }} of"],
      [
        "SUM(line.parts, price) + SUM(root.lines, 'price')",
        "SUM(line.parts, cost) + SUM(root.lines, 'cost')",
      ],
      ["line.price", "line.cost"],
      ['"series":[{"field":"price"', '"series":[{"field":"cost"'],
      ['{"price":2,"parts":[{"price":3}]}', '{"cost":2,"parts":[{"cost":3}]}'],
    );
    expected.schema[1]?.fields.splice(1, 1, { name: "cost", type: "Number" });
    expect(renamed("line", "price", "cost")).to.deep.equal(expected);
  });

  it("need not be an identifier where it can be quoted", () => {
    const definition: ProjectData = {
      schema,
      components: [
        {
          type: "text",
          text: "{{ name }} {{ root.name }} {{ root['name'] ~ root.client.name }}",
        },
      ],
    };
    expect(
      renamed("root", "name", 'Full "name"', definition).components,
    ).to.deep.equal([
      {
        type: "text",
        text: '{{ root["Full \\"name\\""] }} {{ root["Full \\"name\\""] }} {{ root["Full \\"name\\""] ~ root.client.name }}',
      },
    ]);
  });

  for (const [why, field, to] of [
    ["is taken", "price", "name"],
    ["is a name that another path reads", "price", "other"],
    ["is a name of the prototype", "price", "__proto__"],
    ["is blank", "price", " "],
    ["hides the number of an element", "price", "number"],
    ["already exists in the sample", "name", "known"],
    ["cannot be used in an aggregate", "price", "Unit price"],
  ] as const)
    it(`keeps its name when the new one ${why}`, () => {
      const definition: ProjectData = {
        schema,
        components: [
          {
            type: "text",
            collection: { collectionId: "line", path: "root.lines" },
            text: "{{ line.other }} {{ line.number }} {{ SUM(line.parts, price) }}",
          },
        ],
        sample: { lines: [{ name: "One", known: 1 }] },
      };
      const place = { collectionId: "line", name: field };
      expect(() => renameField(definition, place, to)).to.throw(PlatenError);
    });
});
