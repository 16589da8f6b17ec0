import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import {
  checkDefinition,
  definitionJsonSchema,
} from "../../../core/definition/index.js";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import {
  createDefinition,
  rule,
  text,
  type Written,
} from "../../compiler/support.js";

const ID = "https://platen.example/schemas/definition-v1.json";
const schema = definitionJsonSchema(ID);
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(
  schema,
);

function validated(definition: unknown): boolean {
  return validate(structuredClone(definition));
}

// Definitions whose form alone decides whether they are accepted.

type Form = readonly [name: string, definition: object];

const cell = { type: "table-cell", text: "a" };
const row = { type: "table-row", components: [cell] };
const line = { collectionId: "line", path: "root.lines" };
const code = { type: "qrcode", value: "a" };

function colored(color: unknown): object {
  return { page: { background: color } };
}

function withDefinitions(forms: readonly [string, Written][]): Form[] {
  return forms.map(([name, written]) => [name, createDefinition(written)]);
}

const FORMS = {
  accepted: withDefinitions([
    ["nothing", []],
    ["the first version", { schemaVersion: 1 }],
    [
      "extensions",
      { "x-editor": { a: [1] }, components: [text("a", { "x-b": 1 })] },
    ],
    ["a color in capitals", colored("#FFFFFF")],
    ["a short color", colored("#a1B2")],
    ["a color by name", colored("RebeccaPurple")],
    ["a color function", colored("rgb(0 0 0 / 50%)")],
    ["a color function in capitals", colored("HSL(120deg, 10%, 10%)")],
    ["lengths", { page: { margin: { top: "1.5cm", left: "0" } } }],
    [
      "a band with a height",
      { page: { header: { height: "20mm", components: [] } } },
    ],
    [
      "marks",
      [
        text([
          { text: "a", marks: ["bold", { link: "https://a.example" }] },
          { br: true },
        ]),
      ],
    ],
    [
      "a condition",
      [
        text("a", {
          condition: { ...rule("root.a", "=", 1), else: [text("b")] },
        }),
      ],
    ],
    [
      "a nested rule",
      [
        text("a", {
          condition: { combinator: "or", rules: [rule("root.a", "null")] },
        }),
      ],
    ],
    [
      "a collection",
      [
        {
          type: "table",
          components: [
            { ...row, collection: { ...line, limit: 3, empty: [row] } },
          ],
        },
      ],
    ],
    [
      "named styles",
      {
        styles: { muted: { color: "red" } },
        components: [text("a", { class: "muted" })],
      },
    ],
    ["any sample", { sample: [null, 1, { a: "b" }] }],
  ]),
  rejected: withDefinitions([
    ["a newer version", { schemaVersion: 2 }],
    ["an unknown property", { styels: {} }],
    ["an unknown type", [{ type: "tabel" }]],
    ["an unknown property of a component", [text("a", { colour: "red" })]],
    ["CSS that is not allowed", [text("a", { style: { position: "fixed" } })]],
    ["a number as CSS", [text("a", { style: { color: 1 } })]],
    ["a text without text", [{ type: "text" }]],
    ["a text of the wrong kind", [{ type: "text", text: 1 }]],
    [
      "a mark that there is not",
      [{ type: "text", text: [{ text: "a", marks: ["loud"] }] }],
    ],
    [
      "an unknown operator",
      [text("a", { condition: rule("root.a", "==", 1) })],
    ],
    [
      "an unknown symbology",
      [{ type: "barcode", value: "a", symbology: "qr" }],
    ],
    ["a length without its unit", { page: { margin: "10" } }],
    ["a length in % on paper", { page: { margin: "10%" } }],
    ["a color of five digits", colored("#12345")],
    ["a color that runs code", colored("url(a)")],
    ["a paper that there is not", { page: { size: "A6" } }],
    ["a heading of level 7", [{ type: "heading", text: "a", level: 7 }]],
    ["a code without a value", [{ ...code, value: undefined }]],
    [
      "half a row",
      [
        {
          type: "table",
          components: [{ ...row, collection: { ...line, limit: 0.5 } }],
        },
      ],
    ],
    ["a style whose name is no identifier", { styles: { "1a": {} } }],
    ["a currency in small letters", { currency: "eur" }],
    ["an email without subject", { email: {} }],
    [
      "a field of an unknown type",
      { schema: [{ id: "root", fields: [{ name: "a", type: "Text" }] }] },
    ],
    [
      "a link without its target",
      {
        schema: [
          { id: "root", fields: [{ name: "a", type: "OneToManyLink" }] },
        ],
      },
    ],
  ]),
};

describe("the JSON Schema of a definition", () => {
  it("has an id and describes everything that it names", () => {
    expect(schema.$id).to.equal(ID);
    const parts = { ...schema.$defs, ...schema.properties };
    const named = Object.entries(parts).filter(
      ([name]) => !name.startsWith("__"),
    );
    expect(named).to.have.length.above(20);
    for (const [name, part] of named)
      expect(part, name).to.have.any.keys("description", "$ref");
  });

  it("accepts all blueprints", () => {
    for (const { id, definition } of blueprints())
      expect(validated(definition), id).to.equal(true);
  });

  for (const [name, definition] of FORMS.accepted)
    it(`accepts what the checker accepts: ${name}`, () => {
      const { problems } = checkDefinition(definition, "document");
      expect(problems).to.eql([]);
      expect(validated(definition)).to.equal(true);
    });

  for (const [name, definition] of FORMS.rejected)
    it(`rejects what the checker rejects: ${name}`, () => {
      const { problems } = checkDefinition(definition, "document");
      expect(problems).to.have.length(1);
      expect(validated(definition)).to.equal(false);
    });
});
