import { expect } from "chai";
import {
  checkDefinition,
  normalizeDefinition,
} from "../../../core/definition/index.js";
import { accepted, rule, text } from "../../compiler/support.js";

const written = {
  "x-editor": { zoom: 1.5 },
  components: [
    text("a", { "x-note": [null, 1.0, "é\u2028"], id: "a" }),
    text("b", { condition: { ...rule("root.a", "null"), else: [text("c")] } }),
  ],
  page: { footer: { height: "20mm", components: [text("d")] } },
  schema: [],
};

function parseCopy(json: string): object {
  const copy: unknown = JSON.parse(json);
  if (typeof copy !== "object" || copy === null) throw new Error(json);
  return copy;
}

describe("saving a definition", () => {
  it("returns the same value from a check", () => {
    const json = JSON.stringify(written);
    const { definition } = checkDefinition(JSON.parse(json), "document");
    expect(JSON.stringify(definition)).to.equal(json);
  });

  it("gives every component an id, including those in branches, headers and footers", () => {
    const saved = normalizeDefinition(accepted(written));
    const ids = JSON.stringify(saved).match(/"id":"[^"]+"/g) ?? [];
    expect(new Set(ids)).to.have.property("size", 4);
    expect(ids[0]).to.equal('"id":"a"');
  });

  it("changes no byte of a definition that has ids", () => {
    const once = JSON.stringify(normalizeDefinition(accepted(written)));
    const again = normalizeDefinition(accepted(parseCopy(once)));
    expect(JSON.stringify(again)).to.equal(once);
  });
});
