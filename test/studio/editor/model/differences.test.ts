import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { compareDefinitions } from "../../../../plugins/studio/app/src/editor/versions/compare.js";

const text = (id: string, words = id): Component => ({
  type: "text",
  id,
  text: words,
});
const styled = (color: string): Component => ({
  ...text("a"),
  style: { color },
});
const templateWith = (components: Component[], more = {}): ProjectData => ({
  schema: [{ id: "root", fields: [] }],
  components,
  ...more,
});

/** The changes in short. */
function describeChanges(before: ProjectData, after: ProjectData): string[] {
  return compareDefinitions(before, after).map(
    ({ kind, name, within, details }) =>
      `${kind} ${name}${within > 0 ? ` +${within}` : ""}` +
      details
        .map((one) => ` | ${one.label}: ${one.before} > ${one.after}`)
        .join(""),
  );
}

describe("the differences between two definitions", () => {
  it("are empty for equal definitions", () => {
    expect(
      describeChanges(templateWith([text("a")]), templateWith([text("a")])),
    ).to.deep.equal([]);
  });

  it("are described by component, with its content", () => {
    const box: Component = {
      type: "container",
      id: "box",
      components: [text("b"), text("c")],
    };
    const before = templateWith([text("a"), text("gone")]);
    const after = templateWith([text("a", "Hello"), box]);
    expect(describeChanges(before, after)).to.deep.equal([
      "changed Text “Hello” | Text: a > Hello",
      "added Box +2",
      "removed Text “gone”",
    ]);
  });

  it("describe a changed order with the fewest moves", () => {
    const before = templateWith(["a", "b", "c", "d"].map((id) => text(id)));
    const after = templateWith(["d", "a", "b", "c"].map((id) => text(id)));
    expect(describeChanges(before, after)).to.deep.equal(["moved Text “d”"]);
  });

  it("name individual properties of styles and of the page", () => {
    const before = templateWith([styled("red")], { page: { size: "A4" } });
    const after = templateWith([styled("blue")], { page: { size: "A5" } });
    expect(describeChanges(before, after)).to.deep.equal([
      "changed The template | Page › Size: A4 > A5",
      "changed Text “a” | Color: red > blue",
    ]);
  });
});
