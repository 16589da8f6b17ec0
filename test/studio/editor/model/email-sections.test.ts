import { expect } from "chai";
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
      "https://example.com{{ root.path }}",
      "mailto:info@example.com?subject=a",
      "mailto:ann@acme.com,bob@example.com",
      "//shop.test/a",
      "http://localhost:3000/a",
      "https://api.localhost",
      "http://shop.invalid",
      "www.example.com",
      "info@example.com",
      "",
      " # ",
      "https://",
      "mailto:",
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
      "mailto:?subject=Look",
      "https://{{ root.shop }}.example.com",
      "https://example.{{ root.country }}",
      "https://mastodon.social/@ann@example.com",
      "https://latest.com/test",
      "https://mytest.de",
      "#offers",
      "tel:+49301234",
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
    [
      "an empty social link",
      {
        type: "social",
        items: [
          { network: "x", href: "https://x.com/acme" },
          { network: "website", href: "https://" },
        ],
      },
      [".items[1].href"],
    ],
    [
      "links in a text",
      {
        type: "text",
        text: [
          { text: "a", marks: ["bold", { link: "#" }] },
          { text: "b", marks: [{ link: "{{ root.b }}" }] },
          { text: "c", marks: [{ link: "https://c.test/" }] },
          "https://example.com is reserved",
        ],
      },
      [".text[0].marks[1].link", ".text[2].marks[0].link"],
    ],
    [
      "Markdown",
      {
        type: "markdown",
        value:
          "[a](#), [b](), ![c](), [d]({{ root.d }}), [e](https://example.com/{{ root.e }}), `[f](#)` at info@example.com",
      },
      [".value", ".value", ".value", ".value", ".value"],
    ],
    [
      "Markdown of its own",
      {
        type: "markdown",
        value:
          'Write `curl https://example.com`, see [a](https://a.com) and [top](#top).\n\n    <a href="#">',
      },
      [],
    ],
    [
      "HTML",
      {
        type: "html",
        value:
          '<a href="#">a <b>b</b></a><!-- <a href="">c</a> --><a href="">d</a><a name="e">e</a><img src="http://localhost/f.png" alt=""><img src="">',
      },
      [".value", ".value", ".value", ".value"],
    ],
    [
      "HTML of its own",
      {
        type: "html",
        value:
          '<a href="{{ root.a }}">a</a><img src="http://localhost:3000/cdn/a.png" alt="">',
      },
      [],
    ],
    ["a linked image", { type: "image", src: "asset:1", href: "#" }, [".href"]],
    [
      "an image without a link",
      { type: "image", src: "asset:1", href: "" },
      [],
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
      "links of MJML",
      {
        type: "markup",
        mjml: `<mj-button data-if="root.a" href="#">a</mj-button><mj-button data-else href="https://b.test">b</mj-button><mj-text><p><a href="">c</a></p></mj-text>`,
      },
      [".mjml", ".mjml", ".mjml"],
    ],
    [
      "MJML of its own",
      {
        type: "markup",
        mjml: `<mj-image src="asset:1" href="https://a.com"/><mj-image src="{{ root.a }}" href=""/><!-- <mj-image src=""/> -->`,
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

  it("are named by what the reader sees, each once", () => {
    const definition: ProjectData = {
      schema: [{ id: "root", fields: [] }],
      email: { subject: "Hello" },
      components: [
        {
          type: "markdown",
          value: "[Read **more**](#) [Read **more**](#) [{{ root.a }}]()",
        },
        { type: "social", items: [{ network: "x", href: "#" }] },
        { type: "button", text: "Open", href: "" },
      ],
    };
    const problems = findUnfinished(definition, "email");
    expect(problems.map(({ message }) => message)).to.eql([
      'The link "Read more" leads nowhere.',
      'The link "{{…}}" leads nowhere.',
      'The link "x" leads nowhere.',
      "The link leads nowhere.",
    ]);
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
