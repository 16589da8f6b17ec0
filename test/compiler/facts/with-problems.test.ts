import { expect } from "chai";
import { describe, it } from "mocha";
import { evaluateSample } from "../../../core/compiler/index.js";
import { createDefinition, OPTIONS } from "../support.js";

const collection = { collectionId: "line", path: "root.lines" };
const text = { type: "text", text: "" };
const good = { id: "good", ...text, collection };
const sample = { lines: [{ n: 1 }, { n: 2 }] };

const findRepeats = (written: unknown, data: unknown = sample) => {
  const { repeats } = evaluateSample(written, data, OPTIONS.now);
  return [...repeats.keys()];
};

describe("the preview of a definition with problems", () => {
  it("omits what cannot be evaluated and contains the rest", () => {
    const path = { ...collection, path: "root." };
    const components = [
      { id: "path", ...text, collection: path },
      { id: "form", ...text, collection: { path: 3 } },
      { id: "width", type: "image", width: "wide", collection },
      { id: "text", type: "text", text: "{{ root. }}", collection },
      good,
    ];
    const names = ["width", "text", "good"];
    expect(
      findRepeats(createDefinition({ components, page: 7 })),
    ).to.deep.equal(names);
  });

  it("contains the rest when the formula of a field does not compile", () => {
    const schema = [
      {
        id: "root",
        fields: [{ name: "total", type: "Number", computed: "1 +" }],
      },
    ];
    expect(
      findRepeats(createDefinition({ schema, components: [good] })),
    ).to.deep.equal(["good"]);
  });

  it("is empty for an invalid definition and without a record", () => {
    for (const written of [null, 3, "text", [], { components: 3 }])
      expect(findRepeats(written)).to.deep.equal([]);
    for (const data of [null, [], "text"])
      expect(
        findRepeats(createDefinition({ components: [good] }), data),
      ).to.deep.equal([]);
  });

  it("is empty for a definition that is nested too deeply", () => {
    let deep: object = good;
    for (let depth = 0; depth < 70; depth++)
      deep = { type: "container", components: [deep] };
    expect(findRepeats(createDefinition({ components: [deep] }))).to.deep.equal(
      [],
    );
  });

  it("is bounded, however large the first elements are", () => {
    const lines = [{ text: "x".repeat(1_500_000) }];
    const components = Array.from({ length: 50 }, (_, at) => ({
      ...good,
      id: `repeat-${at}`,
    }));
    const written = createDefinition({ components });
    const { repeats } = evaluateSample(written, { lines }, OPTIONS.now);
    const shown = [...repeats.values()].filter(({ first }) => first !== null);
    expect(repeats.size).to.equal(50);
    expect(shown).to.have.length(2);
  });
});
