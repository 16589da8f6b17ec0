import { expect } from "chai";
import { merged } from "../support.js";

const getNames = (
  components: readonly object[],
  data: object,
  options: object = {},
) =>
  merged(components, data, options).signFields.map(
    ({ role, name }) => `${role}: ${name}`,
  );

describe("sign fields", () => {
  const lines = {
    collection: { path: "root.lines", collectionId: "line" },
    type: "container",
  };
  const note = {
    type: "sign-field",
    field: "text",
    name: "Note {{ line.number }}",
    submitter: "Client",
  };
  it("have one name for each row when the name has a value of the row", () => {
    const data = { lines: [{}, {}] };
    const components = [{ ...lines, components: [note] }];
    expect(getNames(components, data)).to.eql([
      "Client: Note 1",
      "Client: Note 2",
    ]);
    const { html } = merged(components, data);
    expect(html).to.include("<span>Note 1</span>").and.include("Note 2</span>");
    expect(html).not.to.include("line.number");
  });

  it("are one field where their rows result in the same name", () => {
    const data = { lines: [{ code: "A" }, { code: " A" }, { code: "B" }] };
    const coded = { ...note, name: "Note {{ line.code }}" };
    const components = [{ ...lines, components: [coded] }];
    expect(getNames(components, data)).to.eql([
      "Client: Note A",
      "Client: Note A",
      "Client: Note B",
    ]);
  });

  it("get a name of their own when another type or other choices have theirs", () => {
    const named = { ...note, name: "Size" };
    const choices = { ...named, field: "select", options: ["S", "M"] };
    const components = [
      named,
      choices,
      { ...choices, options: ["1", "2"] },
      { ...named, name: "Size 2" },
      choices,
      { ...choices, submitter: "Seller" },
    ];
    expect(getNames(components, {})).to.eql([
      "Client: Size",
      "Client: Size 2",
      "Client: Size 3",
      "Client: Size 2 2",
      "Client: Size 2",
      "Seller: Size",
    ]);
  });

  it("are separate fields with the name of their type when their names are empty", () => {
    const data = { lines: [{}, { name: "\u0000 " }, { name: "Text 2" }] };
    const unnamed = { ...note, name: "{{ line.name }}" };
    const components = [{ ...lines, components: [unnamed] }];
    expect(getNames(components, data)).to.eql([
      "Client: Text",
      "Client: Text 2",
      "Client: Text 2 2",
    ]);
  });

  it("are named in linear time, however many share a name or have none", () => {
    const data = { lines: Array.from({ length: 40_000 }, () => ({})) };
    const unnamed = { ...note, name: "{{ line.name }}" };
    const names = getNames([{ ...lines, components: [unnamed] }], data);
    expect(new Set(names).size).to.equal(40_000);
  });
});
