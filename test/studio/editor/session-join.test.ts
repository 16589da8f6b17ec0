import { expect } from "chai";
import * as fc from "fast-check";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { mergeDefinitions } from "../../../plugins/studio/app/src/editor/model/merge-definitions.js";
import {
  afterEdits,
  startedAt,
  type Edit,
  edits,
  idsIn,
  textsIn,
} from "../../support/editor-model.js";

const sides = fc.tuple(edits("mine"), edits("theirs"));

/** Runs on what two people made of the same definition. */
function checkMerges(
  check: (mine: ProjectData, theirs: ProjectData, made: Edit[][]) => void,
): void {
  fc.assert(
    fc.property(sides, (made) => {
      const [mine, theirs] = made.map((one) => afterEdits(startedAt, one));
      if (mine && theirs) check(mine, theirs, made);
    }),
    { numRuns: 300 },
  );
}

describe("merging two people's versions of a template", () => {
  it("returns one person's changes when the other made none", () => {
    checkMerges((mine, theirs) => {
      const own = mergeDefinitions({
        base: startedAt,
        mine,
        theirs: startedAt,
      });
      const other = mergeDefinitions({
        base: startedAt,
        mine: startedAt,
        theirs,
      });
      expect(own.definition).to.deep.equal(mine);
      expect(other.definition).to.deep.equal(theirs);
      expect([...own.conflicts, ...other.conflicts]).to.deep.equal([]);
    });
  });

  it("contains each component once", () => {
    checkMerges((mine, theirs) => {
      const ids = idsIn(
        mergeDefinitions({ base: startedAt, mine, theirs }).definition,
      );
      expect(new Set(ids).size).to.equal(ids.length);
    });
  });

  it("is symmetric when there is no conflict", () => {
    checkMerges((mine, theirs) => {
      const one = mergeDefinitions({ base: startedAt, mine, theirs });
      const other = mergeDefinitions({
        base: startedAt,
        mine: theirs,
        theirs: mine,
      });
      expect(one.conflicts.length).to.equal(other.conflicts.length);
      if (one.conflicts.length === 0)
        expect(one.definition).to.deep.equal(other.definition);
    });
  });

  it("is symmetric when both inserted the same component at different positions", () => {
    const [mine, theirs] = [0, 1].map((index) =>
      afterEdits(startedAt, [{ does: "move", which: 3, where: 10, index }]),
    );
    if (!mine || !theirs) throw new Error("both have moved it");
    expect(mine).to.not.deep.equal(theirs);
    const one = mergeDefinitions({ base: startedAt, mine, theirs });
    const other = mergeDefinitions({
      base: startedAt,
      mine: theirs,
      theirs: mine,
    });
    expect(one.definition).to.deep.equal(other.definition);
  });

  it("loses no text that either typed, except in reported conflicts", () => {
    checkMerges((mine, theirs) => {
      const joined = mergeDefinitions({ base: startedAt, mine, theirs });
      const there = textsIn(joined.definition);
      const asked = joined.conflicts.flatMap((one) => [one.mine, one.theirs]);
      const typed = [...textsIn(mine), ...textsIn(theirs)];
      const kept = new Set([...there, ...asked]);
      for (const text of typed)
        if (!textsIn(startedAt).includes(text)) expect(kept).to.include(text);
    });
  });

  it("keeps the identity of unchanged objects", () => {
    const [first, ...others] = startedAt.components;
    if (!first) throw new Error("there is a first");
    const theirs = { ...startedAt, components: [...others] };
    const joined = mergeDefinitions({
      base: startedAt,
      mine: startedAt,
      theirs,
    }).definition;
    for (const [index, one] of joined.components.entries())
      expect(one).to.equal(others[index]);
  });
});
