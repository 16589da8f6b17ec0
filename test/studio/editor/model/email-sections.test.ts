import { expect } from "chai";
import { describe, it } from "mocha";
import {
  checkDefinition,
  findUnfinished,
} from "../../../../core/definition/index.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { insertComponents } from "../../../../studio/src/editor/model/edits.js";
import { getSectionMaker } from "../../../../studio/src/editor/palette/email-sections.js";
import { de } from "../../../../studio/src/messages/de.js";
import { en } from "../../../../studio/src/messages/en.js";
import { es } from "../../../../studio/src/messages/es.js";
import { fr } from "../../../../studio/src/messages/fr.js";
import { newEditor } from "../../../support/editor-model.js";

const data: ProjectData["schema"] = [
  {
    id: "root",
    fields: [{ name: "lines", type: "OneToManyLink", target: "lines" }],
  },
  {
    id: "lines",
    fields: [
      { name: "title", type: "String" },
      { name: "amount", type: "Number", format: "currency", currency: "EUR" },
      { name: "quantity", type: "Number" },
      { name: "picture", type: "String", sample: "asset:1" },
    ],
  },
];

describe("the ready-made sections of an email", () => {
  const keys =
    "header hero picture two three products action quote order social footer";
  /** An email of all sections. */
  function addAll(schema: ProjectData["schema"]) {
    const empty = { schema, email: { subject: "Hello" }, components: [] };
    const editor = newEditor(empty, "email");
    for (const [index, key] of keys.split(" ").entries()) {
      const made = getSectionMaker(editor, key)?.();
      if (!made) throw new Error(`there is no section ${key}`);
      insertComponents(editor, [made], { list: "body", index }, key);
    }
    return editor.definition.value;
  }

  it("are valid without any data", () => {
    const made = addAll([{ id: "root", fields: [] }]);
    expect(checkDefinition(made, "email").problems).to.eql([]);
    expect(made.components).to.have.length(11);
    expect(JSON.stringify(made)).not.to.include("{{");
  });

  it("are not published before their images and addresses are filled in", () => {
    const made = addAll([{ id: "root", fields: [] }]);
    const codes = findUnfinished(made, "email").map(({ code }) => code);
    const count = (wanted: string) =>
      codes.filter((code) => code === wanted).length;
    expect(count("empty_image")).to.equal(8);
    expect(count("placeholder_address")).to.equal(8);
    expect(codes).to.have.length(16);
    expect(findUnfinished(made, "document")).to.eql([]);
  });

  const contents: readonly [string, object, string[]][] = [
    ...[de, en, es, fr].map(
      ({ emailSections: { address } }): [string, object, string[]] => [
        address,
        { type: "text", text: address },
        [".text"],
      ],
    ),
    ...[
      "https://example.com",
      "http://www.example.org:8080/a?b",
      "HTTPS://user@Shop.Example/x",
      "https://example.net/{{ root.id }}",
      "mailto:info@example.com?subject=a",
    ].map((href): [string, object, string[]] => [
      href,
      { type: "button", text: "Open", href },
      [".href"],
    ]),
    ...[
      "https://example.de",
      "https://my-example.com",
      "https://shop.com/?from=https://example.com",
      "https://examples.com",
      "{{ root.link }}",
      "mailto:example@acme.com",
      "",
    ].map((href): [string, object, string[]] => [
      href,
      { type: "button", text: "Open", href },
      [],
    ]),
    ["a QR code", { type: "qrcode", value: "https://example.com" }, [".value"]],
    [
      "a social link",
      { type: "social", items: [{ network: "x", href: "https://x.example" }] },
      [".items[0].href"],
    ],
    ["no image", { type: "image", src: " " }, [".src"]],
    ["an image of the data", { type: "image", src: "{{ root.a }}" }, []],
    [
      "no picture",
      { type: "hero", background: "", components: [] },
      [".background"],
    ],
    [
      "MJML",
      {
        type: "markup",
        mjml: `<mj-image src='' alt="" href="https://example.com"/>`,
      },
      [".mjml", ".mjml"],
    ],
    [
      "MJML of its own",
      {
        type: "markup",
        mjml: `<mj-image src="asset:1" href="https://a.com"/>`,
      },
      [],
    ],
  ];
  for (const [what, component, places] of contents)
    it(`have ${places.length} problems with ${JSON.stringify(what)}`, () => {
      const definition: unknown = {
        schema: [{ id: "root", fields: [] }],
        email: { subject: "Hello" },
        components: [component],
      };
      // The components of a table have no common type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const problems = findUnfinished(definition as ProjectData, "email");
      expect(problems.map(({ path }) => path)).to.eql(
        places.map((place) => `$.components[0]${place}`),
      );
    });

  it("print the first list of the data and the fields of its items, also twice", () => {
    const made = addAll(data);
    expect(checkDefinition(made, "email").problems).to.eql([]);
    expect(JSON.stringify(made))
      .to.include("{{ product.title }}")
      .and.to.include("{{ line.quantity }}")
      .and.to.include("{{ SUM(root.lines, quantity) }}");
    const editor = newEditor(made, "email");
    expect(getSectionMaker(editor, "products")?.().collection).to.include({
      collectionId: "product2",
    });
  });
});
