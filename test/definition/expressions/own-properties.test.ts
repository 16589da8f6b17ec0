import { expect } from "chai";
import type { DataCollection } from "../../../core/definition/schema/data-schema.js";
import { prints, printsEach } from "./vocabulary.js";

const lines = { collectionId: "line", path: "root.lines" };
const data = { number: "INV-1", lines: [{ number: 7 }, {}] };

describe("a scope's own properties", () => {
  it("describe the position of its element", () => {
    const text =
      "{{ line.index }} {{ line.number }} {{ line.first }} {{ line.last }}";
    expect(printsEach([lines], text, data)).to.eql([
      "0 1 true false",
      "1 2 false true",
    ]);
  });

  it("are hidden by declared fields of the same name", () => {
    const schema: DataCollection[] = [
      {
        id: "root",
        fields: [{ name: "lines", type: "OneToManyLink", target: "lines" }],
      },
      { id: "lines", fields: [{ name: "number", type: "Number" }] },
    ];
    expect(printsEach([lines], "{{ line.number }}", data, { schema })).to.eql([
      "7",
      "",
    ]);
  });

  it("are never found by a bare name", () => {
    expect(printsEach([lines], "{{ number }}", data)).to.eql(["7", "INV-1"]);
  });

  it("do not exist on the root", () => {
    expect(prints("{{ root.number }}", data)).to.equal("INV-1");
  });
});
