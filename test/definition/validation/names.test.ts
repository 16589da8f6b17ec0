import { expect } from "chai";
import { validateTemplateUpdate } from "../../../core/definition/index.js";
import { accepted, rejects, text } from "../../compiler/support.js";

const repeated = (collectionId: string, id?: string) =>
  text("a", {
    ...(id && { id }),
    collection: { collectionId, path: "root.lines" },
  });

describe("the names in a definition", () => {
  it("give each component its own id", () => {
    rejects(
      [text("a", { id: "x" }), text("b", { id: "x" })],
      "$.components[1].id",
      "is already the id of $.components[0]",
    );
  });

  it("give each collection its own collectionId, headers included, which is an identifier", () => {
    rejects(
      { components: [repeated("line")], page: { header: [repeated("line")] } },
      "$.page.header[0].collection.collectionId",
      "is already the collectionId of $.components[0]",
    );
    for (const name of ["root", "1st", "a b", "a.b"])
      rejects(
        [repeated(name)],
        "$.components[0].collection.collectionId",
        name,
      );
  });

  it("do not allow a collectionId to change while its component keeps its id", () => {
    const before = accepted([repeated("line", "a"), repeated("other", "b")]);
    const same = accepted([repeated("other", "b"), repeated("line", "a")]);
    const changed = accepted([repeated("row", "a"), repeated("new", "c")]);
    expect(validateTemplateUpdate(before, same)).to.eql([]);
    expect(
      validateTemplateUpdate(before, changed).map(({ path }) => path),
    ).to.eql(["$.components[0].collection.collectionId"]);
  });

  it("make the first collection of the schema the root, and links require a target", () => {
    rejects(
      { schema: [{ id: "main", fields: [] }] },
      "$.schema[0].id",
      'The first collection must be "root"',
    );
    const fields = [{ name: "l", type: "OneToManyLink", target: "line" }];
    const schema = [
      { id: "root", fields },
      { id: "lines", fields: [] },
    ];
    rejects(
      { schema },
      "$.schema[0].fields[0].target",
      'Did you mean "lines"?',
    );
  });
});
