import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  Inline,
  ProjectData,
  Text,
} from "../../../core/plugin-api/definition.js";
import { mergeDefinitions } from "../../../plugins/studio/app/src/editor/model/merge-definitions.js";

const text = (id: string, words = id): Component => ({
  type: "text",
  id,
  text: words,
});
const box = (id: string, ...components: Component[]): Component => ({
  type: "container",
  id,
  components,
});
const page = (...components: Component[]): ProjectData => ({
  schema: [{ id: "root", fields: [] }],
  components,
});

const base = page(text("a"), box("b", text("b1"), text("b2")), text("c"));

const createText = (value: string | readonly Inline[]): Text =>
  typeof value === "string" ? value : [...value];

/** The components of what two people made, and what was to be conflictPaths. */
function joined(mine: ProjectData, theirs: ProjectData) {
  const { definition, conflicts, restored } = mergeDefinitions({
    base,
    mine,
    theirs,
  });
  const conflictPaths = conflicts.map(({ owner, path }) =>
    [owner, ...path].join("."),
  );
  return {
    components: definition.components,
    conflictPaths,
    kept: [...restored],
  };
}

describe("merging the changes of two people", () => {
  it("keeps what one person deleted and the other changed, with its ancestors", () => {
    const mine = page(text("a"), text("c"));
    const theirs = page(
      text("a"),
      box("b", text("b1", "New"), text("b2")),
      text("c"),
    );
    expect(joined(mine, theirs)).to.deep.equal({
      components: theirs.components,
      conflictPaths: [],
      kept: ["b", "b1", "b2"],
    });
  });

  it("applies changes to a component that the other person moved", () => {
    const mine = page(box("b", text("b2"), text("b1")), text("c"), text("a"));
    const theirs = page(
      text("a", "New"),
      box("b", text("b1"), text("b2")),
      text("c"),
    );
    const [, , moved] = joined(mine, theirs).components;
    expect(moved).to.deep.equal(text("a", "New"));
  });

  it("reports a conflict for a text or a position that both changed", () => {
    const mine = page(
      box("b", text("a", "Mine"), text("b1"), text("b2")),
      text("c"),
    );
    const theirs: ProjectData = {
      ...page(box("b", text("b1"), text("b2")), text("c")),
      page: { header: [text("a", "Theirs")] },
    };
    expect(joined(mine, theirs).conflictPaths).to.deep.equal([
      "a.place",
      "a.text",
    ]);
  });

  it("writes both texts one after the other on request", () => {
    const marked = [{ text: "Theirs", marks: ["bold" as const] }];
    for (const [mine, theirs, both] of [
      ["Mine", "Theirs", "Mine\nTheirs"],
      ["Mine", marked, ["Mine", { br: true }, ...marked]],
      [marked, "Theirs", [...marked, { br: true }, "Theirs"]],
    ] as const) {
      const three = {
        base,
        mine: page({ type: "text", id: "a", text: createText(mine) }),
        theirs: page({ type: "text", id: "a", text: createText(theirs) }),
      };
      const { definition } = mergeDefinitions(three, () => "both");
      const [first] = definition.components;
      expect(first).to.deep.include({ text: both });
    }
  });

  it("keeps both components that were inserted at one position", () => {
    const mine = page(text("a"), text("m"), ...base.components.slice(1));
    const theirs = page(text("a"), text("t"), ...base.components.slice(1));
    const ids = joined(mine, theirs).components.map(({ id }) => id);
    expect(ids).to.deep.equal(["a", "m", "t", "b", "c"]);
  });

  it("resolves two components moved into each other", () => {
    const startedAt = page(box("x"), box("y"));
    const mine = page(box("y", box("x")));
    const theirs = page(box("x", box("y")));
    const one = mergeDefinitions({ base: startedAt, mine, theirs }).definition;
    const other = mergeDefinitions({
      base: startedAt,
      mine: theirs,
      theirs: mine,
    }).definition;
    expect(one).to.deep.equal(other);
    expect(JSON.stringify(one)).to.include('"x"').and.include('"y"');
  });

  it("merges individual properties of styles, pages and fields", () => {
    const startedAt: ProjectData = {
      ...base,
      schema: [{ id: "root", fields: [{ name: "n", type: "String" }] }],
      page: { size: "A4", margin: { top: "10mm", left: "10mm" } },
    };
    const mine: ProjectData = {
      ...startedAt,
      schema: [
        { id: "root", fields: [{ name: "n", type: "String", label: "N" }] },
      ],
      page: { size: "A4", margin: { top: "20mm", left: "10mm" } },
    };
    const theirs: ProjectData = {
      ...startedAt,
      schema: [
        {
          id: "root",
          fields: [
            { name: "n", type: "String" },
            { name: "o", type: "Date" },
          ],
        },
      ],
      page: { size: "A5", margin: { top: "10mm", left: "15mm" } },
    };
    const { definition, conflicts } = mergeDefinitions({
      base: startedAt,
      mine,
      theirs,
    });
    expect(conflicts).to.deep.equal([]);
    expect(definition.page).to.deep.equal({
      size: "A5",
      margin: { top: "20mm", left: "15mm" },
    });
    expect(definition.schema[0]?.fields).to.deep.equal([
      { name: "n", type: "String", label: "N" },
      { name: "o", type: "Date" },
    ]);
  });
});
