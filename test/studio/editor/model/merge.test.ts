import { expect } from "chai";
import { type Draft, produce } from "immer";
import type {
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { updateComponent } from "../../../../studio/src/editor/model/edits.js";
import { mergeDefinitions } from "../../../../studio/src/editor/model/merge-definitions.js";
import {
  at,
  buildTree,
  type List,
  type Path,
} from "../../../../studio/src/editor/model/tree.js";
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
