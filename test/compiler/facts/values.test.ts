import { expect } from "chai";
import { describe, it } from "mocha";
import { evaluateSample } from "../../../core/compiler/index.js";
import { createDefinition, OPTIONS } from "../support.js";

const collection = { collectionId: "line", path: "root.lines" };
const sample = { total: 1234.5, lines: [{ name: "<One>" }, { name: "Two" }] };

const getValues = (components: object[], data: object = sample) =>
  evaluateSample(createDefinition({ components }), data, OPTIONS.now).values;

describe("the preview of a component's values", () => {
  it("contains what each of its expressions prints", () => {
    const text = [
      'Sum {{ root.total | currency("EUR") }}',
      { text: "{{root.total}}", marks: [{ link: "{{ root.none }}" }] },
    ];
    const values = getValues([{ id: "a", type: "text", text }]);
    expect(values.get("a")).to.deep.equal({
      'root.total | currency("EUR")': "€1,234.50",
      "root.total": "1234.5",
      "root.none": "",
    });
  });

  it("contains the values of the first element of a repeat, as text", () => {
    const name = { id: "name", type: "text", text: "{{ line.name }}" };
    const alt = "{{ line.number }}";
    const image = { id: "image", type: "image", src: "", alt };
    const components = [name, image];
    const list = { id: "list", type: "container", collection, components };
    const values = getValues([list]);
    expect(values.get("name")).to.deep.equal({ "line.name": "<One>" });
    expect(values.get("image")).to.deep.equal({ "line.number": "1" });
    expect(getValues([list], { lines: [] }).size).to.equal(0);
  });

  it("omits values with a problem and keeps the others", () => {
    const text = "{{ root. }} {{ root.total }} {{ unclosed";
    const parts = [text.slice(0, 29), text.slice(29)];
    const values = getValues([{ id: "a", type: "text", text: parts }]);
    expect(values.get("a")).to.deep.equal({ "root.total": "1234.5" });
  });

  it("contains a picture completely", () => {
    const logo = `data:image/png;base64,${"A".repeat(50_000)}`;
    const image = { id: "a", type: "image", src: "{{ root.logo }}" } as const;
    const values = getValues([image], { logo });
    expect(values.get("a")?.["root.logo"]).to.equal(logo);
  });

  it("truncates long values", () => {
    const text = "{{ root.long }}";
    const long = "x".repeat(50_000);
    const values = getValues([{ id: "a", type: "text", text }], { long });
    expect(values.get("a")?.["root.long"]).to.have.length(2000);
  });
});
