import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";
import {
  accepted,
  createDefinition,
  rejects,
  text,
} from "../../compiler/support.js";

const lines = { collectionId: "line", path: "root.lines" };

describe("the scopes of a definition", () => {
  it("include a collection inside its component and nowhere else", () => {
    accepted([text("{{ line.n }}", { collection: lines })]);
    rejects(
      [text("a", { collection: lines }), text("{{ line.n }}")],
      "$.components[1].text",
      '"line" is not an enclosing collection',
    );
  });

  it("exclude the element from its component's condition and branches", () => {
    const empty = [text("{{ line.n }}")];
    rejects(
      [text("a", { collection: { ...lines, empty } })],
      "$.components[0].collection.empty[0].text",
      '"line" is not an enclosing collection',
    );
  });

  it("allow only the root in a file name, a title, a watermark and named styles", () => {
    rejects({ fileName: "{{ line.n }}" }, "$.fileName", '"line"');
    rejects({ pdf: { title: "{{ line.n }}" } }, "$.pdf.title", '"line"');
    rejects(
      { page: { watermark: "{{ line.n }}" } },
      "$.page.watermark",
      '"line"',
    );
    rejects(
      { styles: { a: { color: "{{ line.color }}" } } },
      "$.styles.a.color",
      '"line"',
    );
  });

  it("show an expression that does not parse, with the column in it", () => {
    const written = [text("Total: {{ 1 + }}")];
    const { problems } = checkDefinition(createDefinition(written), "document");
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include({ path: "$.components[0].text" });
    expect(problems[0]).to.have.keys(
      "path",
      "code",
      "message",
      "expression",
      "column",
    );
  });

  it("make a path that no field declares a warning and accept the definition", () => {
    const schema = [
      { id: "root", fields: [{ name: "number", type: "String" }] },
    ];
    const written = { schema, components: [text("{{ root.nmber }}")] };
    const { definition, warnings } = checkDefinition(
      createDefinition(written),
      "document",
    );
    expect(definition).not.to.equal(null);
    expect(warnings[0]).to.include({ path: "$.components[0].text" });
    expect(JSON.stringify(warnings[0])).to.include("number");
  });
});
