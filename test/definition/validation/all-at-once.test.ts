import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";
import { text } from "../../compiler/support.js";

function problemPaths(input: unknown): string[] {
  return checkDefinition(input, "document").problems.map(({ path }) => path);
}

describe("the problems of a definition", () => {
  it("are all listed once, even below a node that has one", () => {
    const definition = {
      schema: [],
      components: [
        { type: "tabel" },
        {
          type: "container",
          colour: "red",
          components: [
            { type: "heading", text: 5 },
            text("{{ nowhere.x }}"),
            text("a", { style: { position: "fixed" } }),
          ],
        },
        { type: "table-row", components: [] },
      ],
      fileNam: "x",
    };
    expect(problemPaths(definition)).to.have.members([
      "$.components[0].type",
      "$.components[1].colour",
      "$.components[1].components[0].text",
      "$.components[1].components[1].text",
      "$.components[1].components[2].style.position",
      "$.components[2]",
      "$.fileNam",
    ]);
  });

  it("are listed once for each text, however often it repeats the mistake", () => {
    const { problems, warnings } = checkDefinition(
      {
        schema: [{ id: "root", fields: [{ name: "n", type: "Number" }] }],
        components: [
          text(
            "{{ root.n | curency }} {{ root.n | curency }} {{ x.v }}{{x.v}}",
          ),
          text("{{ root.n | curency }} {{ root.m }} {{ root.m }}"),
        ],
      },
      "document",
    );
    const found = [...problems, ...warnings];
    expect(found.map(({ path, code }) => `${path} ${code}`)).to.deep.equal([
      "$.components[0].text unknown_filter",
      "$.components[0].text unknown_scope",
      "$.components[1].text unknown_filter",
      "$.components[1].text undeclared_field",
    ]);
  });

  it("say that a property of CSS belongs into style", () => {
    const { problems } = checkDefinition(
      {
        schema: [],
        components: [
          { type: "columns", height: "3cm", components: [] },
          text("a", { fontSize: "9pt", align: "center" }),
          { type: "qrcode", value: "a", textAlign: 5 },
        ],
      },
      "document",
    );
    expect(problems.map(({ path, hint }) => [path, hint])).to.deep.equal([
      [
        "$.components[0].height",
        'Write it in style: "style": { "height": "3cm" }.',
      ],
      [
        "$.components[1].fontSize",
        'Write it in style: "style": { "font-size": "9pt" }.',
      ],
      [
        "$.components[1].align",
        'Write it in style: "style": { "text-align": "center" }.',
      ],
      [
        "$.components[2].textAlign",
        'Write it in style: "style": { "text-align": … }.',
      ],
    ]);
  });

  it("of a union come from the intended branch", () => {
    const inline = [{ text: "a", mark: ["bold"] }];
    const definition = { schema: [], components: [text("", { text: inline })] };
    expect(checkDefinition(definition, "document").problems).to.eql([
      {
        path: "$.components[0].text[0].mark",
        code: "unknown_property",
        message: 'Unknown property "mark".',
        hint: 'Did you mean "marks"?',
      },
    ]);
  });

  it("are reported even for input that is not a definition at all", () => {
    for (const input of [null, [], "x", 5, undefined])
      expect(problemPaths(input)).to.eql(["$"]);
    expect(problemPaths({})).to.eql(["$.schema", "$.components"]);
    expect(problemPaths({ schema: [], components: [] })).to.eql([]);
  });
});
