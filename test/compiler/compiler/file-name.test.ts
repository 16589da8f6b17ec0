import { expect } from "chai";
import { merged } from "../support.js";

const named = (fileName: string, data: object) =>
  merged({ fileName }, data).fileName;

describe("the file name", () => {
  it("contains the merged data and is the document's title", () => {
    const document = merged({ fileName: "Invoice {{ root.n }}" }, { n: 7 });
    expect(document).to.include({ fileName: "Invoice 7", title: "Invoice 7" });
    expect(document.html).to.include("<title>Invoice 7</title>");
  });

  it("is valid on every file system", () => {
    expect(named("{{ root.n }}", { n: "../a/b:c*?\u0000\u202Egnp" })).to.equal(
      "a-b-c-gnp",
    );
    expect(named("{{ root.n }}", { n: "x".repeat(500) })).to.have.length(120);
  });

  it("is null when there is none or no characters remain", () => {
    expect(merged({}).fileName).to.equal(null);
    expect(named("{{ root.n }}", {})).to.equal(null);
    expect(named("{{ root.n }}", { n: "..//.." })).to.equal(null);
  });
});
