import { expect } from "chai";
import { type Draft, produce } from "immer";
import { describe, it } from "mocha";
import type {
  Component,
  Inline,
  ProjectData,
  Text,
} from "../../../../core/plugin-api/definition.js";
import { updateComponent } from "../../../../plugins/studio/app/src/editor/model/edits.js";
import {
  matchIds,
  mergeDefinitions,
} from "../../../../plugins/studio/app/src/editor/model/merge-definitions.js";
import {
  at,
  buildTree,
  type List,
  type Path,
} from "../../../../plugins/studio/app/src/editor/model/tree.js";
import { getBody, newEditor } from "../../../support/editor-model.js";
import { expectAccepted, fc } from "../../../support/properties.js";

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
const whole = (...components: Component[]): ProjectData => ({
  schema: [{ id: "root", fields: [] }],
  components,
});

/** A definition with what joins have to mind: nesting, bands, stand-ins. */
const startedAt: ProjectData = {
  schema: [
    { id: "root", fields: [{ name: "name", type: "String" }] },
    { id: "line", fields: [{ name: "price", type: "Number" }] },
  ],
  components: [
    text("a"),
    box("b", text("b1"), box("b2", text("b21"), text("b22")), text("b3")),
    {
      ...text("c"),
      condition: { combinator: "and", rules: [], else: [text("c1")] },
    },
    box("d", text("d1"), text("d2")),
  ],
  page: { header: [text("h1"), text("h2")], size: "A4" },
};

/** Something that a person does; numbers choose among what is there. */
type Edit =
  | { does: "type" | "style"; which: number; value: string }
  | { does: "add"; where: number; index: number; id: string; value: string }
  | { does: "move"; which: number; where: number; index: number }
  | { does: "delete"; which: number }
  | { does: "field"; value: string };

/** A few edits; what is typed and made bears the name of the one who did. */
function edits(who: string): fc.Arbitrary<Edit[]> {
  const number = fc.nat(40);
  const index = fc.nat(4);
  const word = fc.nat(9).map((one) => `${who} ${one}`);
  const id = fc.nat(9999).map((one) => `${who}-${one}`);
  return fc.array(
    fc.oneof(
      fc.record({ does: fc.constant("type"), which: number, value: word }),
      fc.record({ does: fc.constant("style"), which: number, value: word }),
      fc.record({
        does: fc.constant("add"),
        where: number,
        index,
        id,
        value: word,
      }),
      fc.record({
        does: fc.constant("move"),
        which: number,
        where: number,
        index,
      }),
      fc.record({ does: fc.constant("delete"), which: number }),
      fc.record({ does: fc.constant("field"), value: word }),
    ),
    { maxLength: 6 },
  );
}

function afterEdits(before: ProjectData, made: Edit[]): ProjectData {
  return made.reduce(afterEdit, before);
}

function afterEdit(before: ProjectData, edit: Edit): ProjectData {
  return produce(before, (draft) => {
    if (edit.does === "field")
      draft.schema[0]?.fields.push({ name: edit.value, type: "String" });
    else if (edit.does === "add") add(before, draft, edit);
    else change(before, draft, edit);
  });
}

/** The lists that take any component. */
function placesIn(definition: ProjectData): List[] {
  const { entries, lists } = buildTree(definition);
  return [...lists.values()].filter(
    ({ ownerId, slot }) =>
      slot !== "components" ||
      entries.get(ownerId ?? "")?.component.type === "container",
  );
}

function add(
  before: ProjectData,
  draft: Draft<ProjectData>,
  edit: Extract<Edit, { does: "add" }>,
): void {
  if (buildTree(before).entries.has(edit.id)) return;
  const path = some(placesIn(before), edit.where)?.path ?? [];
  const made = { ...text(edit.id), text: edit.value };
  listAt(draft, path).splice(edit.index, 0, made);
}

function change(
  before: ProjectData,
  draft: Draft<ProjectData>,
  edit: Extract<Edit, { which: number }>,
): void {
  const entry = some([...buildTree(before).entries.values()], edit.which);
  if (!entry) return;
  const home = listAt(draft, entry.path.slice(0, -1));
  const component = home[entry.spot.index];
  if (edit.does === "type" && component && "text" in component)
    component.text = edit.value;
  if (edit.does === "style" && component)
    component.style = { color: edit.value };
  if (edit.does === "delete") home.splice(entry.spot.index, 1);
  if (edit.does !== "move") return;
  const target = some(placesIn(before), edit.where);
  const isInside = `${target?.path.join()},`.startsWith(
    `${entry.path.join()},`,
  );
  if (!target || isInside) return;
  const destination = listAt(draft, target.path);
  const [moved] = home.splice(entry.spot.index, 1);
  if (moved) destination.splice(edit.index, 0, moved);
}

function some<T>(list: T[], which: number): T | undefined {
  return list[which % list.length];
}

function listAt(draft: Draft<ProjectData>, path: Path): Component[] {
  // The tree was read off this very definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return at(draft, path) as Component[];
}

function idsIn(definition: ProjectData): string[] {
  const ids: string[] = [];
  JSON.stringify(definition, (_, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value)
      if ("id" in value) ids.push(String(value.id));
    return value;
  });
  return ids;
}

function textsIn(definition: ProjectData): unknown[] {
  return [...buildTree(definition).entries.values()].flatMap(({ component }) =>
    "text" in component ? [component.text] : [],
  );
}

const sides = fc.tuple(edits("mine"), edits("theirs"));

const merge = (mine: ProjectData, theirs: ProjectData) =>
  mergeDefinitions({ base: startedAt, mine, theirs });

/** Runs on what two people made of the same definition. */
function checkMerges(
  check: (mine: ProjectData, theirs: ProjectData) => void,
): void {
  const property = fc.property(sides, ([mine, theirs]) =>
    check(afterEdits(startedAt, mine), afterEdits(startedAt, theirs)),
  );
  fc.assert(property, { numRuns: 150 });
}

describe("merging two people's versions of a template", () => {
  it("returns one person's changes when the other made none", () => {
    checkMerges((mine, theirs) => {
      for (const [merged, changed] of [
        [merge(mine, startedAt), mine],
        [merge(startedAt, theirs), theirs],
      ] as const) {
        expect(merged.definition).to.deep.equal(changed);
        expect(merged.conflicts).to.deep.equal([]);
      }
    });
  });

  it("contains each component once, and is symmetric when there is no conflict", () => {
    expectAccepted(40, (accept) =>
      checkMerges((mine, theirs) => {
        const one = merge(mine, theirs);
        const other = merge(theirs, mine);
        const ids = idsIn(one.definition);
        expect(new Set(ids).size).to.equal(ids.length);
        expect(one.conflicts.length).to.equal(other.conflicts.length);
        if (one.conflicts.length > 0) return;
        expect(one.definition).to.deep.equal(other.definition);
        accept();
      }),
    );
  });

  it("is symmetric when both inserted the same component at different positions", () => {
    const [mine, theirs] = [0, 1].map((index) =>
      afterEdits(startedAt, [{ does: "move", which: 3, where: 10, index }]),
    );
    if (!mine || !theirs) throw new Error("both have moved it");
    expect(mine).to.not.deep.equal(theirs);
    expect(merge(mine, theirs).definition).to.deep.equal(
      merge(theirs, mine).definition,
    );
  });

  it("loses no text that either typed, except in reported conflicts", () => {
    const before = new Set(textsIn(startedAt));
    expectAccepted(100, (accept) =>
      checkMerges((mine, theirs) => {
        const { definition, conflicts } = merge(mine, theirs);
        const kept = new Set([
          ...textsIn(definition),
          ...conflicts.flatMap((one) => [one.mine, one.theirs]),
        ]);
        const typed = [...textsIn(mine), ...textsIn(theirs)].filter(
          (one) => !before.has(one),
        );
        for (const words of typed) expect(kept).to.include(words);
        if (typed.length > 0) accept();
      }),
    );
  });

  it("keeps the identity of unchanged objects", () => {
    const [, ...others] = startedAt.components;
    const theirs = { ...startedAt, components: others };
    const { components } = merge(startedAt, theirs).definition;
    for (const [index, one] of components.entries())
      expect(one).to.equal(others[index]);
    expect(components).to.have.length(others.length);
  });
});

const letters = whole(text("a"), box("b", text("b1"), text("b2")), text("c"));

const createText = (value: string | readonly Inline[]): Text =>
  typeof value === "string" ? value : [...value];

/** The components of what two people made, and the paths of the conflicts. */
function joined(mine: ProjectData, theirs: ProjectData) {
  const { definition, conflicts, restored } = mergeDefinitions({
    base: letters,
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
    const mine = whole(text("a"), text("c"));
    const theirs = whole(
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
    const mine = whole(box("b", text("b2"), text("b1")), text("c"), text("a"));
    const theirs = whole(
      text("a", "New"),
      box("b", text("b1"), text("b2")),
      text("c"),
    );
    const [, , moved] = joined(mine, theirs).components;
    expect(moved).to.deep.equal(text("a", "New"));
  });

  it("reports a conflict for a text or a position that both changed", () => {
    const mine = whole(
      box("b", text("a", "Mine"), text("b1"), text("b2")),
      text("c"),
    );
    const theirs: ProjectData = {
      ...whole(box("b", text("b1"), text("b2")), text("c")),
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
        base: letters,
        mine: whole({ type: "text", id: "a", text: createText(mine) }),
        theirs: whole({ type: "text", id: "a", text: createText(theirs) }),
      };
      const { definition } = mergeDefinitions(three, () => "both");
      const [first] = definition.components;
      expect(first).to.deep.include({ text: both });
    }
  });

  it("keeps both components that were inserted at one position", () => {
    const mine = whole(text("a"), text("m"), ...letters.components.slice(1));
    const theirs = whole(text("a"), text("t"), ...letters.components.slice(1));
    const ids = joined(mine, theirs).components.map(({ id }) => id);
    expect(ids).to.deep.equal(["a", "m", "t", "b", "c"]);
  });

  it("resolves two components moved into each other", () => {
    const initial = whole(box("x"), box("y"));
    const mine = whole(box("y", box("x")));
    const theirs = whole(box("x", box("y")));
    const one = mergeDefinitions({ base: initial, mine, theirs }).definition;
    const other = mergeDefinitions({
      base: initial,
      mine: theirs,
      theirs: mine,
    }).definition;
    expect(one).to.deep.equal(other);
    expect(JSON.stringify(one)).to.include('"x"').and.include('"y"');
  });

  it("merges individual properties of styles, pages and fields", () => {
    const initial: ProjectData = {
      ...letters,
      schema: [{ id: "root", fields: [{ name: "n", type: "String" }] }],
      page: { size: "A4", margin: { top: "10mm", left: "10mm" } },
    };
    const mine: ProjectData = {
      ...initial,
      schema: [
        { id: "root", fields: [{ name: "n", type: "String", label: "N" }] },
      ],
      page: { size: "A4", margin: { top: "20mm", left: "10mm" } },
    };
    const theirs: ProjectData = {
      ...initial,
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
      base: initial,
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

describe("a version that a program published with its own ids", () => {
  const base = whole(text("a", "A"), box("b", text("c", "C"), text("d", "C")));

  it("is merged with what was typed, without duplicates", () => {
    const mine = whole(
      text("a", "A typed"),
      box("b", text("c", "C"), text("d", "C typed")),
    );
    const published = whole(
      text("1", "New"),
      text("2", "A"),
      box("3", text("4", "C"), text("5", "C"), text("6", "Also new")),
    );
    const theirs = matchIds(published, base);
    const { definition, conflicts } = mergeDefinitions({ base, mine, theirs });
    expect(conflicts).to.deep.equal([]);
    expect(definition.components).to.deep.equal([
      text("1", "New"),
      text("a", "A typed"),
      box("b", text("c", "C"), text("d", "C typed"), text("6", "Also new")),
    ]);
  });

  it("keeps the ids that already exist", () => {
    const published = whole(text("d", "A"), text("1", "A"), text("2", "A"));
    const ids = matchIds(published, base).components.map(({ id }) => id);
    expect(ids).to.deep.equal(["d", "a", "2"]);
  });
});

describe("undo after somebody else's changes arrived", () => {
  it("reverts only the user's own steps, and redo restores them", () => {
    const editor = newEditor([text("a", "A"), text("b", "B")]);
    const base = editor.definition.value;
    const write = (id: string, words: string) =>
      updateComponent(editor, id, `Write ${words}`, (component) => {
        if ("text" in component) component.text = words;
      });
    write("a", "A1");
    write("a", "A2");
    const theirs: ProjectData = {
      ...base,
      components: [text("a", "A"), text("b", "Theirs"), text("c", "Theirs")],
    };
    const mine = editor.definition.value;
    editor.rebase(mergeDefinitions({ base, mine, theirs }).definition, {
      base,
      theirs,
    });
    const words = () =>
      editor.definition.value.components.map(
        (one) => "text" in one && one.text,
      );
    expect(words()).to.deep.equal(["A2", "Theirs", "Theirs"]);
    editor.undo();
    expect(words()).to.deep.equal(["A1", "Theirs", "Theirs"]);
    editor.undo();
    expect(words()).to.deep.equal(["A", "Theirs", "Theirs"]);
    expect(editor.undoName.value).to.equal(null);
    editor.redo();
    editor.redo();
    expect(words()).to.deep.equal(["A2", "Theirs", "Theirs"]);
  });

  it("keeps what somebody else has written over them", () => {
    const editor = newEditor([text("a", "A"), text("b", "B")]);
    const write = (id: string, words: string) =>
      updateComponent(editor, id, `Write ${words}`, (component) => {
        if ("text" in component) component.text = words;
      });
    write("b", "B mine");
    write("a", "A mine");
    const base = editor.definition.value;
    const theirs: ProjectData = {
      ...base,
      components: [text("a", "A mine and theirs"), text("b", "B mine")],
    };
    editor.rebase(theirs, { base, theirs });
    expect(editor.undo()).to.equal("Write B mine");
    expect(getBody(editor)).to.deep.equal([
      { type: "text", text: "A mine and theirs" },
      { type: "text", text: "B" },
    ]);
    expect(editor.undo()).to.equal(null);
  });
});
