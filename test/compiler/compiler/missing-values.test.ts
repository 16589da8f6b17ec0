import { expect } from "chai";
import { merged, text } from "../support.js";

describe("missing values", () => {
  it("are reported once per component, with its path", () => {
    const line = text("{{ line.name }}", {
      collection: { collectionId: "line", path: "root.lines" },
    });
    const { report } = merged([text("{{ root.title }}"), line], {
      lines: [{}, {}, { name: "x" }],
    });
    expect(report.missing).to.eql([
      { path: "root.title", component: "$.components[0]" },
      { path: "line.name", component: "$.components[1]" },
    ]);
  });

  it("of a header are reported with its path in the page settings", () => {
    const page = { header: [text("{{ root.title }}")] };
    expect(merged({ page }).report.missing).to.eql([
      { path: "root.title", component: "$.page.header[0]" },
    ]);
  });
});
