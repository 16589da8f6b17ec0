import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import {
  mergeDefinitions,
  matchIds,
} from "../../../plugins/studio/app/src/editor/model/merge-definitions.js";

const text = (id: string, words: string): Component => ({
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
  schema: [],
  components,
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
