import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../core/definition/index.js";
import {
  createDefinition,
  text,
  type Written,
} from "../../compiler/support.js";

function warnings(written: Written): string[] {
  const checked = checkDefinition(createDefinition(written), "document");
  expect(checked.problems).to.eql([]);
  return checked.warnings.map(({ code, path }) => `${code} ${path}`);
}

describe("a constant URL", () => {
  it("is reported when no image can be loaded from it", () => {
    for (const src of [
      "javascript:x",
      "file:///a.png",
      "a.png",
      "data:text/html,x",
    ])
      expect(warnings([{ type: "image", src }])).to.eql([
        "refused_image $.components[0].src",
      ]);
    for (const src of [
      "asset:a1",
      "https://a.example/b.png",
      "data:image/png;base64,AA==",
      "{{ root.x }}",
      "",
    ])
      expect(warnings([{ type: "image", src }])).to.eql([]);
  });

  it("is not reported for a background color", () => {
    const style = { background: "#fff" };
    const marked = text([{ text: "a", marks: [{ style }] }]);
    expect(
      warnings([{ type: "container", components: [], style }, marked]),
    ).to.eql([]);
  });

  it("is reported when it cannot be followed", () => {
    const href = "javascript:alert(1)";
    const marked = text([{ text: "a", marks: [{ link: href }] }]);
    expect(warnings([{ type: "button", text: "a", href }, marked])).to.eql([
      "refused_link $.components[0].href",
      "refused_link $.components[1].text[0].marks[0].link",
    ]);
    for (const good of [
      "https://a.example",
      "mailto:a@b.example",
      "/a",
      "{{ root.x }}",
    ])
      expect(warnings([{ type: "button", text: "a", href: good }])).to.eql([]);
  });
});
