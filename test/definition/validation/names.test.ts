import { expect } from "chai";
import { validateTemplateUpdate } from "../../../core/definition/index.js";
import { accepted, text } from "../../compiler/support.js";

const repeated = (collectionId: string, id: string) =>
  text("a", { id, collection: { collectionId, path: "root.lines" } });

describe("a collectionId", () => {
  it("does not change while its component keeps its id", () => {
    const before = accepted([repeated("line", "a"), repeated("other", "b")]);
    const same = accepted([repeated("other", "b"), repeated("line", "a")]);
    const changed = accepted([
      repeated("row", "a"),
      repeated("new", "c"),
      text("a", { id: "b" }),
    ]);
    expect(validateTemplateUpdate(before, same)).to.eql([]);
    expect(validateTemplateUpdate(before, changed)).to.eql([
      {
        path: "$.components[0].collection.collectionId",
        code: "changed_collection_id",
        message:
          'The collectionId of this component is "line" and cannot be changed to "row".',
        hint: 'Write "line", or give the component a new id.',
      },
    ]);
  });
});
